import { Refusal } from '#domain/refusal.ts';
import { FairQueue } from '#threads/fair-queue.ts';

/**
 * The check of a large batch holds a connection for a while: a few run at a time, and merchants take turns.
 * Sixteen merchants can fill their lanes before another one is refused; large request bodies are limited
 * before they are read (http/large-bodies.ts), and small batches are checked quickly.
 */
const checkQueue = new FairQueue({ concurrency: 4, waitingInLane: 16, waitingInAll: 256 });
const busyRetrySeconds = 5;

/**
 * Checks a merchant's batch when its turn comes. Throws `too_many_requests` if too many checks are waiting.
 */
export async function runBatchCheck<T extends object>(
  merchantId: bigint,
  check: () => Promise<T>,
): Promise<T> {
  const result = await checkQueue.run(String(merchantId), check);
  if (!result) throw new Refusal('too_many_requests', { retryAfterSeconds: busyRetrySeconds });
  return result;
}
