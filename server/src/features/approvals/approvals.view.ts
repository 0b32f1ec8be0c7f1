import type { ApprovalRules } from '@hengfu/contract/approval-rules';
import type { ApprovalDetail, ApprovalRow } from '@hengfu/contract/approvals';
import { type Currency, formatAmount } from '@hengfu/contract/money';
import type { RoleChange, TeamChange } from '#domain/approvals.sql.ts';
import { withPerms } from '#domain/own-roles.sql.ts';
import { toAccessChange } from './access/access-change.view.ts';
import type { RequestHistory } from './approvals.reading.ts';
import { approvalsNeeded, rulesOf } from './approvals.rules.ts';
import type { ApprovalRequest, SeenRequest, StoredRules } from './approvals.sql.ts';

/** Converts a request to a row of the console's list, as a person sees it. */
export function toRow(request: SeenRequest, userId: bigint): ApprovalRow {
  return {
    ...toSharedRow(request),
    isYours: request.requested_by === `user:${userId}`,
    isForYou: request.is_for_you,
  };
}

/** Converts a request to what everybody sees of it. */
export function toSharedRow(request: ApprovalRequest): Omit<ApprovalRow, 'isYours' | 'isForYou'> {
  const { currency, amount_minor: amountMinor, requested_by: by, rules } = request;
  const approvers = request.approvers.map(withPerms);
  const isWaiting = request.state === 'waiting';
  return {
    request_no: request.request_no,
    kind: request.kind,
    state: request.state,
    subject_no: request.subject_no,
    amount: amountMinor === null ? null : formatAmount(amountMinor, currency),
    currency,
    target: request.target,
    requestedBy: request.requester_name ?? by.replace(/^\w+:/, ''),
    approvals: isWaiting ? approvers.length : request.approvals,
    needed: isWaiting ? approvalsNeeded(rulesOf(request), approvers) : approvalsNeeded(rules, []),
    createdAt: request.created_at.toISOString(),
    expiresAt: request.expires_at.toISOString(),
    endedAt: request.ended_at?.toISOString() ?? null,
  };
}

/** Converts a request with its history to the console's detail view. */
export function toDetail(
  { request, marks, decisions, rows, excluded, names }: RequestHistory,
  userId: bigint,
): ApprovalDetail {
  const { change, currency } = request;
  return {
    ...toRow(request, userId),
    marks,
    decisions: decisions.map(({ at, ...decision }) => ({ ...decision, at: at.toISOString() })),
    rows,
    excluded,
    reason: request.reason,
    change:
      change && !('action' in change)
        ? { before: toRules(change.before, currency, names), after: toRules(change.after, currency, names) }
        : null,
    team: change && 'person' in change ? toTeamChange(change) : null,
    access: change && 'setting' in change ? toAccessChange(change) : null,
    role: change && 'holders' in change ? toRoleChange(change) : null,
  };
}

function toTeamChange({
  action,
  person,
  before,
  after,
  own = [],
}: TeamChange): NonNullable<ApprovalDetail['team']> {
  return { action, person, before, after, own };
}

function toRoleChange({ before, after, holders }: RoleChange): NonNullable<ApprovalDetail['role']> {
  return { before, after, holders: holders.map(({ name }) => name) };
}

/** Converts rules as they are stored; a person without a name keeps the ID. */
export function toRules(
  { rules, days }: StoredRules,
  currency: Currency,
  names: ReadonlyMap<string, string>,
): ApprovalRules {
  return {
    rules: rules.map(({ kind, amountMinor, approvers, roles, people }) => ({
      kind,
      amount: formatAmount(BigInt(amountMinor), currency),
      approvers,
      roles,
      people: people.map((id) => ({ id, name: names.get(id) ?? id })),
    })),
    days,
  };
}
