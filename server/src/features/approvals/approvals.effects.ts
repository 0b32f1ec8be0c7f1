import { isSettingKind, type OrderKind } from '@hengfu/contract/approval-rules';
import type { ApprovalKind } from '@hengfu/contract/approvals';
import type { ApprovalEffects, ChangeEffects } from '#domain/approvals.sql.ts';
import type { HeldRequest } from '#domain/request-decisions.ts';
import type { ApprovalRequest, LockedRequest } from './approvals.sql.ts';

/** The effects of an approval, or of another end, by the kind of the request. */
export type EffectsByKind = Readonly<Record<OrderKind, ApprovalEffects> & Record<ChangeKind, ChangeEffects>>;

/** Kinds of requests that change settings, and no order. */
type ChangeKind = Exclude<ApprovalKind, OrderKind>;

/** Whether a request changes settings, and no order. */
export function isChangeKind(kind: ApprovalKind): kind is ChangeKind {
  return kind === 'rules' || isSettingKind(kind);
}

/** A request that the transaction has locked, as decisions read it. */
export function heldOf({ state, is_over: isOver, requested_by: requestedBy }: LockedRequest): HeldRequest {
  return { state, isOver, requestedBy };
}

/** The object of an audit row: the order, or the request itself. */
export function subjectOf({ subject_no, request_no }: ApprovalRequest): string {
  return subject_no ?? request_no;
}
