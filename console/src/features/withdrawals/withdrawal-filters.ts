import { approvalStates } from '@hengfu/contract/approval-states';
import { networkCodes } from '@hengfu/contract/wallets';
import { withdrawalCoins, type withdrawalEndpoints, withdrawalStatuses } from '@hengfu/contract/withdrawals';
import type { FilterNameOf, ListFilter } from '@hengfu/ui/list/list-types.ts';
import { approvalLooks } from '@hengfu/ui/orders/approval-looks.ts';
import { statusOptions } from '@hengfu/ui/values/status-tag.tsx';
import { withdrawalLooks } from './withdrawal-looks.ts';

/** The filters of the withdrawal list: all that the contract accepts. */
export const withdrawalFilters: readonly ListFilter<FilterNameOf<typeof withdrawalEndpoints.list>>[] = [
  {
    kind: 'text',
    name: 'trade_no',
    match: 'beginning',
    prompt: 'validation.tradeNoRequired',
    label: 'withdrawals.trade_no',
    isInline: true,
  },
  {
    kind: 'choice',
    name: 'status',
    label: 'withdrawals.statusLabel',
    options: statusOptions(withdrawalStatuses, withdrawalLooks),
  },
  {
    kind: 'choice',
    name: 'approvalState',
    label: 'approvals.stateLabel',
    options: statusOptions(approvalStates, approvalLooks),
  },
  { kind: 'days', from: 'createdFrom', to: 'createdTo', label: 'withdrawals.createdAt' },
  { kind: 'amount', from: 'amountFrom', to: 'amountTo', label: 'withdrawals.amount' },
  {
    kind: 'choice',
    name: 'coin',
    label: 'withdrawals.coin',
    prompt: 'validation.currency',
    options: withdrawalCoins.map((value) => ({ value, label: `ui.units.${value}` as const })),
  },
  {
    kind: 'choice',
    name: 'network',
    label: 'withdrawals.network',
    prompt: 'validation.networkRequired',
    options: networkCodes.map((value) => ({ value, label: `withdrawals.networks.${value}` as const })),
    isSingle: true,
  },
  { kind: 'text', name: 'address', label: 'withdrawals.address' },
  { kind: 'text', name: 'transactionId', label: 'withdrawals.transactionId' },
];
