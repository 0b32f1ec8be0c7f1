import type { TopupRow } from '@hengfu/contract/topups';
import { nothing } from '@hengfu/ui/language/format.ts';
import type { ListColumn } from '@hengfu/ui/list/list-types.ts';
import { Money } from '@hengfu/ui/values/money.tsx';
import { StatusTag } from '@hengfu/ui/values/status-tag.tsx';
import { TimeText } from '@hengfu/ui/values/time-text.tsx';
import { NetworkName } from '../../shared/names/network-name.tsx';
import { topupLooks } from './topup-looks.ts';

/** The columns of the top-up list. */
export const topupColumns: readonly ListColumn<TopupRow>[] = [
  {
    key: 'trade_no',
    title: 'topups.trade_no',
    render: (row) => row.trade_no,
    copy: (row) => row.trade_no,
    isOpener: true,
    isFixed: true,
    card: 'lead',
  },
  {
    key: 'status',
    title: 'topups.statusLabel',
    render: (row) => <StatusTag look={topupLooks[row.status]} />,
    isFixed: true,
    card: 'badge',
  },
  { key: 'coin', title: 'topups.coin', render: (row) => row.coin },
  {
    key: 'usdt',
    title: 'topups.usdt',
    render: (row) => <Money amount={row.usdt} currency="USDT" />,
    total: ({ usdt: amount }) => ({ amount, currency: 'USDT' }),
    align: 'end',
    isFixed: true,
    card: 'figure',
  },
  {
    key: 'arrivedUsdt',
    title: 'topups.arrivedUsdt',
    render: ({ arrivedUsdt }) =>
      arrivedUsdt === null ? nothing : <Money amount={arrivedUsdt} currency="USDT" />,
    total: ({ arrivedUsdt: amount }) => (amount === null ? undefined : { amount, currency: 'USDT' }),
    align: 'end',
    isOptional: true,
  },
  {
    key: 'usd',
    title: 'topups.usd',
    render: (row) => (row.usd === null ? '–' : <Money amount={row.usd} currency="USD" />),
    align: 'end',
  },
  {
    key: 'amount',
    title: 'topups.amount',
    render: (row) => <Money amount={row.amount} currency={row.currency} />,
    total: ({ amount, currency }) => ({ amount, currency }),
    align: 'end',
  },
  { key: 'network', title: 'topups.network', render: (row) => <NetworkName of={row.network} /> },
  {
    key: 'address',
    title: 'topups.address',
    render: (row) => row.address,
    copy: (row) => row.address,
    isOptional: true,
  },
  { key: 'createdAt', title: 'topups.createdAt', render: (row) => <TimeText at={row.createdAt} /> },
  { key: 'reviewedAt', title: 'topups.reviewedAt', render: (row) => <TimeText at={row.reviewedAt} /> },
  { key: 'paidAt', title: 'topups.paidAt', render: (row) => <TimeText at={row.paidAt} /> },
];
