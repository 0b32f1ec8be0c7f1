import type pg from 'pg';
import { type Login, urlAs } from '../login.ts';
import { asOwner } from '../owner.ts';

/** A table to back up. */
export interface Table {
  /** Qualified with its schema. */
  name: string;
  /** Stored columns. Generated ones are computed again. */
  columns: string[];
  /** Row-level security is forced, so even the owner sees no rows. */
  isForced: boolean;
}

/** A table or partition that stores rows. */
interface StoredTable {
  name: string;
  /** Changes when the table is rewritten. */
  fileNode: string;
}

/**
 * Never backed up: the migrations fill these tables, or their rows are stale by the time of a restore: heartbeats and failures, and the
 * request log, which is large and kept for a month only.
 */
export const excludedTables: readonly string[] = [
  'public.api_request',
  'public.api_request_block',
  'public.failing_task',
  'public.schema_function',
  'public.schema_function_superseded',
  'public.schema_migration',
  'public.job_worker',
  'graphile_worker.migrations',
];

/** Lists the tables of the product and of the job queue, by name. Partitions are part of their tables. */
export async function listTables(client: pg.Client): Promise<Table[]> {
  const { rows } = await client.query<Table>(`
    select format('%I.%I', n.nspname, c.relname) as name, c.relforcerowsecurity as "isForced",
      array(select quote_ident(attname) from pg_attribute a where a.attrelid = c.oid and a.attnum > 0
        and not a.attisdropped and a.attgenerated = '' order by a.attnum) as columns
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.relkind in ('r', 'p') and n.nspname in ('public', 'graphile_worker') order by 1`);
  return rows;
}

/** Lists what stores the rows of those tables. */
export async function listStored(client: pg.Client): Promise<StoredTable[]> {
  const { rows } = await client.query<StoredTable>(`
    select c.oid::regclass::text as name, pg_relation_filenode(c.oid)::text as "fileNode"
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.relkind = 'r' and n.nspname in ('public', 'month', 'graphile_worker') order by 1`);
  return rows;
}

/** Reads the first instants of the oldest and the newest month that has partitions. */
export async function readMonths(client: pg.Client): Promise<{ from: string; to: string }> {
  const { rows } = await client.query<{ from: string; to: string }>(`
    select min(month) || '-01T00:00:00Z' as from, max(month) || '-01T00:00:00Z' as to
    from pg_class c, translate(right(c.relname, 7), '_', '-') as month
    where c.relispartition and c.relkind = 'r' and c.relnamespace = 'month'::regnamespace`);
  const [months] = rows;
  if (!months) throw new Error('the database has no partitions');
  return months;
}

/** The COPY statement that reads a table. COPY reads a partitioned one only through a query. */
export const copyStatement = ({ name, columns }: Pick<Table, 'name' | 'columns'>) =>
  `copy (select ${columns.join(', ')} from ${name}) to stdout`;

/** Settings under which equal rows produce equal text in any database, in their physical order. */
export const copySettings = `
  set datestyle = 'ISO, YMD'; set intervalstyle = 'postgres'; set timezone = 'UTC'; set bytea_output = 'hex';
  set extra_float_digits = 1; set client_encoding = 'UTF8'; set synchronize_seqscans = off;
  set max_parallel_workers_per_gather = 0;
  set statement_timeout = 0; set idle_in_transaction_session_timeout = 0`;

/**
 * Reads everything as of one snapshot, without blocking writers. Tables with forced row-level security are
 * read with the application's login as `hengfu_system`, which sees all rows, and the others as the owner.
 */
export async function inSnapshot<T>(
  ownerUrl: string,
  login: Login,
  work: (owner: pg.Client, readerOf: (table: Table) => pg.Client) => Promise<T>,
): Promise<T> {
  const begin = 'begin isolation level repeatable read read only';
  return asOwner(ownerUrl, (owner) =>
    asOwner(urlAs(ownerUrl, login), async (system) => {
      await owner.query(`${copySettings}; ${begin}`);
      const { rows } = await owner.query<{ name: string }>('select pg_export_snapshot() as name');
      await system.query(
        `${copySettings}; ${begin}; set transaction snapshot '${rows[0]?.name}'; set local role hengfu_system`,
      );
      return work(owner, (table) => (table.isForced ? system : owner));
    }),
  );
}

/** Reads which migrations of the product and of the job queue a database has. */
export async function readState(client: pg.Client): Promise<{
  migrations: { name: string; sha256: string }[];
  jobMigrations: number[];
}> {
  const product = await client.query<{ name: string; sha256: string }>(
    'select name, sha256 from schema_migration order by name',
  );
  const jobs = await client.query<{ id: number }>('select id from graphile_worker.migrations order by id');
  return { migrations: product.rows, jobMigrations: jobs.rows.map(({ id }) => id) };
}
