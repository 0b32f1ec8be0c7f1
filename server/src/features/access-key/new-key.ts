import { randomBytes } from 'node:crypto';
import { maxKeyYears } from '@hengfu/contract/access-keys';
import type { MerchantMode } from '@hengfu/contract/merchant-mode';
import type { Tx } from '#db/database.ts';
import { assertMayAddKey, assertMayReplaceKey, insertAccessKey } from '#domain/access-keys.sql.ts';
import type { Secrets } from '#security/secrets.ts';
import { type KeyRow, succeedKey } from './access-key.sql.ts';

const keyIdBytes = 6;
const secretBytes = 24;

/** A key and its plaintext secret: shown to people, never logged. */
export interface ShownKey {
  keyId: string;
  secret: string;
}

/** Draws a new key of a merchant, by the merchant's code. Those for test mode, and no others, begin with `ak_test_`. */
export function freshKey({ code, mode }: { code: string; mode: MerchantMode }): ShownKey {
  const merchant = code === 'test' ? 'live-test' : code;
  return {
    keyId: `ak_${mode === 'test' ? 'test' : merchant}_${randomBytes(keyIdBytes).toString('hex')}`,
    secret: `sk_${randomBytes(secretBytes).toString('hex')}`,
  };
}

/** A key to make instead of another one. */
interface Replacement {
  key: ShownKey;
  before: KeyRow | undefined;
  overlapHours: number;
  endsAt: Date | null;
  /** The person who has asked for it. */
  createdBy: bigint;
}

/**
 * Inserts a key with the name, limits, note and callback URL of the one before, and lets that one and its predecessors expire. The caller has locked the
 * keys. Throws `quota_reached`.
 */
export async function replaceKey(
  tx: Tx,
  secrets: Secrets,
  merchantId: bigint,
  { key, before, overlapHours, endsAt, createdBy }: Replacement,
): Promise<void> {
  if (!before?.isLive) await assertMayAddKey(tx, merchantId);
  else if (overlapHours > 0) await assertMayReplaceKey(tx, merchantId);
  const secretEncrypted = secrets.encrypt(key.secret);
  await insertAccessKey(tx, {
    keyId: key.keyId,
    merchantId,
    secretEncrypted,
    endsAt,
    createdBy,
    ...(before && {
      name: before.name,
      note: before.note,
      callbackUrl: before.callbackUrl,
      scopes: before.scopes,
      addresses: before.addresses,
    }),
  });
  if (before)
    await succeedKey(tx, merchantId, { keyId: before.keyId, successor: key.keyId, hours: overlapHours });
}

const yearMs = 366 * 24 * 3_600_000;

/** Returns the latest expiry that a key may be given. */
export function latestExpiry(nowMs: number): Date {
  return new Date(nowMs + maxKeyYears * yearMs);
}

/**
 * Returns the expiry of a key that is made instead of another one without a choice of its own; null if that one did not expire by itself. It
 * lives as long as that one, at most until the latest expiry. If somebody has changed the expiry, it ends when that one would have: for longer
 * access, somebody has to choose it.
 */
export function sameLifetime(
  before: Pick<KeyRow, 'endsAt' | 'successor' | 'createdAt' | 'expiryChangedAt'> | undefined,
  nowMs: number,
): Date | null {
  if (!before?.endsAt || before.successor !== null) return null;
  const { endsAt, createdAt, expiryChangedAt } = before;
  if (expiryChangedAt && endsAt.getTime() > nowMs) return endsAt;
  const lifetimeMs = endsAt.getTime() - (expiryChangedAt ?? createdAt).getTime();
  return new Date(Math.min(nowMs + lifetimeMs, latestExpiry(nowMs).getTime()));
}

/** Returns the first of a merchant's live keys, in their order: of the line that began first, the one that no other has replaced. */
export function firstKey<K extends Pick<KeyRow, 'successor'>>(live: readonly K[]): K | undefined {
  return live.find(({ successor }) => successor === null) ?? live[0];
}
