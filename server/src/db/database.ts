import type { Topic } from '@hengfu/contract/events';
import { type Kysely, type RawBuilder, sql } from 'kysely';
import type pg from 'pg';
import { withoutParameters } from './client-dialect.ts';
import { Connection, prepareAnew } from './connection.ts';
import type { Gathering } from './copy-rows.ts';
import { databaseFault } from './pool.ts';
import type { Schema } from './schema.ts';

/** What a process tells the others: a topic of open screens, or that sessions of a user have ended. */
export type Change = Topic | `sessions:${bigint}`;

/** One open transaction. */
export interface Tx {
  /** Statements that are planned each time: whatever is put together from filters. */
  readonly query: Kysely<Schema>;
  /** Statements that are planned once for each connection: fixed texts whose plan does not depend on their values. */
  readonly prepared: Kysely<Schema>;
  /** Has what follows take as long as it takes: where everything of something is read. */
  takeTime(): Promise<void>;
  /**
   * What is gathered of the rows of a statement, some at a time, as they come: any number of them in flat memory. What is
   * not read to its end costs the connection.
   */
  copy<T>(statement: RawBuilder<unknown>, gathering: Gathering<T>): AsyncGenerator<T>;
  /** Says that a merchant's data changed; open screens are told once the transaction has committed. */
  changed(merchantId: bigint, ...topics: Change[]): void;
  /** Says that jobs were planned which may begin at once; workers are told once the transaction has committed. */
  planned(jobs: number): void;
}

/** A transaction of one merchant: row-level security shows that merchant's rows and no other. */
export interface MerchantTx extends Tx {
  readonly merchantId: bigint;
}

export interface TransactionOptions {
  /** For writes whose loss in a crash costs nothing (a nonce, a last-seen time): no wait for the disk. */
  relaxed?: boolean;
  /**
   * The work is one statement: it goes out together with its BEGIN and COMMIT, in one round trip. Whatever is thrown
   * after it rolls nothing back.
   */
  oneStatement?: boolean;
  /** Everything is read as of one moment, however long it takes; nothing is written. */
  snapshot?: boolean;
  /**
   * Its prepared statements have one plan for all values, once and for all: for those whose planning costs more than what
   * a plan for the values at hand would save. PostgreSQL chooses by its estimates, which are far off for ranges.
   */
  onePlan?: boolean;
}

/** Whether an instant lies behind, by the database's clock. */
export async function isPast(tx: Tx, at: Date): Promise<boolean> {
  const { rows } = await sql<{ past: boolean }>`select ${at}::timestamptz <= now() as past`.execute(tx.query);
  return rows[0]?.past === true;
}

/**
 * Statements of one transaction that are sent together, in one round trip. Where one fails, those behind it fail only
 * because of it: the first one's error is thrown.
 */
export async function together<const T extends readonly Promise<unknown>[]>(
  statements: T,
): Promise<{ -readonly [K in keyof T]: Awaited<T[K]> }> {
  const results = await Promise.allSettled(statements);
  const failed = results.find((result) => result.status === 'rejected');
  if (failed) throw failed.reason;
  return Promise.all(statements);
}

/** Who is told of a transaction that has committed. */
export interface CommitListener {
  changed(merchantId: bigint, changes: readonly Change[]): void;
  planned(jobs: number): void;
}

/** SQLSTATEs after which the same transaction may simply be run again. */
const retryable = new Set(['40001', '40P01']);
/** What PostgreSQL says of a prepared statement whose columns are others by now: a migration ran under this process. */
const outdatedPlan = '0A000';
const maxTries = 5;
/** How long a transaction of several merchants waits for what one of them has locked. */
const sharedLockWaitMs = 100;

/** What a {@link Database} is made with. */
export interface DatabaseOptions {
  /** Connections keep prepared statements: all do, but those of a pooler that gives each transaction another one. */
  prepares: boolean;
  /** Nobody where it is not given. */
  listener?: CommitListener;
}

/**
 * The door to PostgreSQL. Every piece of work runs in one transaction that names its role and merchant in the same
 * round trip that begins it; work may be run again after a deadlock, so it must do nothing but database work.
 */
export class Database {
  readonly #pool: pg.Pool;
  readonly #options: DatabaseOptions;

  constructor(pool: pg.Pool, options: DatabaseOptions) {
    this.#pool = pool;
    this.#options = options;
  }

