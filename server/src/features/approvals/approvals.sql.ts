import type { SettingKind } from '@hengfu/contract/approval-rules';
import type { ApprovalState } from '@hengfu/contract/approval-states';
import { type ApprovalKind, type ApprovalQuery, maxCountedRequests } from '@hengfu/contract/approvals';
import type { Currency } from '@hengfu/contract/money';
import type { Grant, OwnPerms, RoleCode } from '@hengfu/contract/permissions';
import { type RawBuilder, sql } from 'kysely';
import type { MerchantTx, Tx } from '#db/database.ts';
import type { StoredAccessChange } from '#domain/access-approval.sql.ts';
import type { RoleChange, TeamChange } from '#domain/approvals.sql.ts';
import { type Page, readPage } from '#domain/list.sql.ts';
import { between, each, equal, type ListSource } from '#domain/list-source.sql.ts';
import { ownPermsOf, withPerms } from '#domain/own-roles.sql.ts';
import type { RequestOutcome } from '#domain/request-decisions.ts';
import type { Approver, AskingRule } from './approvals.rules.ts';
import type { StoredRule } from './rules.sql.ts';

/** A change of the rules, as a request keeps it. Amounts are in minor units, as text. */
export interface RulesChange {
  before: StoredRules;
  after: StoredRules;
}

/** All rules of a merchant, and the days after which requests expire. */
export interface StoredRules {
  rules: StoredRule[];
  days: number;
}

/** A person who has approved a request, with the permissions of the roles that the merchant has made. */
type StoredApprover = Pick<Approver, 'userId'> & { roles: RoleCode[]; ownPerms: OwnPerms | null };

/** A request, with the name of the person who made it. */
export interface ApprovalRequest {
  id: bigint;
  request_no: string;
  kind: ApprovalKind;
  state: ApprovalState;
  subject_no: string | null;
  /** By the kind: of the rules, of the team, or of the access key and the whitelist. */
  change: RulesChange | TeamChange | RoleChange | StoredAccessChange | null;
  /** The kind of rules that have to approve a change; null for an order, and if all rules have to. */
  rule_kind: SettingKind | null;
  currency: Currency;
  amount_minor: bigint | null;
  target: string | null;
  requested_by: string;
  requester_name: string | null;
  rules: AskingRule[];
  created_at: Date;
  expires_at: Date;
  ended_at: Date | null;
  ended_by: string | null;
  reason: string | null;
  /** All approvals, also those of people who may not act for the merchant any more. */
  approvals: number;
  /** The rules of now that cover it, and those whose approvals may count; both empty once it has ended. */
  covering: AskingRule[];
  approvers: StoredApprover[];
}

/** A request that the transaction has locked. */
export interface LockedRequest extends ApprovalRequest {
  /** It waits still, and its time is over. */
  is_over: boolean;
}

/** A request as one person sees it. */
export interface SeenRequest extends ApprovalRequest {
  is_for_you: boolean;
}

/** The person who reads requests. */
export interface Viewer extends Grant {
  userId: bigint;
}

/** Whether a rule, `c`, covers a request, `r`: a change of settings by its kind of rules, or by all of them. */
const ruleCoversRequest = sql`(case when r.subject_no is null then r.rule_kind is null or c.kind = r.rule_kind
  else c.kind = r.kind and c.amount_minor <= r.counted_minor or c.kind = 'payout' and c.amount_minor <= r.counted_payouts_minor
    or c.kind = 'payee' and c.amount_minor <= r.counted_new_minor end)`;
/** Those who have approved a request, `d`, and still act for the merchant. */
const approversOf = sql`(select d.merchant_id, d.request_id, d.user_id from approval_decision d where d.verdict = 'approved') d
  join membership p on p.merchant_id = d.merchant_id and p.user_id = d.user_id and p.disabled_at is null
  join app_user u on u.id = p.user_id and u.disabled_at is null`;
const columns = sql`r.id, r.request_no, r.kind, r.state, r.subject_no, r.change, r.rule_kind, r.currency, r.amount_minor,
  r.target, r.requested_by, who.name as requester_name, r.rules, r.created_at, r.expires_at, r.ended_at, r.ended_by, r.reason,
  (select count(*)::integer from approval_decision d
    where d.merchant_id = r.merchant_id and d.request_id = r.id and d.verdict = 'approved') as approvals,
  case r.state when 'waiting' then (
    select coalesce(jsonb_agg(jsonb_build_object('approvers', c.approvers, 'roles', c.roles, 'people', c.people::text[]) order by c.id), '[]')
    from approval_rule c where c.merchant_id = r.merchant_id and c.ended_at is null and ${ruleCoversRequest}) else '[]' end as covering,
  case r.state when 'waiting' then (
    select coalesce(jsonb_agg(jsonb_build_object('userId', p.user_id::text, 'roles', p.roles, 'ownPerms', ${ownPermsOf('p')})), '[]') from ${approversOf}
    where d.merchant_id = r.merchant_id and d.request_id = r.id) else '[]' end as approvers`;
