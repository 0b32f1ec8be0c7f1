import type { Database } from '@hengfu/server/db/database.ts';
import { knowKeyLines } from '@hengfu/server/domain/access-keys.sql.ts';
import { type RawBuilder, sql } from 'kysely';

/**
 * Tables that decide who may sign in or sign calls, each with its key. Fuzzed calls change them all the time.
 */
const tables = [
  ['merchant', ['id']],
  ['app_user', ['id']],
  ['membership', ['merchant_id', 'user_id']],
  ['access_key', ['merchant_id', 'key_id']],
  ['session', ['id_hash']],
] as const;

/** Columns with identities and permissions, which no call may change. */
const protectedColumns = [
  'id',
  'merchant_id',
  'user_id',
  'roles',
  'disabled_at',
  'code',
  'home_currency',
  'suspended_at',
  'requires_two_factor',
];

type Row = Readonly<Record<string, unknown>>;

/** A snapshot of sessions, passwords, keys and whitelists, restored at regular intervals. */
export class AccessSnapshot {
  readonly #database: Database;
  readonly #rows: Map<string, readonly Row[]>;

  private constructor(database: Database, rows: Map<string, readonly Row[]>) {
    this.#database = database;
    this.#rows = rows;
  }

  static async take(database: Database): Promise<AccessSnapshot> {
    const rows = new Map<string, readonly Row[]>();
    for (const [table] of tables) rows.set(table, await rowsOf(database, table));
    return new AccessSnapshot(database, rows);
  }

  /** Finds users and merchants whose identity or permissions differ from the snapshot. */
  async faults(): Promise<string[]> {
    const faults: string[] = [];
    for (const table of ['merchant', 'app_user', 'membership']) {
      const now = (await this.#rowsToday(table)).map(protectedValues);
      const before = (this.#rows.get(table) ?? []).map(protectedValues);
      if (now.sort().join() !== before.sort().join())
        faults.push(`permissions have changed: ${table} is ${now.join()}`);
    }
    return faults;
  }

  /** Adds merchants that our staff have created since. */
  async adoptMerchants(): Promise<void> {
    const known = this.#rows.get('merchant') ?? [];
    const ids = new Set(known.map(({ id }) => id));
    const isNew = ({ id, mode }: Row) => mode === 'live' && !ids.has(id);
    this.#rows.set('merchant', [...known, ...(await rowsOf(this.#database, 'merchant')).filter(isNew)]);
  }

  /** Reads a table without the rows of test twins that have the people, roles and states of their live merchants. */
  async #rowsToday(table: string): Promise<Row[]> {
    const rows = await rowsOf(this.#database, table);
    const isExpected = await this.#expectedRowsOfTwins(table);
    return rows.filter((row) => !isExpected(row));
  }

  async #expectedRowsOfTwins(table: string): Promise<(row: Row) => boolean> {
    const merchants = await rowsOf(this.#database, 'merchant');
    const known = new Set(this.#rows.get('merchant')?.map(({ id }) => id));
    const liveOf = new Map(merchants.map(({ id, live_merchant_id: live }) => [id, live]));
    const isTwin = (id: unknown) => !known.has(id) && known.has(liveOf.get(id));
    if (table === 'merchant') return ({ id }) => isTwin(id);
    if (table !== 'membership') return () => false;
    const before = new Set(this.#rows.get('membership')?.map(protectedValues));
    return (row) =>
      isTwin(row.merchant_id) &&
      before.has(protectedValues({ ...row, merchant_id: liveOf.get(row.merchant_id) }));
  }

  /** Lets the codes of authenticator apps be used again: each is valid once, and one run takes little longer than one code. */
  async freeCodes(): Promise<void> {
    await this.#database.asSystem(({ query }) =>
      sql`update app_user set two_factor_last_step = null where two_factor_last_step is not null`.execute(
        query,
      ),
    );
  }

  /**
   * Restores the snapshot and resets the sign-in limits, so that refusals do not hide the code behind them.
   */
  async restore(): Promise<void> {
    await this.#database.asSystem(async ({ query }) => {
      const run = (statement: RawBuilder<unknown>) => statement.execute(query);
      await sql`select ${knowKeyLines}`.execute(query);
      await run(sql`delete from sign_in_throttle`);
      await run(sql`delete from sign_in_address`);
      await run(sql`delete from passkey`);
      await run(sql`delete from session`);
      // A test merchant that was wiped comes back, in place of the one that was opened after it.
      const known = (this.#rows.get('merchant') ?? []).map(({ id }) => id);
      await run(sql`update merchant set retired_at = now(), suspended_at = coalesce(suspended_at, now()),
          suspension_reason = coalesce(suspension_reason, 'restored'), suspended_by = coalesce(suspended_by, 'operator:fuzz')
        where mode = 'test' and retired_at is null and id <> all (${known}::bigint[])`);
      // Frees all email addresses first: one user may have taken another's.
      await run(sql`update app_user set email = id || '@nowhere.test'`);
      for (const [table, keys] of tables) {
        const isKey = (name: string) => keys.some((key) => key === name);
        const rows = JSON.stringify(this.#rows.get(table));
        const columns = Object.keys(this.#rows.get(table)?.[0] ?? {}).filter((name) => !isKey(name));
        const set = columns.map((name) => sql`${sql.ref(name)} = ${sql.ref(`excluded.${name}`)}`);
        await run(sql`
          insert into ${sql.table(table)} overriding system value
          select * from jsonb_populate_recordset(null::${sql.table(table)}, ${rows}::jsonb)
          on conflict (${sql.join(keys.map((key) => sql.ref(key)))}) do update set ${sql.join(set)}`);
      }
      await run(
        sql`update session set last_seen_at = now(), password_confirmed_at = now(), passkey_shown_at = null`,
      );
    });
  }
}

async function rowsOf(database: Database, table: string): Promise<Row[]> {
  const { rows } = await database.asSystem(({ query }) =>
    // Rows of test merchants come after those of the live ones, which they must be like.
    sql<{ row: Row }>`select to_jsonb(t) as row from ${sql.table(table)} t
      order by to_jsonb(t) -> 'merchant_id', to_jsonb(t) -> 'id'`.execute(query),
  );
  return rows.map(({ row }) => row);
}

function protectedValues(row: Row): string {
  return JSON.stringify(protectedColumns.map((name) => row[name] ?? null));
}
