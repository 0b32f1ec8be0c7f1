import type { CallbackFailure } from '@hengfu/contract/callbacks';
import type { Selectable } from 'kysely';
import { type ArchivedRow, type FoundParts, findParts } from '#archive/archive.sql.ts';
import type { MerchantTx } from '#db/database.ts';
import { historyStart } from '#db/months.ts';
import type { Schema } from '#db/schema.ts';

export interface Attempt {
  attempt: number;
  httpStatus: number | null;
  /** Why there was no answer; null if there was one. */
  error: CallbackFailure | null;
  durationMs: number;
}

/** An attempt as stored: with the text of the error, for operators, and the beginning of the reply. */
export interface StoredAttempt extends Attempt {
  errorText: string | null;
  reply: string | null;
}

/** Stores an attempt, in the transaction that counts it (see `countAttempt`). */
export async function insertAttempt(
  tx: MerchantTx,
  { id, isResend }: { id: string; isResend: boolean },
  attempt: StoredAttempt,
): Promise<void> {
  await tx.query
    .insertInto('callback_attempt')
    .values({
      merchant_id: tx.merchantId,
      message_id: id,
      attempt: attempt.attempt,
      http_status: attempt.httpStatus,
      failure: attempt.error,
      error: attempt.errorText,
      duration_ms: attempt.durationMs,
      reply: attempt.reply,
      is_resend: isResend,
    })
    .execute();
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

/** Returns the names of the endpoints that callbacks about an order are for, by the callback. Our staff do not read endpoints. */
export async function endpointNames(
  tx: MerchantTx,
  { tradeNo }: { tradeNo: string },
): Promise<Map<string, string>> {
  const rows = await tx.query
    .selectFrom('callback_message as m')
    .innerJoin('callback_endpoint as e', (join) =>
      join.onRef('e.merchant_id', '=', 'm.merchant_id').onRef('e.id', '=', 'm.endpoint_id'),
    )
    .select(['m.id', 'e.description'])
    .where('m.merchant_id', '=', tx.merchantId)
    .where('m.subject_no', '=', tradeNo)
    .execute();
  return new Map(rows.flatMap(({ id, description }) => (description === null ? [] : [[id, description]])));
}

/** The attempts made for an order, oldest first. */
export async function listAttempts(
  tx: MerchantTx,
  { tradeNo, createdAt }: { tradeNo: string; createdAt: Date },
): Promise<AttemptOf[]> {
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

/** The same with the message that it belongs to. */
export type AttemptOf = ShownAttempt & { messageId: string };

function toShown(row: Selectable<Schema['callback_attempt']>, event: string): AttemptOf {
  return {
    messageId: row.message_id,
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
export function toArchivedAttempt(row: ArchivedRow, event: string): AttemptOf {
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

/** An attempt with the beginning of the reply, as it was received. */
export interface AttemptWithReply extends Attempt {
  at: Date;
  reply: string | null;
  isResend: boolean;
}

/** Lists the attempts of one message, oldest first. */
export async function listAttemptsOf(
  tx: MerchantTx,
  { id, createdAt }: { id: string; createdAt: Date },
): Promise<AttemptWithReply[]> {
  const rows = await tx.query
    .selectFrom('callback_attempt')
    .selectAll()
    .where('merchant_id', '=', tx.merchantId)
    .where('message_id', '=', id)
    .where('at', '>=', historyStart(createdAt))
    .orderBy('at')
    .execute();
  return rows.map(withReply);
}

/** Finds the archived attempts of one message. */
export function findArchivedAttemptsOf(
  tx: MerchantTx,
  { id, createdAt }: { id: string; createdAt: Date },
): Promise<FoundParts> {
  const { merchantId } = tx;
  return findParts(tx, {
    merchantId,
    table: 'callback_attempt',
    subject: id,
    since: historyStart(createdAt),
  });
}

/** Turns an archived row into an attempt with its reply. */
export function toArchivedReply(row: ArchivedRow): AttemptWithReply {
  return withReply({ ...row, at: new Date(String(row.at)) } as unknown as Selectable<
    Schema['callback_attempt']
  >);
}

function withReply(row: Selectable<Schema['callback_attempt']>): AttemptWithReply {
  const { messageId: _, event: __, ...attempt } = toShown(row, '');
  // Rows that were archived before replies were kept have neither column.
  return { ...attempt, reply: row.reply ?? null, isResend: row.is_resend ?? false };
}
