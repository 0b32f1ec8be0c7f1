import type { RuleKind } from '@hengfu/contract/approval-rules';
import type { ApprovalKind } from '@hengfu/contract/approvals';
import type { ApprovalEffects, ChangeEffects } from '#domain/approvals.sql.ts';
import { Refusal } from '#domain/refusal.ts';
import type { ApprovalRequest } from './approvals.sql.ts';

/** The effects of an approval, or of another end, by the kind of the request. */
export type EffectsByKind = Readonly<Record<RuleKind, ApprovalEffects> & Record<ChangeKind, ChangeEffects>>;

/** Kinds of requests that change settings, and no order. */
type ChangeKind = Exclude<ApprovalKind, RuleKind>;

/** Whether a request changes settings, and no order. */
export function isChangeKind(kind: ApprovalKind): kind is ChangeKind {
  return kind === 'rules' || kind === 'team';
}

/** A request that has expired waits no longer, even if the job that ends it is late. */
export function assertWaiting({ state, expires_at: expiresAt }: ApprovalRequest): void {
  const now = state === 'waiting' && expiresAt.getTime() <= Date.now() ? 'expired' : state;
  if (now !== 'waiting')
    throw new Refusal('invalid_transition', { values: { status: `approvals.states.${now}` } });
}

/** The object of an audit row: the order, or the request itself. */
export function subjectOf({ subject_no, request_no }: ApprovalRequest): string {
  return subject_no ?? request_no;
}
