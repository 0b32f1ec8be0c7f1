import type { Socket } from 'node:net';
import pg from 'pg';

/** What is made of rows as they come. */
export interface Gathering<T> {
  /**
   * Takes up a row in PostgreSQL's text format: fields between tabs, signs that would end one escaped, a line feed at the
   * end, nothing for null. The bytes are another row's afterwards.
   */
  add(row: Buffer): void;
  /** What was gathered since this was last asked. */
  take(): T;
}

/** Rows that are handed on at a time. */
const atOnce = 200;
/** What waits to be handed on at the most, before the database is kept waiting. */
const mostWaiting = 4;

/** What of a client its type does not show. */
interface Inside {
  connection: { stream: Socket };
}

interface Asked {
  text: string;
  /** Milliseconds that an answer may take in all. */
  query_timeout: number;
}

/** A `COPY … TO STDOUT` whose rows are handed on as they come, and are not kept. */
class CopyQuery extends pg.Query {
  /** Where the client looks for it. */
  readonly query_timeout: number;
  readonly #onRow: (row: Buffer) => void;

  constructor(asked: Asked, onRow: (row: Buffer) => void, onEnd: (error: Error | null) => void) {
    // The client's own query takes its callback with its settings.
    super({ ...asked, callback: onEnd } as pg.QueryConfig);
    this.query_timeout = asked.query_timeout;
    this.#onRow = onRow;
  }

  /** Called by the client with each row. */
  handleCopyData({ chunk }: { chunk: Buffer }): void {
    this.#onRow(chunk);
  }
}

/** The statement by which the database copies out what another one finds. */
const copyOf = (text: string) => `copy (${text}) to stdout (format text, null '')`;

/**
 * What a statement without parameters finds, some rows at a time and as they come: one answer to one question, however
 * many they are. Nothing is kept of a row but what is made of it at once. The database waits where nobody takes them. Who
 * stops before the end loses the connection with the rest.
 */
export async function* copyRows<T>(
  client: pg.PoolClient,
  { text, query_timeout }: Asked,
  gathering: Gathering<T>,
): AsyncGenerator<T> {
  const { stream: socket } = (client as unknown as Inside).connection;
  const waiting: T[] = [];
  let rows = 0;
  let end: { error: Error | null } | undefined;
  let wake = () => {};
  const stop = (error: Error) => {
    end = { error };
    socket.destroy(error);
    wake();
  };
  const query = new CopyQuery(
    { text: copyOf(text), query_timeout },
    (row) => {
      if (end) return;
      try {
        gathering.add(row);
      } catch (error) {
        // Nobody waits for this: it came with what the socket brought.
        return stop(error instanceof Error ? error : new Error(String(error)));
      }
      rows++;
      if (rows % atOnce > 0) return;
      waiting.push(gathering.take());
      if (waiting.length >= mostWaiting) socket.pause();
      wake();
    },
    (error) => {
      if (end) return;
      if (rows % atOnce > 0) waiting.push(gathering.take());
      end = { error };
      wake();
    },
  );
  // What the literals in the text rely on, whatever the installation's own setting is. It fails with the transaction only.
  client.query('set local standard_conforming_strings = on').catch(() => {});
  client.query(query);
  try {
    for (;;) {
      const gathered = waiting.shift();
      if (waiting.length < mostWaiting) socket.resume();
      if (gathered !== undefined) yield gathered;
      else if (end?.error) throw end.error;
      else if (end) return;
      else
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
    }
  } finally {
    if (!end) stop(new Error('the rest of what was asked for is not wanted any more'));
  }
}
