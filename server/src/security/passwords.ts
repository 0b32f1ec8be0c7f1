import { availableParallelism } from 'node:os';
import { hash, verify } from '@node-rs/argon2';
import { Refusal } from '#domain/refusal.ts';
import { FairQueue } from '#threads/fair-queue.ts';

/** OWASP's first choice for Argon2id: 19 MiB, two passes, one lane. */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/**
 * Hashing is heavy on purpose: it gets half of the machine, and those who ask for it take turns, so that a flood from
 * one address starves nobody else.
 */
const atOnce = Math.max(1, Math.floor(availableParallelism() / 2));
const queue = new FairQueue({ atOnce, waitingInLane: 16, waitingInAll: 400 });

/** Verified against where there is no user, so that the answer takes as long. */
let nobodysHash: Promise<string> | undefined;

/** Turns a flood away before anything else is done for it. Throws `too_many_requests`. */
export function refuseFlood(lane: string): void {
  if (queue.isFull(lane)) throw new Refusal('too_many_requests', { retryAfterSeconds: 2 });
}

/** The Argon2id hash of a password. `lane` says who asks: an address, a user. Throws `too_many_requests`. */
export function hashPassword(password: string, lane = 'staff'): Promise<string> {
  return inTurn(lane, () => hash(password, cost));
}

/**
 * Whether a password is the one of a hash; without a hash never, after the same work. `lane` says who asks. Throws
 * `too_many_requests`.
 */
export async function isPasswordOf(
  password: string,
  passwordHash: string | undefined,
  lane: string,
): Promise<boolean> {
  nobodysHash ??= hash('nobody signs in with this', cost);
  const against = passwordHash ?? (await nobodysHash);
  const isRight = await inTurn(lane, () => verify(against, password));
  return isRight && passwordHash !== undefined;
}

async function inTurn<T>(lane: string, work: () => Promise<T>): Promise<T> {
  const done = await queue.run(lane, async () => ({ result: await work() }));
  if (!done) throw new Refusal('too_many_requests', { retryAfterSeconds: 2 });
  return done.result;
}
