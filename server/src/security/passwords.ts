import { availableParallelism } from 'node:os';
import { hash, verify } from '@node-rs/argon2';
import { Refusal } from '#domain/refusal.ts';
import { FairQueue } from '#threads/fair-queue.ts';

/** OWASP's first choice for Argon2id: 19 MiB, two passes, one lane. */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/**
 * Hashing is expensive on purpose: it gets half of the cores, and callers take turns, so that a flood from
 * one address starves nobody else.
 */
const concurrency = Math.max(1, Math.floor(availableParallelism() / 2));
const queue = new FairQueue({ concurrency, waitingInLane: 16, waitingInAll: 400 });

/** Verified if there is no such user, so that the reply takes as long. */
let dummyHash: Promise<string> | undefined;

/** Makes a new hash for users who do not exist: for tests, in which hashing does not always cost the same. */
export function renewDummyHash(): void {
  dummyHash = undefined;
}

/** Refuses a flood before any other work is done for it. Throws `too_many_requests`. */
export function refuseFlood(lane: string): void {
  if (queue.isFull(lane)) throw new Refusal('too_many_requests', { retryAfterSeconds: 2 });
}

/**
 * Hashes a password with Argon2id. `lane` identifies the caller, such as an address or a user. Throws
 * `too_many_requests`.
 */
export function hashPassword(password: string, lane = 'staff'): Promise<string> {
  return runQueued(lane, () => hash(password, cost));
}

/**
 * Whether a password matches a hash. Without a hash it never does, after the same work. `lane` identifies the
 * caller. Throws `too_many_requests`.
 */
export async function isPasswordOf(
  password: string,
  passwordHash: string | undefined,
  lane: string,
): Promise<boolean> {
  dummyHash ??= hash('nobody signs in with this', cost);
  const against = passwordHash ?? (await dummyHash);
  const isRight = await runQueued(lane, () => verify(against, password));
  return isRight && passwordHash !== undefined;
}

async function runQueued<T>(lane: string, work: () => Promise<T>): Promise<T> {
  const done = await queue.run(lane, async () => ({ result: await work() }));
  if (!done) throw new Refusal('too_many_requests', { retryAfterSeconds: 2 });
  return done.result;
}