const from = sql`approval_request r
  left join app_user who on who.id = case when r.requested_by like 'user:%' then substr(r.requested_by, 6)::bigint end`;

/** Whether a request waits for a person, by the rules that covered it or those of now. */
function isFor({ userId, roles, perms }: Viewer): RawBuilder<boolean> {
  if (!perms.includes('approvals.decide')) return sql<boolean>`false`;
  const me = sql`${String(userId)}::text`;
  const mine = sql`${[...roles]}::text[]`;
  return sql<boolean>`(r.state = 'waiting' and r.expires_at > now() and r.requested_by <> 'user:' || ${me}
    and not exists (select from approval_decision d
      where d.merchant_id = r.merchant_id and d.request_id = r.id and d.user_id = ${userId})
    and not may_know_key(r.merchant_id, r.requested_by, ${userId}, ${perms.includes('access.manage')})
    and (exists (select from jsonb_array_elements(r.rules) rule where rule -> 'people' ? ${me} or rule -> 'roles' ?| ${mine})
      or exists (select from approval_rule c where c.merchant_id = r.merchant_id and c.ended_at is null and ${ruleCoversRequest}
        and (c.people @> array[${userId}::bigint] or c.roles && ${mine}))))`;
}

/** Whether a request is for an order; a payout of a batch has that of its batch. */
function ofOrder(tx: MerchantTx, orderNo: string): RawBuilder<unknown> {
  return sql`r.subject_no in (${orderNo}, (
    select p.batch_no from payout p where p.merchant_id = ${tx.merchantId} and p.trade_no = ${orderNo}))`;
}

/** Builds the list source of requests. */
export function approvalSource(
  tx: MerchantTx,
  query: Omit<ApprovalQuery, 'limit' | 'cursor' | 'view'>,
  only?: RawBuilder<unknown>,
): ListSource {
  return {
    columns,
    from,
    orderedBy: sql`r.created_at`,
    id: sql`r.id`,
    either: each(sql`r.state`, query.state),
    where: [
      sql`r.merchant_id = ${tx.merchantId}`,
      query.kind && sql`r.kind = any(${query.kind}::text[])`,
      equal(sql`r.request_no`, query.request_no),
      query.subject_no === undefined ? undefined : ofOrder(tx, query.subject_no),
      between(sql`r.created_at`, query.createdFrom, query.createdTo),
      only,
    ],
  };
}

/** Reads a page of the merchant's requests, as one person sees them. */
export function listApprovals(
  tx: MerchantTx,
  viewer: Viewer,
  query: ApprovalQuery,
): Promise<Page<SeenRequest>> {
  const only = {
    mine: isFor(viewer),
    asked: sql`r.requested_by = ${`user:${viewer.userId}`}`,
    all: undefined,
  }[query.view ?? 'all'];
  const source = approvalSource(tx, query, only);
  return readPage<SeenRequest>(
    tx,
    { ...source, columns: sql`${columns}, ${isFor(viewer)} as is_for_you` },
    query,
  );
}

