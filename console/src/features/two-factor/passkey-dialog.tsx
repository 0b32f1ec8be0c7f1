import { passkeyEndpoints } from '@hengfu/contract/passkeys';
import { PasskeyDialog } from '@hengfu/ui/form/passkey-dialog.tsx';
import { useT } from '@hengfu/ui/language/i18n.ts';
import type { ReactElement } from 'react';
import { bindPasskey } from '../../platform/passkeys.ts';
import { useForm } from '../../shared/forms/use-form.ts';

/** Asks for the name of a new passkey, and creates it. */
export function NewPasskeyDialog({
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
  return <PasskeyDialog form={form} cancel={t('profile.cancel')} onClose={onClose} />;
}