  /** Work for one merchant. */
  asMerchant<T>(
    merchantId: bigint,
    work: (tx: MerchantTx) => Promise<T>,
    options: TransactionOptions = {},
  ): Promise<T> {
    const scope = `SET LOCAL ROLE hengfu_app; SET LOCAL app.merchant_id = '${merchantId}'`;
    return this.#run(scope, options, (tx) => work(Object.assign(tx, { merchantId })));
  }

  /**
   * One statement for several merchants at once, by a function that knows them: whatever else it reads sees no merchant's
   * rows. A row that somebody else holds is waited for only briefly (`lock_not_available`), so that no merchant holds up
   * the others.
   */
  asMerchants<T>(merchantIds: readonly bigint[], work: (tx: Tx) => Promise<T>): Promise<T> {
    const list = `SET LOCAL app.merchant_ids = '{${[...new Set(merchantIds)]}}'`;
    const scope = `SET LOCAL ROLE hengfu_app; ${list}; SET LOCAL lock_timeout = ${sharedLockWaitMs}`;
    return this.#run(scope, { oneStatement: true }, work);
  }

  /** Work across merchants: sign-in, key look-up, jobs, operator commands. */
  asSystem<T>(work: (tx: Tx) => Promise<T>, options: TransactionOptions = {}): Promise<T> {
    return this.#run('SET LOCAL ROLE hengfu_system', options, work);
  }

  /** System work that posts to one merchant's ledger. */
  asSystemFor<T>(
    merchantId: bigint,
    work: (tx: MerchantTx) => Promise<T>,
    options: TransactionOptions = {},
  ): Promise<T> {
    const scope = `SET LOCAL ROLE hengfu_system; SET LOCAL app.merchant_id = '${merchantId}'`;
    return this.#run(scope, options, (tx) => work(Object.assign(tx, { merchantId })));
  }

  /** Resolves where the database answers. */
  async ping(): Promise<void> {
    await this.#pool.query('select 1');
  }

  async #run<T>(scope: string, options: TransactionOptions, work: (tx: Tx) => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.#once(scope, options, work);
      } catch (error) {
        const state = databaseFault(error)?.state ?? '';
        const isOutdated = state === outdatedPlan && attempt === 1;
        if (isOutdated) prepareAnew();
        else if (!retryable.has(state) || attempt === maxTries) throw error;
      }
    }
  }

  async #once<T>(scope: string, options: TransactionOptions, work: (tx: Tx) => Promise<T>): Promise<T> {
    const client = await this.#pool.connect();
    const connection = Connection.of(client, this.#options.prepares);
    const changes = new Map<bigint, Set<Change>>();
    let planned = 0;
    let isOver = false;
    // Whoever keeps it finds it closed: the connection may be in somebody else's transaction by then.
    const whileOpen = <T>(queries: T): T => {
      if (isOver) throw new Error('a statement came after the end of its transaction');
      return queries;
    };
    const tx: Tx = {
      get query() {
        return whileOpen(connection.query);
      },
      get prepared() {
        return whileOpen(connection.prepared);
      },
      takeTime: () => connection.takeTime(),
      copy: (statement, gathering) =>
        whileOpen(connection).copy(statement.compile(withoutParameters).sql, gathering),
      changed(merchantId, ...topics) {
        const known = changes.get(merchantId) ?? new Set();
        for (const topic of topics) known.add(topic);
        changes.set(merchantId, known);
      },
      planned(jobs) {
        planned += jobs;
      },
    };
    let result: T;
    try {
      // Whoever writes a file of what it reads may pause for the disk, and holds nothing that others want.
      const begin = options.snapshot
        ? 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; SET LOCAL idle_in_transaction_session_timeout = 0'
        : 'BEGIN';
      const settings = [
        ...(options.relaxed ? ['SET LOCAL synchronous_commit = off'] : []),
        // Where nothing stays prepared each is planned anew in any case, and better for its values.
        ...(options.onePlan && this.#options.prepares
          ? ['SET LOCAL plan_cache_mode = force_generic_plan']
          : []),
      ];
      const opening = [begin, scope, ...settings].join('; ');
      result = await connection.transaction(opening, options.oneStatement ?? false, () => work(tx));
    } finally {
      isOver = true;
      client.release(connection.broken);
    }
    for (const [merchantId, topics] of changes) this.#options.listener?.changed(merchantId, [...topics]);
    if (planned > 0) this.#options.listener?.planned(planned);
    return result;
  }
}
