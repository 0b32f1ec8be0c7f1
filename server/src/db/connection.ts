import type { Socket } from 'node:net';
import type { Kysely } from 'kysely';
import pg from 'pg';
import { queriesOver, type Send } from './client-dialect.ts';
import { copyRows, type RowAccumulator } from './copy-rows.ts';
import { HostClient, ReadOnlyServerError } from './hosts/host-client.ts';
import { OpenedQuery, type Statement } from './opened-query.ts';
import { type Opening, openingStatement, openingText } from './opening.ts';
import type { Schema } from './schema.ts';

/**
 * A commit was cut short while it waited for the synchronous standbys. It may be lost in a failover, so its outcome is unknown
 * to the caller, who may repeat the call under its idempotency key.
 */
export class UnconfirmedCommitError extends Error {
  /** transaction_resolution_unknown */
  readonly code = '08007';
}

/** A part of a client that its type does not show. */
interface Inside {
  connection: { stream: Socket };
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
  readonly #prepares: boolean;
  #sendOnly: Send | undefined;
  /** After a statement failed: resolves once the server takes the next one, or with the fault of the connection. */
  #ready: Promise<Error | undefined> | undefined;
  #isOver = true;

  private constructor(client: pg.PoolClient, prepares: boolean) {
    this.#client = client;
    this.#prepares = prepares;
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

  /** Runs work in one transaction, whose opening is sent together with its first statement. */
  async transaction<T>(opening: Opening, work: () => Promise<T>): Promise<T> {
    this.#begin();
    const openingFault = this.#open(openingText(opening));
    let ended: Promise<Error | undefined> | undefined;
    const end = (command: 'COMMIT' | 'ROLLBACK') => {
      this.#isOver = true;
      // A commit is fast, or waits for standbys.
      if (command === 'COMMIT') this.#setPatience(false);
      this.#server?.flush();
      ended ??= faultOf(this.#client.query(command));
      return ended;
    };
    try {
      const result = await work();
      const commitFault = end('COMMIT');
      const fault = (await openingFault) ?? (await commitFault);
      if (fault) throw fault;
      this.#confirm();
      return result;
    } catch (error) {
      const fault = await end('ROLLBACK');
      if (fault && !(fault instanceof pg.DatabaseError)) this.broken = fault;
      throw (await openingFault) ?? error;
    } finally {
      this.#setPatience(false);
    }
  }

  /**
   * Runs work of one statement in one transaction and one round trip: PostgreSQL receives opening and statement in one packet, and
   * commits at its end. What the work throws later rolls nothing back.
   * @param onExecuted called once the statement has been executed, before its commit
   */
  async statement<T>(opening: Opening, work: () => Promise<T>, onExecuted?: () => void): Promise<T> {
    this.#begin();
    let fault: Promise<Error | undefined> | undefined;
    this.#sendOnly = (statement) => {
      this.#isOver = true;
      const answer = this.#sendOpened(opening, statement, onExecuted);
      fault = faultOf(answer);
      return answer;
    };
    /** Waits for the reply. Ignores an error that the work has handled, unless the connection failed. */
    const end = async () => {
      this.#isOver = true;
      this.#sendOnly = undefined;
      const own = await fault;
      // PostgreSQL may close a connection with an error of its own.
      if (own) this.broken ??= own instanceof pg.DatabaseError ? await this.#ready : own;
      if (own instanceof ReadOnlyServerError) throw own;
    };
    let result: T;
    try {
      result = await work();
    } catch (error) {
      await end();
      throw error;
    }
    await end();
    this.#confirm();
    return result;
  }

  #begin(): void {
    // Nothing has been sent yet.
    if (this.#server?.isReadOnly) throw this.#break(new ReadOnlyServerError('the server accepts no writes'));
    this.#server?.takeUnconfirmed();
    this.#isOver = false;
  }

  #setPatience(isPatient: boolean): void {
    if (this.#server) this.#server.isPatient = isPatient;
  }

  #confirm(): void {
    if (this.#server?.takeUnconfirmed())
      throw new UnconfirmedCommitError('no synchronous standby has confirmed the commit');
  }

  /**
   * Resolves with the fault of the opening. A server that accepts no writes is one: it was demoted, so that even what it would
   * show may be out of date. PostgreSQL reports the change together with the reply to the first command that runs under it. So
   * the report is read in the callback of the reply, before later replies of the same packet: if it comes with one of those, the
   * transaction began before the change, may commit, and must not run again.
   */
  #open(opening: string): Promise<Error | undefined> {
    return new Promise((resolve) => {
      this.#server?.hold();
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

  /**
   * Sends a statement with its opening. A transaction that began read-only wrote nothing, and the server was demoted: what it reads may
   * be out of date.
   */
  #sendOpened(opening: Opening, statement: Statement, onExecuted?: () => void): Promise<pg.QueryResult> {
    const { text, values } = openingStatement(opening);
    const named = this.#prepares ? { text, values, name: nameOf(text) } : { text, values };
    const answer = new Promise<pg.QueryResult>((resolve, reject) => {
      const onAnswer = (error: Error | undefined, result: pg.QueryResult) => {
        if (error instanceof pg.DatabaseError) this.#ready = this.#server?.untilReady();
        if (error && query.isMistaken) names.delete(statement.text);
        const isDemoted = query.isReadOnly && (opening.asksForWrites || this.#server?.needsWrites);
        if (isDemoted) reject(this.#break(new ReadOnlyServerError('the transaction began read-only')));
        else if (error) reject(query.isOpen ? error : this.#break(error));
        else resolve(result);
      };
      const query = new OpenedQuery(named, statement, onAnswer, onExecuted);
      this.#client.query(query);
    });
    return answer.catch((error: Error) => {
      // The stack of the caller, not that of the socket.
      Error.captureStackTrace(error);
      throw error;
    });
  }

  #break<E extends Error>(error: E): E {
    this.broken = error;
    return error;
  }

  /** Closes the connection. The statement that it runs fails, and so do all later ones. */
  close(error: Error): void {
    this.broken = error;
    (this.#client as unknown as Inside).connection.stream.destroy(error);
  }

  /** Lifts the client's and the database's timeouts for the rest of the open transaction. */
  async disableTimeouts(): Promise<void> {
    await this.#send({ text: 'set local statement_timeout = 0', values: [] });
    this.#setPatience(true);
  }

  /** Reads the rows of a statement without parameters in batches, as they arrive. */
  copy<T>(text: string, accumulator: RowAccumulator<T>): AsyncGenerator<T> {
    if (this.#isOver) throw new Error('a statement came after the end of its transaction');
    if (this.#sendOnly) throw new Error('a transaction of one statement cannot copy');
    // While nobody reads, nothing arrives.
    this.#setPatience(true);
    return copyRows(this.#client, text, accumulator);
  }

  readonly #send: Send = (statement) => {
    if (this.#isOver) throw new Error('a statement came after the end of its transaction');
    if (this.#sendOnly) return this.#sendOnly(statement);
    const answer = this.#client.query(statement);
    this.#server?.flush();
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
