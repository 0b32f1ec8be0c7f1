import { ipAddressEndpoints } from '@hengfu/contract/ip-address';
import type { ReactElement } from 'react';
import { call } from '../../platform/http.ts';
import { useT } from '../../platform/i18n.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Form } from '../../ui/form.tsx';
import { Notice } from '../../ui/notice.tsx';
import { useForm } from '../../ui/use-form.ts';

interface OpenListDialogProps {
  /** The list as it was sent. */
  addresses: string;
  /** The server's refusal, which names the widest blocks. */
  warning: string;
  onSaved: () => void;
  onClose: () => void;
}

/** Asks for confirmation of a whitelist that allows a large part of the internet, and saves it. */
export function OpenListDialog({ addresses, warning, onSaved, onClose }: OpenListDialogProps): ReactElement {
  const t = useT();
  const form = useForm({
    send: () => call(ipAddressEndpoints.set, { body: { addresses, confirmOpen: true } }),
    onDone: onSaved,
  });
  return (
    <Dialog title={t('ipAddress.openTitle')} onClose={onClose}>
      <Form
        state={form}
        action={t('ipAddress.openSave')}
        extra={<Button onClick={onClose}>{t('profile.cancel')}</Button>}
      >
        <Notice tone="bad">{warning}</Notice>
        <p>{t('ipAddress.openText')}</p>
      </Form>
    </Dialog>
  );
}
