import { setTimeout } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Database, MerchantTx, TransactionOptions } from './database.ts';
import { databaseFault, isDatabaseAway } from './pool.ts';

/**
 * Where long things are read: one merchant's rows as of one moment. A type of its own, so that nothing that decides
 * about money can be given a replica: whatever is posted, held or checked takes a {@link Database}.
 */
export interface Snapshots {
  /** The work may be done again from its beginning, where the place it was read from could not go on. */
  ofMerchant<T>(
    merchantId: bigint,
    work: (tx: MerchantTx) => Promise<T>,
    options?: SnapshotOptions,
  ): Promise<T>;
}

/** As in {@link TransactionOptions}. */
export type SnapshotOptions = Pick<TransactionOptions, 'oneStatement' | 'onePlan'>;

/** Snapshots of the database itself. */
export class PrimarySnapshots implements Snapshots {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  ofMerchant<T>(
    merchantId: bigint,
    work: (tx: MerchantTx) => Promise<T>,
    options: SnapshotOptions = {},
  ): Promise<T> {
    return this.#database.asMerchant(merchantId, work, { ...options, snapshot: true });
  }
}

const replayWaitMs = 5000;
const replayPollMs = 25;
/** A replica that failed is left alone so long: nobody waits for it in the meantime. */
const restMs = 30_000;
/** A statement that stood in the way of what the replica has to replay was ended. */
const conflict = '40001';
/** Snapshots are read; who writes in one is mistaken wherever it is. */
const readOnly = '25006';

class Lagging extends Error {}

interface ReplicaOptions {
  primary: Database;
  replica: Database;
  onFault: (error: unknown) => void;
}

/**
 * Snapshots of a streaming replica, which hold all that was committed when they were asked for. Where the replica is
 * away, too far behind, or had to break off, the database itself is read instead.
 */
export class ReplicaSnapshots implements Snapshots {
  readonly #options: ReplicaOptions;
  #restsUntil = 0;

  constructor(options: ReplicaOptions) {
    this.#options = options;
  }

  async ofMerchant<T>(
    merchantId: bigint,
    work: (tx: MerchantTx) => Promise<T>,
    options: SnapshotOptions = {},
  ): Promise<T> {
    const { primary, replica, onFault } = this.#options;
    if (performance.now() >= this.#restsUntil) {
      try {
        await this.#waitUntilReplayed();
        return await replica.asMerchant(merchantId, work, { ...options, snapshot: true });
      } catch (error) {
        if (!isReplicaFault(error)) throw error;
        this.#restsUntil = performance.now() + restMs;
        onFault(error);
      }
    }
    return primary.asMerchant(merchantId, work, { ...options, snapshot: true });
  }

  /** Waits for what the primary has committed so far. Throws {@link Lagging}. */
  async #waitUntilReplayed(): Promise<void> {
    const { primary, replica } = this.#options;
    const written = await primary.asSystem(async (tx) => {
      const { rows } = await sql<{ at: string }>`select pg_current_wal_lsn()::text as at`.execute(tx.query);
      return rows[0]?.at ?? '';
    });
    for (const endsAt = performance.now() + replayWaitMs; ; await setTimeout(replayPollMs)) {
      const isThere = await replica.asSystem(async (tx) => {
        const { rows } = await sql<{ there: boolean | null }>`
          select pg_last_wal_replay_lsn() >= ${written}::pg_lsn as there`.execute(tx.query);
        return rows[0]?.there === true;
      });
      if (isThere) return;
      if (performance.now() > endsAt) throw new Lagging(`the replica has not replayed ${written} yet`);
    }
  }
}

function isReplicaFault(error: unknown): boolean {
  const state = databaseFault(error)?.state;
  if (state === readOnly) return false;
  return error instanceof Lagging || isDatabaseAway(error) || state === conflict;
}
