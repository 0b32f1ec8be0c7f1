import { TextField } from '@hengfu/ui/form/form.tsx';
import type { FormState } from '@hengfu/ui/form/form-state.ts';
import { useT } from '@hengfu/ui/language/i18n.ts';
import type { ReactElement } from 'react';
import { useUser } from '../platform/session.ts';

/** The field for a code of the authenticator app; it may stay empty for somebody with a passkey, and is absent for whoever has no second factor. */
export function ProofField({ form }: { form: FormState }): ReactElement | null {
  const t = useT();
  const { hasFactor, hasPasskey } = useUser();
  if (!hasFactor) return null;
  return (
    <TextField
      form={form}
      name="code"
      label={t('officeRequests.code')}
      hint={hasPasskey ? t('passkeys.codeOrPasskey') : undefined}
      inputMode="numeric"
      autoComplete="one-time-code"
    />
  );
}
