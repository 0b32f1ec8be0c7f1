import { type RawBuilder, sql } from 'kysely';
import type { Tx } from '#db/database.ts';
import type { AuditIndex } from './audit-index.rules.ts';
import { type EntrySums, insertEntrySums, jsonOf } from './entry-sums.sql.ts';
import { type PartPlace, type PlaceRow, placeColumns, toPlace } from './part-place.sql.ts';

/** The table's alias is `e` in all of these. */
interface Archivable {
  /** The instant by which the table is partitioned. */
  instant: RawBuilder<unknown>;
  /** Finds a row, as text that sorts as it does: its order or message, an entry's place in its account, an audit row's instant. */
  key: RawBuilder<unknown>;
  /** The order of the file: that of the keys, and of the rows of one key. */
  order: RawBuilder<unknown>;
  /** The transfer that an entry belongs to. */
  transfer?: RawBuilder<unknown>;
}

const idKey = (id: RawBuilder<unknown>) => sql`lpad(${id}::text, 20, '0')`;
/** An instant in a key. Entries have milliseconds. */
const instantKey = (instant: RawBuilder<unknown>) =>
  sql`to_char(${instant} at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS.MS')`;
const collated = (key: RawBuilder<unknown>) => sql`(${key}) collate "C"`;

const [messageKey, collectionKey, payoutKey] = [
  sql`e.message_id::text`,
  idKey(sql`e.collection_id`),
  idKey(sql`e.payout_id`),
];

/** The tables whose closed months can be moved to the file store. */
const archivable: Readonly<Record<HistoryTable | 'audit' | 'ledger_entry', Archivable>> = {
  audit: {
    instant: sql`e.at`,
    key: sql`to_char(e.at at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS.US') || ' ' || ${idKey(sql`e.id`)}`,
    // The order of the primary key, so that nothing is sorted.
    order: sql`e.at, e.id`,
  },
  callback_attempt: { instant: sql`e.at`, key: messageKey, order: sql`${collated(messageKey)}, e.at` },
  collection_event: { instant: sql`e.at`, key: collectionKey, order: sql`${collated(collectionKey)}, e.id` },
  ledger_entry: {
    instant: sql`e.created_at`,
    key: sql`${idKey(sql`e.account_id`)} || ' ' || ${instantKey(sql`e.created_at`)} || ' ' || ${idKey(sql`e.version`)}`,
    // The order of the primary key, so that nothing is sorted.
    order: sql`e.account_id, e.created_at, e.version`,
    transfer: sql`e.transfer_id`,
  },
  payout_event: { instant: sql`e.at`, key: payoutKey, order: sql`${collated(payoutKey)}, e.id` },
};

/** The tables whose rows belong to one order or message each, and the column that names it. */
const subjects = {
  callback_attempt: 'message_id',
  collection_event: 'collection_id',
  payout_event: 'payout_id',
} as const;
type HistoryTable = keyof typeof subjects;

export type ArchivableTable = keyof typeof archivable;

export const archivableTables = Object.keys(archivable) as ArchivableTable[];

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
  sha256: Buffer;
  /** Of its entries; null for other tables. */
  lowestTransferId: bigint | null;
  highestTransferId: bigint | null;
  /** Of its audit rows; undefined for other tables. */
  audit: AuditIndex | undefined;
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
/** The month that a partition's name ends with. Null for its indexes, whose names a plan may read as well. */
const partitionMonth = sql`to_date(substring(part.relname from '\\d{4}_\\d\\d$'), 'YYYY_MM')`;

