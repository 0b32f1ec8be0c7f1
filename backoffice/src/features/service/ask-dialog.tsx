import type { EndpointShape } from '@hengfu/contract/endpoint';
import { Button } from '@hengfu/ui/controls/button.tsx';
import { toast } from '@hengfu/ui/feedback/toast.ts';
import { Form, TextField } from '@hengfu/ui/form/form.tsx';
import type { FormState } from '@hengfu/ui/form/form-state.ts';
import { useT } from '@hengfu/ui/language/i18n.ts';
import { Dialog } from '@hengfu/ui/overlays/dialog.tsx';
import type { ReactElement, ReactNode } from 'react';
import { useCallForm } from '../../shared/use-call-form.ts';

interface AskDialogProps {
  title: string;
  /** The call that asks a second person. */
  endpoint: EndpointShape;
  params?: Readonly<Record<string, string>>;
  /** The fields of the change; the reason follows them. */
  children: (form: FormState) => ReactNode;
  onClose: () => void;
}

/** A form for a change that a second person has to agree to. */
export function AskDialog({ title, endpoint, params, children, onClose }: AskDialogProps): ReactElement {
  const t = useT();
  const onDone = () => {
    toast('success', t('officeRequests.asked'));
    onClose();
  };
  const form = useCallForm(endpoint, onDone, params);
  return (
    <Dialog title={title} onClose={onClose}>
      <Form
        state={form}
        action={t('officeRequests.ask')}
        extra={<Button onClick={onClose}>{t('officeService.cancel')}</Button>}
      >
        <p>{t('officeService.twoPeople')}</p>
        {children(form)}
        <TextField
          form={form}
          name="reason"
          label={t('officeRequests.reason')}
          maxLength={300}
          autoComplete="off"
        />
      </Form>
    </Dialog>
  );
}
