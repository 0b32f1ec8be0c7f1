import { setImmediate } from 'node:timers/promises';
import { type RawBuilder, sql } from 'kysely';
import type { Gathering } from '#db/copy-rows.ts';
import type { Tx } from '#db/database.ts';
import { type ListSource, orderedParts } from './list.sql.ts';

/** Rows that are fetched at a time. */
const fetchedRows = 200;

/** Reads a list whole, in its order, some rows at a time: of one moment where the transaction is a snapshot. */
export async function* readAll<R>(tx: Tx, source: ListSource): AsyncGenerator<R[]> {
  await tx.takeTime();
  await sql`declare whole_list no scroll cursor for ${wholeList(source, sql`list.*`)}`.execute(tx.query);
  const fetch = () => {
    const fetched = sql<R>`fetch ${sql.lit(fetchedRows)} from whole_list`.execute(tx.query);
    // Whoever reads on learns of its failure; whoever has left with an error of his own must not be ended by it.
    fetched.catch(() => {});
    return fetched;
  };
  // Two are asked for ahead: one is read while the one before is looked at, and the next is with the database by then.
  const ahead = [fetch(), fetch()];
  try {
    for (let next = ahead.shift(); next; next = ahead.shift()) {
      const { rows } = await next;
      // They were there already, perhaps: whoever else waits for this thread has his turn first.
      await setImmediate();
      if (rows.length > 0) yield rows;
      if (rows.length < fetchedRows) break;
      ahead.push(fetch());
    }
  } finally {
    await Promise.allSettled(ahead);
  }
  await sql`close whole_list`.execute(tx.query);
}

/** The same by what is gathered of its rows, of columns that are told of the source's (alias `list`). */
export async function* gatherAll<T>(
  tx: Tx,
  source: ListSource,
  columns: RawBuilder<unknown>,
  gathering: Gathering<T>,
): AsyncGenerator<T> {
  await tx.takeTime();
  // One of the machine's cores is enough for it: others are there, too.
  await sql`set local max_parallel_workers_per_gather = 0`.execute(tx.query);
  yield* tx.copy(wholeList(source, columns), gathering);
}

function wholeList(source: ListSource, columns: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`select ${columns} from (${orderedParts(source, sql`desc`)}) list order by page_at desc, page_id desc`;
}
