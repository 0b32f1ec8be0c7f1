import { randomBytes } from 'node:crypto';
import type { Tx } from '#db/database.ts';
import { insertAccessKey } from '#domain/access-keys.sql.ts';
import type { Secrets } from '#security/secrets.ts';
import { endKeys, type LastKey } from './access-key.sql.ts';

const keyIdBytes = 6;
const secretBytes = 24;

/** A key and its plaintext secret: shown to people, never logged. */
export interface ShownKey {
  keyId: string;
  secret: string;
}

/** Draws a new key of a merchant, by the merchant's code. */
export function freshKey(merchant: string): ShownKey {
  return {
    keyId: `ak_${merchant}_${randomBytes(keyIdBytes).toString('hex')}`,
    secret: `sk_${randomBytes(secretBytes).toString('hex')}`,
  };
}

/** Inserts a key with the note and callback URL of the last one, and lets earlier keys expire. `createdBy` is the person who has asked for it. The caller has locked the keys. */
export async function replaceKey(
  tx: Tx,
  secrets: Secrets,
  merchantId: bigint,
  {
    key,
    before,
    overlapHours,
    createdBy,
  }: { key: ShownKey; before: LastKey | undefined; overlapHours: number; createdBy: bigint },
): Promise<void> {
  await endKeys(tx, merchantId, overlapHours);
  const { note = null, callbackUrl = null } = before ?? {};
  const secretEncrypted = secrets.encrypt(key.secret);
  await insertAccessKey(tx, { keyId: key.keyId, merchantId, secretEncrypted, note, callbackUrl, createdBy });
}
