import { formatAmount } from '@hengfu/contract/money';
import { type PayoutChannel, type PayoutRow, payoutEndpoints } from '@hengfu/contract/payouts';
import { Notice } from '@hengfu/ui/controls/notice.tsx';
import { useT } from '@hengfu/ui/language/i18n.ts';
import { BankName } from '@hengfu/ui/orders/bank-name.tsx';
import { ChannelName } from '@hengfu/ui/orders/channel-name.tsx';
import { type Field, Fields } from '@hengfu/ui/page/fields.tsx';
import { Money } from '@hengfu/ui/values/money.tsx';
import { useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { messageOf } from '../../platform/failures.ts';
import { callOnce } from '../../platform/http.ts';
import { PaymentDialog, usePayment } from '../../shared/payments/payment-dialog.tsx';
import { useTermsAgain } from '../../shared/payments/use-terms-again.ts';
import { branchOptions, channelOptions, payeeCheckOptions } from './payout-apply.api.ts';
import type { PayoutOrder } from './payout-order.ts';
import { sumsOf } from './payout-sums.tsx';

interface PayoutConfirmProps {
  order: PayoutOrder;
  channel: PayoutChannel;
  /** Called with the errors that the server found in the form. */
  onFaults: (faults: Readonly<Record<string, string>>) => void;
  onClose: () => void;
  onMade: (payout: PayoutRow) => void;
}

/** Shows a payout for review, asks for the payment password, and submits the application. */
export function PayoutConfirm({
  order,
  channel,
  onFaults,
  onClose,
  onMade,
}: PayoutConfirmProps): ReactElement {
  const t = useT();
  const sums = sumsOf(channel, order.amount);
  const total = sums && formatAmount(sums.totalMinor, channel.currency);
  const form = usePayment({
    order,
    send: ({ credentials, idempotencyKey, isConfirmed }) =>
      callOnce(payoutEndpoints.apply, {
        body: { ...order, total, ...credentials, ...(isConfirmed && { confirmSimilar: true }) },
        idempotencyKey,
      }),
    onMade,
    topic: 'payouts',
    inPlace: [
      'similar_payout',
      'similar_payout_unknown',
      'insufficient_funds',
      'limit_exceeded',
      'channel_closed',
      'terms_changed',
    ],
  });
  useTermsAgain(form.error, channelOptions.queryKey);
  const similar = form.error?.code === 'similar_payout' ? form.error : undefined;
  return (
    <PaymentDialog
      title={t('payouts.confirmTitle')}
      form={form}
      action={t(similar ? 'payouts.sendAnyway' : 'payouts.send')}
      question={similar && messageOf(similar)}
      onMend={onFaults}
      onClose={onClose}
    >
      <Review order={order} channel={channel} />
      <AccountWarning order={order} />
    </PaymentDialog>
  );
}

/** Everything that decides where the money goes and what it costs. Fields that were left empty are left out. */
function Review({ order, channel }: Pick<PayoutConfirmProps, 'order' | 'channel'>): ReactElement {
  const t = useT();
  const sums = sumsOf(channel, order.amount);
  const { currency } = channel;
  const money = (amountMinor: bigint | undefined) =>
    amountMinor !== undefined && <Money amount={formatAmount(amountMinor, currency)} currency={currency} />;
  const fields: readonly (Field | '' | undefined)[] = [
    { label: t('payouts.payee'), value: order.payee },
    { label: t('payouts.payeeAccount'), value: order.payeeAccount },
    order.accountType && { label: t('payouts.accountType'), value: t(`payouts.pixKey.${order.accountType}`) },
    order.bank && { label: t('payouts.bank'), value: <BankName channel={order.channel} code={order.bank} /> },
    order.bankName && { label: t('payouts.bankName'), value: order.bankName },
    order.branchName && { label: t('payouts.branchName'), value: order.branchName },
    order.ifsc && { label: t('payouts.ifsc'), value: <Branch ifsc={order.ifsc} /> },
    order.taxId && { label: t('payouts.taxId'), value: order.taxId },
    { label: t('payouts.channel'), value: <ChannelName code={order.channel} /> },
    order.remark && { label: t('payouts.remark'), value: order.remark },
    { label: t('payouts.amount'), value: money(sums?.amountMinor) },
    { label: t('payouts.fee'), value: money(sums?.feeMinor) },
    { label: t('payouts.total'), value: money(sums?.totalMinor) },
  ];
  return <Fields isNarrow fields={fields.filter((field): field is Field => Boolean(field))} />;
}

/** An IFSC with the bank and branch that it names. */
function Branch({ ifsc }: { ifsc: string }): ReactElement {
  const t = useT();
  const { data } = useQuery(branchOptions(ifsc));
  return (
    <>
      {ifsc}
      {data && ` (${t('payouts.ifscFound', data)})`}
    </>
  );
}

/** Warns of a payment to a new account, or to another account than the payee's earlier one. */
function AccountWarning({ order }: Pick<PayoutConfirmProps, 'order'>): ReactElement | null {
  const t = useT();
  const { data } = useQuery(payeeCheckOptions(order));
  if (!data?.isNewAccount) return null;
  return (
    <Notice tone="waiting">
      {t(data.isChangedAccount ? 'payouts.changedAccount' : 'payouts.newAccount')}
    </Notice>
  );
}
