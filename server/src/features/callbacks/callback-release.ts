import * as z from 'zod';
import { scheduleReopened } from '#callbacks/callbacks.ts';
import { listUnreleased, releaseMessages } from '#callbacks/endpoints.sql.ts';
import type { Database, MerchantTx, Tx } from '#db/database.ts';
import { enqueue, type Task } from '#jobs/jobs.ts';
import { skipHeld } from './callback-endpoints.sql.ts';

const releaseTask = 'callbacks.release';
export const unreleasedTask = 'callbacks.unreleased';

/** A server that has just come back gets ten messages per second at most. */
const releasedAtOnce = 50;
const releaseSeconds = 5;

const payload = z.object({
  merchantId: z.string().regex(/^\d+$/).transform(BigInt),
  endpointId: z.string().regex(/^\d+$/).transform(BigInt),
});

/** Schedules the release of the messages that wait for an endpoint, in the transaction that turns it on. */
export function scheduleRelease(tx: MerchantTx, endpointId: bigint, delaySeconds = 0): Promise<void> {
  return enqueueRelease(tx, { merchantId: tx.merchantId, endpointId }, delaySeconds);
}

async function enqueueRelease(
  tx: Tx,
  { merchantId, endpointId }: { merchantId: bigint; endpointId: bigint },
  delaySeconds = 0,
): Promise<void> {
  const given = { merchantId: String(merchantId), endpointId: String(endpointId) };
  await enqueue(tx, releaseTask, given, { key: `release-callbacks:${endpointId}`, delaySeconds });
}

/** The tasks that send what has waited for endpoints. `merchant` runs in the queue of callbacks. */
export function releaseTasks(database: Database): {
  merchant: Record<string, Task>;
  own: Record<string, Task>;
} {
  return {
    merchant: {
      [releaseTask]: async (given) => {
        const { merchantId, endpointId } = payload.parse(given);
        await database.asSystemFor(merchantId, (tx) => releaseSome(tx, endpointId));
      },
    },
    own: {
      [unreleasedTask]: async () => {
        const found = await database.asSystem(listUnreleased);
        for (const each of found) await database.asSystem((tx) => enqueueRelease(tx, each));
      },
    },
  };
}

/** Sends the oldest messages that wait for an endpoint, spread over some seconds. Those for one that was removed are given up. */
async function releaseSome(tx: MerchantTx, endpointId: bigint): Promise<void> {
  const { isMore, isRemoved, released } = await releaseMessages(tx, endpointId, releasedAtOnce);
  if (isRemoved) await skipHeld(tx, endpointId);
  for (const [index, message] of released.entries())
    await scheduleReopened(
      tx,
      { ...message, isForEndpoint: true },
      Math.floor((index * releaseSeconds) / releasedAtOnce),
    );
  if (isMore) await scheduleRelease(tx, endpointId, releaseSeconds);
  tx.changed(tx.merchantId, 'callbacks');
}
