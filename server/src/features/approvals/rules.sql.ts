import type { RuleKind, SettingKind } from '@hengfu/contract/approval-rules';
import type { Role } from '@hengfu/contract/permissions';
import { type RawBuilder, sql } from 'kysely';
import type { MerchantTx } from '#db/database.ts';
import { mayDecide } from '#domain/rule-staffing.sql.ts';

/** A rule as it is stored, and as a request for a change keeps it. */
export interface StoredRule {
  kind: RuleKind;
  /** In minor units, as text. */
  amountMinor: string;
  approvers: number;
  roles: Role[];
  /** IDs of people, as text. */
  people: string[];
}

/** Reads the current rules, in the order of their kinds and amounts. */
export async function listRules(tx: MerchantTx): Promise<StoredRule[]> {
  const { rows } = await sql<StoredRule>`
    select kind, amount_minor::text as "amountMinor", approvers, roles, people::text[] as people from approval_rule
    where merchant_id = ${tx.merchantId} and ended_at is null order by kind, amount_minor`.execute(tx.query);
  return rows;
}

/** Reads after how many days requests expire. */
export async function readDays(tx: MerchantTx): Promise<number> {
  const { rows } = await sql<{ days: number }>`
    select approval_days as days from merchant where id = ${tx.merchantId}`.execute(tx.query);
  return rows[0]?.days ?? 0;
}

/** Sets after how many days new requests expire. */
export async function updateDays(tx: MerchantTx, days: number): Promise<void> {
  await sql`update merchant set approval_days = ${days} where id = ${tx.merchantId}`.execute(tx.query);
}

/** Ends all rules and begins others. Waits for comparisons that are being made. */
export async function replaceRules(tx: MerchantTx, rules: readonly StoredRule[], by: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`approval ${tx.merchantId}`}, 0))`.execute(
    tx.query,
  );
  await sql`
    update approval_rule set ended_at = now() where merchant_id = ${tx.merchantId} and ended_at is null`.execute(
    tx.query,
  );
  for (const { kind, amountMinor, approvers, roles, people } of rules)
    await sql`
      insert into approval_rule (merchant_id, kind, amount_minor, approvers, roles, people, created_by)
      values (${tx.merchantId}, ${kind}, ${amountMinor}::bigint, ${approvers}, ${[...roles]}::text[], ${[...people]}::bigint[],
        ${by})`.execute(tx.query);
}

/** Kinds of rules that add up orders. */
type CountedKind = Exclude<RuleKind, SettingKind>;

/** Counts what was sent within the past hours, so that a first rule does not begin from nothing. */
export async function countEarlier(tx: MerchantTx, kind: CountedKind): Promise<void> {
  await sql`
    insert into approval_sum (merchant_id, kind, party, hour, amount_minor)
    select ${tx.merchantId}::bigint, ${kind}, party, date_trunc('hour', o.created_at), sum(o.amount_minor)
    from (${sentBefore[kind]}) o
    cross join lateral (values ('payee ' || account_party(o.account)),
      ('requester ' || case when o.created_by like 'key:%' then 'key' else o.created_by end)) as parties (party)
    where o.merchant_id = ${tx.merchantId} and o.created_at >= date_trunc('hour', now()) - interval '24 hours' and party is not null
    group by party, date_trunc('hour', o.created_at)
    on conflict (merchant_id, kind, party, hour) do update set amount_minor = excluded.amount_minor`.execute(
    tx.query,
  );
}

const payouts = sql`select 'payout' as kind, account_key as account, created_by, created_at, amount_minor, merchant_id from payout
  where status <> 'rejected' and approval_state is null`;
const withdrawals = sql`select 'withdrawal' as kind, case when network in ('ERC20', 'BEP20') then lower(address) else address end as account,
    created_by, created_at, amount_minor, merchant_id from withdrawal
  where status <> 'rejected' and approval_state is null`;

/** Orders that were sent without approval, by the kind of the rules that count them. */
const sentBefore = {
  payout: payouts,
  withdrawal: withdrawals,
  batch: sql`select null as account, created_by, created_at, amount_minor, merchant_id from payout_batch where approval_state is null`,
  refund: sql`select null as account, case requested_by when 'service' then 'key:' else requested_by end as created_by, created_at,
      amount_minor, merchant_id from refund
    where status <> 'failed' and approval_state is null`,
  payee: sql`select * from (${payouts} union all ${withdrawals}) sent where not is_known_account(merchant_id, kind, account)`,
} as const satisfies Record<CountedKind, RawBuilder<unknown>>;

/** Lists the people whom a rule can name: those who may approve. */
export async function listPossible(
  tx: MerchantTx,
): Promise<{ id: string; name: string; isActive: boolean }[]> {
  const { rows } = await sql<{ id: string; name: string; isActive: boolean }>`
    select p.user_id::text as id, u.name, ${mayDecide('p')} and p.disabled_at is null
      and u.disabled_at is null as "isActive"
    from membership p join app_user u on u.id = p.user_id
    where p.merchant_id = ${tx.merchantId} and (p.removed_at is null or exists (
      select from approval_rule r where r.merchant_id = p.merchant_id and r.ended_at is null and p.user_id = any (r.people)))
    order by u.name`.execute(tx.query);
  return rows;
}

/** Reads the email addresses of the people whom the current rules name, by their IDs. */
export async function readEmails(tx: MerchantTx): Promise<ReadonlyMap<string, string>> {
  const { rows } = await sql<{ id: string; email: string }>`
    select id::text, email from app_user where id in (
      select unnest(people) from approval_rule where merchant_id = ${tx.merchantId} and ended_at is null)`.execute(
    tx.query,
  );
  return new Map(rows.map(({ id, email }) => [id, email]));
}