/** Counts the requests that wait for a person, up to {@link maxCountedRequests}. */
export async function countWaiting(tx: MerchantTx, viewer: Viewer): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from (
      select from approval_request r
      where r.merchant_id = ${tx.merchantId} and r.state = 'waiting' and ${isFor(viewer)} limit ${maxCountedRequests}) waiting`.execute(
    tx.query,
  );
  return rows[0]?.count ?? 0;
}

/** Reads a request as one person sees it. */
export async function findRequest(
  tx: MerchantTx,
  requestNo: string,
  viewer: Viewer,
): Promise<SeenRequest | undefined> {
  const { rows } = await sql<SeenRequest>`
    select ${columns}, ${isFor(viewer)} as is_for_you from ${from}
    where r.merchant_id = ${tx.merchantId} and r.request_no = ${requestNo}`.execute(tx.query);
  return rows[0];
}

/** Locks a request until the transaction ends. Requests are locked before their orders. */
export async function lockRequest(tx: MerchantTx, requestNo: string): Promise<LockedRequest | undefined> {
  const { rows } = await sql<LockedRequest>`
    select ${columns}, r.state = 'waiting' and r.expires_at <= now() as is_over from ${from} where r.merchant_id = ${tx.merchantId} and r.request_no = ${requestNo}
    for update of r`.execute(tx.query);
  return rows[0];
}

/** Ends a request that the transaction has locked. */
export async function endRequest(
  tx: MerchantTx,
  { id }: Pick<ApprovalRequest, 'id'>,
  { state, by, reason }: RequestOutcome,
): Promise<void> {
  await sql`
    update approval_request set state = ${state}, ended_at = now(), ended_by = ${by}, reason = ${reason}
    where merchant_id = ${tx.merchantId} and id = ${id}`.execute(tx.query);
}

/** Records a person's decision; false if the person has decided so before. */
export async function insertDecision(
  tx: MerchantTx,
  { id }: Pick<ApprovalRequest, 'id'>,
  { userId, verdict, reason }: { userId: bigint; verdict: 'approved' | 'refused'; reason: string | null },
): Promise<boolean> {
  const { rows } = await sql`
    insert into approval_decision (merchant_id, request_id, user_id, verdict, reason)
    values (${tx.merchantId}, ${id}, ${userId}, ${verdict}, ${reason})
    on conflict do nothing returning user_id`.execute(tx.query);
  return rows.length > 0;
}

/** A decision on a request. */
export interface Decision {
  name: string;
  verdict: 'approved' | 'refused';
  reason: string | null;
  at: Date;
}

/** Lists the decisions on a request, in their order. */
export async function listDecisions(
  tx: MerchantTx,
  { id }: Pick<ApprovalRequest, 'id'>,
): Promise<Decision[]> {
  const { rows } = await sql<Decision>`
    select u.name, d.verdict, d.reason, d.at from approval_decision d join app_user u on u.id = d.user_id
    where d.merchant_id = ${tx.merchantId} and d.request_id = ${id} order by d.at`.execute(tx.query);
  return rows;
}

/** Whether a request changes settings, and no order. */
export async function isChange(tx: MerchantTx, requestNo: string): Promise<boolean> {
  const { rows } = await sql`
    select from approval_request where merchant_id = ${tx.merchantId} and request_no = ${requestNo} and subject_no is null`.execute(
    tx.query,
  );
  return rows.length > 0;
}

/** Lists the merchant's requests that wait, newest first. */
export async function listWaiting(tx: MerchantTx): Promise<ApprovalRequest[]> {
  const { rows } = await sql<ApprovalRequest>`
    select ${columns} from ${from} where r.merchant_id = ${tx.merchantId} and r.state = 'waiting'
    order by r.created_at desc, r.id desc`.execute(tx.query);
  return rows;
}

/** A request that has expired, of any merchant. */
export interface DueRequest {
  merchantId: bigint;
  requestNo: string;
}

/** Lists requests whose time is over, the oldest of each merchant first, so that no merchant waits for another one's. */
export async function listDue(tx: Tx, limit: number): Promise<DueRequest[]> {
  const { rows } = await sql<DueRequest>`
    select merchant_id as "merchantId", request_no as "requestNo" from (
      select merchant_id, request_no, expires_at, row_number() over (partition by merchant_id order by expires_at) as turn
      from approval_request where state = 'waiting' and expires_at <= now()) due
    order by turn, expires_at limit ${limit}`.execute(tx.query);
  return rows;
}

/** Deletes sums that no comparison reads any more; returns how many. */
export async function deleteOldSums(tx: Tx, limit: number): Promise<number> {
  const result = await sql`
    delete from approval_sum where ctid = any(array(
      select ctid from approval_sum where hour < now() - interval '26 hours' limit ${limit}))`.execute(
    tx.query,
  );
  return Number(result.numAffectedRows ?? 0n);
}

/** Lists those who have approved a request and still act for the merchant, with their roles of now. */
export async function listApprovers(
  tx: MerchantTx,
  { id }: Pick<ApprovalRequest, 'id'>,
): Promise<Approver[]> {
  const { rows } = await sql<StoredApprover>`
    select p.user_id::text as "userId", p.roles, ${ownPermsOf('p')} as "ownPerms" from ${approversOf}
    where d.merchant_id = ${tx.merchantId} and d.request_id = ${id}`.execute(tx.query);
  return rows.map(withPerms);
}

/** Returns the number of the change of the rules that waits; undefined if there is none. */
export async function findWaitingChange(tx: MerchantTx): Promise<string | undefined> {
  const { rows } = await sql<{ number: string }>`
    select request_no as number from approval_request
    where merchant_id = ${tx.merchantId} and kind = 'rules' and state = 'waiting'`.execute(tx.query);
  return rows[0]?.number;
}
