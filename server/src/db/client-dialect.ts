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

/**
 * Writes values into the text as literals, since COPY takes no parameters: each as a quoted string, whose type follows from
 * where it stands, as a parameter's does. Quotes are doubled; nothing else is special in a standard string.
 */
class LiteralCompiler extends PostgresQueryCompiler {
  protected override appendValue(value: unknown): void {
    if (value === null) this.append('null');
    else if (value instanceof Date) this.appendStringLiteral(value.toISOString());
    else if (['string', 'number', 'bigint', 'boolean'].includes(typeof value))
      this.appendStringLiteral(String(value));
    else throw new Error('this value can’t be written as a literal');
  }
}

/** What statements are compiled with that must have no parameters. */
export const withoutParameters = new Kysely<Schema>({
  dialect: new SendDialect(
    () => Promise.reject(new Error('nothing is sent from here')),
    () => new LiteralCompiler(),
  ),
});
