import { approvalStates } from '@hengfu/contract/approval-states';
import { type approvalEndpoints, approvalKinds } from '@hengfu/contract/approvals';
import type { FilterNameOf, ListFilter } from '@hengfu/ui/list/list-types.ts';
import { approvalLooks } from '@hengfu/ui/orders/approval-looks.ts';
import { statusOptions } from '@hengfu/ui/values/status-tag.tsx';

/** The filters of the list of requests. Its views have tabs of their own. */
export const approvalFilters: readonly ListFilter<FilterNameOf<typeof approvalEndpoints.list>>[] = [
  {
    kind: 'choice',
    name: 'state',
    label: 'approvals.stateLabel',
    options: statusOptions(approvalStates, approvalLooks),
  },
  {
    kind: 'choice',
    name: 'kind',
    label: 'approvals.kindLabel',
    options: approvalKinds.map((value) => ({ value, label: `approvals.kinds.${value}` as const })),
  },
  { kind: 'days', from: 'createdFrom', to: 'createdTo', label: 'approvals.createdAt' },
  { kind: 'text', name: 'request_no', label: 'approvals.request_no' },
  { kind: 'text', name: 'subject_no', label: 'approvals.subject_no' },
];
