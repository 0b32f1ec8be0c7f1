import { enrolmentCodeHours } from '@hengfu/contract/authentication';
import type { EndpointShape, ReplyOf } from '@hengfu/contract/endpoint';
import { totpDigits } from '@hengfu/contract/totp-code';
import { Form, TextField } from '@hengfu/ui/form/form.tsx';
import { useT } from '@hengfu/ui/language/i18n.ts';
import type { ReactElement } from 'react';
import { useCallForm } from '../../shared/forms/use-form.ts';

/** Asks for a first code from the app, and the enrollment code if required; turns the second factor on. */
export function CodeForm<E extends EndpointShape>({
  endpoint,
  isEnrolmentCodeNeeded = false,
  onDone,
}: {
  endpoint: E;
  isEnrolmentCodeNeeded?: boolean;
  onDone: (reply: ReplyOf<E>) => void;
}): ReactElement {
  const t = useT();
  const form = useCallForm(endpoint, onDone);
  return (
    <Form state={form} action={t('twoFactor.turnOn')}>
      <TextField
        form={form}
        name="code"
        label={t('twoFactor.code')}
        hint={t('twoFactor.codeHint')}
        inputMode="numeric"
        autoComplete="one-time-code"
        maxLength={totpDigits}
      />
      {isEnrolmentCodeNeeded && (
        <TextField
          form={form}
          name="enrolment_code"
          label={t('twoFactor.enrolmentCode')}
          hint={t('twoFactor.enrolmentHint', { hours: enrolmentCodeHours })}
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          maxLength={64}
        />
      )}
    </Form>
  );
}
