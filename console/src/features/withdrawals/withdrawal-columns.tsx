import type { WithdrawalRow } from '@hengfu/contract/withdrawals';
import type { ListColumn } from '../../ui/list/list-types.ts';
import { Money } from '../../ui/money.tsx';
import { NetworkName } from '../../ui/network-name.tsx';
import { StatusTag } from '../../ui/status-tag.tsx';
import { TimeText } from '../../ui/time-text.tsx';
import { withdrawalLooks } from './withdrawal-looks.ts';

/** The columns of the withdrawal list. */
export const withdrawalColumns: readonly ListColumn<WithdrawalRow>[] = [
  {
    key: 'trade_no',
    title: 'withdrawals.trade_no',
    render: (row) => row.trade_no,
    copy: (row) => row.trade_no,
    isOpener: true,
    isFixed: true,
    card: 'lead',
  },
  {
    key: 'status',
    title: 'withdrawals.statusLabel',
    render: (row) => <StatusTag look={withdrawalLooks[row.status]} />,
    isFixed: true,
    card: 'badge',
  },
  {
    key: 'usdt',
    title: 'withdrawals.usdt',
    render: (row) => <Money amount={row.usdt} currency="USDT" />,
    align: 'end',
    isFixed: true,
    card: 'figure',
  },
  {
    key: 'usd',
    title: 'withdrawals.usd',
    render: (row) => (row.usd === null ? '–' : <Money amount={row.usd} currency="USD" />),
    align: 'end',
  },
  {
    key: 'amount',
    title: 'withdrawals.amount',
    render: (row) => <Money amount={row.amount} currency={row.currency} />,
    align: 'end',
  },
  {
    key: 'fee',
    title: 'withdrawals.fee',
    render: (row) => <Money amount={row.fee} currency={row.currency} />,
    align: 'end',
  },
  { key: 'network', title: 'withdrawals.network', render: (row) => <NetworkName of={row.network} /> },
  {
    key: 'address',
    title: 'withdrawals.address',
    render: (row) => row.address,
    copy: (row) => row.address,
  },
  { key: 'createdAt', title: 'withdrawals.createdAt', render: (row) => <TimeText at={row.createdAt} /> },
  { key: 'paidAt', title: 'withdrawals.paidAt', render: (row) => <TimeText at={row.paidAt} /> },
];
