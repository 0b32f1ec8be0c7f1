import type { Passkey } from '@hengfu/contract/passkeys';
import { staffPasskeyEndpoints } from '@hengfu/contract/staff/passkeys';
import { Button } from '@hengfu/ui/controls/button.tsx';
import { Form } from '@hengfu/ui/form/form.tsx';
import { PasskeyDialog } from '@hengfu/ui/form/passkey-dialog.tsx';
import { useT } from '@hengfu/ui/language/i18n.ts';
import { Dialog } from '@hengfu/ui/overlays/dialog.tsx';
import type { ReactElement } from 'react';
import { call } from '../../platform/http.ts';
import { newPasskey, withPasskey } from '../../platform/passkeys.ts';
import { ProofField } from '../../shared/proof-field.tsx';
import { useForm, useProofForm } from '../../shared/use-call-form.ts';

interface DialogProps {
  onDone: () => void;
  onClose: () => void;
}

/** Asks for the name of a new passkey and for the second factor, and creates the passkey. */
export function AddDialog({ onDone, onClose }: DialogProps): ReactElement {
  const t = useT();
  const form = useForm(staffPasskeyEndpoints.bind, onDone, {
    params: undefined,
    // Before the browser asks: a passkey without a name would be made, and refused.
    schema: staffPasskeyEndpoints.bind.body.pick({ name: true, code: true }),
    bodyOf: async (fields) => {
      const proven = await withPasskey(fields);
      const { data } = await call(staffPasskeyEndpoints.bindOptions);
      return { ...proven, credential: await newPasskey(data) };
    },
  });
  return (
    <PasskeyDialog form={form} cancel={t('officeService.cancel')} onClose={onClose}>
      <ProofField form={form} />
    </PasskeyDialog>
  );
}

/** Asks for the second factor, and removes a passkey. */
export function RemoveDialog({
  passkey: { id, name },
  onDone,
  onClose,
}: DialogProps & { passkey: Passkey }): ReactElement {
  const t = useT();
  const form = useProofForm(staffPasskeyEndpoints.remove, onDone, { passkey_id: id });
  return (
    <Dialog title={t('passkeys.removeNamed', { name })} onClose={onClose}>
      <Form
        state={form}
        action={t('passkeys.remove')}
        look="danger"
        extra={<Button onClick={onClose}>{t('officeService.cancel')}</Button>}
      >
        <p>{t('office.passkeyRemoval')}</p>
        <ProofField form={form} />
      </Form>
    </Dialog>
  );
}
