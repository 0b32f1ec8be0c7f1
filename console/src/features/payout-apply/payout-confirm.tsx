import { formatAmount } from '@hengfu/contract/money';
import { type PayoutChannel, type PayoutRow, payoutEndpoints } from '@hengfu/contract/payouts';
import { useQuery } from '@tanstack/react-query';
import { type ReactElement, useState } from 'react';
import { messageOf } from '../../platform/failures.ts';
import { call } from '../../platform/http.ts';
import { useT } from '../../platform/i18n.ts';
import { newKey } from '../../platform/new-key.ts';
import { toast } from '../../platform/toast.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Fields } from '../../ui/fields.tsx';
import { Form, TextField } from '../../ui/form.tsx';
import { Money } from '../../ui/money.tsx';
import { Notice } from '../../ui/notice.tsx';
import { SecondFactorField, useSecondFactor } from '../../ui/second-factor-field.tsx';
import { foreignFaults, textsOf, useForm } from '../../ui/use-form.ts';
import { payeeCheckOptions } from './payout-apply.api.ts';
import type { PayoutOrder } from './payout-order.ts';
import { sumsOf } from './payout-sums.tsx';

interface PayoutConfirmProps {
  order: PayoutOrder;
  channel: PayoutChannel;
  /** The server found a fault in what was filled in. */
  onFaults: (faults: Readonly<Record<string, string>>) => void;
  onClose: () => void;
  onMade: (payout: PayoutRow) => void;
}

const ownFields = ['payment_password', 'code'];
const shownHere = [
  'similar_payout',
  'similar_payout_unknown',
  'insufficient_funds',
  'channel_closed',
  'idempotency_in_flight',
] as const;

/** A last look at a payout, and the payment password: then it is applied for. */
export function PayoutConfirm({
  order,
  channel,
  onFaults,
  onClose,
  onMade,
}: PayoutConfirmProps): ReactElement {
  const t = useT();
  const showFactor = useSecondFactor();
  // One key for one order: however often it is sent, it is made once.
  const [idempotencyKey] = useState(newKey);
  const form = useForm({
    send: async (body) => {
      const { payment_password = '', code = '', similar } = textsOf(body);
      await showFactor({ code });
      const confirmed = similar === 'yes' ? { confirmSimilar: true } : {};
      return call(payoutEndpoints.apply, {
        body: { ...order, payment_password, code, ...confirmed },
        idempotencyKey,
      });
    },
    onDone: ({ data }) => {
      toast('success', t('payouts.applied'), 'payouts');
      onMade(data);
    },
    inPlace: shownHere,
  });
  const foreign = foreignFaults(form.error, ownFields);
  return (
    <Dialog title={t('payouts.confirmTitle')} onClose={onClose}>
      <Review order={order} channel={channel} />
      <PayeeMark order={order} />
      <Form
        state={{ ...form, refusal: form.error?.code === 'similar_payout' ? undefined : form.refusal }}
        action={t(form.error?.code === 'similar_payout' ? 'payouts.sendAnyway' : 'payouts.send')}
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
        {form.error?.code === 'similar_payout' && (
          <Notice tone="waiting">
            <input type="hidden" name="similar" value="yes" />
            {messageOf(form.error)}
          </Notice>
        )}
        {foreign && (
          <Notice tone="bad" action={<Button onClick={() => onFaults(foreign)}>{t('payouts.mend')}</Button>}>
            {Object.values(foreign).join('\n')}
          </Notice>
        )}
      </Form>
    </Dialog>
  );
}

function Review({ order, channel }: Pick<PayoutConfirmProps, 'order' | 'channel'>): ReactElement {
  const t = useT();
  const sums = sumsOf(channel, order.amount);
  const { currency } = channel;
  const money = (amountMinor: bigint | undefined) =>
    amountMinor !== undefined && <Money amount={formatAmount(amountMinor, currency)} currency={currency} />;
  return (
    <Fields
      fields={[
        { label: t('payouts.payee'), value: order.payee },
        { label: t('payouts.payeeAccount'), value: order.payeeAccount },
        { label: t('payouts.amount'), value: money(sums?.amountMinor) },
        { label: t('payouts.total'), value: money(sums?.totalMinor) },
      ]}
    />
  );
}

/** Says where money goes to an account for the first time, or to another one than before. */
function PayeeMark({ order }: Pick<PayoutConfirmProps, 'order'>): ReactElement | null {
  const t = useT();
  const { data } = useQuery(payeeCheckOptions(order));
  if (!data?.isNewAccount) return null;
  return (
    <Notice tone="waiting">
      {t(data.isChangedAccount ? 'payouts.changedAccount' : 'payouts.newAccount')}
    </Notice>
  );
}
