import { setTimeout } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Database } from './database.ts';
import { databaseFault, isDatabaseAway } from './pool.ts';

const replayPollMs = 25;
/** A replica that does not say how far it is within this time is avoided. */
const answerTimeoutMs = 2000;
/** A replica that failed is not used for this long, so that nobody waits for it. */
const avoidMs = 30_000;
/** The replica canceled a statement that conflicted with what it has to replay. */
const conflict = '40001';
/** An attempt to write in a snapshot: a mistake of the caller, wherever it is read. */
const readOnly = '25006';

/** A streaming replica. */
export interface Replica {
  /** Host and port, for the log. */
  name: string;
  database: Database;
}

/** Options of {@link Replicas}. */
export interface ReplicasOptions {
  primary: Database;
  replicas: readonly Replica[];
  onFault: (name: string, error: unknown) => void;
}

/** Where the primary is in its WAL. Positions of different timelines cannot be compared. */
interface Position {
  timeline: number;
  lsn: string;
}

/** The replica has not caught up, or is no longer a replica. */
class NotCaughtUpError extends Error {}

/** The replica failed, or failed to answer. */
class SilentReplicaError extends Error {}

/** Picks replicas that show everything that the primary has committed, and avoids those that fail. */
export class Replicas {
  readonly #options: ReplicasOptions;
  readonly #avoidedUntil = new Map<Replica, number>();

  constructor(options: ReplicasOptions) {
    this.#options = options;
  }

  /**
   * Returns the first replica that has replayed everything committed before the call; undefined if none has within
   * `patienceMs`. All are asked at once, so the one that lags least is taken.
   */
  async pick(patienceMs: number): Promise<Replica | undefined> {
    if (this.#usable().length === 0) return undefined;
    const position = await this.#readPosition();
    for (const endsAt = performance.now() + patienceMs; ; await setTimeout(replayPollMs)) {
      const usable = this.#usable();
      const found = await Promise.any(usable.map((replica) => this.#check(replica, position))).catch(
        () => undefined,
      );
      if (found || usable.length === 0 || performance.now() > endsAt) return found;
    }
  }

  /** Avoids a replica for a while after an error, if that was the replica's fault. Returns whether it was. */
  avoid(replica: Replica, error: unknown): boolean {
    const state = databaseFault(error)?.state;
    const isFault =
      state !== readOnly &&
      (error instanceof SilentReplicaError || isDatabaseAway(error) || state === conflict);
    if (!isFault) return false;
    const isNews = this.#isUsable(replica);
    this.#avoidedUntil.set(replica, performance.now() + avoidMs);
    if (isNews) this.#options.onFault(replica.name, error);
    return true;
  }

  /** Avoids all replicas for a while, because nobody should wait for them again. */
  avoidAll(): void {
    for (const replica of this.#usable())
      this.avoid(
        replica,
        new SilentReplicaError('the replica has not replayed what the primary has committed'),
      );
  }

  #usable(): Replica[] {
    return this.#options.replicas.filter((replica) => this.#isUsable(replica));
  }

  #isUsable(replica: Replica): boolean {
    return performance.now() >= (this.#avoidedUntil.get(replica) ?? 0);
  }

  async #readPosition(): Promise<Position> {
    return this.#options.primary.asSystem(
      async (tx) => {
        const { rows } = await sql<Position>`
          select pg_current_wal_lsn()::text as lsn,
            ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::integer as timeline`.execute(
          tx.query,
        );
        const [position] = rows;
        if (!position) throw new Error('the primary has no position');
        return position;
      },
      { oneStatement: true },
    );
  }

  /** Resolves with the replica if it has replayed the position. */
  async #check(replica: Replica, position: Position): Promise<Replica> {
    const ended = new AbortController();
    const late = setTimeout(answerTimeoutMs, undefined, { signal: ended.signal }).then(() => {
      throw new SilentReplicaError(`no answer within ${answerTimeoutMs} ms`);
    });
    late.catch(() => {});
    try {
      if (await Promise.race([hasReplayed(replica.database, position), late])) return replica;
    } catch (error) {
      this.avoid(replica, error);
      throw error;
    } finally {
      ended.abort();
    }
    throw new NotCaughtUpError(`${replica.name} has not replayed ${position.lsn} yet`);
  }
}

/**
 * Whether a standby has replayed a position. After a failover, one that still follows the old leader may be ahead in bytes
 * and lack what the new leader wrote, so it has to be on the same timeline. Its control file knows that a little late: until
 * then the standby is not used. A server that was promoted is no standby.
 */
async function hasReplayed(database: Database, { timeline, lsn }: Position): Promise<boolean> {
  return database.asSystem(
    async (tx) => {
      const { rows } = await sql<{ there: boolean | null }>`
        select pg_is_in_recovery() and pg_last_wal_replay_lsn() >= ${lsn}::pg_lsn
          and greatest(
            (select timeline_id from pg_control_checkpoint()),
            (select min_recovery_end_timeline from pg_control_recovery())) = ${timeline} as there`.execute(
        tx.query,
      );
      return rows[0]?.there === true;
    },
    { oneStatement: true },
  );
}
