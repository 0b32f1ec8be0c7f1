import { type RawBuilder, sql } from 'kysely';
import type { Tx } from '#db/database.ts';

interface Archivable {
  /** The column that names a row's order or message. */
  subject: string;
  /** The order or message as text, which sorts as it does. The table's alias is `e`. */
  key: RawBuilder<unknown>;
  /** Sorts the rows of one order or message. */
  place: RawBuilder<unknown>;
}

/** The tables whose closed months can be moved to the file store. */
const archivable = {
  callback_attempt: { subject: 'message_id', key: sql`e.message_id::text`, place: sql`e.at` },
  collection_event: {
    subject: 'collection_id',
    key: sql`lpad(e.collection_id::text, 20, '0')`,
    place: sql`e.id`,
  },
  payout_event: { subject: 'payout_id', key: sql`lpad(e.payout_id::text, 20, '0')`, place: sql`e.id` },
} as const satisfies Record<string, Archivable>;

export type ArchivableTable = keyof typeof archivable;

/** A month of a table. */
export interface TableMonth {
  table: ArchivableTable;
  /** As `2026-01`. */
  month: string;
}

/** One gzip member of an archive's file: rows of one merchant, in the order of their keys. */
export interface Part {
  merchantId: bigint;
  offset: number;
  bytes: number;
  rows: number;
  firstKey: string;
  lastKey: string;
}

/** The content of an archive's file as a whole. */
export interface FileFacts {
  rows: number;
  bytes: number;
  sha256: Buffer;
}

/** Shorter than PostgreSQL's deadlock timeout: this transaction gives way to all others. */
const lockTimeoutMs = 500;

const monthText = (column: RawBuilder<unknown>) => sql`to_char(${column}, 'YYYY-MM')`;
const firstDay = (month: string) => sql`${`${month}-01`}::date`;
const partitionMonth = sql`to_date(right(part.relname, 7), 'YYYY_MM')`;

/** Lists the months that ended at least so many months ago and still have partitions, oldest first. */
export async function listClosedMonths(tx: Tx, afterMonths: number): Promise<TableMonth[]> {
  const { rows } = await sql<TableMonth>`
    select parent.relname as table, ${monthText(partitionMonth)} as month
    from pg_inherits i join pg_class part on part.oid = i.inhrelid join pg_class parent on parent.oid = i.inhparent
    where part.relnamespace = 'month'::regnamespace and part.relkind = 'r' and parent.relname = any(${Object.keys(archivable)})
      and ${partitionMonth} + (${afterMonths}::integer + 1) * interval '1 month' <= date_trunc('month', now() at time zone 'UTC')
      -- A restore makes empty partitions of archived months, because it does not know them yet.
      and not exists (select from archived_month a
        where a.table_name = parent.relname and a.month = ${partitionMonth} and a.archived_at is not null)
    order by 2, 1`.execute(tx.query);
  return rows;
}

/** Whether an order created before the end of a month is unfinished. */
export async function hasOpenOrders(tx: Tx, month: string): Promise<boolean> {
  const before = sql`created_at < (${firstDay(month)} + interval '1 month') at time zone 'UTC'`;
  const { rows } = await sql<{ open: boolean }>`
    select exists (select from payout where status in ('pending', 'processing', 'pendingSettlement') and ${before})
      or exists (select from collection where status = 'toBePaid' and ${before}) as open`.execute(tx.query);
  return rows[0]?.open === true;
}

/** A month's rows of a table; its alias is `e`. */
const inMonth = ({ table, month }: TableMonth) => sql`${sql.table(table)} e
  where e.at >= ${firstDay(month)}::timestamp at time zone 'UTC'
    and e.at < (${firstDay(month)} + interval '1 month') at time zone 'UTC'`;

/** Selects the rows of a month for the archive: merchant, key and the row as JSON, in the file's order. */
export function rowsOfMonth(month: TableMonth): RawBuilder<unknown> {
  const { key, place } = archivable[month.table];
  return sql`
    select e.merchant_id, ${key} as key, to_json(e) from ${inMonth(month)}
    order by e.merchant_id, (${key}) collate "C", ${place}`;
}

/** Records that a month is about to be written to a file. Returns the key of the file that an earlier attempt left. */
export async function beginArchive(
  tx: Tx,
  { table, month }: TableMonth,
  fileKey: string,
): Promise<string | undefined> {
  const { rows } = await sql<{ file_key: string }>`
    delete from archived_month where table_name = ${table} and month = ${firstDay(month)} and archived_at is null
    returning file_key`.execute(tx.query);
  await sql`insert into archived_month (table_name, month, file_key) values (${table}, ${firstDay(month)}, ${fileKey})`.execute(
    tx.query,
  );
  return rows[0]?.file_key;
}

