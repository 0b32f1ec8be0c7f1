import type { PayoutSeen } from '@hengfu/contract/staff/merchant-looks';
import { useLanguage, useT } from '@hengfu/ui/language/i18n.ts';
import { BankName } from '@hengfu/ui/orders/bank-name.tsx';
import { ChannelName } from '@hengfu/ui/orders/channel-name.tsx';
import { detailOf, payoutLooks, reasonPhrase, statusHints } from '@hengfu/ui/orders/payout-looks.ts';
import type { Field } from '@hengfu/ui/page/fields.tsx';
import { StatusTag } from '@hengfu/ui/values/status-tag.tsx';
import { TimeText } from '@hengfu/ui/values/time-text.tsx';
import type { ReactElement } from 'react';
import { OrderFacts } from './order-facts.tsx';
import { OrderFigures } from './order-figures.tsx';

/** A payout; `sentAt` only where our staff see it. */
type ShownPayout = PayoutSeen & { sentAt?: string | null };

/** The amounts and the status of a payout; undefined while it is loading. */
export function PayoutFigures({ order }: { order: PayoutSeen | undefined }): ReactElement {
  const t = useT();
  const hint = order && statusHints[order.status];
  return (
    <OrderFigures
      order={order}
      last={{ label: t('payouts.total'), amount: order?.total }}
      status={
        order && (
          <>
            <StatusTag look={payoutLooks[order.status]} />
            {hint && <div>{t(hint)}</div>}
          </>
        )
      }
    />
  );
}

/** The facts of a payout and its timeline. `first` is shown before the other facts. */
export function PayoutFacts({
  order,
  first = [],
}: {
  order: ShownPayout;
  first?: readonly Field[];
}): ReactElement {
  const t = useT();
  const language = useLanguage();
  return (
    <OrderFacts
      fields={[...first, ...fieldsOf(order, t)]}
      timeline={order.timeline.map((event) => {
        const phrase = reasonPhrase(event.reason);
        const text = phrase ? t(phrase) : event.reason;
        return { at: event.at, look: payoutLooks[event.status], text, ...detailOf(event, { t, language }) };
      })}
    />
  );
}

function fieldsOf(order: ShownPayout, t: ReturnType<typeof useT>): Field[] {
  const fields: readonly (Field | false)[] = [
    { label: t('payouts.trade_no'), value: order.trade_no, copy: order.trade_no },
    { label: t('payouts.out_trade_no'), value: order.out_trade_no, copy: order.out_trade_no ?? undefined },
    { label: t('payouts.payee'), value: order.payee, copy: order.payee },
    { label: t('payouts.payeeAccount'), value: order.payeeAccount, copy: order.payeeAccount },
    { label: t('payouts.channel'), value: <ChannelName code={order.channel} /> },
    order.bank !== null && {
      label: t('payouts.bank'),
      value: <BankName channel={order.channel} code={order.bank} />,
    },
    order.bankName !== null && { label: t('payouts.bankName'), value: order.bankName },
    order.branchName !== null && { label: t('payouts.branchName'), value: order.branchName },
    order.ifsc !== null && { label: t('payouts.ifsc'), value: order.ifsc, copy: order.ifsc },
    order.accountType !== null && {
      label: t('payouts.accountType'),
      value: t(`payouts.pixKey.${order.accountType}`),
    },
    order.taxId !== null && { label: t('payouts.taxId'), value: order.taxId },
    order.remark !== null && { label: t('payouts.remark'), value: order.remark },
    order.batch_no !== null && {
      label: t('payoutBatches.followBatch'),
      value: order.batch_no,
      copy: order.batch_no,
    },
    order.approvalState !== null && {
      label: t('approvals.stateLabel'),
      value: t(`approvals.states.${order.approvalState}`),
    },
    {
      label: t('payouts.bankReference'),
      value: order.bankReference,
      copy: order.bankReference ?? undefined,
    },
    { label: t('payouts.sourceLabel'), value: t(`payouts.source.${order.source}`) },
    { label: t('payouts.createdAt'), value: <TimeText at={order.createdAt} /> },
    order.sentAt !== undefined && {
      label: t('officeOrders.sentAt'),
      value: <TimeText at={order.sentAt} />,
    },
    { label: t('payouts.paidAt'), value: <TimeText at={order.paidAt} /> },
    { label: t('payouts.rejectedAt'), value: <TimeText at={order.rejectedAt} /> },
  ];
  return fields.filter((field): field is Field => field !== false);
}
