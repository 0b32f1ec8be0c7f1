import { profileEndpoints } from '@hengfu/contract/profile';
import type { ReactElement } from 'react';
import { call } from '../../platform/http.ts';
import { useT } from '../../platform/i18n.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Form, TextField } from '../../ui/form.tsx';
import { useForm } from '../../ui/use-form.ts';

interface PasswordDialogProps {
  answer: (isConfirmed: boolean) => void;
}

/** Asks for the login password when a call requires it; the call is then repeated. */
export function PasswordDialog({ answer }: PasswordDialogProps): ReactElement {
  const t = useT();
  // The server, not the dialog, decides whether the password is confirmed (specification, point 6).
  const form = useForm({
    schema: profileEndpoints.confirmPassword.body,
    send: async ({ password }) => {
      await call(profileEndpoints.confirmPassword, { body: { password: String(password ?? '') } });
      return call(profileEndpoints.confirmedStatus);
    },
    onDone: ({ confirmed }) => answer(confirmed),
  });
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
