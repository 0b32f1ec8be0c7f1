import type { EndpointShape, ReplyOf } from '@hengfu/contract/endpoint';
import { totpDigits } from '@hengfu/contract/two-factor';
import type { ReactElement } from 'react';
import { useT } from '../../platform/i18n.ts';
import { Form, TextField } from '../../ui/form.tsx';
import { useCallForm } from '../../ui/use-form.ts';

/** Asks for a first code from the app, and turns the second factor on by it. */
export function CodeForm<E extends EndpointShape>({
  endpoint,
  onDone,
}: {
  endpoint: E;
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
    </Form>
  );
}
