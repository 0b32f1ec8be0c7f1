import type { ListFilter } from '../list/list-types.ts';
import { type StatusLook, statusOptions } from '../values/status-tag.tsx';
import { namesOf } from './names-of.ts';

/** Label, tone and icon of each batch status. */
export const batchLooks = {
  pendingSettlement: { label: 'settlements.status.pendingSettlement', tone: 'waiting', icon: 'circleClock' },
  settled: { label: 'settlements.status.settled', tone: 'good', icon: 'circleCheck' },
} as const satisfies Readonly<Record<string, StatusLook>>;

/** A line adds a payment, or deducts a refund of a payment that an earlier batch added. */
export const lineLooks: Readonly<Record<'payment' | 'refund', StatusLook>> = {
  payment: { label: 'settlements.lineKind.payment', tone: 'active', icon: 'arrowDown' },
  refund: { label: 'settlements.lineKind.refund', tone: 'waiting', icon: 'undo' },
};

/** The filters of a list of settlements. */
export const settlementFilters = [
  {
    kind: 'text',
    name: 'settlement_no',
    match: 'beginning',
    label: 'settlements.settlement_no',
    isInline: true,
  },
  {
    kind: 'choice',
    name: 'status',
    label: 'settlements.statusLabel',
    options: statusOptions(namesOf(batchLooks), batchLooks),
  },
  { kind: 'days', from: 'createdFrom', to: 'createdTo', label: 'settlements.createdAt' },
  { kind: 'days', from: 'settledFrom', to: 'settledTo', label: 'settlements.settledAt' },
] as const satisfies readonly ListFilter[];
