import {
  type DifferenceKind,
  type DifferenceState,
  differencesPerPage,
} from '@hengfu/contract/staff/statement-days';
import { sql } from 'kysely';
import type { Tx } from '#db/database.ts';
import { ofService } from './statements.sql.ts';

/** A difference of a day, as the bank sees the amounts: positive came in. */
export interface ListedDifference {
  id: bigint;
  statementId: bigint;
  kind: DifferenceKind;
  state: DifferenceState;
  reference: string;
  lineNo: number | null;
  theirsMinor: bigint | null;
  oursMinor: bigint | null;
  otherDay: string | null;
  orderNo: string | null;
  merchantId: bigint | null;
  merchant: string | null;
  bankReference: string | null;
  text: string | null;
  note: string | null;
  decidedBy: string | null;
  decidedAt: Date | null;
}

const columns = sql`
  d.id, d.statement_id as "statementId", d.kind, d.state, d.reference, d.line_no as "lineNo", d.theirs_minor as "theirsMinor",
  d.ours_minor as "oursMinor", d.other_day::text as "otherDay", d.order_no as "orderNo", d.order_merchant as "merchantId",
  m.code as merchant, l.bank_reference as "bankReference", l.text, d.note, u.name as "decidedBy", d.decided_at as "decidedAt"`;
const joins = sql`
  left join staff_merchant m on m.id = d.order_merchant
  left join staff_user u on u.id = d.decided_by
  left join reconciliation_line l on l.statement_id = d.statement_id and l.line_no = d.line_no`;

/** Lists differences of a statement after an ID, of all kinds or of one. */
export async function listDifferences(
  tx: Tx,
  statementId: bigint,
  { kind, after }: { kind: DifferenceKind | undefined; after: bigint },
): Promise<ListedDifference[]> {
  const { rows } = await sql<ListedDifference>`
    select ${columns}
    from (
      select * from reconciliation_difference
      where statement_id = ${statementId} and id > ${after} ${kind === undefined ? sql`` : sql`and kind = ${kind}`}
      order by id limit ${differencesPerPage}) d ${joins}
    order by d.id`.execute(tx.query);
  return rows;
}

/** Finds a difference. */
export async function findDifference(tx: Tx, id: bigint): Promise<ListedDifference | undefined> {
  const { rows } = await sql<ListedDifference>`
    select ${columns} from reconciliation_difference d ${joins} where d.id = ${id}`.execute(tx.query);
  return rows[0];
}

/** The differences of a statement together. */
export interface DifferenceSums {
  kinds: ReadonlyMap<DifferenceKind, number>;
  /** How many nobody has explained or adjusted. */
  unresolved: number;
  /** Lines that belong to one. */
  unmatchedLines: number;
  /** Theirs less ours. */
  foundMinor: bigint;
}

/** Counts and sums the differences of a statement. */
export async function sumDifferences(tx: Tx, statementId: bigint): Promise<DifferenceSums> {
  const { rows } = await sql<{
    kind: DifferenceKind;
    count: bigint;
    unresolved: bigint;
    lines: bigint;
    sum: bigint;
  }>`
    select kind, count(*) as count, count(*) filter (where state in ('open', 'waiting')) as unresolved, count(line_no) as lines,
      sum(coalesce(theirs_minor, 0) - coalesce(ours_minor, 0))::bigint as sum
    from reconciliation_difference where statement_id = ${statementId} group by kind`.execute(tx.query);
  return {
    kinds: new Map(rows.map(({ kind, count }) => [kind, Number(count)])),
    unresolved: rows.reduce((total, { unresolved }) => total + Number(unresolved), 0),
    unmatchedLines: rows.reduce((total, { lines }) => total + Number(lines), 0),
    foundMinor: rows.reduce((total, { sum }) => total + sum, 0n),
  };
}

/** Finds the ID of a live merchant by its code. */
export async function findMerchantByCode(tx: Tx, code: string): Promise<bigint | undefined> {
  const row = await tx.query
    .selectFrom('staff_merchant')
    .select('id')
    .where('code', '=', code)
    .where('mode', '=', 'live')
    .executeTakeFirst();
  return row?.id;
}

/** Records what somebody has decided about a difference. */
export async function decideDifference(
  tx: Tx,
  id: bigint,
  { state, note, staffId }: { state: DifferenceState; note: string; staffId: bigint | null },
): Promise<void> {
  await tx.query
    .updateTable('reconciliation_difference')
    .set({ state, note, decided_by: staffId, decided_at: sql<Date>`now()` })
    .where('id', '=', id)
    .execute();
  tx.changed(ofService, 'reconciliation');
}
