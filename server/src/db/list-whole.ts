import { setImmediate } from 'node:timers/promises';
import { type RawBuilder, sql } from 'kysely';
import type { Tx } from './database.ts';
import { branches, type ListSource, orderedParts } from './list.ts';

/**
 * Rows that are fetched at a time where a list is read whole, and where each is one text: what is done with them keeps
 * the process for a millisecond or two, and others have their turn in between.
 */
const fetchedRows = 50;
const fetchedTexts = 125;

/** Reads a list whole, in its order, some rows at a time: of one moment where the transaction is a snapshot. */
export function readAll<R>(tx: Tx, source: ListSource): AsyncGenerator<R[]> {
  return readWhole(tx, source, sql`list.*`, fetchedRows);
}

/** Reads a list whole as one text a row, made by the database of the source's columns (alias `list`). */
export async function* readTexts(
  tx: Tx,
  source: ListSource,
  text: RawBuilder<unknown>,
): AsyncGenerator<string[]> {
  for await (const rows of readWhole<{ text: string }>(tx, source, sql`${text} as text`, fetchedTexts))
    yield rows.map((row) => row.text);
}

async function* readWhole<R>(
  tx: Tx,
  source: ListSource,
  shown: RawBuilder<unknown>,
  atOnce: number,
): AsyncGenerator<R[]> {
  await tx.takeTime();
  await sql`declare whole_list no scroll cursor for
    select ${shown} from (${orderedParts(source, sql`desc`)}) list order by page_at desc, page_id desc`.execute(
    tx.query,
  );
  const fetch = () => {
    const fetched = sql<R>`fetch ${sql.lit(atOnce)} from whole_list`.execute(tx.query);
    // Whoever reads on learns of its failure; whoever has left with an error of his own must not be ended by it.
    fetched.catch(() => {});
    return fetched;
  };
  // Two are asked for ahead: one is read while the one before is looked at, and the next is with the database by then.
  const ahead = [fetch(), fetch()];
  try {
    for (let next = ahead.shift(); next; next = ahead.shift()) {
      const { rows } = await next;
      // They were there already, perhaps: whoever else waits for this process has his turn first.
      await setImmediate();
      if (rows.length > 0) yield rows;
      if (rows.length < atOnce) break;
      ahead.push(fetch());
    }
  } finally {
    await Promise.allSettled(ahead);
  }
  await sql`close whole_list`.execute(tx.query);
}

/** Adds up columns of a list whole, by another one. */
export async function addUp<R>(
  tx: Tx,
  source: ListSource,
  sums: RawBuilder<unknown>,
  by: RawBuilder<unknown>,
): Promise<R[]> {
  await tx.takeTime();
  const parts = branches(source).map(
    (where) => sql`(select ${source.columns} from ${source.from} where ${where})`,
  );
  const { rows } = await sql<R>`
    select ${sums} from (${sql.join(parts, sql` union all `)}) list group by ${by}`.execute(tx.query);
  return rows;
}
