import type { AccessKeyRow } from '@hengfu/contract/access-keys';
import { useT } from '@hengfu/ui/language/i18n.ts';
import { Fields } from '@hengfu/ui/page/fields.tsx';
import { Section } from '@hengfu/ui/page/section.tsx';
import { StatusTag } from '@hengfu/ui/values/status-tag.tsx';
import { TimeText } from '@hengfu/ui/values/time-text.tsx';
import type { ReactElement, ReactNode } from 'react';
import { keyLook } from './key-looks.ts';
import styles from './keys.module.css';

/** One live key: what it may do, where from, until when, and when it was last used. */
export function KeyCard({ of, children }: { of: AccessKeyRow; children: ReactNode }): ReactElement {
  const t = useT();
  const { keyId, name, scopes, addresses, callbackUrl, note, createdAt, endsAt, successor } = of;
  return (
    <Section
      isCard
      title={name ?? keyId}
      extra={
        <span className={styles.tags}>
          {of.isFirst && <span className={styles.hint}>{t('accessKeys.first')}</span>}
          <StatusTag look={keyLook(of)} />
        </span>
      }
    >
      <div className={styles.parts}>
        <Fields
          fields={[
            { label: t('accessKey.keyId'), value: keyId, copy: keyId },
            {
              label: t('accessKeys.scopes'),
              value: scopes.map((scope) => t(`accessKeys.scope.${scope}`)).join(t('ui.listComma')),
            },
            {
              label: t('accessKeys.addresses'),
              value: addresses?.join(t('ui.listComma')) ?? t('accessKeys.noAddresses'),
            },
            { label: t('accessKeys.lastUse'), value: <LastUse of={of} /> },
            {
              label: t('accessKeys.expiresAt'),
              value: endsAt === null ? t('accessKeys.never') : <TimeText at={endsAt} style="minute" />,
            },
            { label: t('accessKey.createdAt'), value: <TimeText at={createdAt} style="minute" /> },
            ...(successor === null
              ? []
              : [{ label: t('accessKeys.successor'), value: successor, isWide: true }]),
            ...(callbackUrl === null
              ? []
              : [{ label: t('accessKey.callbackUrl'), value: callbackUrl, isWide: true }]),
            ...(note === null ? [] : [{ label: t('accessKey.note'), value: note, isWide: true }]),
          ]}
        />
        {children}
      </div>
    </Section>
  );
}

function LastUse({ of: { lastUse } }: { of: AccessKeyRow }): ReactElement {
  const t = useT();
  if (!lastUse) return <>{t('accessKeys.neverUsed')}</>;
  return (
    <span className={styles.use}>
      <span>
        <TimeText at={lastUse.at} style="minute" />{' '}
        {t('accessKeys.lastUseFrom', { address: lastUse.address })}
      </span>
      <code>{lastUse.call}</code>
    </span>
  );
}

/** Keys that have ended lately, one line each. */
export function EndedKeys({ of }: { of: readonly AccessKeyRow[] }): ReactElement {
  const t = useT();
  return (
    <Section isCard title={t('accessKeys.endedTitle')}>
      <ul className={styles.ended}>
        {of.map((key) => (
          <li key={key.keyId}>
            <span className={styles.name}>
              {key.name && <strong>{key.name}</strong>} <span>{key.keyId}</span>
            </span>
            <StatusTag look={keyLook(key)} />
            <span className={styles.hint}>
              {t('accessKeys.endedAt')} <TimeText at={key.endsAt} style="minute" />
            </span>
          </li>
        ))}
      </ul>
    </Section>
  );
}
