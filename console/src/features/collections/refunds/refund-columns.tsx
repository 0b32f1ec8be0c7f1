import type { RefundRow } from '@hengfu/contract/refunds';
import { nothing } from '@hengfu/ui/language/format.ts';
import { useT } from '@hengfu/ui/language/i18n.ts';
import type { ListColumn } from '@hengfu/ui/list/list-types.ts';
import { ChannelName } from '@hengfu/ui/orders/channel-name.tsx';
import { refundLooks } from '@hengfu/ui/orders/refund-looks.ts';
import { Money } from '@hengfu/ui/values/money.tsx';
import { StatusTag } from '@hengfu/ui/values/status-tag.tsx';
import type { AmountOf } from '@hengfu/ui/values/sum-amounts.ts';
import { TimeText } from '@hengfu/ui/values/time-text.tsx';
import { Link } from '@tanstack/react-router';
import type { ReactElement } from 'react';

/** A link to the collection that a refund gives back. */
export function OrderOfRefund({ tradeNo }: { tradeNo: string }): ReactElement {
  return (
    <Link to="/collection/payments" search={{ open: tradeNo }}>
      {tradeNo}
    </Link>
  );
}

/** The origin of a refund. */
export function RefundSourceName({ source }: Pick<RefundRow, 'source'>): ReactElement {
  const t = useT();
  return <>{t(`refunds.sources.${source}`)}</>;
}

/** A figure of a refund that is known once it is booked. */
export function BookedMoney({
  amount,
  currency,
}: Pick<RefundRow, 'currency'> & { amount: string | null }): ReactElement {
  return amount === null ? <span>{nothing}</span> : <Money amount={amount} currency={currency} />;
}

/** Returns a column's amount for the sum of the rows: none while the refund is not booked. */
const sumOf = (amount: string | null, { currency }: RefundRow): AmountOf | undefined =>
  amount === null ? undefined : { amount, currency };

/** The columns of the list of refunds. */
export const refundColumns: readonly ListColumn<RefundRow>[] = [
  {
    key: 'refund_no',
    title: 'refunds.refund_no',
    render: (row) => row.refund_no,
    copy: (row) => row.refund_no,
    isOpener: true,
    isFixed: true,
    card: 'lead',
  },
  {
    key: 'trade_no',
    title: 'refunds.trade_no',
    render: (row) => <OrderOfRefund tradeNo={row.trade_no} />,
    copy: (row) => row.trade_no,
  },
  {
    key: 'status',
    title: 'refunds.statusLabel',
    render: (row) => <StatusTag look={refundLooks[row.status]} />,
    isFixed: true,
    card: 'badge',
  },
  {
    key: 'amount',
    title: 'refunds.amount',
    render: (row) => <Money amount={row.amount} currency={row.currency} />,
    total: ({ amount, currency }) => ({ amount, currency }),
    align: 'end',
    isFixed: true,
    card: 'figure',
  },
  {
    key: 'fee',
    title: 'refunds.fee',
    render: (row) => <BookedMoney amount={row.fee} currency={row.currency} />,
    total: (row) => sumOf(row.fee, row),
    align: 'end',
  },
  {
    key: 'net',
    title: 'refunds.net',
    render: (row) => <BookedMoney amount={row.net} currency={row.currency} />,
    total: (row) => sumOf(row.net, row),
    align: 'end',
    isOptional: true,
  },
  {
    key: 'fromAvailable',
    title: 'refunds.fromAvailable',
    render: (row) => <BookedMoney amount={row.fromAvailable} currency={row.currency} />,
    align: 'end',
    isOptional: true,
  },
  { key: 'channel', title: 'refunds.channel', render: (row) => <ChannelName code={row.channel} /> },
  { key: 'reason', title: 'refunds.reason', render: (row) => row.reason ?? nothing },
  {
    key: 'source',
    title: 'refunds.source',
    render: (row) => <RefundSourceName source={row.source} />,
    isOptional: true,
  },
  {
    key: 'out_refund_no',
    title: 'refunds.out_refund_no',
    render: (row) => row.out_refund_no ?? nothing,
    copy: (row) => row.out_refund_no ?? '',
    isOptional: true,
  },
  { key: 'createdAt', title: 'refunds.createdAt', render: (row) => <TimeText at={row.createdAt} /> },
  { key: 'endedAt', title: 'refunds.endedAt', render: (row) => <TimeText at={row.endedAt} /> },
];
