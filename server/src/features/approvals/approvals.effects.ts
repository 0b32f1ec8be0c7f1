import { isSettingKind, type OrderKind } from '@hengfu/contract/approval-rules';
import type { ApprovalKind } from '@hengfu/contract/approvals';
import type { ApprovalEffects, ChangeEffects } from '#domain/approvals.sql.ts';
import { Refusal } from '#domain/refusal.ts';
import type { ApprovalRequest, LockedRequest } from './approvals.sql.ts';

/** The effects of an approval, or of another end, by the kind of the request. */
export type EffectsByKind = Readonly<Record<OrderKind, ApprovalEffects> & Record<ChangeKind, ChangeEffects>>;

/** Kinds of requests that change settings, and no order. */
type ChangeKind = Exclude<ApprovalKind, OrderKind>;

/** Whether a request changes settings, and no order. */
export function isChangeKind(kind: ApprovalKind): kind is ChangeKind {
  return kind === 'rules' || isSettingKind(kind);
}

/** A request that has expired waits no longer, even if the job that ends it is late. */
export function assertWaiting({ state, is_over: isOver }: LockedRequest): void {
  const now = isOver ? 'expired' : state;
  if (now !== 'waiting')
    throw new Refusal('invalid_transition', { values: { status: `approvals.states.${now}` } });
}

/** The object of an audit row: the order, or the request itself. */
export function subjectOf({ subject_no, request_no }: ApprovalRequest): string {
  return subject_no ?? request_no;
}
