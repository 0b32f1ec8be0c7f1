import type { PasswordPart } from '@hengfu/contract/staff/accounts';
import { sql } from 'kysely';
import type { Tx } from '#db/database.ts';

/** A part of a generated password, encrypted, and the only one who may read it: `staff:<id>` or `operator:<name>`. */
export interface HandoverPart {
  part: PasswordPart;
  reader: string;
  sealed: Buffer;
}

/** Keeps the parts of an account's new password in place of earlier ones, for a day. */
export async function saveHandover(tx: Tx, staffId: bigint, parts: readonly HandoverPart[]): Promise<void> {
  await dropHandover(tx, staffId);
  await tx.query
    .insertInto('staff_handover')
    .values(parts.map((each) => ({ staff_id: staffId, ...each })))
    .execute();
}

/** Deletes the parts of an account's password. */
export async function dropHandover(tx: Tx, staffId: bigint): Promise<void> {
  await tx.query.deleteFrom('staff_handover').where('staff_id', '=', staffId).execute();
}

/** Takes the parts that a reader has not seen yet, and deletes them. */
export function takeParts(
  tx: Tx,
  staffId: bigint,
  reader: string,
): Promise<Pick<HandoverPart, 'part' | 'sealed'>[]> {
  return tx.query
    .deleteFrom('staff_handover')
    .where('staff_id', '=', staffId)
    .where('reader', '=', reader)
    .where('expires_at', '>', sql<Date>`now()`)
    .returning(['part', 'sealed'])
    .execute();
}

/** Deletes the parts that nobody has read in time. */
export async function deleteExpiredParts(tx: Tx): Promise<void> {
  await tx.query.deleteFrom('staff_handover').where('expires_at', '<=', sql<Date>`now()`).execute();
}
