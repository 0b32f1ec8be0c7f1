import { merchantSuspensionEndpoints } from '@hengfu/contract/staff/merchant-suspension';
import { Button } from '@hengfu/ui/controls/button.tsx';
import { toast } from '@hengfu/ui/feedback/toast.ts';
import { Form, TextField } from '@hengfu/ui/form/form.tsx';
import { useT } from '@hengfu/ui/language/i18n.ts';
import { Dialog } from '@hengfu/ui/overlays/dialog.tsx';
import type { ReactElement } from 'react';
import { useCallForm } from '../../shared/use-call-form.ts';
import { useRefresh } from './use-refresh.ts';

interface SuspendDialogProps {
  code: string;
  name: string;
  onClose: () => void;
}

/** Says what a suspension stops, and asks for the reason. */
export function SuspendDialog({ code, name, onClose }: SuspendDialogProps): ReactElement {
  const t = useT();
  const refresh = useRefresh();
  const onDone = () => {
    toast('success', t('officeMerchants.isSuspended', { name }));
    onClose();
    refresh();
  };
  const form = useCallForm(merchantSuspensionEndpoints.suspend, onDone, { code });
  return (
    <Dialog title={t('officeMerchants.suspendTitle', { name })} onClose={onClose}>
      <Form
        state={form}
        action={t('officeMerchants.suspend')}
        look="danger"
        extra={<Button onClick={onClose}>{t('officeMerchants.cancel')}</Button>}
      >
        <p>{t('officeMerchants.suspendText')}</p>
        <TextField
          form={form}
          name="reason"
          label={t('officeMerchants.reason')}
          hint={t('officeMerchants.reasonHint')}
          maxLength={300}
          autoComplete="off"
        />
      </Form>
    </Dialog>
  );
}
