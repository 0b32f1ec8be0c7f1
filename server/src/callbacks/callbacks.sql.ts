import type { CallbackFailure } from '@hengfu/contract/callbacks';
import { sql } from 'kysely';
import type { MerchantTx, Tx } from '#db/database.ts';

/** What a callback is about: an order whose feature wants to know when the merchant's server acknowledged. */
export type SubjectKind = 'collection' | 'payout';

export interface NewMessage {
  subjectKind: SubjectKind;
  /** Public number of the order. */
  subjectNo: string;
  event: string;
  url: string;
  body: string;
}

export interface Message extends NewMessage {
  id: string;
  merchantId: bigint;
  attempts: number;
  isDone: boolean;
}

/** A message whose turn it is. */
export interface DueMessage extends Message {
  /** Whether its merchant's last call to its origin was not answered. */
  isFailing: boolean;
  /** Whether the merchant's messages for its origin wait, and this one tries for all of them. */
  isTrial: boolean;
  ageSeconds: number;
}

const givenUpAtOnce = 500;

/** Keeps a message that is to be delivered; returns its id, the same on every attempt. */
export async function insertMessage(tx: MerchantTx, message: NewMessage): Promise<string> {
  const row = await tx.query
    .insertInto('callback_message')
    .values({
      merchant_id: tx.merchantId,
      subject_kind: message.subjectKind,
      subject_no: message.subjectNo,
      event: message.event,
      url: message.url,
      body: message.body,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return row.id;
}

/** A message by its id, and how its origin does for its merchant. */
export async function findMessage(
  tx: Tx,
  id: string,
  origin: string | undefined,
): Promise<Omit<DueMessage, 'isTrial'> | undefined> {
  const row = await tx.prepared
    .selectFrom('callback_message as m')
    .leftJoin('merchant_breaker as b', (join) =>
      join.onRef('b.merchant_id', '=', 'm.merchant_id').on('b.target', '=', origin ?? ''),
    )
    .selectAll('m')
    .select(['b.failures', sql<number>`extract(epoch from now() - m.created_at)::float8`.as('age')])
    .where('m.id', '=', id)
    .executeTakeFirst();
  if (!row) return undefined;
  return {
    id: row.id,
    merchantId: row.merchant_id,
    subjectKind: row.subject_kind as SubjectKind,
    subjectNo: row.subject_no,
    event: row.event,
    url: row.url,
    body: row.body,
    attempts: row.attempts,
    isDone: row.delivered_at !== null || row.given_up_at !== null,
    isFailing: row.failures !== null,
    ageSeconds: row.age,
  };
}

/**
 * Gives up what waits for an origin that does not answer and is older than so many seconds, some at a time: while an origin
 * is left alone its messages are not tried one by one.
 */
export async function giveUpOld(tx: MerchantTx, origin: string, seconds: number): Promise<void> {
  await sql`
    with old as materialized (
      select j.id, m.id as message_id from merchant_job j
      join callback_message m on m.id = (j.payload ->> 'id')::uuid and m.merchant_id = ${tx.merchantId}
      where j.line = 'callbacks' and j.merchant_id = ${tx.merchantId} and j.lane = hashtextextended(${origin}, 0)
        and j.worker is null and j.target = ${origin} and m.created_at < now() - ${seconds} * interval '1 second'
      order by j.due_at limit ${givenUpAtOnce} for update of j skip locked
    ), gone as (delete from merchant_job j using old where j.id = old.id)
    update callback_message m set given_up_at = now() from old
    where m.merchant_id = ${tx.merchantId} and m.id = old.message_id and m.delivered_at is null
      and m.given_up_at is null`.execute(tx.prepared);
}

/** The secrets that a merchant's callbacks are signed with: of its keys that were neither revoked nor have ended. */
export async function findSigningKeys(tx: Tx, merchantId: bigint): Promise<Buffer[]> {
  const rows = await tx.query
    .selectFrom('access_key')
    .select('secret_encrypted')
    .where('merchant_id', '=', merchantId)
    .where('revoked_at', 'is', null)
    .where((eb) => eb.or([eb('ends_at', 'is', null), eb('ends_at', '>', sql<Date>`now()`)]))
    .orderBy('created_at', 'desc')
    .execute();
  return rows.map((row) => row.secret_encrypted);
}

export interface Attempt {
  attempt: number;
  httpStatus: number | null;
  /** Why no answer came. */
  error: CallbackFailure | null;
  durationMs: number;
}

/** An attempt as it is kept: with the error's own words, for the staff. */
export interface MadeAttempt extends Attempt {
  words: string | null;
}

/** Keeps what became of one attempt; false where another worker kept the same attempt before. */
export async function insertAttempt(
  tx: MerchantTx,
  messageId: string,
  attempt: MadeAttempt,
): Promise<boolean> {
  const result = await tx.query
    .insertInto('callback_attempt')
    .values({
      merchant_id: tx.merchantId,
      message_id: messageId,
      attempt: attempt.attempt,
      http_status: attempt.httpStatus,
      failure: attempt.error,
      error: attempt.words,
      duration_ms: attempt.durationMs,
    })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  return result.numInsertedOrUpdatedRows === 1n;
}

/** Notes on the message how often it was tried and whether that is the end of it. */
export async function updateMessage(
  tx: MerchantTx,
  messageId: string,
  outcome: { attempts: number; end: 'delivered' | 'givenUp' | undefined },
): Promise<void> {
  await tx.query
    .updateTable('callback_message')
    .set({
      attempts: outcome.attempts,
      ...(outcome.end === 'delivered' && { delivered_at: sql<Date>`now()` }),
      ...(outcome.end === 'givenUp' && { given_up_at: sql<Date>`now()` }),
    })
    .where('merchant_id', '=', tx.merchantId)
    .where('id', '=', messageId)
    .execute();
}

/** The attempts made for an order, oldest first. */
export async function listAttempts(
  tx: MerchantTx,
  subjectNo: string,
): Promise<(Attempt & { at: Date; event: string })[]> {
  const rows = await tx.query
    .selectFrom('callback_attempt as a')
    .innerJoin('callback_message as m', 'm.id', 'a.message_id')
    .select(['a.attempt', 'a.http_status', 'a.error', 'a.failure', 'a.duration_ms', 'a.at', 'm.event'])
    .where('m.merchant_id', '=', tx.merchantId)
    .where('m.subject_no', '=', subjectNo)
    .orderBy('a.at')
    .execute();
  return rows.map((row) => ({
    at: row.at,
    event: row.event,
    attempt: row.attempt,
    httpStatus: row.http_status,
    // Attempts of a version before this one have words alone, which are not for merchants.
    error: row.failure ?? (row.error === null ? null : 'other'),
    durationMs: row.duration_ms,
  }));
}
