import { approvalStates } from '@hengfu/contract/approvals';
import type { Currency } from '@hengfu/contract/money';
import { type payoutEndpoints, payoutStatuses } from '@hengfu/contract/payouts';
import type { FilterNameOf, ListFilter } from '@hengfu/ui/list/list-types.ts';
import { channelOptions } from '@hengfu/ui/orders/channel-name.tsx';
import { payoutLooks } from '@hengfu/ui/orders/payout-looks.ts';
import { statusOptions } from '@hengfu/ui/values/status-tag.tsx';
import { approvalLooks } from '../../shared/names/approval-state.tsx';

/** The filters of the payout list: all that the contract accepts. */
export function payoutFilters(
  currency: Currency,
): readonly ListFilter<FilterNameOf<typeof payoutEndpoints.list>>[] {
  return [
    {
      kind: 'text',
      name: 'trade_no',
      match: 'beginning',
      prompt: 'validation.tradeNoRequired',
      label: 'payouts.trade_no',
      isInline: true,
    },
    {
      kind: 'text',
      name: 'out_trade_no',
      match: 'beginning',
      prompt: 'validation.outTradeNoRequired',
      label: 'payouts.out_trade_no',
      isInline: true,
    },
    {
      kind: 'choice',
      name: 'status',
      label: 'payouts.statusLabel',
      prompt: 'validation.orderStatusRequired',
      options: statusOptions(payoutStatuses, payoutLooks),
    },
    {
      kind: 'choice',
      name: 'approvalState',
      label: 'approvals.stateLabel',
      options: statusOptions(approvalStates, approvalLooks),
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
      options: channelOptions(currency),
      isSingle: true,
    },
  ];
}
