import { Refusal } from '#domain/refusal.ts';
import { FairQueue } from '#threads/fair-queue.ts';

/**
 * A look at a large batch holds a connection for a while: a few at a time, and merchants take turns. Sixteen merchants may
 * use up what each may have waiting before another one is refused; large batches among them are bounded before they are
 * read (http/large-bodies.ts), and a small one is quickly looked at.
 */
const looks = new FairQueue({ concurrency: 4, waitingInLane: 16, waitingInAll: 256 });
const busyRetrySeconds = 5;

/** Looks at a batch of a merchant when its turn comes. Throws `too_many_requests` where too many wait. */
export async function lookingAtBatches<T extends object>(
  merchantId: bigint,
  look: () => Promise<T>,
): Promise<T> {
  const found = await looks.run(String(merchantId), look);
  if (!found) throw new Refusal('too_many_requests', { retryAfterSeconds: busyRetrySeconds });
  return found;
}
