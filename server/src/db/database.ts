import type { Topic } from '@hengfu/contract/events';
import { type Kysely, sql } from 'kysely';
import type pg from 'pg';
import { Connection } from './connection.ts';
import { databaseFault } from './pool.ts';
import type { Schema } from './schema.ts';

/** One open transaction. */
export interface Tx {
  /** Statements that are planned each time: whatever is put together from filters. */
  readonly query: Kysely<Schema>;
  /** Statements that are planned once for each connection: fixed texts whose plan does not depend on their values. */
  readonly prepared: Kysely<Schema>;
  /** Says that a merchant's data changed; open screens are told once the transaction has committed. */
  changed(merchantId: bigint, ...topics: Topic[]): void;
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

/** SQLSTATEs after which the same transaction may simply be run again. */
const retryable = new Set(['40001', '40P01']);
const maxTries = 5;

/**
 * The door to PostgreSQL. Every piece of work runs in one transaction that names its role and merchant in the same
 * round trip that begins it; work may be run again after a deadlock, so it must do nothing but database work.
 */
export class Database {
  readonly #pool: pg.Pool;
  readonly #onCommitted: (merchantId: bigint, topics: readonly Topic[]) => void;

  constructor(pool: pg.Pool, onCommitted: (merchantId: bigint, topics: readonly Topic[]) => void) {
    this.#pool = pool;
    this.#onCommitted = onCommitted;
  }

  /** Work for one merchant. */
  asMerchant<T>(
    merchantId: bigint,
    work: (tx: MerchantTx) => Promise<T>,
    options: TransactionOptions = {},
  ): Promise<T> {
    const scope = `SET LOCAL ROLE hengfu_app; SET LOCAL app.merchant_id = '${merchantId}'`;
    return this.#run(scope, options, (tx) => work({ ...tx, merchantId }));
  }

  /** Work across merchants: sign-in, key look-up, jobs, operator commands. */
  asSystem<T>(work: (tx: Tx) => Promise<T>, options: TransactionOptions = {}): Promise<T> {
    return this.#run('SET LOCAL ROLE hengfu_system', options, work);
  }

  /** System work that posts to one merchant's ledger. */
  asSystemFor<T>(merchantId: bigint, work: (tx: MerchantTx) => Promise<T>): Promise<T> {
    const scope = `SET LOCAL ROLE hengfu_system; SET LOCAL app.merchant_id = '${merchantId}'`;
    return this.#run(scope, {}, (tx) => work({ ...tx, merchantId }));
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
        if (!retryable.has(state) || attempt === maxTries) throw error;
      }
    }
  }

  async #once<T>(scope: string, options: TransactionOptions, work: (tx: Tx) => Promise<T>): Promise<T> {
    const client = await this.#pool.connect();
    const connection = Connection.of(client);
    const changes = new Map<bigint, Set<Topic>>();
    const tx: Tx = {
      query: connection.query,
      prepared: connection.prepared,
      changed(merchantId, ...topics) {
        const known = changes.get(merchantId) ?? new Set();
        for (const topic of topics) known.add(topic);
        changes.set(merchantId, known);
      },
    };
    let result: T;
    try {
      const begin = options.snapshot ? 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY' : 'BEGIN';
      const opening = `${begin}; ${scope}${options.relaxed ? '; SET LOCAL synchronous_commit = off' : ''}`;
      result = await connection.transaction(opening, options.oneStatement ?? false, () => work(tx));
    } finally {
      client.release(connection.broken);
    }
    for (const [merchantId, topics] of changes) this.#onCommitted(merchantId, [...topics]);
    return result;
  }
}
