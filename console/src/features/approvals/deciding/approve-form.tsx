import { Button } from '@hengfu/ui/controls/button.tsx';
import { Form } from '@hengfu/ui/form/form.tsx';
import { useT } from '@hengfu/ui/language/i18n.ts';
import { Dialog } from '@hengfu/ui/overlays/dialog.tsx';
import type { ReactElement } from 'react';
import { NeedsTwoFactor } from '../../../shared/payments/needs-two-factor.tsx';
import {
  type PaymentProof,
  PaymentProofFields,
  useProofForm,
} from '../../../shared/payments/payment-proof.tsx';

interface ApproveFormProps<R> {
  title: string;
  hint: string;
  send: (proof: PaymentProof) => Promise<R>;
  onDone: (reply: R) => void;
  onClose: () => void;
}

/** Error codes about a request, which a dialog shows in place. */
export const requestRefusals = [
  'invalid_transition',
  'not_approver',
  'own_request',
  'already_decided',
  'approval_changed',
  'not_ready',
  'conflict',
  'approvers_missing',
  'insufficient_funds',
  'open_first',
  'forbidden',
] as const;

/** Asks for the payment password and the second factor, and approves. */
export function ApproveForm<R>({ title, hint, send, onDone, onClose }: ApproveFormProps<R>): ReactElement {
  const t = useT();
  const form = useProofForm({ send, onDone, inPlace: [...requestRefusals] });
  return (
    <Dialog title={title} onClose={() => form.isBusy || onClose()}>
      <NeedsTwoFactor>
        <p>{hint}</p>
        <Form
          state={form}
          action={t('approvals.approve')}
          extra={<Button onClick={onClose}>{t('profile.cancel')}</Button>}
        >
          <PaymentProofFields form={form} />
        </Form>
      </NeedsTwoFactor>
    </Dialog>
  );
}
