import type pg from 'pg';
import { indexDefinition } from '#db/guards.ts';
import { asOwner } from '#db/owner.ts';

/** The tables that hold most of the demo data. */
const tables = [
  'collection',
  'collection_event',
  'payout',
  'payout_event',
  'ledger_transfer',
  'ledger_entry',
];

/** Settlements need these while demo data is written. */
const keptIndexes = ['collection_to_settle', 'collection_refund_to_settle', 'collection_by_batch'];

/**
 * Runs work while the large tables lack their foreign keys, their unique constraints except primary keys, and the indexes that only
 * lists need, which take most of the time of bulk inserts; then restores them, checked against all rows. Nothing counts orders in the
 * rollup meanwhile: the work does that once at its end ({@link rollUpOrders}). Checks, all other triggers and row-level security stay.
 * If the process dies meanwhile, they remain missing: partial demo data is never used (see {@link resetPartialDemo}).
 */
export async function withLightTables<T>(ownerUrl: string, work: () => Promise<T>): Promise<T> {
  const removed = await asOwner(ownerUrl, remove);
  try {
    return await work();
  } finally {
    await asOwner(ownerUrl, (client) => restore(client, removed));
  }
}

interface Removed {
  off: string;
  on: string;
}

async function remove(client: pg.Client): Promise<Removed[]> {
  const { rows } = await client.query<Removed>(query, [tables, keptIndexes]);
  await client.query(['begin', ...rows.map(({ off }) => off), 'commit'].join(';'));
  return rows;
}

/** Restores all of them or none; indexes before unique constraints before foreign keys. Triggers come last. */
async function restore(client: pg.Client, removed: readonly Removed[]): Promise<void> {
  // PostgreSQL checks a new foreign key with one query, but row by row if row-level security applies.
  const forced = await client.query<{ name: string }>(
    'select oid::regclass::text as name from pg_class where relforcerowsecurity',
  );
  const secure = (change: string) => forced.rows.map(({ name }) => `alter table ${name} ${change}`);
  await client.query(
    [
      'begin',
      `set local maintenance_work_mem = '64MB'`,
      ...secure('no force row level security'),
      ...removed.map(({ on }) => on),
      ...secure('force row level security'),
      'commit',
    ].join(';'),
  );
}

const query = `
  select off, "on" from (
    select 1 as turn, i.indexrelid as id, 'drop index ' || i.indexrelid::regclass as off,
      ${indexDefinition('i.indexrelid')} as "on"
    from unnest($1::text[]) t (name) join pg_index i on i.indrelid = t.name::regclass
    where not exists (select from pg_constraint c where c.conindid = i.indexrelid and c.contype in ('u', 'p'))
      and i.indexrelid::regclass::text <> all ($2::text[])
    union all
    select case c.contype when 'u' then 2 else 3 end, c.oid, format('alter table %s drop constraint %I', t.name, c.conname),
      format('alter table %s add constraint %I %s', t.name, c.conname, pg_get_constraintdef(c.oid))
    from unnest($1::text[]) t (name) join pg_constraint c on c.conrelid = t.name::regclass
    where c.contype in ('u', 'f')
    union all
    select 4, oid, format('alter table %s disable trigger %I', tgrelid::regclass, tgname),
      format('alter table %s enable trigger %I', tgrelid::regclass, tgname)
    from pg_trigger where tgname in ('roll_up_new', 'roll_up_changed')) guard
  order by turn, id`;
