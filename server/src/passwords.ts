import { hash, verify } from '@node-rs/argon2';
import { Refusal } from '#refusal.ts';

/** OWASP's first choice for Argon2id: 19 MiB, two passes, one lane. */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** Hashing is heavy on purpose: only so many at once, and so many waiting, so that a flood starves nobody else. */
const atOnce = 2;
const waitingAtMost = 100;

let running = 0;
const waiting: (() => void)[] = [];

/** Verified against where there is no user, so that the answer takes as long. */
let nobodysHash: Promise<string> | undefined;

/** The Argon2id hash of a password. */
export function hashPassword(password: string): Promise<string> {
  return inTurn(() => hash(password, cost));
}

/** Whether a password is the one of a hash; without a hash never, after the same work. */
export async function isPasswordOf(password: string, passwordHash: string | undefined): Promise<boolean> {
  nobodysHash ??= hash('nobody signs in with this', cost);
  const against = passwordHash ?? (await nobodysHash);
  const isRight = await inTurn(() => verify(against, password));
  return isRight && passwordHash !== undefined;
}

async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  if (running >= atOnce) {
    if (waiting.length >= waitingAtMost) throw new Refusal('too_many_requests', { retryAfterSeconds: 2 });
    await new Promise<void>((resolve) => waiting.push(resolve));
  }
  running++;
  try {
    return await work();
  } finally {
    running--;
    waiting.shift()?.();
  }
}
