import type { PasswordPart } from '@hengfu/contract/staff/accounts';
import type { StaffRole } from '@hengfu/contract/staff/permissions';
import { sql } from 'kysely';
import type { Tx } from '#db/database.ts';
import { hasFactorOf } from '#http/staff-session.sql.ts';

/** An account of our staff, with when it was used. */
export interface AccountRow {
  id: bigint;
  email: string;
  name: string;
  roles: StaffRole[];
  hasFactor: boolean;
  createdAt: Date;
  lastSignInAt: Date | null;
  disabledAt: Date | null;
  /** The part of a new password that the reader has to hand over. */
  part: PasswordPart | null;
}

/** Lists all accounts in the order in which they were added. The audit trail has their sign-ins. */
export async function listUsedAccounts(tx: Tx, staffId: bigint): Promise<AccountRow[]> {
  const { rows } = await sql<AccountRow>`
    select u.id, u.email, u.name, u.roles, ${hasFactorOf('u')} as "hasFactor", u.created_at as "createdAt",
      (select a.at from staff_audit a
        where a.actor = 'staff:' || u.id and (a.actor like 'staff:%' or a.actor like 'operator:%') and a.action = 'staff.sign_in'
        order by a.id desc limit 1) as "lastSignInAt",
      u.disabled_at as "disabledAt",
      (select h.part from staff_handover h
        where h.staff_id = u.id and h.reader = 'staff:' || ${staffId} and h.expires_at > now()) as part
    from staff_user u order by u.id`.execute(tx.query);
  return rows;
}
