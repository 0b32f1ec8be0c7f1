import { type refundEndpoints, refundStatuses } from '@hengfu/contract/refunds';
import type { FilterNameOf, ListFilter } from '@hengfu/ui/list/list-types.ts';
import { refundLooks } from '@hengfu/ui/orders/refund-looks.ts';
import { statusOptions } from '@hengfu/ui/values/status-tag.tsx';

/** The filters of the list of refunds: all that the contract accepts. */
export const refundFilters: readonly ListFilter<FilterNameOf<typeof refundEndpoints.list>>[] = [
  {
    kind: 'text',
    name: 'refund_no',
    match: 'beginning',
    label: 'refunds.refund_no',
    isInline: true,
  },
  {
    kind: 'text',
    name: 'trade_no',
    match: 'beginning',
    prompt: 'validation.tradeNoRequired',
    label: 'refunds.trade_no',
    isInline: true,
  },
  {
    kind: 'choice',
    name: 'status',
    label: 'refunds.statusLabel',
    options: statusOptions(refundStatuses, refundLooks),
  },
  { kind: 'days', from: 'createdFrom', to: 'createdTo', label: 'refunds.createdAt' },
  { kind: 'days', from: 'endedFrom', to: 'endedTo', label: 'refunds.endedAt' },
  { kind: 'amount', from: 'amountFrom', to: 'amountTo', label: 'refunds.amount' },
];
