import {
  type DatabaseConnection,
  type Dialect,
  type Driver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
} from 'kysely';
import type pg from 'pg';
import type { Schema } from './schema.ts';

/** Runs one statement on a connection. */
export type Send = (statement: { text: string; values: unknown[]; name?: string }) => Promise<pg.QueryResult>;

/** Kysely over whatever runs its statements. */
export function queriesOver(send: Send): Kysely<Schema> {
  return new Kysely<Schema>({ dialect: new SendDialect(send) });
}

class SendDialect implements Dialect {
  readonly #send: Send;
  constructor(send: Send) {
    this.#send = send;
  }
  createDriver = () => new SendDriver(this.#send);
  createQueryCompiler = () => new PostgresQueryCompiler();
  createAdapter = () => new PostgresAdapter();
  createIntrospector = (db: Kysely<Schema>) => new PostgresIntrospector(db);
}

class SendDriver implements Driver {
  readonly #connection: DatabaseConnection;
  constructor(send: Send) {
    this.#connection = {
      async executeQuery<R>(query: { sql: string; parameters: readonly unknown[] }): Promise<QueryResult<R>> {
        const result = await send({ text: query.sql, values: [...query.parameters] });
        return { rows: result.rows, numAffectedRows: BigInt(result.rowCount ?? 0) };
      },
      streamQuery: () => {
        throw new Error('streams are read with a cursor of their own');
      },
    };
  }
  init = async () => {};
  acquireConnection = async () => this.#connection;
  beginTransaction = async () => refuseNested();
  commitTransaction = async () => refuseNested();
  rollbackTransaction = async () => refuseNested();
  releaseConnection = async () => {};
  destroy = async () => {};
}

function refuseNested(): never {
  throw new Error('transactions are opened by Database, one at a time');
}