/**
 * Records what a file contains and drops the month's partition. Throws if another attempt took over, or if the month has other
 * than the file's number of rows.
 */
export async function endArchive(
  tx: Tx,
  { table, month }: TableMonth,
  { fileKey, facts, parts }: { fileKey: string; facts: FileFacts; parts: readonly Part[] },
): Promise<void> {
  await tx.disableTimeouts();
  await sql`select set_config('lock_timeout', ${String(lockTimeoutMs)}, true)`.execute(tx.query);
  await sql`select lock_month(${table}, ${firstDay(month)})`.execute(tx.query);
  const counted = await sql<{ count: bigint }>`select count(*) from ${inMonth({ table, month })}`.execute(
    tx.query,
  );
  if (Number(counted.rows[0]?.count) !== facts.rows)
    throw new Error(
      `${table} of ${month} has changed: ${counted.rows[0]?.count} rows, ${facts.rows} in its file`,
    );
  const { rows } = await sql`
    update archived_month set archived_at = now(), row_count = ${facts.rows}, bytes = ${facts.bytes}, sha256 = ${facts.sha256}
    where file_key = ${fileKey} and archived_at is null returning month`.execute(tx.query);
  if (rows.length !== 1) throw new Error(`another attempt archives ${table} of ${month}`);
  const json = JSON.stringify(
    parts.map((part, number) => ({ ...part, number, merchantId: String(part.merchantId) })),
  );
  await sql`
    insert into archived_part (merchant_id, table_name, month, number, offset_bytes, length_bytes, row_count, first_key, last_key)
    select "merchantId", ${table}, ${firstDay(month)}, number, "offset", bytes, rows, "firstKey", "lastKey"
    from json_to_recordset(${json}::json) as part ("merchantId" bigint, number integer, "offset" bigint, bytes bigint,
      rows integer, "firstKey" text, "lastKey" text)`.execute(tx.query);
  await sql`select drop_archived_month(${table}, ${firstDay(month)})`.execute(tx.query);
}

/** An archived month, with the facts of its file. */
export interface ArchivedMonth extends TableMonth, FileFacts {
  fileKey: string;
  archivedAt: Date;
}

/** Lists the archived months, oldest first. */
export async function listArchived(tx: Tx): Promise<ArchivedMonth[]> {
  const { rows } = await sql<Omit<ArchivedMonth, 'rows' | 'bytes'> & { rows: bigint; bytes: bigint }>`
    select table_name as table, ${monthText(sql`month`)} as month, file_key as "fileKey", row_count as rows, bytes, sha256,
      archived_at as "archivedAt"
    from archived_month where archived_at is not null order by archived_month.month, table_name`.execute(
    tx.query,
  );
  return rows.map((row) => ({ ...row, rows: Number(row.rows), bytes: Number(row.bytes) }));
}

/** A row of an archive: columns by name, instants as text. */
export type ArchivedRow = Readonly<Record<string, unknown>>;

/** An order or message whose rows are looked for. */
export interface ArchivedSubject {
  merchantId: bigint;
  table: ArchivableTable;
  subject: bigint | string;
  since: Date;
}

/** Where the archived rows of one order or message are. */
export interface FoundParts {
  table: ArchivableTable;
  subject: bigint | string;
  parts: readonly { fileKey: string; offset: number; bytes: number }[];
}

/**
 * Finds the parts of the archive that may hold the rows of an order or message since an instant, in order of time. Call it
 * after the table was read, in the same transaction: until that ends, no month of the table can be archived.
 */
export async function findParts(
  tx: Tx,
  { merchantId, table, subject, since }: ArchivedSubject,
): Promise<FoundParts> {
  const key = typeof subject === 'bigint' ? String(subject).padStart(20, '0') : subject;
  const { rows } = await sql<{ fileKey: string; offset: bigint; bytes: bigint }>`
    select m.file_key as "fileKey", p.offset_bytes as offset, p.length_bytes as bytes
    from archived_part p join archived_month m on m.table_name = p.table_name and m.month = p.month
    where p.merchant_id = ${merchantId} and p.table_name = ${table} and ${key} between p.first_key and p.last_key
      and p.month >= date_trunc('month', ${since}::timestamptz at time zone 'UTC')
    order by p.month, p.number`.execute(tx.prepared);
  const parts = rows.map((row) => ({ ...row, offset: Number(row.offset), bytes: Number(row.bytes) }));
  return { table, subject, parts };
}

/** Whether an archived row belongs to the order or message that was looked for. */
export function isRowOf({ table, subject }: FoundParts, row: ArchivedRow): boolean {
  return String(row[archivable[table].subject]) === String(subject);
}
