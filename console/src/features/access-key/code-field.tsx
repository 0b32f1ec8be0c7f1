import { totpDigits } from '@hengfu/contract/two-factor';
import type { ReactElement } from 'react';
import { useT } from '../../platform/i18n.ts';
import { type FormState, TextField } from '../../ui/form.tsx';

/** The code of the user's second factor. */
export function CodeField({ form }: { form: FormState }): ReactElement {
  const t = useT();
  return (
    <TextField
      form={form}
      name="code"
      label={t('twoFactor.code')}
      hint={t('twoFactor.codeHint')}
      inputMode="numeric"
      autoComplete="one-time-code"
      maxLength={totpDigits}
    />
  );
}
