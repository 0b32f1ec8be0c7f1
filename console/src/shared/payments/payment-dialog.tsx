import type { ApiError } from '@hengfu/client/api-error.ts';
import { authorization } from '@hengfu/contract/authorization';
import { Button } from '@hengfu/ui/controls/button.tsx';
import { Notice } from '@hengfu/ui/controls/notice.tsx';
import { showAlert } from '@hengfu/ui/feedback/alerts.ts';
import { toast } from '@hengfu/ui/feedback/toast.ts';
import { Form } from '@hengfu/ui/form/form.tsx';
import type { FormState } from '@hengfu/ui/form/form-state.ts';
import { useT } from '@hengfu/ui/language/i18n.ts';
import { Dialog } from '@hengfu/ui/overlays/dialog.tsx';
import { type ReactElement, type ReactNode, useId, useState } from 'react';
import * as z from 'zod';
import { foreignFaults, textsOf, useForm } from '../forms/use-form.ts';
import { keyFor, sendWithKey } from './open-keys.ts';
import { type PaymentProof, PaymentProofFields } from './payment-proof.tsx';
import { useSecondFactor } from './second-factor-field.tsx';

/** The authorization of a payment. The idempotency key stays the same for every attempt until the outcome is known. */
interface Payment {
  credentials: PaymentProof;
  idempotencyKey: string;
  /** The user has confirmed the dialog's question. */
  isConfirmed: boolean;
}

interface PaymentOptions<R> {
  /** The content of the payment. An attempt with the same content repeats one whose outcome is unknown. */
  order: unknown;
  send: (payment: Payment) => Promise<{ reply: { data: R }; isReplayed: boolean }>;
  onMade: (made: R) => void;
  /** Key of the success toast. */
  topic: string;
  inPlace: readonly ApiError['code'][];
}

/** The dialog's own fields. */
const credentials = z.object(authorization);

type PaymentForm = FormState & { error: ApiError | undefined };

/** Name of the hidden field that confirms the dialog's question. */
const confirmedField = 'confirmed';

/** The form state of a payment, for a {@link PaymentDialog}. */
export function usePayment<R>({ order, send, onMade, topic, inPlace }: PaymentOptions<R>): PaymentForm {
  const t = useT();
  const showFactor = useSecondFactor();
  const [content] = useState(() => JSON.stringify([topic, order]));
  const [idempotencyKey] = useState(() => keyFor(content));
  return useForm({
    schema: credentials,
    send: async (body) => {
      const { payment_password = '', code = '', [confirmedField]: answer } = textsOf(body);
      await showFactor({ code });
      const credentials = { payment_password, code };
      const isConfirmed = answer === 'yes';
      return sendWithKey(content, idempotencyKey, () => send({ credentials, idempotencyKey, isConfirmed }));
    },
    onDone: ({ reply: { data }, isReplayed }) => {
      // It may have been meant as another payment.
      if (isReplayed) showAlert({ kind: 'replayed', type: 'warning', text: t('payouts.replayed') });
      else toast('success', t('payouts.applied'), topic);
      onMade(data);
    },
    inPlace,
  });
}

interface PaymentDialogProps {
  title: string;
  form: PaymentForm;
  /** Label of the submit button. */
  action: string;
  /** A question that submitting the form confirms. */
  question?: string | undefined;
  /** Returns to the form behind the dialog, with the server's errors for its fields. */
  onMend?: (faults: Readonly<Record<string, string>>) => void;
  onClose: () => void;
  /** A summary of the payment. */
  children: ReactNode;
}

/**
 * Confirms a payment: shows its summary, and asks for the payment password and, if enabled, the second
 * factor.
 */
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
  const summaryId = useId();
  // A payment under way cannot be taken back, so the dialog waits for its answer.
  const close = () => form.isBusy || onClose();
  const foreign = foreignFaults(form.error, ['payment_password', 'code']);
  const mendButton = onMend && foreign && (
    <Button onClick={() => onMend(foreign)}>{t('payouts.mend')}</Button>
  );
  return (
    <Dialog title={title} describedBy={summaryId} onClose={close}>
      <div id={summaryId} style={{ display: 'contents' }}>
        {children}
      </div>
      <Form
        state={{ ...form, refusal: question === undefined && !foreign ? form.refusal : undefined }}
        action={action}
        extra={<Button onClick={close}>{t('profile.cancel')}</Button>}
      >
        {question !== undefined && (
          <Notice tone="waiting">
            <input type="hidden" name={confirmedField} value="yes" />
            {question}
          </Notice>
        )}
        <PaymentProofFields form={form} />
        {foreign && (
          <Notice tone="bad" action={mendButton}>
            {Object.values(foreign).join('\n')}
          </Notice>
        )}
      </Form>
    </Dialog>
  );
}
