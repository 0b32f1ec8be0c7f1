import { sql } from 'kysely';
import type { Database, Tx } from '#db/database.ts';
import { Refusal } from './refusal.ts';

export interface Throttle {
  failures: number;
  /** Seconds until the next attempt is accepted; 0 if it is accepted now. */
  waitSeconds: number;
}

/** Where a door keeps its counts: the merchants', or that of our own staff. */
export type ThrottleTable = 'sign_in_throttle' | 'staff_throttle';

/** Counts without a window, and those of locks, expire this long after the last attempt. */
const keptSeconds = 24 * 3600;
/** Rows that one statement of the sweep deletes, so that it blocks nobody for long. */
const sweptAtOnce = 5000;

/**
 * Counts an attempt in a window and returns the new count. Attempts are counted before their password is
 * checked, so that concurrent ones count, too. `windowSeconds` null counts forever.
 */
export async function countTry(
  tx: Tx,
  key: Buffer,
  windowSeconds: number | null,
  table: ThrottleTable = 'sign_in_throttle',
): Promise<Throttle> {
  const { rows } = await sql<{ failures: number; wait: number }>`
    insert into ${sql.table(table)} as t (key, failures, window_started_at, expires_at)
    values (${key}, 1, now(), now() + ${windowSeconds ?? keptSeconds}::integer * interval '1 second')
    on conflict (key) do update set
      failures = case when t.window_started_at < now() - ${windowSeconds}::integer * interval '1 second' then 1
        else t.failures + 1 end,
      expires_at = greatest(excluded.expires_at, t.blocked_until),
      window_started_at = case when t.window_started_at < now() - ${windowSeconds}::integer * interval '1 second' then now()
        else t.window_started_at end
    returning failures,
      ceil(greatest(0, extract(epoch from coalesce(t.blocked_until,
        t.window_started_at + coalesce(${windowSeconds}::integer, 0) * interval '1 second') - now())))::integer as wait`.execute(
    tx.query,
  );
  return { failures: rows[0]?.failures ?? 1, waitSeconds: rows[0]?.wait ?? 0 };
}

/** Returns the seconds for which a key is still blocked. */
export async function readBlock(
  tx: Tx,
  key: Buffer,
  table: ThrottleTable = 'sign_in_throttle',
): Promise<number> {
  const row = await tx.query
    .selectFrom(table)
    .select(sql<number>`ceil(greatest(0, extract(epoch from blocked_until - now())))::integer`.as('wait'))
    .where('key', '=', key)
    .where('blocked_until', '>', sql<Date>`now()`)
    .executeTakeFirst();
  return row?.wait ?? 0;
}

/** Returns those of some keys that are blocked. */
export async function listBlocked(tx: Tx, keys: readonly Buffer[]): Promise<Buffer[]> {
  if (keys.length === 0) return [];
  const rows = await tx.query
    .selectFrom('sign_in_throttle')
    .select('key')
    .where('key', 'in', keys)
    .where('blocked_until', '>', sql<Date>`now()`)
    .execute();
  return rows.map(({ key }) => key);
}

/** Blocks a key from now on. */
export async function block(
  tx: Tx,
  key: Buffer,
  seconds: number,
  table: ThrottleTable = 'sign_in_throttle',
): Promise<void> {
  await tx.query
    .updateTable(table)
    .set({
      blocked_until: sql<Date>`now() + ${seconds}::integer * interval '1 second'`,
      expires_at: sql<Date>`greatest(expires_at, now() + ${seconds}::integer * interval '1 second')`,
    })
    .where('key', '=', key)
    .execute();
}

/** Starts the count of a key over; a block stays until its end. */
export async function restartCount(tx: Tx, key: Buffer, table: ThrottleTable): Promise<void> {
  await tx.query.updateTable(table).set({ failures: 0 }).where('key', '=', key).execute();
}

