import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { MerchantTx, Tx } from '#db/database.ts';
import type { Person, RequestInfo } from './caller.ts';
import { Refusal } from './refusal.ts';

/** A call that must take effect once: who makes it, under which key, and what it asks for. */
export interface IdempotencyKey {
  userId: bigint;
  /** The caller's own, up to 255 characters. */
  key: string;
  requestHash: Buffer;
}

/** The key of a person's call; undefined where the call names none, and so may be made any number of times. */
export function idempotencyKeyOf(
  { userId }: Person,
  { idempotencyKey: key }: RequestInfo,
  requestHash: Buffer,
): IdempotencyKey | undefined {
  return key === undefined ? undefined : { userId, key, requestHash };
}

/**
 * The reply that was given under a key before; undefined where this is the first call with it, which then holds the key
 * until the transaction ends. Throws `idempotency_in_flight` while another call holds it, `idempotency_key_reused` where
 * the earlier call asked for something else.
 */
export async function findReply<T>(tx: MerchantTx, once: IdempotencyKey | undefined): Promise<T | undefined> {
  if (!once) return undefined;
  const keyHash = hashOf(once);
  const [lock, found] = await Promise.all([
    sql<{ held: boolean }>`
      select pg_try_advisory_xact_lock(hashtextextended(${`once ${once.userId} ${keyHash.toString('hex')}`}, 0)) as held`.execute(
      tx.prepared,
    ),
    tx.prepared
      .selectFrom('idempotent_reply')
      .select(['request_hash', 'reply'])
      .where('merchant_id', '=', tx.merchantId)
      .where('user_id', '=', once.userId)
      .where('key_hash', '=', keyHash)
      .executeTakeFirst(),
  ]);
  if (found && !found.request_hash.equals(once.requestHash)) throw new Refusal('idempotency_key_reused');
  if (found) return found.reply as T;
  if (!lock.rows[0]?.held) throw new Refusal('idempotency_in_flight');
  return undefined;
}

/** Keeps the reply of a call, in the transaction that does its work. */
export async function keepReply(
  tx: MerchantTx,
  once: IdempotencyKey | undefined,
  reply: object,
): Promise<void> {
  if (!once) return;
  await tx.prepared
    .insertInto('idempotent_reply')
    .values({
      merchant_id: tx.merchantId,
      user_id: once.userId,
      key_hash: hashOf(once),
      request_hash: once.requestHash,
      reply: JSON.stringify(reply),
    })
    .execute();
}

/** Forgets replies that nobody will ask for again. */
export async function deleteOldReplies(tx: Tx): Promise<void> {
  await tx.query
    .deleteFrom('idempotent_reply')
    .where('created_at', '<', sql<Date>`now() - interval '7 days'`)
    .execute();
}

function hashOf({ key }: IdempotencyKey): Buffer {
  return createHash('sha256').update(key).digest();
}
