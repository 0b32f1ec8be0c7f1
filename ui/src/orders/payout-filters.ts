import type { Currency } from '@hengfu/contract/money';
import type { ListFilter } from '../list/list-types.ts';
import { statusOptions } from '../values/status-tag.tsx';
import { approvalLooks } from './approval-looks.ts';
import { channelOptions } from './channel-name.tsx';
import { namesOf } from './names-of.ts';
import { payoutLooks } from './payout-looks.ts';

/** The filters of a list of payouts: all that both apps accept. */
export function payoutFilters(currency: Currency) {
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
      options: statusOptions(namesOf(payoutLooks), payoutLooks),
    },
    {
      kind: 'choice',
      name: 'approvalState',
      label: 'approvals.stateLabel',
      options: statusOptions(namesOf(approvalLooks), approvalLooks),
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
  ] as const satisfies readonly ListFilter[];
}
