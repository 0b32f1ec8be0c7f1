import { createRequire } from 'node:module';
import { afterAll, beforeAll } from 'vitest';
import { renewDummyHash } from '#security/passwords.ts';

/**
 * Stands in for `@node-rs/argon2` in Vitest (vitest.config.ts): hashes at the lowest cost that the algorithm knows. At the product's own
 * cost, passwords of people who only have to be signed in took a sixth of the processor time of tests.
 */
const argon2: typeof import('@node-rs/argon2') = createRequire(import.meta.url)('@node-rs/argon2');
const lowest = { memoryCost: 8, timeCost: 1, parallelism: 1 };
let isQuick = true;

/** @public */
export const hash: typeof argon2.hash = (password, options, signal) =>
  argon2.hash(password, isQuick ? { ...options, ...lowest } : options, signal);

/**
 * Takes the cost that the hash names.
 * @public
 */
export const verify = argon2.verify;

/**
 * Hashes passwords in this file at the cost of the product: for tests of guessing, floods and races, of which the time of a check is a
 * part.
 */
export function keepRealPasswords(): void {
  beforeAll(() => {
    isQuick = false;
    renewDummyHash();
  });
  afterAll(() => {
    isQuick = true;
    renewDummyHash();
  });
}
