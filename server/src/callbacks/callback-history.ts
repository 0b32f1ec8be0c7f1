import type { OrderCallback } from '@hengfu/contract/staff/orders';
import type { ArchiveReader } from '#archive/archive-reader.ts';
import type { MerchantTx } from '#db/database.ts';
import {
  type AttemptOf,
  findArchivedAttempts,
  listAttempts,
  listMessages,
  type OrderMessage,
  type ShownAttempt,
  toArchivedAttempt,
} from './attempts.sql.ts';

/** A callback about an order, with every attempt, oldest first. */
export interface CallbackHistory extends OrderMessage {
  attempts: ShownAttempt[];
}

/** Finds the callbacks of an order, and where their archived attempts are. */
export async function findCallbacks(tx: MerchantTx, order: { tradeNo: string; createdAt: Date }) {
  return {
    messages: await listMessages(tx, order),
    attempts: await listAttempts(tx, order),
    old: await findArchivedAttempts(tx, order),
  };
}

/** Joins the callbacks that were found with their archived attempts. Opens no transaction. */
export async function readCallbacks(
  { messages, attempts, old }: Awaited<ReturnType<typeof findCallbacks>>,
  archive: ArchiveReader,
): Promise<CallbackHistory[]> {
  const earlier: AttemptOf[] = [];
  for (const { event, found } of old)
    earlier.push(...(await archive.read(found)).map((row) => toArchivedAttempt(row, event)));
  const byMessage = Map.groupBy([...earlier, ...attempts], ({ messageId }) => messageId);
  return messages.map((message) => ({
    ...message,
    attempts: (byMessage.get(message.id) ?? []).map(({ messageId: _, ...attempt }) => attempt),
  }));
}

/** Maps the callbacks of an order to the form that our staff read. Bodies stay on the server. */
export function toCallbacks(callbacks: readonly CallbackHistory[]): OrderCallback[] {
  return callbacks.map(({ id, event, url, createdAt, deliveredAt, givenUpAt, attempts }) => ({
    id,
    event,
    url,
    createdAt: createdAt.toISOString(),
    state: deliveredAt ? 'delivered' : givenUpAt ? 'givenUp' : 'waiting',
    attempts: attempts.map((attempt) => ({ ...attempt, at: attempt.at.toISOString() })),
  }));
}