/** Lists the months that ended at least so many months ago and still have partitions, oldest first. */
export async function listClosedMonths(tx: Tx, afterMonths: number): Promise<TableMonth[]> {
  const { rows } = await sql<TableMonth>`
    select parent.relname as table, ${monthText(partitionMonth)} as month
    from pg_inherits i join pg_class part on part.oid = i.inhrelid join pg_class parent on parent.oid = i.inhparent
    where part.relnamespace = 'month'::regnamespace and part.relkind = 'r' and parent.relname = any(${archivableTables})
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
function inMonth({ table, month }: TableMonth): RawBuilder<unknown> {
  const { instant } = archivable[table];
  return sql`${sql.table(table)} e
    where ${instant} >= ${firstDay(month)}::timestamp at time zone 'UTC'
      and ${instant} < (${firstDay(month)} + interval '1 month') at time zone 'UTC'`;
}

/** Selects the rows of a month for the archive: merchant, key, transfer and the row as JSON, in the file's order. */
export function rowsOfMonth(month: TableMonth): RawBuilder<unknown> {
  const { key, order, transfer = sql`null` } = archivable[month.table];
  return sql`
    select e.merchant_id, ${key} as key, ${transfer}, to_json(e) from ${inMonth(month)}
    order by e.merchant_id, ${order}`;
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

/** The record of a file, made when its month is dropped. */
export interface FileRecord {
  fileKey: string;
  facts: FileFacts;
  parts: readonly Part[];
  /** For entries only. */
  sums?: EntrySums | undefined;
}

/**
 * Records what a file contains and drops the month's partition. Throws if another attempt took over, or if the month has other
 * than the file's number of rows.
 */
export async function endArchive(
  tx: Tx,
  { table, month }: TableMonth,
  { fileKey, facts, parts, sums }: FileRecord,
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
  const json = jsonOf(
    parts.map(({ sha256, audit, ...part }, number) => ({
      ...part,
      number,
      sha256: sha256.toString('hex'),
      lowestId: audit?.lowestId ?? null,
      highestId: audit?.highestId ?? null,
      terms: audit?.terms.toString('hex') ?? null,
    })),
  );
  await sql`
    insert into archived_part (merchant_id, table_name, month, number, offset_bytes, length_bytes, row_count, first_key,
      last_key, lowest_transfer_id, highest_transfer_id, sha256, lowest_id, highest_id, terms)
    select "merchantId", ${table}, ${firstDay(month)}, number, "offset", bytes, rows, "firstKey", "lastKey",
      "lowestTransferId", "highestTransferId", decode(sha256, 'hex'), "lowestId", "highestId", decode(terms, 'hex')
    from json_to_recordset(${json}::json) as part ("merchantId" bigint, number integer, "offset" bigint, bytes bigint,
      rows integer, "firstKey" text, "lastKey" text, "lowestTransferId" bigint, "highestTransferId" bigint, sha256 text,
      "lowestId" bigint, "highestId" bigint, terms text)`.execute(tx.query);
  if (sums) await insertEntrySums(tx, month, sums);
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
  table: HistoryTable;
  subject: bigint | string;
  since: Date;
}

/** Where the archived rows of one order or message are. */
export interface FoundParts {
  table: HistoryTable;
  subject: bigint | string;
  parts: readonly PartPlace[];
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
  const { rows } = await sql<PlaceRow>`
    select ${placeColumns}
    from archived_part p join archived_month m on m.table_name = p.table_name and m.month = p.month
    where p.merchant_id = ${merchantId} and p.table_name = ${table} and ${key} between p.first_key and p.last_key
      and p.month >= date_trunc('month', ${since}::timestamptz at time zone 'UTC')
    order by p.month, p.number`.execute(tx.prepared);
  return { table, subject, parts: rows.map(toPlace) };
}

/** Whether an archived row belongs to the order or message that was looked for. */
export function isRowOf({ table, subject }: FoundParts, row: ArchivedRow): boolean {
  return String(row[subjects[table]]) === String(subject);
}

/** Finds the parts that hold a merchant's rows of an archived month, in the order of the file; 0 for rows of the service. */
export async function listParts(
  tx: Tx,
  { table, month }: TableMonth,
  merchantId: bigint,
): Promise<PartPlace[]> {
  const { rows } = await sql<PlaceRow>`
    select ${placeColumns}
    from archived_part p join archived_month m on m.table_name = p.table_name and m.month = p.month
    where p.merchant_id = ${merchantId} and p.table_name = ${table} and p.month = ${firstDay(month)}
    order by p.number`.execute(tx.query);
  return rows.map(toPlace);
}
