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

/** Kysely over one connection that the caller holds: the queries of one transaction. */
export function queriesOn(client: pg.PoolClient): Kysely<Schema> {
  return new Kysely<Schema>({ dialect: new ClientDialect(client) });
}

class ClientDialect implements Dialect {
  readonly #client: pg.PoolClient;
  constructor(client: pg.PoolClient) {
    this.#client = client;
  }
  createDriver = () => new ClientDriver(this.#client);
  createQueryCompiler = () => new PostgresQueryCompiler();
  createAdapter = () => new PostgresAdapter();
  createIntrospector = (db: Kysely<Schema>) => new PostgresIntrospector(db);
}

class ClientDriver implements Driver {
  readonly #connection: DatabaseConnection;
  constructor(client: pg.PoolClient) {
    this.#connection = {
      async executeQuery<R>(query: { sql: string; parameters: readonly unknown[] }): Promise<QueryResult<R>> {
        const result = await client.query(query.sql, [...query.parameters]);
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
