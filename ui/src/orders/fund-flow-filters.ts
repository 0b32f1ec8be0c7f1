import type { PhraseKey } from '@hengfu/phrases/phrases';
import type { ListFilter } from '../list/list-types.ts';
import { namesOf } from './names-of.ts';

/** The name of each type of transaction of available funds. */
export const fundFlowLabels = {
  collectionSettlement: 'fundFlow.type.collectionSettlement',
  payoutDeduction: 'fundFlow.type.payoutDeduction',
  payoutRefund: 'fundFlow.type.payoutRefund',
  recharge: 'fundFlow.type.recharge',
  withdrawal: 'fundFlow.type.withdrawal',
  withdrawalRejected: 'fundFlow.type.withdrawalRejected',
  transferIn: 'fundFlow.type.transferIn',
  transferOut: 'fundFlow.type.transferOut',
} as const satisfies Readonly<Record<string, PhraseKey>>;

/** The filters of the statement of available funds. */
export const fundFlowFilters = [
  { kind: 'text', name: 'subject_no', match: 'beginning', label: 'fundFlow.subject_no', isInline: true },
  {
    kind: 'choice',
    name: 'type',
    label: 'fundFlow.typeLabel',
    options: namesOf(fundFlowLabels).map((value) => ({ value, label: fundFlowLabels[value] })),
  },
  { kind: 'days', from: 'createdFrom', to: 'createdTo', label: 'fundFlow.createdAt' },
] as const satisfies readonly ListFilter[];
