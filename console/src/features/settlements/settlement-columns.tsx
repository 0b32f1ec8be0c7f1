import type { SettlementRow } from '@hengfu/contract/settlements';
import type { ListColumn } from '@hengfu/ui/list/list-types.ts';
import { batchLooks } from '@hengfu/ui/orders/settlement-looks.ts';
import { Count } from '@hengfu/ui/values/count.tsx';
import { Money } from '@hengfu/ui/values/money.tsx';
import { StatusTag } from '@hengfu/ui/values/status-tag.tsx';
import { TimeText } from '@hengfu/ui/values/time-text.tsx';

/** The columns of the batch list. */
export const settlementColumns: readonly ListColumn<SettlementRow>[] = [
  {
    key: 'settlement_no',
    title: 'settlements.settlement_no',
    render: (row) => row.settlement_no,
    copy: (row) => row.settlement_no,
    isOpener: true,
    isFixed: true,
    card: 'lead',
  },
  {
    key: 'status',
    title: 'settlements.statusLabel',
    render: (row) => <StatusTag look={batchLooks[row.status]} />,
    isFixed: true,
    card: 'badge',
  },
  {
    key: 'orderCount',
    title: 'settlements.orderCount',
    render: (row) => <Count of={row.orderCount} />,
    align: 'end',
  },
  {
    key: 'refundCount',
    title: 'settlements.refundCount',
    render: (row) => <Count of={row.refundCount} />,
    align: 'end',
  },
  {
    key: 'amount',
    title: 'settlements.amount',
    render: (row) => <Money amount={row.amount} currency={row.currency} />,
    total: ({ amount, currency }) => ({ amount, currency }),
    align: 'end',
  },
  {
    key: 'fee',
    title: 'settlements.fee',
    render: (row) => <Money amount={row.fee} currency={row.currency} />,
    total: ({ fee: amount, currency }) => ({ amount, currency }),
    align: 'end',
  },
  {
    key: 'refunded',
    title: 'settlements.refunded',
    render: (row) => <Money amount={row.refunded} currency={row.currency} />,
    total: ({ refunded: amount, currency }) => ({ amount, currency }),
    align: 'end',
  },
  {
    key: 'net',
    title: 'settlements.net',
    render: (row) => (
      <strong>
        <Money amount={row.net} currency={row.currency} />
      </strong>
    ),
    total: ({ net: amount, currency }) => ({ amount, currency }),
    align: 'end',
    isFixed: true,
    card: 'figure',
  },
  {
    key: 'cutOffAt',
    title: 'settlements.cutOffAt',
    render: (row) => <TimeText at={row.cutOffAt} style="minute" />,
  },
  {
    key: 'createdAt',
    title: 'settlements.createdAt',
    render: (row) => <TimeText at={row.createdAt} />,
    isOptional: true,
  },
  { key: 'settledAt', title: 'settlements.settledAt', render: (row) => <TimeText at={row.settledAt} /> },
];
