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

/** Creates a Kysely instance that runs its statements with `send`. */
export function queriesOver(send: Send): Kysely<Schema> {
  return new Kysely<Schema>({ dialect: new SendDialect(send) });
}

class SendDialect implements Dialect {
  readonly #send: Send;
  readonly createQueryCompiler: () => PostgresQueryCompiler;
  constructor(send: Send, createQueryCompiler = () => new PostgresQueryCompiler()) {
    this.#send = send;
    this.createQueryCompiler = createQueryCompiler;
  }
  createDriver = () => new SendDriver(this.#send);
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
        throw new Error('streaming is not supported: use a cursor or COPY');
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
  throw new Error('transactions are not supported: use Database');
}

/**
 * Writes values into the text as literals, since COPY takes no parameters. Each is a quoted string whose type
 * PostgreSQL infers from the context, as it does for a parameter. Only quotes are escaped: nothing else is
 * special in a standard string.
 */
class LiteralCompiler extends PostgresQueryCompiler {
  protected override appendValue(value: unknown): void {
    if (value === null) this.append('null');
    else if (value instanceof Date) this.appendStringLiteral(value.toISOString());
    else if (['string', 'number', 'bigint', 'boolean'].includes(typeof value))
      this.appendStringLiteral(String(value));
    else throw new Error('a value of this type cannot be written as a literal');
  }
}

/** Compiles statements that must not have parameters, with values as literals. */
export const literalCompiler = new Kysely<Schema>({
  dialect: new SendDialect(
    () => Promise.reject(new Error('this instance only compiles statements')),
    () => new LiteralCompiler(),
  ),
});
