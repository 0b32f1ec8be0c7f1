import { profileEndpoints } from '@hengfu/contract/profile';
import { Button } from '@hengfu/ui/controls/button.tsx';
import { Form, TextField } from '@hengfu/ui/form/form.tsx';
import { useT } from '@hengfu/ui/language/i18n.ts';
import { Dialog } from '@hengfu/ui/overlays/dialog.tsx';
import { type ReactElement, useId } from 'react';
import { call } from '../../platform/http.ts';
import { useForm } from '../../shared/forms/use-form.ts';

interface PasswordDialogProps {
  answer: (isConfirmed: boolean) => void;
}

/** Asks for the login password when a call requires it; the call is then repeated. */
export function PasswordDialog({ answer }: PasswordDialogProps): ReactElement {
  const t = useT();
  const textId = useId();
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
    <Dialog title={t('profile.confirmTitle')} describedBy={textId} onClose={() => answer(false)}>
      <p id={textId}>{t('profile.confirmText')}</p>
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
