import type { Socket } from 'node:net';
import pg from 'pg';

/** Turns rows into batches of something else as they arrive. */
export interface RowAccumulator<T> {
  /**
   * Adds a row in PostgreSQL's text format: tab-separated fields with special characters escaped, a line feed
   * at the end, nothing for null. The buffer is reused afterwards.
   */
  add(row: Buffer): void;
  /** Returns what was added since the last call. */
  take(): T;
}

/** Rows per batch. */
const batchRows = 200;
/** Batches that may be pending before the socket is paused, which makes the database wait. */
const maxPendingBatches = 4;

/** A part of a client that its type does not show. */
interface Inside {
  connection: { stream: Socket };
}

/** A `COPY … TO STDOUT` that passes its rows on as they arrive and keeps none. */
class CopyQuery extends pg.Query {
  readonly #onRow: (row: Buffer) => void;

  constructor(text: string, onRow: (row: Buffer) => void, onEnd: (error: Error | null) => void) {
    // The client's own query takes its callback as part of its config.
    super({ text, callback: onEnd } as pg.QueryConfig);
    this.#onRow = onRow;
  }

  /** Called by the client with each row. */
  handleCopyData({ chunk }: { chunk: Buffer }): void {
    this.#onRow(chunk);
  }
}

/** Wraps a query in a COPY statement. */
const copyOf = (text: string) => `copy (${text}) to stdout (format text, null '')`;

/**
 * Reads the result of a statement without parameters in batches, as rows arrive: one round trip, in flat
 * memory. While nobody reads, backpressure makes the database wait. A reader that stops early loses the
 * connection together with the remaining rows.
 */
export async function* copyRows<T>(
  client: pg.PoolClient,
  text: string,
  accumulator: RowAccumulator<T>,
): AsyncGenerator<T> {
  const { stream: socket } = (client as unknown as Inside).connection;
  const pending: T[] = [];
  let rows = 0;
  let end: { error: Error | null } | undefined;
  let wake = () => {};
  const stop = (error: Error) => {
    end = { error };
    socket.destroy(error);
    wake();
  };
  const query = new CopyQuery(
    copyOf(text),
    (row) => {
      if (end) return;
      try {
        accumulator.add(row);
      } catch (error) {
        // Called by the socket's event handler, where a thrown error would end the process.
        return stop(error instanceof Error ? error : new Error(String(error)));
      }
      rows++;
      if (rows % batchRows > 0) return;
      pending.push(accumulator.take());
      if (pending.length >= maxPendingBatches) socket.pause();
      wake();
    },
    (error) => {
      if (end) return;
      if (rows % batchRows > 0) pending.push(accumulator.take());
      end = { error };
      wake();
    },
  );
  // The literals in the text rely on this. It fails only if the transaction has failed.
  client.query('set local standard_conforming_strings = on').catch(() => {});
  client.query(query);
  try {
    for (;;) {
      const batch = pending.shift();
      if (pending.length < maxPendingBatches) socket.resume();
      if (batch !== undefined) yield batch;
      else if (end?.error) throw end.error;
      else if (end) return;
      else
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
    }
  } finally {
    if (!end) stop(new Error('the reader stopped before the last row'));
  }
}
