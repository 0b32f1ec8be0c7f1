import * as z from 'zod';
import { accessSettingChange } from './access-requests.ts';
import { approvalRules, orderKinds, possibleApprover, setRules, settingKinds } from './approval-rules.ts';
import { approvalStates } from './approval-states.ts';
import { authorization } from './authorization.ts';
import { endpoint } from './endpoint.ts';
import { instant, listQuery, listReply, oneOrMore, textFilter } from './lists.ts';
import { amount, currency } from './money.ts';
import { maxBatchRows } from './payout-batch-rows.ts';
import { phrase } from './phrase.ts';
import { ownRoleChange, teamChange } from './team-requests.ts';
import { requiredText } from './visible-text.ts';

/**
 * Kinds of requests: an order or a change of settings that a rule covers, a change of the team that gives payment rights, or one of the
 * rules themselves.
 */
export const approvalKinds = [...orderKinds, ...settingKinds, 'rules'] as const;
export type ApprovalKind = (typeof approvalKinds)[number];

/** Requests that wait for somebody are counted up to here. */
export const maxCountedRequests = 100;
/** The most requests that can be approved at once. */
export const maxApprovedAtOnce = 50;
/** The most rows of a batch that one approver can exclude, and the longest reason. */
export const maxExclusions = 1000;
export const maxExclusionReason = 200;

/**
 * Facts that an approver has to know about a request. `newAccount`: nothing was paid there before the past 30 days. `changedAccount`: the payee was
 * paid before, on another account. `changedFee`, `changedRate`: not what they were when it was asked for. `equalPayment`:
 * the same amount went to the same account meanwhile. `fundsTooLow`: the funds do not cover it now.
 */
export const approvalMarks = [
  'newAccount',
  'changedAccount',
  'changedFee',
  'changedRate',
  'equalPayment',
  'fundsTooLow',
] as const;
export type ApprovalMark = (typeof approvalMarks)[number];

/** Days for which an account counts as new, or as changed. */
export const newAccountDays = 30;

/** A request for approval. */
export const approvalRow = z.object({
  request_no: z.string(),
  kind: z.enum(approvalKinds),
  state: z.enum(approvalStates),
  /** The order's number; null for a change of settings. */
  subject_no: z.string().nullable(),
  amount: amount.nullable(),
  currency,
  /** The payee and account, the wallet, the person, or the key, URL or addresses; null for a change of the rules. */
  target: z.string().nullable(),
  /** The person's name, or the access key. */
  requestedBy: z.string(),
  /** The approvals so far, and how many it needs, at least. */
  approvals: z.number().int(),
  needed: z.number().int(),
  createdAt: instant,
  expiresAt: instant,
  endedAt: instant.nullable(),
  /** Whether the caller asked for it, and whether the caller may approve or refuse it now. */
  isYours: z.boolean(),
  isForYou: z.boolean(),
});
export type ApprovalRow = z.output<typeof approvalRow>;

/** A mark, with what it was and what it is now where that is known. For a batch, `after` is the number of its payouts. */
export const shownMark = z.object({
  mark: z.enum(approvalMarks),
  before: z.string().nullable(),
  after: z.string().nullable(),
});
export type ShownMark = z.output<typeof shownMark>;

export const approvalDetail = approvalRow.extend({
  marks: z.array(shownMark),
  decisions: z.array(
    z.object({
      name: z.string(),
      verdict: z.enum(['approved', 'refused']),
      reason: z.string().nullable(),
      at: instant,
    }),
  ),
  /** How many rows the batch has; null for other kinds. */
  rows: z.number().int().nullable(),
  /** Rows of the batch that approvers have excluded, each with its reason. */
  excluded: z.array(z.object({ line: z.number().int(), name: z.string(), reason: z.string() })),
  /** Why it was refused, or who ended it otherwise. */
  reason: z.string().nullable(),
  /** The rules before and after, if it changes them. */
  change: z.object({ before: approvalRules, after: approvalRules }).nullable(),
  /** The roles before and after, if it changes those of a person. */
  team: teamChange.nullable(),
  /** The difference that it makes to the access key or to the whitelist, if it changes one of them. */
  access: accessSettingChange.nullable(),
  /** The role before and after, if it changes one that the merchant has made, with the names of those who hold it. */
  role: ownRoleChange.nullable(),
});
export type ApprovalDetail = z.output<typeof approvalDetail>;

/** Requests that wait for the caller, or that the caller asked for. */
export const approvalViews = ['mine', 'asked'] as const;

export const approvalQuery = listQuery({
  view: z.enum(approvalViews).optional(),
  kind: oneOrMore(approvalKinds),
  state: oneOrMore(approvalStates),
  request_no: textFilter,
  subject_no: textFilter,
  createdFrom: instant.optional(),
  createdTo: instant.optional(),
});
export type ApprovalQuery = z.output<typeof approvalQuery>;

const byNumber = z.object({ request_no: z.string().max(64) });
const reason = requiredText('validation.approvalReasonRequired', 500);

/** A row of a batch that is not to be paid. */
const exclusion = z.strictObject({
  line: z.number().int().min(1).max(maxBatchRows),
  reason: requiredText('validation.approvalReasonRequired', maxExclusionReason),
});
export type Exclusion = z.output<typeof exclusion>;

