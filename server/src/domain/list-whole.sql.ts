import { setImmediate } from 'node:timers/promises';
import { type RawBuilder, sql } from 'kysely';
import type { RowAccumulator } from '#db/copy-rows.ts';
import { copyLine } from '#db/copy-text.rules.ts';
import type { Tx } from '#db/database.ts';
import { archivedParts, type ListSource, orderedParts } from './list-source.sql.ts';

/** Rows per fetch. */
const fetchedRows = 200;

/** Reads a whole list in order, in batches: as of one moment if the transaction is a snapshot. */
export async function* readAll<R>(tx: Tx, source: ListSource): AsyncGenerator<R[]> {
  await tx.disableTimeouts();
  await sql`declare whole_list no scroll cursor for ${wholeList(source, sql`list.*`)}`.execute(tx.query);
  const fetch = () => {
    const fetched = sql<R>`fetch ${sql.lit(fetchedRows)} from whole_list`.execute(tx.query);
    // The reader below learns of a failure. If it has stopped because of another error, this must not be an
    // unhandled rejection.
    fetched.catch(() => {});
    return fetched;
  };
  // Two fetches ahead: while one batch is processed, the next arrives and the database reads the one after.
  const ahead = [fetch(), fetch()];
  try {
    for (let next = ahead.shift(); next; next = ahead.shift()) {
      const { rows } = await next;
      // The rows may have been there already. Other work of this thread goes first.
      await setImmediate();
      if (rows.length > 0) yield rows;
      if (rows.length < fetchedRows) break;
      ahead.push(fetch());
    }
  } finally {
    await Promise.allSettled(ahead);
  }
  await sql`close whole_list`.execute(tx.query);
  for await (const part of archivedParts(source)) {
    const { rows } = await sql<R>`${wholeList(part, sql`list.*`)}`.execute(tx.query);
    if (rows.length > 0) yield rows;
  }
}

/**
 * Reads a whole list through COPY, which is faster. `columns` are expressions over the source's columns
 * (alias `list`).
 */
export async function* copyAll<T>(
  tx: Tx,
  source: ListSource,
  columns: readonly RawBuilder<unknown>[],
  accumulator: RowAccumulator<T>,
): AsyncGenerator<T> {
  await tx.disableTimeouts();
  // Uses one core only, because others need the rest.
  await sql`set local max_parallel_workers_per_gather = 0`.execute(tx.query);
  yield* tx.copy(wholeList(source, sql.join(columns)), accumulator);
  for await (const part of archivedParts(source)) yield* copyPart(tx, part, columns, accumulator);
}

/** Reads the rows of an archived part as COPY would write them. COPY itself takes no parameters. */
async function* copyPart<T>(
  tx: Tx,
  part: ListSource,
  columns: readonly RawBuilder<unknown>[],
  accumulator: RowAccumulator<T>,
): AsyncGenerator<T> {
  const fields = sql`array[${sql.join(columns.map((column) => sql`(${column})::text`))}] as fields`;
  const { rows } = await sql<{ fields: (string | null)[] }>`${wholeList(part, fields)}`.execute(tx.query);
  for (let start = 0; start < rows.length; start += fetchedRows) {
    for (const { fields } of rows.slice(start, start + fetchedRows)) accumulator.add(copyLine(fields));
    yield accumulator.take();
    await setImmediate();
  }
}

function wholeList(source: ListSource, columns: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`select ${columns} from (${orderedParts(source, sql`desc`)}) list order by page_at desc, page_id desc`;
}
