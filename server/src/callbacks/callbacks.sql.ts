import type { CallbackFailure } from '@hengfu/contract/callbacks';
import { type Selectable, sql } from 'kysely';
import { type ArchivedRow, type FoundParts, findParts } from '#archive/archive.sql.ts';
import type { MerchantTx, Tx } from '#db/database.ts';
import { historyStart } from '#db/months.ts';
import type { Schema } from '#db/schema.ts';

/** The kind of order that a callback reports; its feature is called back on acknowledgment. */
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

/** A message that is due. */
export interface DueMessage extends Message {
  /** Whether the merchant's last call to this origin got no answer. */
  isFailing: boolean;
  /** Whether the merchant's circuit breaker for this origin is open, and this message probes it. */
  isTrial: boolean;
  ageSeconds: number;
}

const giveUpBatchSize = 500;

/** Stores a message for delivery; returns its id, which stays the same on every attempt. */
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

/** Finds a merchant's message by its id, and whether its origin is failing for the merchant. */
export async function findMessage(
  tx: Tx,
  { merchantId, id }: { merchantId: bigint; id: string },
  origin: string,
): Promise<Omit<DueMessage, 'isTrial'> | undefined> {
  const row = await tx.prepared
    .selectFrom('callback_message as m')
    .leftJoin('merchant_breaker as b', (join) =>
      join.onRef('b.merchant_id', '=', 'm.merchant_id').on('b.target', '=', origin),
    )
    .selectAll('m')
    .select(['b.failures', sql<number>`extract(epoch from now() - m.created_at)::float8`.as('age')])
    .where('m.merchant_id', '=', merchantId)
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
 * Gives up messages that wait for an origin and are older than `seconds`, a batch at a time: while the
 * circuit breaker is open they are not tried one by one.
 */
export async function giveUpOld(tx: MerchantTx, origin: string, seconds: number): Promise<void> {
  await sql`
    with old as materialized (
      select j.id, m.id as message_id from merchant_job j
      join callback_message m on m.id = (j.payload ->> 'id')::uuid and m.merchant_id = ${tx.merchantId}
      where j.line = 'callbacks' and j.merchant_id = ${tx.merchantId} and j.lane = hashtextextended(${origin}, 0)
        and j.worker is null and j.target = ${origin} and m.created_at < now() - ${seconds} * interval '1 second'
      order by j.due_at limit ${giveUpBatchSize} for update of j skip locked
    ), gone as (delete from merchant_job j using old where j.id = old.id)
    update callback_message m set given_up_at = now() from old
    where m.merchant_id = ${tx.merchantId} and m.id = old.message_id and m.delivered_at is null
      and m.given_up_at is null`.execute(tx.prepared);
}

/** Finds the encrypted secrets that sign a merchant's callbacks: of its keys neither revoked nor expired. */
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
  /** Why there was no answer; null if there was one. */
  error: CallbackFailure | null;
  durationMs: number;
}

/** An attempt as stored: with the text of the error, for operators. */
export interface StoredAttempt extends Attempt {
  errorText: string | null;
}

/** Stores an attempt, in the transaction that counts it (see {@link updateMessage}). */
export async function insertAttempt(
  tx: MerchantTx,
  messageId: string,
  attempt: StoredAttempt,
): Promise<void> {
  await tx.query
    .insertInto('callback_attempt')
    .values({
      merchant_id: tx.merchantId,
      message_id: messageId,
      attempt: attempt.attempt,
      http_status: attempt.httpStatus,
      failure: attempt.error,
      error: attempt.errorText,
      duration_ms: attempt.durationMs,
    })
    .execute();
}

/**
 * Counts an attempt of a message, with its end if this attempt was the last; returns false if it has been counted already.
 */
export async function updateMessage(
  tx: MerchantTx,
  messageId: string,
  outcome: { attempts: number; end: 'delivered' | 'givenUp' | undefined },
): Promise<boolean> {
  const result = await tx.query
    .updateTable('callback_message')
    .set({
      attempts: outcome.attempts,
      ...(outcome.end === 'delivered' && { delivered_at: sql<Date>`now()` }),
      ...(outcome.end === 'givenUp' && { given_up_at: sql<Date>`now()` }),
    })
    .where('merchant_id', '=', tx.merchantId)
    .where('id', '=', messageId)
    .where('attempts', '=', outcome.attempts - 1)
    .executeTakeFirst();
  return result.numUpdatedRows === 1n;
}

