import { type ReactElement, type ReactNode, useState } from 'react';
import type { ApiError } from '../platform/api-error.ts';
import { useT } from '../platform/i18n.ts';
import { newKey } from '../platform/new-key.ts';
import { toast } from '../platform/toast.ts';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';
import { Form, TextField } from './form.tsx';
import { Notice } from './notice.tsx';
import { SecondFactorField, useSecondFactor } from './second-factor-field.tsx';
import { type FormState, foreignFaults, textsOf, useForm } from './use-form.ts';

/** What pays: the password and the factor that were shown, and one key, however often it is sent. */
interface Payment {
  shown: { payment_password: string; code: string };
  idempotencyKey: string;
  /** The person has read what the dialog asked, and means it all the same. */
  isMeant: boolean;
}

interface PaymentWork<R> {
  send: (payment: Payment) => Promise<{ data: R }>;
  onMade: (made: R) => void;
  /** Names the toast that says that it was applied for. */
  topic: string;
  inPlace: readonly ApiError['code'][];
}

type PaymentForm = FormState & { error: ApiError | undefined };

const meant = 'meant';

/** A payment that a {@link PaymentDialog} confirms. */
export function usePayment<R>({ send, onMade, topic, inPlace }: PaymentWork<R>): PaymentForm {
  const t = useT();
  const showFactor = useSecondFactor();
  const [idempotencyKey] = useState(newKey);
  return useForm({
    send: async (body) => {
      const { payment_password = '', code = '', [meant]: answer } = textsOf(body);
      await showFactor({ code });
      return send({ shown: { payment_password, code }, idempotencyKey, isMeant: answer === 'yes' });
    },
    onDone: ({ data }) => {
      toast('success', t('payouts.applied'), topic);
      onMade(data);
    },
    inPlace: [...inPlace, 'idempotency_in_flight'],
  });
}

interface PaymentDialogProps {
  title: string;
  form: PaymentForm;
  /** What the button says. */
  action: string;
  /** What has to be read before it is sent all the same. */
  question?: string | undefined;
  /** Leads back to the form behind, with what the server found wrong there. */
  onMend?: (faults: Readonly<Record<string, string>>) => void;
  onClose: () => void;
  /** What the person is about to agree to. */
  children: ReactNode;
}

/** A last look at what is paid, and what authorises it: the payment password, and the second factor where it is on. */
export function PaymentDialog({
  title,
  form,
  action,
  question,
  onMend,
  onClose,
  children,
}: PaymentDialogProps): ReactElement {
  const t = useT();
  const foreign = foreignFaults(form.error, ['payment_password', 'code']);
  const mend = onMend && foreign && <Button onClick={() => onMend(foreign)}>{t('payouts.mend')}</Button>;
  return (
    <Dialog title={title} onClose={onClose}>
      {children}
      <Form
        state={{ ...form, refusal: question === undefined ? form.refusal : undefined }}
        action={action}
        extra={<Button onClick={onClose}>{t('profile.cancel')}</Button>}
      >
        {question !== undefined && (
          <Notice tone="waiting">
            <input type="hidden" name={meant} value="yes" />
            {question}
          </Notice>
        )}
        <TextField
          form={form}
          name="payment_password"
          type="password"
          autoComplete="off"
          label={t('payouts.paymentPassword')}
        />
        <SecondFactorField form={form} />
        {foreign && (
          <Notice tone="bad" action={mend}>
            {Object.values(foreign).join('\n')}
          </Notice>
        )}
      </Form>
    </Dialog>
  );
}
