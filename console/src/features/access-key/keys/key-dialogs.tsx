import { type AccessKeyRow, accessKeysEndpoints, successorOverlapHours } from '@hengfu/contract/access-keys';
import { Button } from '@hengfu/ui/controls/button.tsx';
import { Notice } from '@hengfu/ui/controls/notice.tsx';
import { RadioGroup } from '@hengfu/ui/controls/radio.tsx';
import { Form } from '@hengfu/ui/form/form.tsx';
import { type Translate, useT } from '@hengfu/ui/language/i18n.ts';
import { Dialog } from '@hengfu/ui/overlays/dialog.tsx';
import type { ReactElement } from 'react';
import { call } from '../../../platform/http.ts';
import { useUser } from '../../../platform/session-store.ts';
import { endOf } from '../../../shared/forms/last-day.ts';
import { useForm } from '../../../shared/forms/use-form.ts';
import { SecondFactorField, useSecondFactor } from '../../../shared/payments/second-factor-field.tsx';
import type { ShownKey } from '../access-key.api.ts';
import { KeyLastDay } from './key-last-day.tsx';

interface DialogProps<R> {
  of: AccessKeyRow;
  onDone: (reply: R) => void;
  onClose: () => void;
}

const nameOf = ({ name, keyId }: AccessKeyRow) => name ?? keyId;

/** Reveals the secret of a key after a second factor. */
export function RevealDialog({ of, onDone, onClose }: DialogProps<ShownKey>): ReactElement {
  const t = useT();
  const prove = useSecondFactor();
  const form = useForm({
    schema: accessKeysEndpoints.secret.query,
    send: async (query) => {
      await prove(query);
      return call(accessKeysEndpoints.secret, { params: { key_id: of.keyId }, query });
    },
    onDone: ({ data }) => onDone(data),
    inPlace: ['not_found'],
  });
  return (
    <Dialog
      title={t('accessKeys.secretTitle', { name: nameOf(of) })}
      onClose={() => form.isBusy || onClose()}
    >
      <Form
        state={form}
        action={t('accessKey.reveal')}
        extra={<Button onClick={onClose}>{t('profile.cancel')}</Button>}
      >
        <SecondFactorField form={form} />
      </Form>
    </Dialog>
  );
}

/** Creates a key instead of one that stays valid for a while. */
export function SucceedDialog({
  of,
  needsApproval,
  onDone,
  onClose,
}: DialogProps<ShownKey | { request_no: string }> & { needsApproval: boolean }): ReactElement {
  const t = useT();
  const { zone } = useUser();
  const prove = useSecondFactor();
  const form = useForm({
    send: async (fields) => {
      const { overlapHours, expiresAt, code } = fields;
      const body = {
        overlapHours: Number(overlapHours),
        expiresAt: endOf(String(expiresAt), zone),
        ...(code !== undefined && { code: String(code) }),
      };
      await prove(body);
      return call(accessKeysEndpoints.succeed, { params: { key_id: of.keyId }, body });
    },
    onDone: ({ data }) => onDone(data),
    inPlace: ['quota_reached', 'not_found'],
  });
  return (
    <Dialog
      title={t('accessKeys.replaceTitle', { name: nameOf(of) })}
      onClose={() => form.isBusy || onClose()}
    >
      <Form
        state={form}
        action={t(needsApproval ? 'approvals.access.ask' : 'accessKeys.replace')}
        extra={<Button onClick={onClose}>{t('profile.cancel')}</Button>}
      >
        {needsApproval && <Notice tone="calm">{t('approvals.access.asksForKey')}</Notice>}
        <p>{t('accessKeys.replaceText')}</p>
        <RadioGroup
          name="overlapHours"
          label={t('accessKey.overlap')}
          choices={successorOverlapHours.map((hours) => ({
            value: String(hours),
            label: overlapText(t, hours),
          }))}
          defaultValue="24"
        />
        <KeyLastDay form={form} label={t('accessKeys.newExpiresAt')} />
        <SecondFactorField form={form} />
      </Form>
    </Dialog>
  );
}

function overlapText(t: Translate, hours: (typeof successorOverlapHours)[number]): string {
  if (hours === 0) return t('accessKey.overlapNone');
  return hours === 168 ? t('accessKeys.overlapDays') : t('accessKey.overlapHours', { count: hours });
}

/** Asks before it ends a key for good. */
export function EndDialog({ of, onDone, onClose }: DialogProps<undefined>): ReactElement {
  const t = useT();
  const form = useForm({
    send: () => call(accessKeysEndpoints.end, { params: { key_id: of.keyId } }),
    onDone: () => onDone(undefined),
    inPlace: ['not_found'],
  });
  return (
    <Dialog title={t('accessKeys.endTitle', { name: nameOf(of) })} onClose={() => form.isBusy || onClose()}>
      <Form
        state={form}
        look="danger"
        action={t('accessKeys.end')}
        extra={<Button onClick={onClose}>{t('profile.cancel')}</Button>}
      >
        <p>{t('accessKeys.endText')}</p>
      </Form>
    </Dialog>
  );
}
