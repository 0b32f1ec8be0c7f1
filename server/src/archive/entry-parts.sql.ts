import { type RawBuilder, sql } from 'kysely';
import type { Tx } from '#db/database.ts';
import { type EntryRow, toEntry } from './entry.rules.ts';
import { type PartPlace, type PlaceRow, placeColumns, toPlace } from './part-place.sql.ts';

/**
 * Reads parts of archived entries: the lines of each, oldest first. During a request it rejects with parts that are not at
 * hand (`EntryArchive`); an export reads them one after the other.
 */
export type ReadParts = (places: readonly PartPlace[]) => Promise<readonly (readonly string[])[]>;

/** Entries of an account. */
interface EntriesBetween {
  merchantId: bigint;
  accountId: bigint;
  /** Later than an entry made at this instant; without it, from the first one. */
  after: Date | undefined;
  /** Up to an entry made at this instant. */
  until: Date;
  /** Only of these transfers, if present. */
  transferIds: readonly bigint[] | undefined;
  /** The most parts to find; all without it. */
  limit: number | undefined;
}

const accountKey = (accountId: bigint) => String(accountId).padStart(20, '0');
const instantKey = (at: Date) => at.toISOString().replace('T', ' ').replace('Z', '');
/** Sorts behind the versions of entries. */
const lastKey = '~';

/**
 * Finds the parts of the archive that may hold entries of an account, newest first. Call it after the entries of the table
 * were read, or `ledger_entry_before`, in the same transaction: until that ends, no month can be archived.
 */
export async function findEntryParts(
  tx: Tx,
  { merchantId, accountId, after, until, transferIds, limit }: EntriesBetween,
): Promise<PartPlace[]> {
  const first = `${accountKey(accountId)} ${after ? instantKey(after) : ''}`;
  const last = `${accountKey(accountId)} ${instantKey(until)} ${lastKey}`;
  const ofTransfers =
    transferIds &&
    sql`and exists (select from unnest(${transferIds.map(String)}::bigint[]) id
      where id between p.lowest_transfer_id and p.highest_transfer_id)`;
  const { rows } = await sql<PlaceRow>`
    select ${placeColumns}
    from archived_part p join archived_month m on m.table_name = p.table_name and m.month = p.month
    where p.merchant_id = ${merchantId} and p.table_name = 'ledger_entry' and p.last_key >= ${first} and p.first_key <= ${last}
      and p.month <= date_trunc('month', ${until}::timestamptz at time zone 'UTC')
      ${after ? sql`and p.month >= date_trunc('month', ${after}::timestamptz at time zone 'UTC')` : sql``}
      ${ofTransfers ?? sql``}
    order by p.month desc, p.number desc limit ${limit ?? null}`.execute(tx.query);
  return rows.map(toPlace);
}

/** Reads the instant before which entries may be in the archive. */
export async function readArchivedUntil(tx: Tx): Promise<Date> {
  const { rows } = await sql<{ at: Date }>`select archived_entries_end() as at`.execute(tx.query);
  if (!rows[0]) throw new Error('the database returned no time');
  return rows[0].at;
}

/** Archived entries as rows of `ledger_entry`, from the lines of their file. */
export function archivedEntries(lines: readonly string[]): RawBuilder<unknown> {
  return sql`json_populate_recordset(null::ledger_entry, ${`[${lines.join(',')}]`}::json)`;
}

/** The lines of the entries that belong to some transfers. */
export function linesOfTransfers(
  parts: readonly (readonly string[])[],
  transferIds: readonly bigint[],
): string[] {
  const wanted = new Set(transferIds);
  return parts.flat().filter((line) => wanted.has(toEntry(line).transferId));
}

/**
 * Joins, to an account `a` and an `instant`, the part of the archive that may hold the account's last entry before the
 * instant (alias `part`); nulls if no entry of the instant's month is archived. The columns are {@link partColumns}.
 */
export const joinPartBefore = sql`
  left join lateral (
    select m.file_key, p.offset_bytes, p.length_bytes, p.sha256, bound.before
    from archived_entry_sum s
    join archived_month m on m.table_name = 'ledger_entry' and m.month = s.month
    join archived_part p on p.merchant_id = s.merchant_id and p.table_name = m.table_name and p.month = s.month
    -- Entries have milliseconds: those before an instant are those before the next millisecond.
    cross join lateral (select date_trunc('milliseconds', instant + interval '999 microseconds') as before) bound
    where s.merchant_id = a.merchant_id and s.account_id = a.id
      and s.month = date_trunc('month', instant at time zone 'UTC')::date
      and p.first_key < lpad(a.id::text, 20, '0') || ' ' || to_char(bound.before at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS.MS')
    order by p.number desc limit 1) part on true`;

/** The columns of {@link PartBefore}. */
export const partColumns = sql`part.file_key as "fileKey", part.offset_bytes as "offset", part.length_bytes as bytes, part.sha256, part.before`;

/** The part of the archive that may hold an account's last entry before an instant. */
export interface PartBefore {
  accountId: bigint;
  fileKey: string | null;
  offset: bigint | null;
  bytes: bigint | null;
  sha256: Buffer | null;
  before: Date | null;
}

/**
 * Reads the last entry before each instant from the parts that were joined; undefined where none was joined, or the part holds
 * none. Then `ledger_entry_before` has returned the right one.
 */
export async function readLastEntries(
  points: readonly PartBefore[],
  readParts: ReadParts,
): Promise<(EntryRow | undefined)[]> {
  const places = points.map(placeOf);
  const wanted = places.filter((place) => place !== undefined);
  if (wanted.length === 0) return points.map(() => undefined);
  const read = [...(await readParts(wanted))];
  return points.map(({ accountId, before }, index) => {
    const lines = places[index] && read.shift();
    if (!(lines && before)) return undefined;
    const ofAccount = lines.filter((line) => line.includes(`"account_id":${accountId},`));
    return ofAccount
      .map(toEntry)
      .findLast((entry) => entry.accountId === accountId && entry.createdAt < before);
  });
}

function placeOf({ fileKey, offset, bytes, sha256 }: PartBefore): PartPlace | undefined {
  return fileKey === null ? undefined : { fileKey, offset: Number(offset), bytes: Number(bytes), sha256 };
}
