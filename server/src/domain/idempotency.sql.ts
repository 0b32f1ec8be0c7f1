import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { confirmEarlierCommits, type MerchantTx, type Tx } from '#db/database.ts';
import type { Person, RequestInfo } from './caller.ts';
import { Refusal } from './refusal.ts';

/** The idempotency key of a call: who makes it, the key, and what the call requests. */
export interface IdempotencyKey {
  userId: bigint;
  /** Chosen by the caller, up to 255 characters. */
  key: string;
  requestHash: Buffer;
  onReplay?: RequestInfo['onReplay'];
}

/** Returns the idempotency key of a person's call; undefined if it has none, and so may be repeated. */
export function idempotencyKeyOf(
  { userId }: Person,
  { idempotencyKey: key, onReplay }: RequestInfo,
  requestHash: Buffer,
): IdempotencyKey | undefined {
  return key === undefined ? undefined : { userId, key, requestHash, ...(onReplay && { onReplay }) };
}

/**
 * Returns the reply that was stored under a key; undefined for the first call with the key, which then holds
 * it until the transaction ends. A transaction that finds one waits at its commit until a standby has it, too. Throws `idempotency_in_flight` while another call holds it,
 * `idempotency_key_reused` if the earlier call requested something else.
 */
export async function findReply<T>(
  tx: MerchantTx,
  idempotencyKey: IdempotencyKey | undefined,
): Promise<T | undefined> {
  if (!idempotencyKey) return undefined;
  const keyHash = hashOf(idempotencyKey);
  const [lock, found] = await Promise.all([
    sql<{ held: boolean }>`
      select pg_try_advisory_xact_lock(hashtextextended(${`once ${idempotencyKey.userId} ${keyHash.toString('hex')}`}, 0)) as held`.execute(
      tx.prepared,
    ),
    tx.prepared
      .selectFrom('idempotent_reply')
      .select(['request_hash', 'reply'])
      .where('merchant_id', '=', tx.merchantId)
      .where('user_id', '=', idempotencyKey.userId)
      .where('key_hash', '=', keyHash)
      .executeTakeFirst(),
  ]);
  if (found && !found.request_hash.equals(idempotencyKey.requestHash))
    throw new Refusal('idempotency_key_reused');
  if (found) {
    await confirmEarlierCommits(tx);
    idempotencyKey.onReplay?.();
    return found.reply as T;
  }
  if (!lock.rows[0]?.held) throw new Refusal('idempotency_in_flight');
  return undefined;
}

/** Stores the reply of a call, in the transaction that does its work. */
export async function keepReply(
  tx: MerchantTx,
  idempotencyKey: IdempotencyKey | undefined,
  reply: object,
): Promise<void> {
  if (!idempotencyKey) return;
  await tx.prepared
    .insertInto('idempotent_reply')
    .values({
      merchant_id: tx.merchantId,
      user_id: idempotencyKey.userId,
      key_hash: hashOf(idempotencyKey),
      request_hash: idempotencyKey.requestHash,
      reply: JSON.stringify(reply),
    })
    .execute();
}

/** Deletes replies that are older than seven days. */
export async function deleteOldReplies(tx: Tx): Promise<void> {
  await tx.query
    .deleteFrom('idempotent_reply')
    .where('created_at', '<', sql<Date>`now() - interval '7 days'`)
    .execute();
}

function hashOf({ key }: IdempotencyKey): Buffer {
  return createHash('sha256').update(key).digest();
}
