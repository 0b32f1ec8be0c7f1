import {
  type collectionEndpoints,
  collectionStatuses,
  settlementStatuses,
} from '@hengfu/contract/collections';
import type { Currency } from '@hengfu/contract/money';
import type { FilterNameOf, ListFilter } from '@hengfu/ui/list/list-types.ts';
import { channelOptions } from '@hengfu/ui/orders/channel-name.tsx';
import { collectionLooks, settlementLooks } from '@hengfu/ui/orders/collection-looks.ts';
import { statusOptions } from '@hengfu/ui/values/status-tag.tsx';

/** The filters of the order list: all that the contract accepts. */
export function collectionFilters(
  currency: Currency,
): readonly ListFilter<FilterNameOf<typeof collectionEndpoints.list>>[] {
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
      options: statusOptions(collectionStatuses, collectionLooks),
    },
    { kind: 'days', from: 'createdFrom', to: 'createdTo', label: 'collections.createdAt' },
    { kind: 'days', from: 'paidFrom', to: 'paidTo', label: 'collections.paidAt' },
    { kind: 'amount', from: 'amountFrom', to: 'amountTo', label: 'collections.amount' },
    {
      kind: 'choice',
      name: 'settlementStatus',
      label: 'collections.settlementLabel',
      options: statusOptions(settlementStatuses, settlementLooks),
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
    { kind: 'text', name: 'link', label: 'paymentLinks.link_no' },
  ];
}
