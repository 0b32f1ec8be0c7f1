import type { OrderKind, SettingKind } from '@hengfu/contract/approval-rules';
import type { ApprovalState } from '@hengfu/contract/approval-states';
import type { ShownMark } from '@hengfu/contract/approvals';
import type { Currency } from '@hengfu/contract/money';
import type { OwnRoleCode, Perm, RoleCode } from '@hengfu/contract/permissions';
import { sql } from 'kysely';
import type { MerchantTx, Tx } from '#db/database.ts';
import type { StoredRole } from './own-roles.sql.ts';

/** How a request ends without an approval. */
export interface RequestEnd {
  state: Exclude<ApprovalState, 'waiting' | 'approved'>;
  /** Why it was refused. */
  reason: string | null;
}

/**
 * The part of a feature that knows what an approval means for one kind of its orders. Each runs in the transaction that has locked
 * the request: a request is locked before its order.
 */
export interface ApprovalEffects {
  /** Lets the order be dispatched. */
  approved(tx: MerchantTx, subjectNo: string): Promise<void>;
  /** Rejects the order and returns its funds. */
  ended(tx: MerchantTx, subjectNo: string, end: RequestEnd): Promise<void>;
  /** Whether all of the order is there to be seen. Absent if it always is. */
  isReady?(tx: MerchantTx, subjectNo: string): Promise<boolean>;
  /** Finds what an approver has to know about the order. */
  marks(tx: MerchantTx, subjectNo: string): Promise<ShownMark[]>;
  /** Counts the rows that an approver can exclude. Absent for orders that have none. */
  countRows?(tx: MerchantTx, subjectNo: string): Promise<number>;
}

/** A request that changes settings, and no order. */
export interface ChangeRequest {
  request_no: string;
  /** `user:<id>`. */
  requested_by: string;
  /** The change, as the feature that asked has described it. */
  change: unknown;
  /** The kind of rules that have to approve it; null if all rules have to. */
  rule_kind: SettingKind | null;
}

/**
 * The part of a feature that makes a change of settings once it is approved. Each runs in the transaction that has locked the request,
 * with the merchant's standing locked before.
 */
export interface ChangeEffects {
  /** Makes the change; throws a refusal if it cannot be made any more. */
  approved(tx: MerchantTx, asked: ChangeRequest): Promise<void>;
  /** Gives it up. */
  ended(tx: MerchantTx, asked: ChangeRequest, end: RequestEnd): Promise<void>;
}

/** An order that may need approval. Amounts are in minor units of the merchant's currency. */
export interface AskedOrder {
  kind: OrderKind;
  tradeNo: string;
  amountMinor: bigint;
  currency: Currency;
  /** The account or wallet that the money goes to, in a form that is the same however it was typed; null for several. */
  account: string | null;
  /** The parts of a batch, by the account that each goes to. Other orders have one part, for `account`. */
  parts?: readonly { account: string; amountMinor: bigint }[];
  /** The payee and account, the wallet, or the batch's name, as an approver reads it. */
  target: string;
  /** `user:<id>` or `key:<id>`. */
  requester: string;
}

/**
 * Returns whether rules could cover an order of a kind. If so, locks the merchant's comparisons, before anything else of the order is
 * locked.
 */
export async function holdRules(tx: MerchantTx, kind: OrderKind): Promise<boolean> {
  const { rows } = await sql<{ held: boolean }>`
    select has_approval_rules(${tx.merchantId}::bigint, ${kind}) as held`.execute(tx.prepared);
  return rows[0]?.held === true;
}

/**
 * Compares an order that the transaction has just written with the merchant's rules, which {@link holdRules} has locked. Returns
 * whether it waits for approval; if so, the request has been made. Payouts are compared by `decide_payouts` itself.
 */
export async function askApproval(tx: MerchantTx, order: AskedOrder): Promise<boolean> {
  const { account, amountMinor } = order;
  const parts = order.parts ?? (account === null ? [] : [{ account, amountMinor }]);
  const { rows } = await sql<{ waits: boolean }>`
    select ask_approval(${tx.merchantId}::bigint,
      ${order.kind}, ${order.tradeNo}, ${amountMinor}::bigint, ${order.currency}, ${account}, ${parts.map((part) => part.account)}::text[],
      ${parts.map((part) => String(part.amountMinor))}::bigint[], ${order.target}, ${order.requester}) as waits`.execute(
    tx.prepared,
  );
  if (!rows[0]?.waits) return false;
  tx.changed(tx.merchantId, 'approvals', 'notices');
  return true;
}

/**
 * Ends the request of an order that the service's staff rejects; false if none waits. Call it before the order is locked: requests
 * are locked first.
 */
export async function refuseRequestOf(
  tx: MerchantTx,
  kind: OrderKind,
  tradeNo: string,
  { by, reason }: { by: string; reason: string },
): Promise<boolean> {
  const { rows } = await sql`
    update approval_request set state = 'refused', ended_at = now(), ended_by = ${by}, reason = ${reason}
    where merchant_id = ${tx.merchantId} and kind = ${kind} and subject_no = ${tradeNo} and state = 'waiting'
    returning id`.execute(tx.query);
  if (rows.length === 0) return false;
  tx.changed(tx.merchantId, 'approvals');
  return true;
}

