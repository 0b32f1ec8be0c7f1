import { amountInput, type Currency, parseAmount } from '@hengfu/contract/money';
import { type RefundRow, refundEndpoints, refundReason } from '@hengfu/contract/refunds';
import { Button } from '@hengfu/ui/controls/button.tsx';
import { Notice } from '@hengfu/ui/controls/notice.tsx';
import { toast } from '@hengfu/ui/feedback/toast.ts';
import { Form, TextField } from '@hengfu/ui/form/form.tsx';
import { formatAmountsIn } from '@hengfu/ui/language/format.ts';
import { useLanguage, useT } from '@hengfu/ui/language/i18n.ts';
import { Dialog } from '@hengfu/ui/overlays/dialog.tsx';
import { Fields } from '@hengfu/ui/page/fields.tsx';
import { Money, useMoneyText } from '@hengfu/ui/values/money.tsx';
import { type ReactElement, useState } from 'react';
import * as z from 'zod';
import { callOnce } from '../../../platform/http.ts';
import { PaymentDialog, usePayment } from '../../../shared/payments/payment-dialog.tsx';
import { usePaymentForm } from '../../../shared/payments/use-payment-form.ts';

interface RefundDialogProps {
  tradeNo: string;
  /** The amount that can still be refunded. */
  left: string;
  currency: Currency;
  isFeeReturned: boolean;
  onClose: () => void;
}

const schema = z.object({ amount: amountInput, reason: refundReason });
type Typed = z.output<typeof schema>;

/** Asks for the amount and the reason of a refund, then for the payment password. */
export function RefundDialog(props: RefundDialogProps): ReactElement {
  const t = useT();
  const moneyText = useMoneyText();
  const language = useLanguage();
  const { left, currency, isFeeReturned, onClose } = props;
  const [typed, setTyped] = useState<Typed>({ amount: left, reason: '' });
  const { form, order, reopen } = usePaymentForm({
    schema,
    // The server knows which funds pay: they are not compared here.
    costOf: () => undefined,
    amountFaultOf: ({ amount }) => {
      const [amountMinor, leftMinor] = [parseAmount(amount, currency), parseAmount(left, currency)];
      if (amountMinor === undefined) return t('validation.amount');
      const isTooMuch = leftMinor !== undefined && amountMinor > leftMinor;
      return isTooMuch
        ? formatAmountsIn(t('validation.refundExceeds', { left, currency }), language)
        : undefined;
    },
  });
  if (order)
    return (
      <RefundConfirm
        {...props}
        order={order}
        onBack={(faults) => {
          setTyped(order);
          reopen(faults);
        }}
      />
    );
  return (
    <Dialog title={t('refunds.giveTitle')} onClose={onClose}>
      <Form
        state={form}
        action={t('payouts.goOn')}
        extra={<Button onClick={onClose}>{t('profile.cancel')}</Button>}
      >
        <TextField
          form={form}
          name="amount"
          label={t('refunds.amount')}
          hint={t('refunds.left', { amount: moneyText(left, currency) })}
          defaultValue={typed.amount}
          inputMode="decimal"
          autoComplete="off"
          maxLength={19}
        />
        <TextField
          form={form}
          name="reason"
          label={t('refunds.reason')}
          hint={t('refunds.reasonHint')}
          defaultValue={typed.reason}
          autoComplete="off"
          maxLength={200}
        />
        <Notice tone="calm">{t(isFeeReturned ? 'refunds.feeReturned' : 'refunds.feeKept')}</Notice>
      </Form>
    </Dialog>
  );
}

interface RefundConfirmProps extends RefundDialogProps {
  order: Typed;
  /** Returns to the form, with the errors that the server found in it. */
  onBack: (faults?: Readonly<Record<string, string>>) => void;
}

function RefundConfirm({ tradeNo, currency, order, onBack, onClose }: RefundConfirmProps): ReactElement {
  const t = useT();
  const form = usePayment<RefundRow>({
    order: { tradeNo, ...order },
    send: ({ credentials, idempotencyKey }) =>
      callOnce(refundEndpoints.create, {
        params: { trade_no: tradeNo },
        body: { ...order, ...credentials },
        idempotencyKey,
      }),
    onMade: ({ status, refund_no }) => {
      toast(
        'success',
        t(status === 'requested' ? 'refunds.asked' : 'refunds.made', { refund_no }),
        'refunds',
      );
      onClose();
    },
    topic: 'refunds',
    inPlace: ['insufficient_funds', 'refund_exceeds', 'invalid_transition'],
  });
  return (
    <PaymentDialog
      title={t('refunds.giveTitle')}
      form={form}
      action={t('refunds.give')}
      onMend={onBack}
      onClose={() => onBack()}
    >
      <Fields
        isNarrow
        fields={[
          { label: t('refunds.trade_no'), value: tradeNo },
          { label: t('refunds.amount'), value: <Money amount={order.amount} currency={currency} /> },
          { label: t('refunds.reason'), value: order.reason, isWide: true },
        ]}
      />
      <Notice tone="waiting">{t('refunds.finalHint')}</Notice>
    </PaymentDialog>
  );
}
