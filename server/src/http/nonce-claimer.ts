import { setTimeout as pause } from 'node:timers/promises';
import type { Database } from '#db/database.ts';
import { MicroBatcher } from '#db/micro-batcher.ts';
import { databaseFault } from '#db/pool.ts';
import type { NonceAnswer, NonceClaim } from '#domain/caller.ts';
import { Refusal } from '#domain/refusal.ts';
import { claimNonces } from './access-key.sql.ts';

/** Maximum nonces claimed by one statement. */
const maxClaims = 64;
const patienceMs = 250;
const restMs = 5;
/** SQLSTATE of a statement that has waited for a lock. */
const lockNotAvailable = '55P03';
/** Longer than a migration waits for a table. */
const lockPatienceMs = 1000;
const lockPauseMs = 50;

/** Claims nonces in micro-batches, per placement: under load, one statement claims many. */
export class NonceClaimer {
  readonly #database: Database;
  readonly #claims: MicroBatcher<string, NonceClaim, NonceAnswer>;

  constructor(database: Database) {
    this.#database = database;
    const work = (_: string, claims: readonly NonceClaim[]) =>
      database.asMerchants(
        claims.map(({ merchantId }) => merchantId),
        (tx) => claimNonces(tx, claims),
        { relaxed: true },
      );
    const conflictKeysOf = (claim: NonceClaim) => [nameOf(claim)];
    const alone = new MicroBatcher<string, NonceClaim, NonceAnswer>({
      work: (name, claims) => untilUnlocked(() => work(name, claims)),
      conflictKeysOf,
      maxBatchSize: 1,
    });
    this.#claims = new MicroBatcher({
      work,
      conflictKeysOf,
      maxBatchSize: maxClaims,
      stuckAfterMs: patienceMs,
      restMs,
      // A lock was not available: nobody else waits for it.
      retryAlone: (claim) => alone.submit(nameOf(claim), claim),
    });
  }

  /** Claims a nonce in a transaction that does nothing else. Throws `unavailable` if a lock is in the way for long. */
  claim(claim: NonceClaim): Promise<NonceAnswer> {
    return this.#claims.submit(this.#database.placement(claim.merchantId), claim);
  }
}

const nameOf = ({ keyId, nonce }: NonceClaim) => `${keyId} ${nonce}`;

/**
 * Claims until no lock is in the way: a migration is waiting for a table, or another call with the same nonce for its commit. Has no
 * connection in between. Throws `unavailable` if it takes too long.
 */
async function untilUnlocked<T>(claim: () => Promise<T>): Promise<T> {
  const begunAt = performance.now();
  for (;;) {
    try {
      return await claim();
    } catch (error) {
      if (databaseFault(error)?.state !== lockNotAvailable) throw error;
      if (performance.now() - begunAt > lockPatienceMs) throw new Refusal('unavailable');
      await pause(lockPauseMs);
    }
  }
}