/** A change of the team, as its request keeps it. IDs are text. */
export interface TeamChange {
  action: 'invite' | 'roles' | 'reactivate';
  /** The member, or the invitation. */
  id: string;
  /** The person's name or email address. */
  person: string;
  before: RoleCode[];
  after: RoleCode[];
  /** Those of the roles that the merchant has made, as the approvers are shown them. */
  own?: ShownRole[];
}

/** One of a merchant's own roles, as approvers are shown it. */
export type ShownRole = Omit<StoredRole, 'version'>;

/** A change of one of the merchant's own roles, with which somebody gains a payment right, as its request keeps it. */
export interface RoleChange {
  action: 'role';
  id: OwnRoleCode;
  before: RoleText;
  after: RoleText;
  /** The names or email addresses of those who hold the role, each with `user:<id>` or `invitation:<id>`. */
  holders: { who: string; name: string }[];
}

/** The parts of a role that a person sets. */
export interface RoleText {
  name: string;
  description: string;
  perms: Perm[];
}

/** A change of settings that may need approval. */
export interface AskedChange {
  kind: 'rules' | SettingKind;
  change: object;
  /** The object of the change, as an approver reads it in a list. */
  target: string | null;
  /** `user:<id>`. */
  requester: string;
  /** The kind of rules that have to approve it; null if all current rules have to. */
  ruleKind: SettingKind | null;
}

/**
 * Makes a request for a change of settings. Returns its number; undefined if the merchant has no rules that have to approve it, so that
 * the change needs no approval.
 */
export async function askForChange(
  tx: Tx,
  merchantId: bigint,
  asked: AskedChange,
): Promise<string | undefined> {
  const { rows } = await sql<{ number: string }>`
    insert into approval_request (merchant_id, request_no, kind, change, currency, counted_minor, target, requested_by, rule_kind,
      rules, expires_at)
    select m.id, new_trade_no('A', m.id, now()), ${asked.kind}, ${JSON.stringify(asked.change)}::jsonb, m.home_currency, 0,
      ${asked.target}, ${asked.requester}, ${asked.ruleKind}, covering.rules, now() + m.approval_days * interval '1 day'
    from merchant m
    cross join lateral (
      select jsonb_agg(jsonb_build_object('approvers', r.approvers, 'roles', r.roles, 'people', r.people::text[]) order by r.id) as rules
      from approval_rule r
      where r.merchant_id = m.id and r.ended_at is null and (${asked.ruleKind}::text is null or r.kind = ${asked.ruleKind})) covering
    where m.id = ${merchantId} and covering.rules is not null
    returning request_no as number`.execute(tx.query);
  if (!rows[0]) return undefined;
  // One notice for many requests, as for orders.
  await sql`
    insert into notice (merchant_id, kind, facts) select ${merchantId}::bigint, 'approvalsWaiting', '{}'
    where not exists (
      select from notice n
      where n.merchant_id = ${merchantId} and n.kind = 'approvalsWaiting' and n.created_at > now() - interval '5 minutes')`.execute(
    tx.query,
  );
  tx.changed(merchantId, 'approvals', 'notices');
  return rows[0].number;
}

/** Finds the request for a change of one member, one invitation or one role that waits; undefined if there is none. */
export async function findTeamRequest(
  tx: Tx,
  merchantId: bigint,
  { action, id }: Pick<TeamChange | RoleChange, 'action' | 'id'>,
): Promise<string | undefined> {
  const { rows } = await sql<{ number: string }>`
    select request_no as number from approval_request
    where merchant_id = ${merchantId} and kind = 'team' and state = 'waiting' and change ->> 'id' = ${id}
      and (change ->> 'action' = 'invite') = ${action === 'invite'}`.execute(tx.query);
  return rows[0]?.number;
}

/** Withdraws a request whose change has become pointless. Locks nothing before: the caller holds the merchant's standing. */
export async function withdrawRequest(
  tx: Tx,
  merchantId: bigint,
  requestNo: string,
  by: string | null,
): Promise<void> {
  await sql`
    update approval_request set state = 'withdrawn', ended_at = now(), ended_by = ${by}
    where merchant_id = ${merchantId} and request_no = ${requestNo} and state = 'waiting'`.execute(tx.query);
  tx.changed(merchantId, 'approvals');
}

/** Whether a merchant has approval rules: any, or those of a kind. */
export async function hasRules(
  tx: Tx,
  merchantId: bigint,
  kind: SettingKind | null = null,
): Promise<boolean> {
  const { rows } = await sql`
    select from approval_rule
    where merchant_id = ${merchantId} and ended_at is null and (${kind}::text is null or kind = ${kind}) limit 1`.execute(
    tx.query,
  );
  return rows.length > 0;
}