/** Takes back one attempt, which turned out to be no failure. */
export async function uncountTry(tx: Tx, key: Buffer, table: ThrottleTable): Promise<void> {
  await tx.query
    .updateTable(table)
    .set({ failures: sql<number>`greatest(failures - 1, 0)` })
    .where('key', '=', key)
    .execute();
}

/** Clears the counts of these keys, whose owner has signed in. */
export async function clearTries(
  tx: Tx,
  keys: readonly Buffer[],
  table: ThrottleTable = 'sign_in_throttle',
): Promise<void> {
  await tx.query.deleteFrom(table).where('key', 'in', keys).execute();
}

/**
 * Counts an attempt before it is checked, so that concurrent ones count, too. Throws `too_many_attempts`
 * beyond `limit` in the window.
 */
export async function countOrRefuse(
  database: Database,
  key: Buffer,
  { limit, windowSeconds }: { limit: number; windowSeconds: number },
  table: ThrottleTable = 'sign_in_throttle',
): Promise<void> {
  const { failures, waitSeconds } = await database.asSystem((tx) => countTry(tx, key, windowSeconds, table), {
    oneStatement: true,
  });
  if (failures > limit) throw tooManyAttempts(Math.max(waitSeconds, 1), limit);
}

/**
 * Counts an attempt before it is checked. The one that reaches `limit` is still checked, and locks the key
 * for `lockSeconds` unless the caller clears it. Throws `too_many_attempts` while locked. Afterwards,
 * counting starts over.
 */
export async function countForLock(
  database: Database,
  key: Buffer,
  { limit, lockSeconds }: { limit: number; lockSeconds: number },
): Promise<void> {
  const { rows } = await database.asSystem(
    (tx) =>
      sql<{ tries: number; wait: number }>`
      insert into sign_in_throttle as t (key, failures, window_started_at, expires_at)
      values (${key}, 1, now(), now() + ${keptSeconds}::integer * interval '1 second')
      on conflict (key) do update set
        failures = case when t.blocked_until <= now() then 1 else t.failures + 1 end,
        expires_at = greatest(excluded.expires_at, t.blocked_until),
        blocked_until = case
          when t.blocked_until <= now() then null
          when t.failures + 1 = ${limit}::integer then now() + ${lockSeconds}::integer * interval '1 second'
          else t.blocked_until end
      returning failures as tries, coalesce(ceil(extract(epoch from blocked_until - now())), 0)::integer as wait`.execute(
        tx.prepared,
      ),
    { oneStatement: true },
  );
  const { tries = 1, wait = 0 } = rows[0] ?? {};
  if (tries > limit) throw tooManyAttempts(Math.max(wait, 1), limit);
}

/**
 * Deletes expired counts of attempts, and of accounts tried from an address. Returns whether there may be
 * more. Forgetting consecutive failures a day after the last one makes guessing no faster: one failure every
 * half hour is accepted in any case. The keys are an array, so that they are read once: after a flood the planner may believe that the
 * table is empty, and would read them again for every row.
 */
export async function deleteExpiredTries(tx: Tx): Promise<boolean> {
  const deleted = await Promise.all(
    [
      sql`delete from sign_in_throttle where key = any(array(
        select key from sign_in_throttle where expires_at < now() and (blocked_until is null or blocked_until < now())
        order by expires_at limit ${sweptAtOnce} for update skip locked))`,
      sql`delete from sign_in_address where key = any(array(
        select key from sign_in_address where expires_at < now()
        order by expires_at limit ${sweptAtOnce} for update skip locked))`,
    ].map((statement) => statement.execute(tx.query)),
  );
  return deleted.some(({ numAffectedRows }) => Number(numAffectedRows) >= sweptAtOnce);
}

/** Creates the refusal of an attempt that comes too early. */
export function tooManyAttempts(seconds: number, limit: number): Refusal {
  return new Refusal('too_many_attempts', { values: { count: seconds }, retryAfterSeconds: seconds, limit });
}
