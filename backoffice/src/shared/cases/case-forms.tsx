import type { EndpointShape } from '@hengfu/contract/endpoint';
import { Button } from '@hengfu/ui/controls/button.tsx';
import { toast } from '@hengfu/ui/feedback/toast.ts';
import { Form, TextField } from '@hengfu/ui/form/form.tsx';
import { useT } from '@hengfu/ui/language/i18n.ts';
import { Dialog } from '@hengfu/ui/overlays/dialog.tsx';
import type { ReactElement } from 'react';
import { useCallForm } from '../use-call-form.ts';

interface RejectFormProps {
  endpoint: EndpointShape;
  tradeNo: string;
  onDone: () => void;
}

/** Rejects a case with a reason that the merchant reads. */
export function RejectForm({ endpoint, tradeNo, onDone }: RejectFormProps): ReactElement {
  const t = useT();
  const onRejected = () => {
    toast('success', t('office.rejected'));
    onDone();
  };
  const form = useCallForm(endpoint, onRejected, { trade_no: tradeNo });
  return (
    <Form state={form} action={t('office.reject')} look="outline">
      <TextField form={form} name="reason" label={t('office.reason')} maxLength={300} autoComplete="off" />
    </Form>
  );
}

interface ConfirmDialogProps<D> {
  endpoint: EndpointShape & { reply?: unknown };
  tradeNo: string;
  title: string;
  text: string;
  action: string;
  /** Returns the sentence that says what has happened. */
  doneText: (reply: D) => string;
  onDone: () => void;
  onClose: () => void;
}

/** Asks before a step that cannot be taken back. */
export function ConfirmDialog<D>({
  endpoint,
  tradeNo,
  title,
  text,
  action,
  doneText,
  onDone,
  onClose,
}: ConfirmDialogProps<D>): ReactElement {
  const t = useT();
  const onReply = (reply: unknown) => {
    toast('success', doneText((reply as { data: D }).data));
    onClose();
    onDone();
  };
  const form = useCallForm(endpoint, onReply, { trade_no: tradeNo });
  return (
    <Dialog title={title} onClose={onClose}>
      <Form state={form} action={action} extra={<Button onClick={onClose}>{t('office.cancel')}</Button>}>
        <p>{text}</p>
      </Form>
    </Dialog>
  );
}
