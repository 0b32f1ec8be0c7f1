import { setTimeout } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Database, MerchantTx, TransactionOptions } from './database.ts';
import { databaseFault, isDatabaseAway } from './pool.ts';

/**
 * Reads one merchant's rows as of one moment, for long reads. It has its own type so that code that decides
 * about money can never be given a replica: posting, holding and checking take a {@link Database}.
 */
export interface Snapshots {
  /** Runs work on a snapshot. If its source fails midway, work is run again from the beginning. */
  ofMerchant<T>(
    merchantId: bigint,
    work: (tx: MerchantTx) => Promise<T>,
    options?: SnapshotOptions,
  ): Promise<T>;
}

/** As in {@link TransactionOptions}. */
export type SnapshotOptions = Pick<TransactionOptions, 'oneStatement' | 'onePlan'>;

/** Snapshots of the primary database. */
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
/** A replica that failed is not used for this long, so that nobody waits for it. */
const fallbackMs = 30_000;
/** The replica canceled a statement that conflicted with what it has to replay. */
const conflict = '40001';
/** An attempt to write in a snapshot: a mistake of the caller, wherever it is read. */
const readOnly = '25006';

class Lagging extends Error {}

interface ReplicaOptions {
  primary: Database;
  replica: Database;
  onFault: (error: unknown) => void;
}

/**
 * Snapshots of a streaming replica that include everything committed before they were requested. Reads the
 * primary instead if the replica is away, too far behind, or canceled the statement.
 */
export class ReplicaSnapshots implements Snapshots {
  readonly #options: ReplicaOptions;
  #avoidsReplicaUntil = 0;

  constructor(options: ReplicaOptions) {
    this.#options = options;
  }

  async ofMerchant<T>(
    merchantId: bigint,
    work: (tx: MerchantTx) => Promise<T>,
    options: SnapshotOptions = {},
  ): Promise<T> {
    const { primary, replica, onFault } = this.#options;
    if (performance.now() >= this.#avoidsReplicaUntil) {
      try {
        await this.#waitUntilReplayed();
        return await replica.asMerchant(merchantId, work, { ...options, snapshot: true });
      } catch (error) {
        if (!isReplicaFault(error)) throw error;
        this.#avoidsReplicaUntil = performance.now() + fallbackMs;
        onFault(error);
      }
    }
    return primary.asMerchant(merchantId, work, { ...options, snapshot: true });
  }

  /** Waits until the replica has replayed what the primary has committed so far. Throws {@link Lagging}. */
  async #waitUntilReplayed(): Promise<void> {
    const { primary, replica } = this.#options;
    const written = await primary.asSystem(async (tx) => {
      const { rows } = await sql<{ at: string }>`select pg_current_wal_lsn()::text as at`.execute(tx.query);
      return rows[0]?.at ?? '';
    });
    for (const endsAt = performance.now() + replayWaitMs; ; await setTimeout(replayPollMs)) {
      const isReplayed = await replica.asSystem(async (tx) => {
        const { rows } = await sql<{ there: boolean | null }>`
          select pg_last_wal_replay_lsn() >= ${written}::pg_lsn as there`.execute(tx.query);
        return rows[0]?.there === true;
      });
      if (isReplayed) return;
      if (performance.now() > endsAt) throw new Lagging(`the replica has not replayed ${written} yet`);
    }
  }
}

function isReplicaFault(error: unknown): boolean {
  const state = databaseFault(error)?.state;
  if (state === readOnly) return false;
  return error instanceof Lagging || isDatabaseAway(error) || state === conflict;
}
