import { totpDigits } from '@hengfu/contract/totp-code';
import { TextField } from '@hengfu/ui/form/form.tsx';
import type { FormState } from '@hengfu/ui/form/form-state.ts';
import { useT } from '@hengfu/ui/language/i18n.ts';
import styles from '@hengfu/ui/values/text.module.css';
import type { ReactElement } from 'react';
import { showPasskeyFor } from '../../platform/passkeys.ts';
import { useUser } from '../../platform/session-store.ts';

/** Asks for a code or announces a passkey prompt, depending on the user's second factors. */
export function SecondFactorField({ form }: { form: FormState }): ReactElement | null {
  const t = useT();
  const { factors, twoFactor } = useUser();
  const hasPasskey = factors.includes('passkey');
  if (twoFactor !== 'on') return null;
  if (!factors.includes('app')) return <p className={styles.nothing}>{t('passkeys.willBeAsked')}</p>;
  return (
    <TextField
      form={form}
      name="code"
      label={t('twoFactor.code')}
      hint={t(hasPasskey ? 'passkeys.codeOrPasskey' : 'twoFactor.codeHint')}
      inputMode="numeric"
      autoComplete="one-time-code"
      maxLength={totpDigits}
    />
  );
}

/** Returns the function that a form with a {@link SecondFactorField} runs before its call. */
export function useSecondFactor(): (body: Readonly<Record<string, unknown>>) => Promise<void> {
  const user = useUser();
  return (body) => showPasskeyFor(user, body);
}
