import { type payoutEndpoints, payoutStatuses } from '@hengfu/contract/payouts';
import { channelOptions } from '../../ui/channel-name.tsx';
import type { FilterNameOf, ListFilter } from '../../ui/list/list-types.ts';
import { statusOptions } from '../../ui/status-tag.tsx';
import { payoutLooks } from './payout-looks.ts';

/** The filters of the payout list: all that the contract accepts. */
export const payoutFilters: readonly ListFilter<FilterNameOf<typeof payoutEndpoints.list>>[] = [
  {
    kind: 'text',
    name: 'trade_no',
    label: 'payouts.trade_no',
    prompt: 'validation.tradeNoRequired',
    isInline: true,
  },
  {
    kind: 'text',
    name: 'out_trade_no',
    label: 'payouts.out_trade_no',
    prompt: 'validation.outTradeNoRequired',
    isInline: true,
  },
  {
    kind: 'choice',
    name: 'status',
    label: 'payouts.statusLabel',
    prompt: 'validation.orderStatusRequired',
    options: statusOptions(payoutStatuses, payoutLooks),
  },
  { kind: 'days', from: 'createdFrom', to: 'createdTo', label: 'payouts.createdAt' },
  { kind: 'days', from: 'paidFrom', to: 'paidTo', label: 'payouts.paidAt' },
  { kind: 'amount', from: 'amountFrom', to: 'amountTo', label: 'payouts.amount' },
  { kind: 'text', name: 'payee', label: 'payouts.payee', prompt: 'validation.payeeRequired' },
  {
    kind: 'text',
    name: 'payeeAccount',
    label: 'payouts.payeeAccount',
    prompt: 'validation.payeeAccountRequired',
  },
  { kind: 'text', name: 'batch_no', label: 'payoutBatches.batchNo' },
  {
    kind: 'choice',
    name: 'channel',
    label: 'payouts.channel',
    prompt: 'validation.channelRequired',
    options: channelOptions,
    isSingle: true,
  },
];
