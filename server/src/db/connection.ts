import type { Kysely } from 'kysely';
import pg from 'pg';
import { queriesOver, type Send } from './client-dialect.ts';
import { copyRows, type Gathering } from './copy-rows.ts';
import type { Schema } from './schema.ts';

/** As long as a timer can be set for: days. */
const longestMs = 2 ** 31 - 1;

/**
 * One pooled connection. What is sent over it goes out at once, without a wait for earlier answers, and is answered
 * in order.
 */
export class Connection {
  /** Statements that PostgreSQL plans each time. */
  readonly query: Kysely<Schema>;
  /** Statements that it plans once: for fixed texts whose plan does not depend on their values. */
  readonly prepared: Kysely<Schema>;
  /** Set where a failure left the connection in an unknown state: it must not go back to the pool. */
  broken: Error | undefined;
  readonly #client: pg.PoolClient;
  #onSent: (() => void) | undefined;
  #takesTime = false;
  #isOver = true;

  private constructor(client: pg.PoolClient, prepares: boolean) {
    this.#client = client;
    this.query = queriesOver((statement) => this.#send(statement));
    this.prepared = prepares
      ? queriesOver((statement) => this.#send({ ...statement, name: nameOf(statement.text) }))
      : this.query;
  }

  /** The connection of a pool's client. `prepares`: statements that are prepared are there for the next transaction. */
  static of(client: pg.PoolClient, prepares: boolean): Connection {
    const known = connections.get(client);
    if (known) return known;
    const connection = new Connection(client, prepares);
    connections.set(client, connection);
    return connection;
  }

  /**
   * Runs work in one transaction. `opening` begins it and says whose it is, and does not wait. With `isOneStatement`
   * COMMIT follows the first statement as closely: one round trip for everything.
   */
  async transaction<T>(opening: string, isOneStatement: boolean, work: () => Promise<T>): Promise<T> {
    const openingFault = faultOf(this.#client.query(opening));
    let end: Promise<Error | undefined> | undefined;
    const commit = () => {
      this.#isOver = true;
      end = faultOf(this.#client.query('COMMIT'));
      return end;
    };
    this.#isOver = false;
    this.#takesTime = false;
    this.#onSent = isOneStatement ? commit : undefined;
    try {
      const result = await work();
      const fault = (await openingFault) ?? (await (end ?? commit()));
      if (fault) throw fault;
      return result;
    } catch (error) {
      this.#isOver = true;
      // COMMIT of a transaction in which something failed rolls it back, too.
      const fault = await (end ?? faultOf(this.#client.query('ROLLBACK')));
      if (fault && !(fault instanceof pg.DatabaseError)) this.broken = fault;
      throw (await openingFault) ?? error;
    }
  }

  /** What follows in the open transaction takes as long as it takes, here and in the database. */
  async takeTime(): Promise<void> {
    await this.#send({ text: 'set local statement_timeout = 0', values: [] });
    this.#takesTime = true;
  }

  /** What is gathered of the rows that a statement without parameters finds, some at a time, as they come. */
  copy<T>(text: string, gathering: Gathering<T>): AsyncGenerator<T> {
    if (this.#isOver) throw new Error('a statement came after the end of its transaction');
    return copyRows(this.#client, { text, query_timeout: longestMs }, gathering);
  }

  readonly #send: Send = (statement) => {
    if (this.#isOver) throw new Error('a statement came after the end of its transaction');
    // Absent it would be the pool's own.
    const patience = this.#takesTime ? { query_timeout: longestMs } : {};
    const answer = this.#client.query({ ...statement, ...patience });
    this.#onSent?.();
    return answer;
  };
}

const connections = new WeakMap<pg.PoolClient, Connection>();
/** Names of prepared statements by their text: the same on each connection. */
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
 * Has every statement prepared anew, under another name. PostgreSQL refuses one that was prepared before a migration gave
 * its table another column, as long as the connection lives.
 */
export function prepareAnew(): void {
  names.clear();
}

/** What an answer failed with; never rejects, so that nobody has to be waiting for it. */
function faultOf(answer: Promise<unknown>): Promise<Error | undefined> {
  return answer.then(
    () => undefined,
    (error: Error) => error,
  );
}
