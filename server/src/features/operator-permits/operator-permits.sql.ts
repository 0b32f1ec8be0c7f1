import type { StaffRequestKind } from '@hengfu/contract/staff/requests';
import { sql } from 'kysely';
import type { Tx } from '#db/database.ts';

/** A command that two people have agreed to, and the operator who may carry it out. */
export interface Permit {
  kind: StaffRequestKind;
  subject: string;
  change: object;
  holder: string;
}

/** Keeps a permit for a day. */
export async function insertPermit(tx: Tx, { kind, subject, change, holder }: Permit): Promise<void> {
  await tx.query
    .insertInto('staff_permit')
    .values({ kind, subject, change: JSON.stringify(change), holder })
    .execute();
}

/** Uses up one permit for exactly this; returns false if there is none. */
export async function takePermit(tx: Tx, { kind, subject, change, holder }: Permit): Promise<boolean> {
  const { rows } = await sql`
    delete from staff_permit where id = (
      select id from staff_permit
      where kind = ${kind} and subject = ${subject} and holder = ${holder}
        and change = ${JSON.stringify(change)}::jsonb and expires_at > now()
      order by id limit 1)
    returning id`.execute(tx.query);
  return rows.length > 0;
}

/** Finds the request of an operator for exactly this that still waits. */
export async function findWaiting(
  tx: Tx,
  { kind, subject, change, holder }: Permit,
): Promise<bigint | undefined> {
  const { rows } = await sql<{ id: bigint }>`
    select id from staff_request
    where kind = ${kind} and subject = ${subject} and state = 'waiting' and requested_by = ${holder}
      and change = ${JSON.stringify(change)}::jsonb`.execute(tx.query);
  return rows[0]?.id;
}

/** Deletes the permits that nobody has used in time. */
export async function deleteExpiredPermits(tx: Tx): Promise<void> {
  await tx.query.deleteFrom('staff_permit').where('expires_at', '<=', sql<Date>`now()`).execute();
}
