import type { Tx } from '#db/database.ts';

/** The owner of a payment password. */
export interface Owner {
  merchantId: bigint;
  userId: bigint;
}

/** Reads the hash of a user's payment password; null if none is set. */
export async function readPaymentPassword(tx: Tx, { userId }: Pick<Owner, 'userId'>): Promise<string | null> {
  const row = await tx.query
    .selectFrom('app_user')
    .select('payment_password_hash')
    .where('id', '=', userId)
    .executeTakeFirst();
  return row?.payment_password_hash ?? null;
}

/** Replaces the payment password if its hash is still `from`; false if it has changed. */
export async function updatePaymentPassword(
  tx: Tx,
  { userId }: Pick<Owner, 'userId'>,
  { from, to }: { from: string | null; to: string },
): Promise<boolean> {
  const result = await tx.query
    .updateTable('app_user')
    .set({ payment_password_hash: to })
    .where('id', '=', userId)
    .where('payment_password_hash', 'is not distinct from', from)
    .executeTakeFirst();
  return result.numUpdatedRows === 1n;
}
