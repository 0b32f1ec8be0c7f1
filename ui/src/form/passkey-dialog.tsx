import type { ReactElement, ReactNode } from 'react';
import { Button } from '../controls/button.tsx';
import { useT } from '../language/i18n.ts';
import { Dialog } from '../overlays/dialog.tsx';
import { Form, TextField } from './form.tsx';
import type { FormState } from './form-state.ts';

interface PasskeyDialogProps {
  form: FormState;
  /** Label of the button that closes the dialog. */
  cancel: string;
  onClose: () => void;
  /** Further fields: the second factor, where one is asked for. */
  children?: ReactNode;
}

/** Asks for the name of a new passkey; the form creates it. */
export function PasskeyDialog({ form, cancel, onClose, children }: PasskeyDialogProps): ReactElement {
  const t = useT();
  return (
    <Dialog title={t('passkeys.addTitle')} onClose={onClose}>
      <Form state={form} action={t('passkeys.make')} extra={<Button onClick={onClose}>{cancel}</Button>}>
        <TextField
          form={form}
          name="name"
          label={t('passkeys.name')}
          hint={t('passkeys.nameHint')}
          maxLength={64}
          autoComplete="off"
        />
        {children}
      </Form>
    </Dialog>
  );
}
