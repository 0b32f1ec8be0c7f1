import type { Kysely } from 'kysely';
import pg from 'pg';
import { queriesOver, type Send } from './client-dialect.ts';
import { copyRows, type RowAccumulator } from './copy-rows.ts';
import { HostClient, ReadOnlyServerError } from './hosts/host-client.ts';
import type { Schema } from './schema.ts';

/** The longest delay of a timer, about 24 days. */
const maxTimerMs = 2 ** 31 - 1;

/**
 * A commit was cut short while it waited for the synchronous standbys. It may be lost in a failover, so its outcome is unknown
 * to the caller, who may repeat the call under its idempotency key.
 */
export class UnconfirmedCommitError extends Error {
  /** transaction_resolution_unknown */
  readonly code = '08007';
}

/** One pooled connection. It is pipelined: no statement waits for earlier replies, which arrive in order. */
export class Connection {
  /** Statements that PostgreSQL plans on each execution. */
  readonly query: Kysely<Schema>;
  /** Statements that it prepares once: for fixed texts whose plan does not depend on their values. */
  readonly prepared: Kysely<Schema>;
  /** Set if a failure left the connection in an unknown state: it must not return to the pool. */
  broken: Error | undefined;
  readonly #client: pg.PoolClient;
  readonly #server: HostClient | undefined;
  #onSent: (() => void) | undefined;
  #hasNoTimeout = false;
  #isOver = true;

  private constructor(client: pg.PoolClient, prepares: boolean) {
    this.#client = client;
    this.#server = client instanceof HostClient ? client : undefined;
    this.query = queriesOver((statement) => this.#send(statement));
    this.prepared = prepares
      ? queriesOver((statement) => this.#send({ ...statement, name: nameOf(statement.text) }))
      : this.query;
  }

  /** Returns the connection of a pool's client. `prepares`: prepared statements outlive their transaction. */
  static of(client: pg.PoolClient, prepares: boolean): Connection {
    const known = connections.get(client);
    if (known) return known;
    const connection = new Connection(client, prepares);
    connections.set(client, connection);
    return connection;
  }

  /**
   * Runs work in one transaction. `opening` begins it and sets role and merchant, without waiting for the
   * reply. With `isOneStatement`, COMMIT follows the first statement immediately: one round trip in all.
   */
  async transaction<T>(opening: string, isOneStatement: boolean, work: () => Promise<T>): Promise<T> {
    // Nothing has been sent yet.
    if (this.#server?.isReadOnly) throw this.#break(new ReadOnlyServerError('the server accepts no writes'));
    this.#server?.takeUnconfirmed();
    const openingFault = this.#open(opening);
    let end: Promise<Error | undefined> | undefined;
    const commit = () => {
      this.#isOver = true;
      end = faultOf(this.#client.query('COMMIT'));
      return end;
    };
    this.#isOver = false;
    this.#hasNoTimeout = false;
    this.#onSent = isOneStatement ? commit : undefined;
    try {
      const result = await work();
      const fault = (await openingFault) ?? (await (end ?? commit()));
      if (fault) throw fault;
      if (this.#server?.takeUnconfirmed())
        throw new UnconfirmedCommitError('no synchronous standby has confirmed the commit');
      return result;
    } catch (error) {
      this.#isOver = true;
      // COMMIT also rolls back, if a statement of the transaction has failed.
      const fault = await (end ?? faultOf(this.#client.query('ROLLBACK')));
      if (fault && !(fault instanceof pg.DatabaseError)) this.broken = fault;
      throw (await openingFault) ?? error;
    }
  }

  /**
   * Resolves with the fault of the opening. A server that accepts no writes is one: it was demoted, so that even what it would
   * show may be out of date. PostgreSQL reports the change together with the reply to the first command that runs under it. So
   * the report is read in the callback of the reply, before later replies of the same packet: if it comes with one of those, the
   * transaction began before the change, may commit, and must not run again.
   */
  #open(opening: string): Promise<Error | undefined> {
    return new Promise((resolve) => {
      this.#client.query(opening, (error: Error | null, answer: pg.QueryResult | pg.QueryResult[]) => {
        if (error) return resolve(error);
        const last = Array.isArray(answer) ? answer.at(-1) : answer;
        const isReadOnly = this.#server?.isReadOnly || last?.rows[0]?.transaction_read_only === 'on';
        resolve(
          isReadOnly ? this.#break(new ReadOnlyServerError('the transaction began read-only')) : undefined,
        );
      });
    });
  }

  #break<E extends Error>(error: E): E {
    this.broken = error;
    return error;
  }

  /** Lifts the client's and the database's timeouts for the rest of the open transaction. */
  async disableTimeouts(): Promise<void> {
    await this.#send({ text: 'set local statement_timeout = 0', values: [] });
    this.#hasNoTimeout = true;
  }

  /** Reads the rows of a statement without parameters in batches, as they arrive. */
  copy<T>(text: string, accumulator: RowAccumulator<T>): AsyncGenerator<T> {
    if (this.#isOver) throw new Error('a statement came after the end of its transaction');
    return copyRows(this.#client, { text, query_timeout: maxTimerMs }, accumulator);
  }

  readonly #send: Send = (statement) => {
    if (this.#isOver) throw new Error('a statement came after the end of its transaction');
    // If absent, the pool's own timeout applies.
    const timeout = this.#hasNoTimeout ? { query_timeout: maxTimerMs } : {};
    const answer = this.#client.query({ ...statement, ...timeout });
    this.#onSent?.();
    return answer;
  };
}

const connections = new WeakMap<pg.PoolClient, Connection>();
/** Names of prepared statements by text, the same on every connection. */
const names = new Map<string, string>();
let namesGiven = 0;

function nameOf(text: string): string {
  const known = names.get(text);
  if (known) return known;
  const name = `s${++namesGiven}`;
  names.set(text, name);
  return name;
}

/**
 * Prepares every statement again, under a new name. If a migration adds a column to a table, PostgreSQL
 * refuses statements that were prepared before it for as long as the connection lives.
 */
export function discardPreparedStatements(): void {
  names.clear();
}

/** Resolves with the error of a reply, if any. Never rejects, so it can be awaited later or not at all. */
function faultOf(answer: Promise<unknown>): Promise<Error | undefined> {
  return answer.then(
    () => undefined,
    (error: Error) => error,
  );
}