/** A callback about an order. */
export interface OrderMessage {
  id: string;
  event: string;
  url: string;
  createdAt: Date;
  deliveredAt: Date | null;
  givenUpAt: Date | null;
}

/** Lists the callbacks about an order, oldest first. */
export function listMessages(tx: MerchantTx, { tradeNo }: { tradeNo: string }): Promise<OrderMessage[]> {
  return tx.query
    .selectFrom('callback_message')
    .select(['id', 'event', 'url', 'created_at as createdAt'])
    .select(['delivered_at as deliveredAt', 'given_up_at as givenUpAt'])
    .where('merchant_id', '=', tx.merchantId)
    .where('subject_no', '=', tradeNo)
    .orderBy('created_at')
    .execute();
}

/** Makes a callback about an order count as unsent; returns undefined if the order has no such callback. */
export async function reopenMessage(
  tx: MerchantTx,
  { id, subjectNo }: Pick<Message, 'id' | 'subjectNo'>,
): Promise<Pick<Message, 'url' | 'event'> | undefined> {
  return tx.query
    .updateTable('callback_message')
    .set({ delivered_at: null, given_up_at: null })
    .where('merchant_id', '=', tx.merchantId)
    .where('id', '=', id)
    .where('subject_no', '=', subjectNo)
    .returning(['url', 'event'])
    .executeTakeFirst();
}

/** The attempts made for an order, oldest first. */
export async function listAttempts(
  tx: MerchantTx,
  { tradeNo, createdAt }: { tradeNo: string; createdAt: Date },
): Promise<ShownAttempt[]> {
  const rows = await tx.query
    .selectFrom('callback_attempt as a')
    .innerJoin('callback_message as m', (join) =>
      join.onRef('m.merchant_id', '=', 'a.merchant_id').onRef('m.id', '=', 'a.message_id'),
    )
    .selectAll('a')
    .select('m.event')
    .where('m.merchant_id', '=', tx.merchantId)
    .where('m.subject_no', '=', tradeNo)
    .where('a.at', '>=', historyStart(createdAt))
    .orderBy('a.at')
    .execute();
  return rows.map((row) => toShown(row, row.event));
}

/** An attempt as merchants see it, with the event that its message reports. */
export type ShownAttempt = Attempt & { at: Date; event: string };

function toShown(row: Selectable<Schema['callback_attempt']>, event: string): ShownAttempt {
  return {
    at: row.at,
    event,
    attempt: row.attempt,
    httpStatus: row.http_status,
    // Attempts of earlier versions have only the text, which is not for merchants.
    error: row.failure ?? (row.error === null ? null : 'other'),
    durationMs: row.duration_ms,
  };
}

/** Turns an archived row of an attempt into what the table's row would be shown as. */
export function toArchivedAttempt(row: ArchivedRow, event: string): ShownAttempt {
  const stored = { ...row, at: new Date(String(row.at)) } as unknown as Selectable<
    Schema['callback_attempt']
  >;
  return toShown(stored, event);
}

/** Finds the archived attempts made for an order, by the event of their message. */
export async function findArchivedAttempts(
  tx: MerchantTx,
  { tradeNo, createdAt }: { tradeNo: string; createdAt: Date },
): Promise<{ event: string; found: FoundParts }[]> {
  const messages = await tx.query
    .selectFrom('callback_message')
    .select(['id', 'event'])
    .where('merchant_id', '=', tx.merchantId)
    .where('subject_no', '=', tradeNo)
    .orderBy('created_at')
    .execute();
  const since = historyStart(createdAt);
  return Promise.all(
    messages.map(async ({ id, event }) => ({
      event,
      found: await findParts(tx, {
        merchantId: tx.merchantId,
        table: 'callback_attempt',
        subject: id,
        since,
      }),
    })),
  );
}
