import type { EndpointShape } from '@hengfu/contract/endpoint';
import { Button } from '@hengfu/ui/controls/button.tsx';
import { toast } from '@hengfu/ui/feedback/toast.ts';
import { Form, TextField } from '@hengfu/ui/form/form.tsx';
import type { FormState } from '@hengfu/ui/form/form-state.ts';
import { useT } from '@hengfu/ui/language/i18n.ts';
import { Dialog } from '@hengfu/ui/overlays/dialog.tsx';
import type { ReactElement, ReactNode } from 'react';
import { useForm } from '../../shared/use-call-form.ts';
import { useRefresh } from './use-refresh.ts';

interface AskDialogProps {
  endpoint: EndpointShape;
  code: string;
  /** Parameters of the path besides the code. */
  params?: Readonly<Record<string, string>>;
  title: string;
  text: string;
  /** Sent beside the fields: what the person has seen. */
  seen?: object | undefined;
  /** Further buttons beside that for asking. */
  extra?: ReactNode;
  onClose: () => void;
  /** The fields of the change. */
  children?: (form: FormState) => ReactNode;
}

/** Asks a second person for a change of a merchant, with the reason. */
export function AskDialog(props: AskDialogProps): ReactElement {
  const { endpoint, code, params, title, text, seen, extra, onClose, children } = props;
  const t = useT();
  const refresh = useRefresh();
  const onDone = () => {
    toast('success', t('officeMerchants.asked'));
    onClose();
    refresh();
  };
  const form = useForm(endpoint, onDone, {
    params: { code, ...params },
    schema: endpoint.body,
    bodyOf: (fields) => ({ ...fields, ...seen }),
  });
  return (
    <Dialog title={title} onClose={onClose} isWide={children !== undefined}>
      <Form
        state={form}
        isWide
        action={t('officeMerchants.ask')}
        extra={
          <>
            {extra}
            <Button onClick={onClose}>{t('officeMerchants.cancel')}</Button>
          </>
        }
      >
        <p>{text}</p>
        {children?.(form)}
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
