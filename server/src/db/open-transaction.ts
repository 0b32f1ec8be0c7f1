import type { Kysely, RawBuilder } from 'kysely';
import { literalCompiler } from './client-dialect.ts';
import type { Connection } from './connection.ts';
import type { RowAccumulator } from './copy-rows.ts';
import type { Schema } from './schema.ts';
import type { Change, MerchantTx, Tx } from './tx.ts';

/** The connection of a transaction, and what is to be announced after its commit. */
export class TransactionState {
  readonly changes = new Map<bigint, Set<Change>>();
  readyJobs = 0;
  readonly #connection: Connection;
  #isOver = false;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /** Throws once the transaction is over: the connection may be in another one by then. */
  get connection(): Connection {
    if (this.#isOver) throw new Error('a statement came after the end of its transaction');
    return this.#connection;
  }

  /** Closes the transaction for code that keeps it. */
  end(): void {
    this.#isOver = true;
  }
}

/**
 * A transaction as its work sees it. A class, because an object literal with accessors gets a hidden class of its own each time, which
 * keeps all that the accessors refer to in memory until the next full collection.
 */
export class OpenTransaction implements Tx {
  readonly #state: TransactionState;

  constructor(state: TransactionState) {
    this.#state = state;
  }

  get query(): Kysely<Schema> {
    return this.#state.connection.query;
  }

  get prepared(): Kysely<Schema> {
    return this.#state.connection.prepared;
  }

  disableTimeouts(): Promise<void> {
    return this.#state.connection.disableTimeouts();
  }

  copy<T>(statement: RawBuilder<unknown>, accumulator: RowAccumulator<T>): AsyncGenerator<T> {
    const { connection } = this.#state;
    return connection.copy(statement.compile(literalCompiler).sql, accumulator);
  }

  changed(merchantId: bigint, ...topics: Change[]): void {
    const { changes } = this.#state;
    const known = changes.get(merchantId) ?? new Set();
    for (const topic of topics) known.add(topic);
    changes.set(merchantId, known);
  }

  jobsReady(jobs: number): void {
    this.#state.readyJobs += jobs;
  }

  ofMerchant(merchantId: bigint): MerchantTx {
    return new MerchantTransaction(this.#state, merchantId);
  }
}

class MerchantTransaction extends OpenTransaction implements MerchantTx {
  readonly merchantId: bigint;

  constructor(state: TransactionState, merchantId: bigint) {
    super(state);
    this.merchantId = merchantId;
  }
}
