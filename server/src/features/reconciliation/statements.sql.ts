import type { ChannelCode } from '@hengfu/contract/channels';
import type { Currency } from '@hengfu/contract/money';
import type { StatementFault, StatementFormat, StatementState } from '@hengfu/contract/staff/statement-days';
import { sql } from 'kysely';
import type { Tx } from '#db/database.ts';

/** Changes of statements concern our staff alone, and no merchant. */
export const ofService = 0n;

/** A day of a channel. */
export interface DayKey {
  channel: ChannelCode;
  day: string;
}

/** A statement with its figures, as the bank sees them: positive came in. */
export interface Statement extends DayKey {
  id: bigint;
  currency: Currency;
  zone: string;
  dayEnds: string;
  startsAt: Date;
  endsAt: Date;
  isOver: boolean;
  format: StatementFormat;
  fileName: string;
  state: StatementState;
  fault: StatementFault | null;
  faultLine: number | null;
  lineCount: number;
  creditMinor: bigint;
  debitMinor: bigint;
  openingMinor: bigint | null;
  closingMinor: bigint | null;
  clearingMinor: bigint | null;
  uploadedAt: Date;
  closedAt: Date | null;
}

export interface NewStatement extends DayKey {
  currency: Currency;
  zone: string;
  dayEnds: string;
  format: StatementFormat;
  fileName: string;
  fileHash: Buffer;
  uploadedBy: bigint;
}

const columns = sql`
  s.id, s.channel, s.currency, s.day::text as day, s.zone, to_char(s.day_ends, 'HH24:MI') as "dayEnds", s.starts_at as "startsAt",
  s.ends_at as "endsAt", s.ends_at <= now() as "isOver", s.format, s.file_name as "fileName", s.state, s.fault,
  s.fault_line as "faultLine", s.line_count as "lineCount", s.credit_minor as "creditMinor", s.debit_minor as "debitMinor",
  s.opening_minor as "openingMinor", s.closing_minor as "closingMinor", s.clearing_minor as "clearingMinor",
  s.uploaded_at as "uploadedAt", s.closed_at as "closedAt"`;

/** Why a day can have no statement now; undefined if it can. The first instant of the bank's day decides. */
export async function whyNoStatement(
  tx: Tx,
  { day, zone, dayEnds }: Pick<NewStatement, 'day' | 'zone' | 'dayEnds'>,
): Promise<'ahead' | 'archived' | undefined> {
  const { rows } = await sql<{ ahead: boolean; archived: boolean }>`
    select starts > now() as ahead, starts < archived_entries_end() as archived
    from (select ${startOf(day, zone, dayEnds)} as starts) bank_day`.execute(tx.query);
  return rows[0]?.ahead ? 'ahead' : rows[0]?.archived ? 'archived' : undefined;
}

const startOf = (day: string, zone: string, dayEnds: string) =>
  sql`((${day}::date - (${dayEnds}::time <> '00:00')::integer + ${dayEnds}::time) at time zone ${zone})`;

