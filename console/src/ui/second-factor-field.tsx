import { totpDigits } from '@hengfu/contract/totp-code';
import type { ReactElement } from 'react';
import { useT } from '../platform/i18n.ts';
import { showPasskeyFor } from '../platform/passkeys.ts';
import { useUser } from '../platform/session-store.ts';
import { TextField } from './form.tsx';
import styles from './text.module.css';
import type { FormState } from './use-form.ts';

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
