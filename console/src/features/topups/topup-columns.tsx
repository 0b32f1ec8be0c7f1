import type { TopupRow } from '@hengfu/contract/topups';
import type { ListColumn } from '../../ui/list/list-types.ts';
import { Money } from '../../ui/money.tsx';
import { NetworkName } from '../../ui/network-name.tsx';
import { StatusTag } from '../../ui/status-tag.tsx';
import { TimeText } from '../../ui/time-text.tsx';
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
    align: 'end',
    isFixed: true,
    card: 'figure',
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
    align: 'end',
  },
  { key: 'network', title: 'topups.network', render: (row) => <NetworkName of={row.network} /> },
  { key: 'createdAt', title: 'topups.createdAt', render: (row) => <TimeText at={row.createdAt} /> },
  { key: 'reviewedAt', title: 'topups.reviewedAt', render: (row) => <TimeText at={row.reviewedAt} /> },
  { key: 'paidAt', title: 'topups.paidAt', render: (row) => <TimeText at={row.paidAt} /> },
];
