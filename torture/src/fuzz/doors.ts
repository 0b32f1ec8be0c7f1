import type { Database } from '@hengfu/server/db/database.ts';
import { type RawBuilder, sql } from 'kysely';

/** What lets people and programs in, each table with its key. Fuzzing closes these doors all the time. */
const tables = [
  ['merchant', 'id'],
  ['app_user', 'id'],
  ['access_key', 'key_id'],
  ['session', 'id_hash'],
] as const;

/** Who may do what, which no call of a person or program changes. */
const powers = [
  'id',
  'merchant_id',
  'roles',
  'disabled_at',
  'code',
  'home_currency',
  'suspended_at',
  'requires_two_factor',
];

type Row = Readonly<Record<string, unknown>>;

/** Sessions, passwords, keys and whitelists as they were in the beginning, to be put back again and again. */
export class Doors {
  readonly #database: Database;
  readonly #kept: ReadonlyMap<string, readonly Row[]>;

  private constructor(database: Database, kept: ReadonlyMap<string, readonly Row[]>) {
    this.#database = database;
    this.#kept = kept;
  }

  static async keep(database: Database): Promise<Doors> {
    const kept = new Map<string, readonly Row[]>();
    for (const [table] of tables) kept.set(table, await rowsOf(database, table));
    return new Doors(database, kept);
  }

  /** What of people, merchants and their powers is another than in the beginning: nobody may be able to do that. */
  async faults(): Promise<string[]> {
    const faults: string[] = [];
    for (const table of ['merchant', 'app_user']) {
      const now = (await rowsOf(this.#database, table)).map(powersOf);
      const was = (this.#kept.get(table) ?? []).map(powersOf);
      if (now.sort().join() !== was.sort().join())
        faults.push(`powers have changed: ${table} is ${now.join()}`);
    }
    return faults;
  }

  /** Opens all of them again, and forgets wrong tries, so that throttles don't hide what is behind them. */
  async open(): Promise<void> {
    await this.#database.asSystem(async ({ query }) => {
      const run = (statement: RawBuilder<unknown>) => statement.execute(query);
      await run(sql`delete from sign_in_throttle`);
      await run(sql`delete from sign_in_address`);
      await run(sql`delete from passkey`);
      await run(sql`delete from session`);
      // Somebody may have taken another one's address, which is to be free again first.
      await run(sql`update app_user set email = id || '@nowhere.test'`);
      for (const [table, key] of tables) {
        const rows = JSON.stringify(this.#kept.get(table));
        const columns = Object.keys(this.#kept.get(table)?.[0] ?? {}).filter((name) => name !== key);
        const set = columns.map((name) => sql`${sql.ref(name)} = ${sql.ref(`excluded.${name}`)}`);
        await run(sql`
          insert into ${sql.table(table)} overriding system value
          select * from jsonb_populate_recordset(null::${sql.table(table)}, ${rows}::jsonb)
          on conflict (${sql.ref(key)}) do update set ${sql.join(set)}`);
      }
      await run(
        sql`update session set last_seen_at = now(), password_confirmed_at = now(), passkey_shown_at = null`,
      );
    });
  }
}

async function rowsOf(database: Database, table: string): Promise<Row[]> {
  const { rows } = await database.asSystem(({ query }) =>
    sql<{ row: Row }>`select to_jsonb(t) as row from ${sql.table(table)} t`.execute(query),
  );
  return rows.map(({ row }) => row);
}

function powersOf(row: Row): string {
  return JSON.stringify(powers.map((name) => row[name] ?? null));
}
