import type { ApprovalState } from '@hengfu/contract/approval-states';
import { approvalLooks } from '@hengfu/ui/orders/approval-looks.ts';
import { StatusTag } from '@hengfu/ui/values/status-tag.tsx';
import type { ReactElement } from 'react';

/** The approval of an order; a dash if no rule covers it. */
export function ApprovalStateTag({ state }: { state: ApprovalState | null }): ReactElement {
  return state === null ? <>–</> : <StatusTag look={approvalLooks[state]} />;
}
