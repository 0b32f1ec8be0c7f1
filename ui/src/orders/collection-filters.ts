import type { Currency } from '@hengfu/contract/money';
import type { ListFilter } from '../list/list-types.ts';
import { statusOptions } from '../values/status-tag.tsx';
import { channelOptions } from './channel-name.tsx';
import { collectionLooks, settlementLooks } from './collection-looks.ts';
import { namesOf } from './names-of.ts';

/** The filters of a list of collections: all that both apps accept. */
export function collectionFilters(currency: Currency) {
  return [
    {
      kind: 'text',
      name: 'trade_no',
      match: 'beginning',
      prompt: 'validation.tradeNoRequired',
      label: 'collections.trade_no',
      isInline: true,
    },
    {
      kind: 'text',
      name: 'out_trade_no',
      match: 'beginning',
      prompt: 'validation.outTradeNoRequired',
      label: 'collections.out_trade_no',
      isInline: true,
    },
    {
      kind: 'choice',
      name: 'status',
      label: 'collections.statusLabel',
      prompt: 'validation.orderStatusRequired',
      options: statusOptions(namesOf(collectionLooks), collectionLooks),
    },
    { kind: 'days', from: 'createdFrom', to: 'createdTo', label: 'collections.createdAt' },
    { kind: 'days', from: 'paidFrom', to: 'paidTo', label: 'collections.paidAt' },
    { kind: 'amount', from: 'amountFrom', to: 'amountTo', label: 'collections.amount' },
    {
      kind: 'choice',
      name: 'settlementStatus',
      label: 'collections.settlementLabel',
      options: statusOptions(namesOf(settlementLooks), settlementLooks),
    },
    {
      kind: 'choice',
      name: 'channel',
      label: 'collections.channel',
      prompt: 'validation.channelRequired',
      options: channelOptions(currency),
      isSingle: true,
    },
    { kind: 'text', name: 'settlement_no', label: 'collections.settlement_no' },
  ] as const satisfies readonly ListFilter[];
}
