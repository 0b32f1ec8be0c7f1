import type pg from 'pg';

/** Partitions exist for this many months after the current one. */
export const monthsAhead = 3;

const marginMs = 3_600_000;

/**
 * The instant since which an order's timeline and callbacks can have been written, so that a query reads the partitions of
 * its months only. Earlier than its creation, because a transaction may begin before the order exists and because clocks
 * are set back.
 */
export function historyStart(createdAt: Date): Date {
  return new Date(createdAt.getTime() - marginMs);
}

/**
 * Makes the partitions of all partitioned tables for the months from one instant to another, unless they exist. Rows of a
 * month without partitions are refused, so call it before rows of the past are written.
 */
export async function makeMonths(client: pg.ClientBase, from: Date, to: Date): Promise<void> {
  await client.query('select make_months($1, $2)', [from, to]);
}

/** Makes the partitions of the last month, of this one and of the next ones. */
export async function makeMonthsAhead(client: pg.ClientBase): Promise<void> {
  await client.query(
    `select make_months(now() - interval '1 month', now() + $1::integer * interval '1 month')`,
    [monthsAhead],
  );
}
