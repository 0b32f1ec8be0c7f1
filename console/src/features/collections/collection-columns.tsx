import type { CollectionRow } from '@hengfu/contract/collections';
import { nothing } from '@hengfu/ui/language/format.ts';
import type { ListColumn } from '@hengfu/ui/list/list-types.ts';
import { ChannelName } from '@hengfu/ui/orders/channel-name.tsx';
import { collectionLooks, settlementLooks } from '@hengfu/ui/orders/collection-looks.ts';
import { Money } from '@hengfu/ui/values/money.tsx';
import { StatusTag } from '@hengfu/ui/values/status-tag.tsx';
import { TimeText } from '@hengfu/ui/values/time-text.tsx';
import type { ReactNode } from 'react';

/** Shows a fee or net amount. Until the order is paid, both are zero and would not add up to its amount. */
export function amountOncePaid({ paidAt, currency }: CollectionRow, amount: string): ReactNode {
  return paidAt === null ? nothing : <Money amount={amount} currency={currency} />;
}

/** The columns of the order list. */
export const collectionColumns: readonly ListColumn<CollectionRow>[] = [
  {
    key: 'trade_no',
    title: 'collections.trade_no',
    render: (row) => row.trade_no,
    copy: (row) => row.trade_no,
    isOpener: true,
    isFixed: true,
    card: 'lead',
  },
  {
    key: 'out_trade_no',
    title: 'collections.out_trade_no',
    render: (row) => row.out_trade_no,
    copy: (row) => row.out_trade_no,
  },
  {
    key: 'status',
    title: 'collections.statusLabel',
    render: (row) => <StatusTag look={collectionLooks[row.status]} />,
    isFixed: true,
    card: 'badge',
  },
  {
    key: 'amount',
    title: 'collections.amount',
    render: (row) => <Money amount={row.amount} currency={row.currency} />,
    total: ({ amount, currency }) => ({ amount, currency }),
    align: 'end',
    isFixed: true,
    card: 'figure',
  },
  {
    key: 'fee',
    title: 'collections.fee',
    render: (row) => amountOncePaid(row, row.fee),
    total: ({ paidAt, fee: amount, currency }) => (paidAt === null ? undefined : { amount, currency }),
    align: 'end',
  },
  {
    key: 'net',
    title: 'collections.net',
    render: (row) => amountOncePaid(row, row.net),
    total: ({ paidAt, net: amount, currency }) => (paidAt === null ? undefined : { amount, currency }),
    align: 'end',
    isOptional: true,
  },
  {
    key: 'refunded',
    title: 'collections.refunded',
    render: (row) => amountOncePaid(row, row.refunded),
    total: ({ paidAt, refunded: amount, currency }) => (paidAt === null ? undefined : { amount, currency }),
    align: 'end',
    isOptional: true,
  },
  {
    key: 'settlementStatus',
    title: 'collections.settlementLabel',
    render: (row) =>
      row.settlementStatus ? <StatusTag look={settlementLooks[row.settlementStatus]} /> : nothing,
    card: 'line',
  },
  {
    key: 'channel',
    title: 'collections.channel',
    render: (row) => <ChannelName code={row.channel} />,
  },
  { key: 'subject', title: 'collections.subject', render: (row) => row.subject ?? nothing, isOptional: true },
  { key: 'createdAt', title: 'collections.createdAt', render: (row) => <TimeText at={row.createdAt} /> },
  { key: 'paidAt', title: 'collections.paidAt', render: (row) => <TimeText at={row.paidAt} /> },
  {
    key: 'refundedAt',
    title: 'collections.refundedAt',
    render: (row) => <TimeText at={row.refundedAt} />,
    isOptional: true,
  },
  {
    key: 'settlement_no',
    title: 'collections.settlement_no',
    render: (row) => row.settlement_no ?? nothing,
    copy: (row) => row.settlement_no ?? '',
    isOptional: true,
  },
];
