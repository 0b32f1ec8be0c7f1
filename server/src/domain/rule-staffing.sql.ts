import { approverRoles, type RuleKind } from '@hengfu/contract/approval-rules';
import { permsOf, roles as sharedRoles } from '@hengfu/contract/permissions';
import { type RawBuilder, sql } from 'kysely';
import type { Tx } from '#db/database.ts';
import { ownRoleGrants } from './own-roles.sql.ts';
import { Refusal } from './refusal.ts';

/** Whether a membership's roles let a person decide requests. */
export function mayDecide(alias: string): RawBuilder<boolean> {
  return sql<boolean>`(${sql.ref(`${alias}.roles`)} && ${[...approverRoles]}::text[] or ${ownRoleGrants(alias, 'approvals.decide')})`;
}

/** Whether a member counts as having asked for whatever is asked for with one of the merchant's keys: such a person never approves it. */
function knowsKey(): RawBuilder<boolean> {
  const managers = sharedRoles.filter((role) => permsOf([role]).includes('access.manage'));
  return sql<boolean>`exists (
    select from access_key k
    where k.merchant_id = p.merchant_id and k.revoked_at is null and (k.ends_at is null or k.ends_at > now())
      and may_know_key(p.merchant_id, 'key:' || k.key_id, p.user_id,
        p.roles && ${managers}::text[] or ${ownRoleGrants('p', 'access.manage')}))`;
}

/** The people whom a rule asks for. */
interface Staffed {
  kind: RuleKind;
  approvers: number;
  roles: readonly string[];
  /** IDs of people, as text. */
  people: readonly string[];
}

/**
 * Throws `approvers_missing` if fewer active people than one of the rules asks for could approve; a refund is always asked for with an
 * access key, so those who know one do not count. Absent, the rules are the current
 * ones. `without`: a person who does not count, because somebody else has to be able to approve what the person asks for. `leaving`:
 * an approver of before, with the roles of before; only rules that counted that person are looked at. Call it
 * after a change of rules, roles or members, with the merchant's standing locked.
 */
export async function assertRulesStaffed(
  tx: Tx,
  merchantId: bigint,
  {
    rules,
    without,
    leaving,
  }: {
    rules?: readonly Staffed[];
    without?: bigint;
    leaving?: { id: bigint; roles: readonly string[] };
  } = {},
): Promise<void> {
  const asked = rules
    ? sql`(select kind, approvers, array(select json_array_elements_text(roles)) as roles,
        array(select json_array_elements_text(people)::bigint) as people
        from json_to_recordset(${JSON.stringify(rules)}::json) as given (kind text, approvers integer, roles json, people json))`
    : sql`(select kind, approvers, roles, people from approval_rule where merchant_id = ${merchantId} and ended_at is null)`;
  const { rows } = await sql`
    select from ${asked} r
    where r.approvers > (
      select count(*) from membership p join app_user u on u.id = p.user_id
      where p.merchant_id = ${merchantId} and p.disabled_at is null and u.disabled_at is null
        and ${mayDecide('p')} and p.user_id is distinct from ${without ?? null}::bigint
        and (p.roles && r.roles or p.user_id = any (r.people))
        and not (r.kind = 'refund' and ${knowsKey()}))
      ${leaving ? sql`and (r.roles && ${[...leaving.roles]}::text[] or ${leaving.id}::bigint = any (r.people))` : sql``}
    limit 1`.execute(tx.query);
  if (rows.length > 0) throw new Refusal('approvers_missing');
}
