import { profileEndpoints } from '@hengfu/contract/profile';
import type { ReactElement } from 'react';
import { useT } from '../../platform/i18n.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Form, TextField } from '../../ui/form.tsx';
import { useCallForm } from '../../ui/use-form.ts';

interface PasswordDialogProps {
  answer: (isConfirmed: boolean) => void;
}

/** Asks for the login password where a call needs it confirmed; the call then goes on. */
export function PasswordDialog({ answer }: PasswordDialogProps): ReactElement {
  const t = useT();
  const form = useCallForm(profileEndpoints.confirmPassword, () => answer(true));
  return (
    <Dialog title={t('profile.confirmTitle')} onClose={() => answer(false)}>
      <p>{t('profile.confirmText')}</p>
      <Form
        state={form}
        action={t('profile.confirm')}
        extra={<Button onClick={() => answer(false)}>{t('profile.cancel')}</Button>}
      >
        <TextField
          form={form}
          name="password"
          type="password"
          autoComplete="current-password"
          label={t('profile.passwordTitle')}
        />
      </Form>
    </Dialog>
  );
}
