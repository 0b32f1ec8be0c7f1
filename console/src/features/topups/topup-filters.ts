import { topupCoins, type topupEndpoints, topupStatuses } from '@hengfu/contract/topups';
import { networkCodes } from '@hengfu/contract/wallets';
import type { FilterNameOf, ListFilter } from '@hengfu/ui/list/list-types.ts';
import { statusOptions } from '@hengfu/ui/values/status-tag.tsx';
import { topupLooks } from './topup-looks.ts';

/** The filters of the top-up list: all that the contract accepts. */
export const topupFilters: readonly ListFilter<FilterNameOf<typeof topupEndpoints.list>>[] = [
  {
    kind: 'text',
    name: 'trade_no',
    match: 'beginning',
    prompt: 'validation.tradeNoRequired',
    label: 'topups.trade_no',
    isInline: true,
  },
  {
    kind: 'choice',
    name: 'status',
    label: 'topups.statusLabel',
    options: statusOptions(topupStatuses, topupLooks),
  },
  { kind: 'days', from: 'createdFrom', to: 'createdTo', label: 'topups.createdAt' },
  { kind: 'amount', from: 'amountFrom', to: 'amountTo', label: 'topups.amount' },
  {
    kind: 'choice',
    name: 'coin',
    label: 'topups.coin',
    prompt: 'validation.currency',
    options: topupCoins.map((value) => ({ value, label: `ui.units.${value}` as const })),
  },
  {
    kind: 'choice',
    name: 'network',
    label: 'topups.network',
    prompt: 'validation.networkRequired',
    options: networkCodes.map((value) => ({ value, label: `withdrawals.networks.${value}` as const })),
    isSingle: true,
  },
  { kind: 'text', name: 'transactionId', label: 'topups.transactionId' },
];
