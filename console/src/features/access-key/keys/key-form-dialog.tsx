import { type AccessKeyRow, accessKeysEndpoints, maxKeyName } from '@hengfu/contract/access-keys';
import { keyScopes } from '@hengfu/contract/key-scopes';
import { Button } from '@hengfu/ui/controls/button.tsx';
import { Checkbox } from '@hengfu/ui/controls/checkbox.tsx';
import { Notice } from '@hengfu/ui/controls/notice.tsx';
import { Form, LinesField, TextField } from '@hengfu/ui/form/form.tsx';
import type { FormState } from '@hengfu/ui/form/form-state.ts';
import { useT } from '@hengfu/ui/language/i18n.ts';
import { Dialog } from '@hengfu/ui/overlays/dialog.tsx';
import { FieldGrid } from '@hengfu/ui/page/apply-layout.tsx';
import { type ReactElement, useId } from 'react';
import { call } from '../../../platform/http.ts';
import { useUser } from '../../../platform/session-store.ts';
import { lastDayOf } from '../../../shared/forms/last-day.ts';
import { useForm } from '../../../shared/forms/use-form.ts';
import { SecondFactorField, useSecondFactor } from '../../../shared/payments/second-factor-field.tsx';
import { keyBody, scopeName } from './key-body.ts';
import { KeyLastDay } from './key-last-day.tsx';
import styles from './keys.module.css';

/** The reply to a new key or to changed settings: '' if a change was made at once. */
type Reply = Awaited<ReturnType<typeof send>> | '';

interface KeyFormDialogProps {
  /** The key to change; absent for a new one. */
  of?: AccessKeyRow;
  needsApproval: boolean;
  onDone: (reply: Reply) => void;
  onClose: () => void;
}

/** Creates a key beside the others, or changes one. */
export function KeyFormDialog({ of, needsApproval, onDone, onClose }: KeyFormDialogProps): ReactElement {
  const t = useT();
  const { zone } = useUser();
  const prove = useSecondFactor();
  const schema = keyBody(zone, of);
  const form = useForm<Reply>({
    schema,
    send: async (fields) => {
      const body = schema.parse(fields);
      await prove(body);
      return of ? change(of, body) : send(body);
    },
    onDone,
    inPlace: ['quota_reached', 'not_found'],
  });
  const title = of ? t('accessKeys.editTitle', { name: of.name ?? of.keyId }) : t('accessKeys.addTitle');
  const action = of ? 'accessKey.save' : 'accessKey.make';
  return (
    <Dialog isWide title={title} onClose={() => form.isBusy || onClose()}>
      <Form
        isWide
        state={form}
        action={t(needsApproval && !of ? 'approvals.access.ask' : action)}
        extra={<Button onClick={onClose}>{t('profile.cancel')}</Button>}
      >
        {needsApproval && (
          <Notice tone="calm">{t(of ? 'approvals.access.needs.key' : 'approvals.access.asksForKey')}</Notice>
        )}
        <TextField
          form={form}
          name="name"
          label={t('accessKeys.name')}
          hint={t('accessKeys.nameHint')}
          defaultValue={of?.name ?? ''}
          autoComplete="off"
          maxLength={maxKeyName}
        />
        <Scopes form={form} of={of} />
        <FieldGrid>
          <LinesField
            form={form}
            name="addresses"
            label={t('accessKeys.addresses')}
            hint={t('accessKeys.addressesHint')}
            defaultValue={of?.addresses?.join('\n') ?? ''}
            rows={3}
            spellCheck={false}
          />
          <KeyLastDay
            form={form}
            label={t('accessKeys.expiresAt')}
            value={lastDayOf(of?.endsAt ?? null, zone)}
          />
        </FieldGrid>
        <TextField
          form={form}
          name="callbackUrl"
          type="url"
          label={t('accessKey.callbackUrl')}
          hint={t('accessKey.callbackHint')}
          defaultValue={of?.callbackUrl ?? ''}
          placeholder="https://"
          autoComplete="off"
          spellCheck={false}
        />
        <SecondFactorField form={form} />
      </Form>
    </Dialog>
  );
}

type Body = Parameters<typeof call<typeof accessKeysEndpoints.create>>[1]['body'];

const send = (body: Body) => call(accessKeysEndpoints.create, { body });
const change = ({ keyId, version }: AccessKeyRow, body: Body) =>
  call(accessKeysEndpoints.update, { params: { key_id: keyId }, body: { ...body, version } });

function Scopes({ form, of }: { form: FormState; of: AccessKeyRow | undefined }): ReactElement {
  const t = useT();
  const id = useId();
  const fault = form.faults.scopes;
  return (
    <fieldset className={styles.scopes} {...(fault && { 'aria-describedby': id })}>
      <legend>{t('accessKeys.scopes')}</legend>
      {keyScopes.map((scope) => (
        <Checkbox
          key={scope}
          name={scopeName(scope)}
          defaultChecked={of?.scopes.includes(scope) ?? false}
          onChange={() => form.forget('scopes')}
        >
          {t(`accessKeys.scope.${scope}`)}
          <span className={styles.hint}> {t(`accessKeys.scopeHint.${scope}`)}</span>
        </Checkbox>
      ))}
      {fault && (
        <p id={id} className={styles.fault} role="alert">
          {fault}
        </p>
      )}
    </fieldset>
  );
}
