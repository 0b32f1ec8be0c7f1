import { sql } from 'kysely';
import type { Tx } from '#db/database.ts';

/** The last call that a key was admitted for. */
export interface KeyUse {
  merchantId: bigint;
  keyId: string;
  usedAt: Date;
  address: string;
  /** Method and path, without the values in it. */
  call: string;
}

/** Writes the last uses of keys, unless another process has written a later one. */
export async function writeKeyUses(tx: Tx, uses: readonly KeyUse[]): Promise<void> {
  const json = JSON.stringify(uses.map((use) => ({ ...use, merchantId: String(use.merchantId) })));
  await sql`
    insert into access_key_use as u (merchant_id, key_id, used_at, address, call)
    select g."merchantId", g."keyId", g."usedAt", g.address, g.call
    from jsonb_to_recordset(${json}::jsonb)
      as g ("merchantId" bigint, "keyId" text, "usedAt" timestamptz, address inet, call text)
    order by 1, 2
    on conflict (merchant_id, key_id) do update
      set used_at = excluded.used_at, address = excluded.address, call = excluded.call
      where u.used_at < excluded.used_at`.execute(tx.prepared);
}
