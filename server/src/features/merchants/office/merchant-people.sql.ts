import type { MemberState } from '@hengfu/contract/team';
import { sql } from 'kysely';
import type { MerchantTx } from '#db/database.ts';

/** Somebody who works for a merchant. */
export interface OfficePerson {
  id: bigint;
  name: string;
  email: string;
  /** Codes of the roles that every merchant has, and names of its own. */
  roles: string[];
  state: MemberState;
  hasTwoFactor: boolean;
  lastSignInAt: Date | null;
  /** The reader has an enrollment code to hand over. */
  hasCode: boolean;
}

/** Lists the people of a merchant by name, without those who were removed, as one of our staff sees them. */
export async function listPeople(tx: MerchantTx, staffId: bigint): Promise<OfficePerson[]> {
  const { rows } = await sql<OfficePerson>`
    select u.id, u.name, u.email,
      array(select coalesce(own.name, held.code) from unnest(p.roles) with ordinality as held (code, place)
        left join own_role own on own.merchant_id = p.merchant_id and own.code = held.code order by held.place) as roles,
      case when u.disabled_at is not null then 'blocked' when p.disabled_at is not null then 'suspended' else 'active' end
        as state,
      u.two_factor_confirmed_at is not null or exists (select from passkey k where k.user_id = u.id) as "hasTwoFactor",
      (select e.at from access_event e where e.merchant_id = p.merchant_id and e.user_id = p.user_id
        and e.action in ('session_sign_in', 'session_switch') order by e.at desc limit 1) as "lastSignInAt",
      exists (select from staff_code_handover h where h.about_merchant = p.merchant_id and h.user_id = p.user_id
        and h.reader = ${`staff:${staffId}`} and h.expires_at > now()) as "hasCode"
    from membership p join app_user u on u.id = p.user_id
    where p.merchant_id = ${tx.merchantId} and p.removed_at is null
    order by u.name, u.id`.execute(tx.query);
  return rows;
}

/** Finds the email address of somebody who works for a merchant. */
export async function findEmail(tx: MerchantTx, userId: bigint): Promise<string | undefined> {
  const { rows } = await sql<{ email: string }>`
    select u.email from membership p join app_user u on u.id = p.user_id
    where p.merchant_id = ${tx.merchantId} and p.user_id = ${userId} and p.removed_at is null`.execute(
    tx.query,
  );
  return rows[0]?.email;
}

/** An invitation that nobody has used yet. */
export interface OpenInvitation {
  id: bigint;
  email: string;
  roles: string[];
  expiresAt: Date;
}

/** Lists a merchant's open invitations, expired or not, newest first. */
export function listOpenInvitations(tx: MerchantTx): Promise<OpenInvitation[]> {
  return tx.query
    .selectFrom('invitation')
    .select(['id', 'email', 'roles', 'expires_at as expiresAt'])
    .where('merchant_id', '=', tx.merchantId)
    .where('accepted_at', 'is', null)
    .where('revoked_at', 'is', null)
    .orderBy('id', 'desc')
    .execute();
}

/** Whether anybody works for a merchant, or has worked. */
export async function hasPeople(tx: MerchantTx): Promise<boolean> {
  const { rows } = await sql`
    select from membership where merchant_id = ${tx.merchantId} limit 1`.execute(tx.query);
  return rows.length > 0;
}
