import { approverRoles, type RuleKind } from '@hengfu/contract/approval-rules';
import type { ApprovalState, ShownMark } from '@hengfu/contract/approvals';
import type { Currency } from '@hengfu/contract/money';
import { sql } from 'kysely';
import type { MerchantTx, Tx } from '#db/database.ts';
import { Refusal } from './refusal.ts';

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
  /** Finds what an approver has to know about the order. */
  marks(tx: MerchantTx, subjectNo: string): Promise<ShownMark[]>;
}

/** An order that may need approval. Amounts are in minor units of the merchant's currency. */
export interface AskedOrder {
  kind: RuleKind;
  tradeNo: string;
  amountMinor: bigint;
  currency: Currency;
  /** The account or wallet that the money goes to, in a form that is the same however it was typed. */
  account: string;
  /** The payee and account, or the wallet, as an approver reads it. */
  target: string;
  /** `user:<id>` or `key:<id>`. */
  requester: string;
}

/**
 * Compares an order that the transaction has just written with the merchant's rules. Returns whether it waits for approval; if so,
 * the request has been made. Payouts are compared by `accept_payouts` itself.
 */
export async function askApproval(tx: MerchantTx, order: AskedOrder): Promise<boolean> {
  const { rows } = await sql<{ waits: boolean }>`
    select case when has_approval_rules(${tx.merchantId}::bigint, ${order.kind}) then ask_approval(${tx.merchantId}::bigint,
      ${order.kind}, ${order.tradeNo}, ${order.amountMinor}::bigint, ${order.currency}, ${order.account}, ${order.target},
      ${order.requester}) else false end as waits`.execute(tx.prepared);
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
  kind: RuleKind,
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

/** The people whom a rule asks for. */
interface Staffed {
  approvers: number;
  roles: readonly string[];
  /** IDs of people, as text. */
  people: readonly string[];
}

/**
 * Throws `approvers_missing` if fewer people than one of the rules asks for could approve; absent, the rules are the current ones.
 * Call it after a change of rules, roles or members, with the merchant's standing locked.
 */
export async function assertRulesStaffed(
  tx: Tx,
  merchantId: bigint,
  rules?: readonly Staffed[],
): Promise<void> {
  const asked = rules
    ? sql`(select approvers, array(select json_array_elements_text(roles)) as roles,
        array(select json_array_elements_text(people)::bigint) as people
        from json_to_recordset(${JSON.stringify(rules)}::json) as given (approvers integer, roles json, people json))`
    : sql`(select approvers, roles, people from approval_rule where merchant_id = ${merchantId} and ended_at is null)`;
  const { rows } = await sql`
    select from ${asked} r
    where r.approvers > (
      select count(*) from membership p join app_user u on u.id = p.user_id
      where p.merchant_id = ${merchantId} and p.removed_at is null and p.roles && ${[...approverRoles]}::text[]
        and (p.roles && r.roles or p.user_id = any (r.people)))
    limit 1`.execute(tx.query);
  if (rows.length > 0) throw new Refusal('approvers_missing');
}
