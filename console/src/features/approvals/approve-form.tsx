import { authorization } from '@hengfu/contract/authorization';
import { Button } from '@hengfu/ui/controls/button.tsx';
import { Form, TextField } from '@hengfu/ui/form/form.tsx';
import { useT } from '@hengfu/ui/language/i18n.ts';
import { Dialog } from '@hengfu/ui/overlays/dialog.tsx';
import type { ReactElement } from 'react';
import * as z from 'zod';
import { textsOf, useForm } from '../../shared/forms/use-form.ts';
import { NeedsTwoFactor } from '../../shared/payments/needs-two-factor.tsx';
import { SecondFactorField, useSecondFactor } from '../../shared/payments/second-factor-field.tsx';

interface ApproveFormProps<R> {
  title: string;
  hint: string;
  send: (proof: { payment_password: string; code: string }) => Promise<R>;
  onDone: (reply: R) => void;
  onClose: () => void;
}

const credentials = z.object(authorization);

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
  'forbidden',
] as const;

/** Asks for the payment password and the second factor, and approves. */
export function ApproveForm<R>({ title, hint, send, onDone, onClose }: ApproveFormProps<R>): ReactElement {
  const t = useT();
  const showFactor = useSecondFactor();
  const form = useForm({
    schema: credentials,
    send: async (body) => {
      const { payment_password = '', code = '' } = textsOf(body);
      await showFactor({ code });
      return send({ payment_password, code });
    },
    onDone,
    inPlace: [...requestRefusals],
  });
  return (
    <Dialog title={title} onClose={() => form.isBusy || onClose()}>
      <NeedsTwoFactor>
        <p>{hint}</p>
        <Form
          state={form}
          action={t('approvals.approve')}
          extra={<Button onClick={onClose}>{t('profile.cancel')}</Button>}
        >
          <TextField
            form={form}
            name="payment_password"
            type="password"
            autoComplete="off"
            label={t('payouts.paymentPassword')}
          />
          <SecondFactorField form={form} />
        </Form>
      </NeedsTwoFactor>
    </Dialog>
  );
}
