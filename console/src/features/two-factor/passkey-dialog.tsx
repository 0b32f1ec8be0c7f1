import { passkeyEndpoints } from '@hengfu/contract/passkeys';
import { Button } from '@hengfu/ui/controls/button.tsx';
import { Form, TextField } from '@hengfu/ui/form/form.tsx';
import { useT } from '@hengfu/ui/language/i18n.ts';
import { Dialog } from '@hengfu/ui/overlays/dialog.tsx';
import type { ReactElement } from 'react';
import { bindPasskey } from '../../platform/passkeys.ts';
import { useForm } from '../../shared/forms/use-form.ts';

/** Asks for the name of a new passkey, and creates it. */
export function PasskeyDialog({
  onAdded,
  onClose,
}: {
  onAdded: () => void;
  onClose: () => void;
}): ReactElement {
  const t = useT();
  const form = useForm({
    // Before the browser asks: a passkey without a name would be made, and refused.
    schema: passkeyEndpoints.bind.body.pick({ name: true }),
    send: async ({ name }) => bindPasskey(String(name ?? '')),
    onDone: onAdded,
  });
  return (
    <Dialog title={t('passkeys.addTitle')} onClose={onClose}>
      <Form
        state={form}
        action={t('passkeys.make')}
        extra={<Button onClick={onClose}>{t('profile.cancel')}</Button>}
      >
        <TextField
          form={form}
          name="name"
          label={t('passkeys.name')}
          hint={t('passkeys.nameHint')}
          maxLength={64}
        />
      </Form>
    </Dialog>
  );
}
