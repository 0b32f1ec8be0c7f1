import type { WithdrawalRow } from '@hengfu/contract/withdrawals';
import type { ListColumn } from '@hengfu/ui/list/list-types.ts';
import { Money } from '@hengfu/ui/values/money.tsx';
import { StatusTag } from '@hengfu/ui/values/status-tag.tsx';
import { TimeText } from '@hengfu/ui/values/time-text.tsx';
import { ApprovalStateTag } from '../../shared/names/approval-state.tsx';
import { NetworkName } from '../../shared/names/network-name.tsx';
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
    key: 'approvalState',
    title: 'approvals.stateLabel',
    render: (row) => <ApprovalStateTag state={row.approvalState} />,
    isOptional: true,
  },
  { key: 'coin', title: 'withdrawals.coin', render: (row) => row.coin },
  {
    key: 'usdt',
    title: 'withdrawals.usdt',
    render: (row) => <Money amount={row.usdt} currency="USDT" />,
    total: ({ usdt: amount }) => ({ amount, currency: 'USDT' }),
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
    total: ({ amount, currency }) => ({ amount, currency }),
    align: 'end',
  },
  {
    key: 'fee',
    title: 'withdrawals.fee',
    render: (row) => <Money amount={row.fee} currency={row.currency} />,
    total: ({ fee: amount, currency }) => ({ amount, currency }),
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
