import { sql } from 'kysely';
import type { Tx } from '#db/database.ts';

/** An access key to insert. */
export interface NewAccessKey {
  keyId: string;
  merchantId: bigint;
  secretEncrypted: Buffer;
  note?: string | null;
  callbackUrl?: string | null;
  /** The person who makes it; absent for an operator. */
  createdBy?: bigint;
}

/** Inserts an access key, after claiming its ID among the keys of all merchants. */
export async function insertAccessKey(tx: Tx, key: NewAccessKey): Promise<void> {
  const { keyId, merchantId, secretEncrypted, note = null, callbackUrl = null, createdBy = null } = key;
  await sql`
    with claim as (
      insert into access_key_directory (key_id, merchant_id) values (${keyId}, ${merchantId})
    )
    insert into access_key (key_id, merchant_id, secret_encrypted, note, callback_url, created_by)
    values (${keyId}, ${merchantId}, ${secretEncrypted}, ${note}, ${callbackUrl}, ${createdBy})`.execute(
    tx.query,
  );
}