/** Serializes the creation of statements for the rest of the transaction. */
export async function lockCreation(tx: Tx): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('reconciliation', 0))`.execute(tx.query);
}

/** Finds the day whose statement came from the same file. A file without any line is that of no day in particular. */
export async function findSameFile(tx: Tx, fileHash: Buffer): Promise<DayKey | undefined> {
  const { rows } = await sql<DayKey>`
    select channel, day::text as day from reconciliation_statement
    where file_hash = ${fileHash} and (state = 'loading' or (state in ('open', 'closed') and line_count > 0))
    limit 1`.execute(tx.query);
  return rows[0];
}

/** Whether a statement of the channel is being loaded. */
export async function isLoading(tx: Tx, channel: ChannelCode): Promise<boolean> {
  const { rows } = await sql<object>`
    select from reconciliation_statement where channel = ${channel} and state = 'loading'`.execute(tx.query);
  return rows.length > 0;
}

/** Adds a statement that is to be loaded; returns its ID. */
export async function insertStatement(tx: Tx, of: NewStatement): Promise<bigint> {
  const start = startOf(of.day, of.zone, of.dayEnds);
  const { rows } = await sql<{ id: bigint }>`
    insert into reconciliation_statement (channel, currency, day, zone, day_ends, starts_at, ends_at, format, file_name, file_hash, uploaded_by)
    values (${of.channel}, ${of.currency}, ${of.day}, ${of.zone}, ${of.dayEnds}, ${start},
      ${startOf(nextDay(of.day), of.zone, of.dayEnds)}, ${of.format}, ${of.fileName}, ${of.fileHash}, ${of.uploadedBy})
    returning id`.execute(tx.query);
  tx.changed(ofService, 'reconciliation');
  return rows[0]?.id ?? 0n;
}

function nextDay(day: string): string {
  const at = new Date(`${day}T00:00:00Z`);
  at.setUTCDate(at.getUTCDate() + 1);
  return at.toISOString().slice(0, 10);
}

/** Finds the statement of a day, and locks it if asked to. */
export async function findStatement(
  tx: Tx,
  { channel, day }: DayKey,
  { isLocked = false } = {},
): Promise<Statement | undefined> {
  const { rows } = await sql<Statement>`
    select ${columns} from reconciliation_statement s where s.channel = ${channel} and s.day = ${day}
    ${isLocked ? sql`for update` : sql``}`.execute(tx.query);
  return rows[0];
}

/** Finds a statement by its ID, and locks it. */
export async function lockStatement(tx: Tx, id: bigint): Promise<Statement | undefined> {
  const { rows } = await sql<Statement>`
    select ${columns} from reconciliation_statement s where s.id = ${id} for update`.execute(tx.query);
  return rows[0];
}

/** Names of the staff members who uploaded and closed a statement. */
export async function findPeople(
  tx: Tx,
  id: bigint,
): Promise<{ uploadedBy: string; closedBy: string | null } | undefined> {
  const { rows } = await sql<{ uploadedBy: string; closedBy: string | null }>`
    select u.name as "uploadedBy", c.name as "closedBy"
    from reconciliation_statement s
    join staff_user u on u.id = s.uploaded_by left join staff_user c on c.id = s.closed_by
    where s.id = ${id}`.execute(tx.query);
  return rows[0];
}

/** Marks a statement that could not be read, and removes its lines. Returns false if it is no longer being loaded. */
export async function failStatement(
  tx: Tx,
  id: bigint,
  { fault, line }: { fault: StatementFault; line: number },
): Promise<boolean> {
  const result = await tx.query
    .updateTable('reconciliation_statement')
    .set({ state: 'failed', fault, fault_line: line, line_count: 0, credit_minor: 0n, debit_minor: 0n })
    .where('id', '=', id)
    .where('state', '=', 'loading')
    .executeTakeFirst();
  if (result.numUpdatedRows === 0n) return false;
  await deleteLines(tx, id);
  tx.changed(ofService, 'reconciliation');
  return true;
}

/** Removes a statement whose differences are gone already, with its lines. */
export async function deleteStatement(tx: Tx, id: bigint): Promise<void> {
  await deleteLines(tx, id);
  await tx.query.deleteFrom('reconciliation_statement').where('id', '=', id).execute();
  tx.changed(ofService, 'reconciliation');
}

/** Removes the lines of a statement. */
export async function deleteLines(tx: Tx, id: bigint): Promise<void> {
  await tx.disableTimeouts();
  await tx.query.deleteFrom('reconciliation_line').where('statement_id', '=', id).execute();
}

/** Closes a day. */
export async function closeStatement(tx: Tx, id: bigint, staffId: bigint): Promise<void> {
  await tx.query
    .updateTable('reconciliation_statement')
    .set({ state: 'closed', closed_by: staffId, closed_at: sql<Date>`now()` })
    .where('id', '=', id)
    .execute();
  tx.changed(ofService, 'reconciliation');
}

/** A load that has added nothing for this long has died with its process. */
const staleAfter = sql`interval '2 minutes'`;
/** Lines of closed days are kept this long, for questions of the bank; differences stay. */
const linesKept = sql`interval '92 days'`;

/** Finds a statement that stopped being loaded, and one whose lines are no longer needed. */
export async function findLeftovers(tx: Tx): Promise<{ stale: bigint | null; old: bigint | null }> {
  const { rows } = await sql<{ stale: bigint | null; old: bigint | null }>`
    select
      (select id from reconciliation_statement where state = 'loading' and loaded_at < now() - ${staleAfter}
        limit 1 for update skip locked) as stale,
      (select s.id from reconciliation_statement s where s.state = 'closed' and s.closed_at < now() - ${linesKept}
        and exists (select from reconciliation_line l where l.statement_id = s.id) limit 1) as old`.execute(
    tx.query,
  );
  return rows[0] ?? { stale: null, old: null };
}
