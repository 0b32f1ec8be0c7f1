import type { AccessSettingChange } from '@hengfu/contract/access-requests';
import { Notice } from '@hengfu/ui/controls/notice.tsx';
import { nothing } from '@hengfu/ui/language/format.ts';
import { type Translate, useT } from '@hengfu/ui/language/i18n.ts';
import { type Field, Fields } from '@hengfu/ui/page/fields.tsx';
import { TimeText } from '@hengfu/ui/values/time-text.tsx';
import type { ReactElement } from 'react';
import styles from './access.module.css';

/** The difference that a request makes to the access key, the whitelist or a callback endpoint. */
export function AccessChange({ of }: { of: AccessSettingChange }): ReactElement {
  const t = useT();
  return (
    <div className={styles.change}>
      <Fields fields={fieldsOf(of, t)} />
      {of.action === 'whitelist' && of.isOpen && <Notice tone="bad">{t('approvals.access.open')}</Notice>}
    </div>
  );
}

function fieldsOf(of: AccessSettingChange, t: Translate): Field[] {
  switch (of.action) {
    case 'addKey':
      return [
        { label: t('accessKeys.name'), value: of.name, isWide: true },
        ...limitFields(of, t),
        { label: t('accessKey.callbackUrl'), value: of.callbackUrl, isWide: true },
      ];
    case 'newKey':
      return of.keyId === null
        ? [{ label: t('approvals.access.replaced'), value: nothing }]
        : [
            { label: t('approvals.access.replaced'), value: of.keyId },
            {
              label: t('approvals.access.until'),
              value:
                of.overlapHours === 0
                  ? t('accessKey.overlapNone')
                  : t('accessKey.overlapHours', { count: of.overlapHours }),
            },
            ...(of.endsAt === null
              ? []
              : [{ label: t('accessKeys.expiresAt'), value: <TimeText at={of.endsAt} style="minute" /> }]),
          ];
    case 'keySettings': {
      const textOf = ({ callbackUrl, isEnabled }: typeof of.before) =>
        [
          t(isEnabled ? 'accessKey.enabled' : 'accessKey.disabled'),
          callbackUrl ?? t('approvals.access.noCallbackUrl'),
        ].join(' · ');
      return [
        { label: t('accessKey.keyId'), value: of.keyId, isWide: true },
        { label: t('approvals.access.before'), value: textOf(of.before), isWide: true },
        { label: t('approvals.access.after'), value: textOf(of.after), isWide: true },
        ...changedLimits(of.before, of.after, t),
      ];
    }
    case 'endpoint': {
      const textOf = ({ url, events }: typeof of.after) =>
        [url, events === null ? t('approvals.access.allEvents') : events.join(', ')].join(' · ');
      return [
        {
          label: t('approvals.access.before'),
          value: of.before ? textOf(of.before) : nothing,
          isWide: true,
        },
        { label: t('approvals.access.after'), value: textOf(of.after), isWide: true },
      ];
    }
    case 'whitelist':
      return [
        { label: t('approvals.access.added'), value: <Addresses of={of.added} />, isWide: true },
        { label: t('approvals.access.removed'), value: <Addresses of={of.removed} />, isWide: true },
      ];
  }
}

/** The limits of a key; of changed settings, only those that a request names. */
type Limits = Partial<
  Pick<Extract<AccessSettingChange, { action: 'addKey' }>, 'scopes' | 'addresses' | 'endsAt'>
>;
const limits = ['scopes', 'addresses', 'endsAt'] as const;
const limitNames = {
  scopes: 'accessKeys.scopes',
  addresses: 'accessKeys.addresses',
  endsAt: 'accessKeys.expiresAt',
} as const;

function limitValue(
  { scopes = [], addresses, endsAt }: Limits,
  limit: (typeof limits)[number],
  t: Translate,
) {
  switch (limit) {
    case 'scopes':
      return scopes.map((scope) => t(`accessKeys.scope.${scope}`)).join(t('ui.listComma'));
    case 'addresses':
      return addresses ? <Addresses of={addresses} /> : t('accessKeys.noAddresses');
    case 'endsAt':
      return endsAt ? <TimeText at={endsAt} style="minute" /> : t('accessKeys.never');
  }
}

function limitFields(of: Limits, t: Translate): Field[] {
  return limits.map((limit) => ({
    label: t(limitNames[limit]),
    value: limitValue(of, limit, t),
    isWide: true,
  }));
}

function changedLimits(before: Limits, after: Limits, t: Translate): Field[] {
  return limits
    .filter((limit) => String(before[limit]) !== String(after[limit]))
    .map((limit) => ({
      label: t(limitNames[limit]),
      value: (
        <>
          {limitValue(before, limit, t)} → {limitValue(after, limit, t)}
        </>
      ),
      isWide: true,
    }));
}

/** Addresses and blocks, which wrap between each other but not within one. */
function Addresses({ of }: { of: readonly string[] }): ReactElement {
  if (of.length === 0) return <>{nothing}</>;
  return (
    <span className={styles.addresses}>
      {of.map((address) => (
        <span key={address}>{address}</span>
      ))}
    </span>
  );
}
