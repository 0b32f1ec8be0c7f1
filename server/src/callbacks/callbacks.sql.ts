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

/** A message by its id. */
export async function findMessage(tx: Tx, id: string): Promise<Message | undefined> {
  const row = await tx.query
    .selectFrom('callback_message')
    .selectAll()
    .where('id', '=', id)
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
  };
}

/** The newest live access key of a merchant, whose secret signs its callbacks. */
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
  error: string | null;
  durationMs: number;
}

/** Keeps what became of one attempt; false where another worker kept the same attempt before. */
export async function insertAttempt(tx: MerchantTx, messageId: string, attempt: Attempt): Promise<boolean> {
  const result = await tx.query
    .insertInto('callback_attempt')
    .values({
      merchant_id: tx.merchantId,
      message_id: messageId,
      attempt: attempt.attempt,
      http_status: attempt.httpStatus,
      error: attempt.error,
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
    .select(['a.attempt', 'a.http_status', 'a.error', 'a.duration_ms', 'a.at', 'm.event'])
    .where('m.merchant_id', '=', tx.merchantId)
    .where('m.subject_no', '=', subjectNo)
    .orderBy('a.at')
    .execute();
  return rows.map((row) => ({
    at: row.at,
    event: row.event,
    attempt: row.attempt,
    httpStatus: row.http_status,
    error: row.error,
    durationMs: row.duration_ms,
  }));
}
