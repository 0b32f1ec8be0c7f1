import { type RawBuilder, sql } from 'kysely';
import type { MerchantTx, Tx } from '#db/database.ts';
import { hashesOf } from './audit-index.rules.ts';
import { type PartPlace, type PlaceRow, placeColumns, toPlace } from './part-place.sql.ts';

/** A part of the archive with audit rows. */
export interface AuditPart {
  place: PartPlace;
  rows: number;
  /** Bounds of the numbers of its rows. */
  lowestId: bigint;
  highestId: bigint;
  /** The instant of its last row. */
  lastAt: Date;
  /** Whether all its rows are in the range of time. */
  isInRange: boolean;
}

/** Audit rows that are looked for. */
export interface AuditSearch {
  from?: string | undefined;
  to?: string | undefined;
  /** Terms of which a row has at least one of each group, in the forms of `termOf`. */
  terms: readonly (readonly string[])[];
}

/** A position in the order of numbers. */
export interface AuditPosition {
  isForward: boolean;
  /** Numbers below it, or above it if it looks backward; from the end without it. */
  id?: bigint | undefined;
  /** Down to this number, or up to it. */
  untilId?: bigint | undefined;
}

/**
 * In older files numbers are known of the first and the last row only. A row that lies between them in time can have a number
 * outside them if its transaction ran at the same time as theirs.
 */
const margin = 1000;
const numberIn = (key: RawBuilder<unknown>) =>
  sql`case when p.table_name = 'audit' then right(${key}, 20)::bigint end`;
const lowestId = sql`coalesce(p.lowest_id, ${numberIn(sql`p.first_key`)} - ${sql.lit(margin)})`;
const highestId = sql`coalesce(p.highest_id, ${numberIn(sql`p.last_key`)} + ${sql.lit(margin)})`;

const key = (instant: string) =>
  sql`to_char(${instant}::timestamptz at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS.US')`;

/** The condition that a part may have rows with one of some terms. */
function mayHave(terms: readonly string[]): RawBuilder<unknown> {
  const parts = terms.map(
    (term) => sql`(select bool_and(get_bit(p.terms, hash % (8 * length(p.terms))) = 1)
      from unnest(${hashesOf(term)}::bigint[]) hash)`,
  );
  return sql`(p.terms is null or ${sql.join(parts, sql` or `)})`;
}

/** The condition of the parts that may have rows of a search. */
function condition({ merchantId }: MerchantTx, { from, to, terms }: AuditSearch): RawBuilder<unknown> {
  const month = (instant: string) => sql`date_trunc('month', ${instant}::timestamptz at time zone 'UTC')`;
  return sql.join(
    [
      sql`p.merchant_id = ${merchantId} and p.table_name = 'audit' and m.archived_at is not null`,
      ...(from === undefined ? [] : [sql`p.month >= ${month(from)} and p.last_key >= ${key(from)}`]),
      ...(to === undefined ? [] : [sql`p.month <= ${month(to)} and p.first_key < ${key(to)}`]),
      ...terms.map(mayHave),
    ],
    sql` and `,
  );
}

const partsOf = sql`archived_part p join archived_month m on m.table_name = p.table_name and m.month = p.month`;

/**
 * Finds parts that may have audit rows of a search, beginning at a position; all without a limit. Call it after the table was
 * read, in the same transaction. In a snapshot, call `requireAllMonths` before.
 */
export async function findAuditParts(
  tx: MerchantTx,
  search: AuditSearch,
  { isForward, id, untilId }: AuditPosition,
  limit?: number,
): Promise<AuditPart[]> {
  const { from, to } = search;
  const [near, far] = isForward ? [lowestId, highestId] : [highestId, lowestId];
  const [before, atLeast] = isForward ? [sql`<`, sql`>=`] : [sql`>`, sql`<=`];
  const { rows } = await sql<PlaceRow & Omit<AuditPart, 'place'>>`
    select ${placeColumns}, p.row_count as rows, ${lowestId} as "lowestId", ${highestId} as "highestId",
      (left(p.last_key, 26) || '+00')::timestamptz as "lastAt",
      ${from === undefined ? sql`true` : sql`p.first_key >= ${key(from)}`}
        and ${to === undefined ? sql`true` : sql`p.last_key < ${key(to)}`} as "isInRange"
    from ${partsOf}
    where ${condition(tx, search)}
      ${id === undefined ? sql`` : sql`and ${near} ${before} ${id}`}
      ${untilId === undefined ? sql`` : sql`and ${far} ${atLeast} ${untilId}`}
    order by ${far} ${isForward ? sql`desc` : sql`asc`}, p.month ${isForward ? sql`desc` : sql`asc`},
      p.number ${isForward ? sql`desc` : sql`asc`}
    limit ${limit ?? null}`.execute(tx.query);
  return rows.map(({ fileKey, offset, bytes, sha256, ...part }) => ({
    ...part,
    place: toPlace({ fileKey, offset, bytes, sha256 }),
  }));
}

/** Whether the archive may have audit rows of a search. */
export async function hasAuditParts(tx: MerchantTx, search: AuditSearch): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`
    select exists (select from ${partsOf} where ${condition(tx, search)}) as found`.execute(tx.query);
  return rows[0]?.found === true;
}

/** Throws, so that the transaction is retried, if a month of the audit trail was archived after the snapshot was taken. */
export async function requireAllMonths(tx: Tx): Promise<void> {
  await sql`select require_all_months('audit')`.execute(tx.query);
}

/** Archived audit rows as rows of `audit`, from the lines of their file. */
export function archivedAudit(lines: readonly string[]): RawBuilder<unknown> {
  return sql`json_populate_recordset(null::audit, ${`[${lines.join(',')}]`}::json)`;
}