const shownValue = z.string().max(300).nullable();
/** A mark as an approver was shown it. */
const seenMark = z.strictObject({ mark: z.enum(approvalMarks), before: shownValue, after: shownValue });

/**
 * Body of an approval: the marks that the approver was shown, and the proof of who approves. Rows that are `excluded` from a
 * batch by any of its approvers are rejected.
 */
export const approveRequest = z.strictObject({
  seen: z.array(seenMark).max(approvalMarks.length),
  excluded: z.array(exclusion).max(maxExclusions, phrase('validation.tooLong')).default([]),
  ...authorization,
});
export type ApproveRequest = z.output<typeof approveRequest>;

/** Body of several approvals. None of the requests may have a mark. */
export const approveMany = z.strictObject({
  request_nos: z.array(z.string().max(64)).min(1).max(maxApprovedAtOnce),
  ...authorization,
});

/** A thousand exclusions with the longest reasons, in any script. */
const bodyLimitBytes = 1024 * 1024;
const bodyLimitValues = 4000;
const deciding = { access: 'session', perm: 'approvals.decide' } as const;
const refusals = ['not_found', 'invalid_transition', 'not_approver', 'own_request'] as const;
const authorizing = ['two_factor_required', 'merchant_suspended', 'too_many_attempts'] as const;

/** Requests for approval, and the rules that ask for it. */
export const approvalEndpoints = {
  list: endpoint({
    method: 'GET',
    path: '/api/merchant/approvals',
    summary: 'Lists requests for approval, newest first.',
    access: 'session',
    perm: 'approvals.read',
    query: approvalQuery,
    status: 200,
    reply: listReply(approvalRow),
    errors: [],
  }),
  waiting: endpoint({
    method: 'GET',
    path: '/api/merchant/approvals-waiting',
    summary: 'Counts the requests that wait for the caller’s approval, up to 100.',
    access: 'session',
    perm: 'approvals.read',
    status: 200,
    reply: z.object({ data: z.object({ count: z.number().int().max(maxCountedRequests) }) }),
    errors: [],
  }),
  get: endpoint({
    method: 'GET',
    path: '/api/merchant/approvals/:request_no',
    summary: 'Returns a request with its decisions, and with what has changed since it was made.',
    access: 'session',
    perm: 'approvals.read',
    params: byNumber,
    status: 200,
    reply: z.object({ data: approvalDetail }),
    errors: ['not_found'],
  }),
  approve: endpoint({
    ...deciding,
    method: 'POST',
    path: '/api/merchant/approvals/:request_no/approval',
    summary:
      'Approves a request. Once enough people have approved it, what it asks for is done. Refused if something to know has come up that is not in `seen`.',
    params: byNumber,
    bodyLimitBytes,
    bodyLimitValues,
    body: approveRequest,
    status: 200,
    reply: z.object({ data: approvalRow }),
    errors: [
      ...refusals,
      'approval_changed',
      'already_decided',
      'not_ready',
      'conflict',
      'approvers_missing',
      'insufficient_funds',
      ...authorizing,
    ],
  }),
  approveMany: endpoint({
    ...deciding,
    method: 'POST',
    path: '/api/merchant/approvals-approval',
    summary:
      'Approves up to 50 requests for orders, each by itself, with one password. One with something to know, or for a change of settings, is left waiting.',
    body: approveMany,
    status: 200,
    reply: z.object({
      data: z.array(
        z.object({ request_no: z.string(), isApproved: z.boolean(), reason: z.string().nullable() }),
      ),
    }),
    errors: authorizing,
  }),
  refuse: endpoint({
    ...deciding,
    method: 'POST',
    path: '/api/merchant/approvals/:request_no/refusal',
    summary: 'Refuses a request, with a reason. An order ends as rejected, and its funds return.',
    params: byNumber,
    body: z.strictObject({ reason }),
    status: 200,
    reply: z.object({ data: approvalRow }),
    errors: refusals,
  }),
  withdraw: endpoint({
    method: 'DELETE',
    path: '/api/merchant/approvals/:request_no',
    summary: 'Withdraws the caller’s own request. An order ends as rejected, and its funds return.',
    access: 'session',
    perm: 'approvals.read',
    params: byNumber,
    status: 200,
    reply: z.object({ data: approvalRow }),
    errors: ['not_found', 'invalid_transition', 'forbidden'],
  }),
  rules: endpoint({
    method: 'GET',
    path: '/api/merchant/approval-rules',
    summary: 'Returns the rules, and the people whom a rule can name.',
    access: 'session',
    perm: 'approvals.read',
    status: 200,
    reply: z.object({
      data: approvalRules.extend({
        people: z.array(possibleApprover),
        /** A change of the rules that waits for approval. */
        waiting: z.string().nullable(),
        /** Differs for other rules. */
        version: z.string(),
      }),
    }),
    errors: [],
  }),
  setRules: endpoint({
    method: 'PUT',
    path: '/api/merchant/approval-rules',
    summary:
      'Replaces the rules. If there are rules, the change is a request itself, which all of them have to approve.',
    access: 'session',
    perm: 'approvals.manage',
    body: setRules,
    status: 200,
    /** The number of the request; null if the rules apply already. */
    reply: z.object({ data: z.object({ request_no: z.string().nullable() }) }),
    errors: ['approvers_missing', 'conflict', 'request_waiting', ...authorizing],
  }),
};
