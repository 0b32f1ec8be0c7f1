import type pg from 'pg';
import { asOwner } from '#db/owner.ts';

/** The tables that demo data is mostly made of. */
const tables = [
  'collection',
  'collection_event',
  'payout',
  'payout_event',
  'ledger_transfer',
  'ledger_entry',
];

/** Settlement looks orders up by these while demo data is written. */
const keptIndexes = ['collection_to_settle', 'collection_refund_to_settle', 'collection_by_batch'];

/**
 * Runs some work while the big tables lack their foreign keys and the indexes that only lists need, which cost most of the
 * time that writing many rows takes; then puts them back, checked against all rows. Unique constraints, checks, triggers
 * and row-level security stay throughout. A process that dies meanwhile leaves the tables without: demo data that is
 * not whole is never used (see {@link startOverHalfDemo}).
 */
export async function withLightTables<T>(ownerUrl: string, work: () => Promise<T>): Promise<T> {
  const removed = await asOwner(ownerUrl, remove);
  try {
    return await work();
  } finally {
    await asOwner(ownerUrl, (client) => putBack(client, removed));
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

/** All of them or none. Foreign keys come after the indexes. */
async function putBack(client: pg.Client, removed: readonly Removed[]): Promise<void> {
  // PostgreSQL checks a new foreign key with one query, but row by row where row-level security holds for the owner.
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
      pg_get_indexdef(i.indexrelid) as "on"
    from unnest($1::text[]) t (name) join pg_index i on i.indrelid = t.name::regclass
    where not i.indisunique and i.indexrelid::regclass::text <> all ($2::text[])
    union all
    select 2, c.oid, format('alter table %s drop constraint %I', t.name, c.conname),
      format('alter table %s add constraint %I %s', t.name, c.conname, pg_get_constraintdef(c.oid))
    from unnest($1::text[]) t (name) join pg_constraint c on c.conrelid = t.name::regclass
    where c.contype = 'f') guard
  order by turn, id`;
