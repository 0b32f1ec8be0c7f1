import type { AuditQuery } from '@hengfu/contract/audit-log';
import {
  type AuditPart,
  type AuditSearch,
  findAuditParts,
  hasAuditParts,
  requireAllMonths,
} from '#archive/audit-parts.sql.ts';
import type { ReadParts } from '#archive/entry-parts.sql.ts';
import type { MerchantTx } from '#db/database.ts';
import {
  type AllRows,
  type Page,
  type PageRequest,
  type Positioned,
  readPage,
  readRows,
} from '#domain/list.sql.ts';
import { archivedSource, type Cursor, type ListSource } from '#domain/list-source.sql.ts';
import {
  type AuditFilters,
  type AuditSource,
  type AuditSqlRow,
  auditSource,
  findAudit,
  fromLines,
} from './audit-log.sql.ts';

/** A page reads parts of the archive up to these limits, then ends where it has come to. */
const most = { parts: 40, rows: 60_000 };
/** Parts that are read at first. They usually fill the page, and each round starts the transaction again. */
const firstParts = 2;
/** More parts than these never have rows of the same numbers. */
const maxFound = 500;

/** A page of the audit log. */
export interface AuditPage extends Page<AuditSqlRow> {
  /** The time that the search for older rows has reached in the archive, if it ended before the page was full. */
  searchedTo: Date | undefined;
}

/** Reads a page of the audit log, from the table and from the archive. */
export async function listAudit(tx: MerchantTx, query: AuditQuery, readParts: ReadParts): Promise<AuditPage> {
  const { source, search } = await auditSource(tx, query);
  // Looked for before the table is read, this tells the totals only.
  const archived = (await hasAuditParts(tx, search)) ? [{ read: pageReadsNone }] : undefined;
  let searchedTo: Date | undefined;
  const page = await readPage<AuditSqlRow>(tx, { ...source, archived }, query, async (found, request) => {
    await requireAllMonths(tx);
    const all = await addArchived(tx, { source, search }, { found, request, readParts });
    searchedTo = all.searchedTo;
    return all;
  });
  return { ...page, searchedTo };
}

const pageReadsNone = () => Promise.reject(new Error('a page reads its own parts'));

interface PageSoFar {
  found: Positioned<AuditSqlRow>[];
  request: PageRequest;
  readParts: ReadParts;
}

/** Adds rows of the archive to those of the table, part by part, until the page is full. */
async function addArchived(
  tx: MerchantTx,
  { source, search }: AuditSource,
  { found, request, readParts }: PageSoFar,
): Promise<AllRows<AuditSqlRow> & { searchedTo?: Date | undefined }> {
  const { wanted, cursor } = request;
  const isForward = cursor?.direction !== 'previous';
  const last = found.length === wanted ? found.at(-1) : undefined;
  const position = { isForward, id: cursor && BigInt(cursor.id), untilId: last?.page_id };
  const parts = await findAuditParts(tx, search, position, maxFound);
  const budget = withinBudget(parts, position);
  let rows = found;
  for (const [index, part] of parts.entries()) {
    if (isFull(rows, part, request)) return { rows };
    if (index >= budget) return stop(rows, part, isForward);
    const batch = index < firstParts ? parts.slice(0, firstParts) : parts.slice(0, budget);
    const lines = (await readParts(batch.map(({ place }) => place)))[index] ?? [];
    const old = await readRows<Positioned<AuditSqlRow>>(
      tx,
      archivedSource(source, fromLines(lines)),
      wanted,
      cursor,
    );
    rows = merged(rows, old, isForward).slice(0, wanted);
  }
  return { rows };
}

/** How many of the parts a page may read. Those with the position among their rows always, so that each page gets further. */
function withinBudget(
  parts: readonly AuditPart[],
  { isForward, id }: { isForward: boolean; id: bigint | undefined },
): number {
  let rows = 0;
  const end = parts.findIndex((part, index) => {
    rows += part.rows;
    const isAtPosition =
      id !== undefined && (isForward ? part.highestId >= id - 1n : part.lowestId <= id + 1n);
    return index > 0 && !isAtPosition && (index >= most.parts || rows > most.rows);
  });
  return end === -1 ? parts.length : end;
}

/** Whether no row of a part, or of one behind it, belongs to the page. */
function isFull(
  rows: readonly Positioned<AuditSqlRow>[],
  { lowestId, highestId }: AuditPart,
  { wanted, cursor }: PageRequest,
): boolean {
  const last = rows[wanted - 1];
  if (!last) return false;
  return cursor?.direction === 'previous' ? last.page_id < lowestId : last.page_id > highestId;
}

/** Ends a page before a part: without rows that would be behind those of the part. */
function stop(
  rows: readonly Positioned<AuditSqlRow>[],
  { lowestId, highestId, lastAt }: AuditPart,
  isForward: boolean,
): AllRows<AuditSqlRow> & { searchedTo: Date | undefined } {
  const stoppedAt: Cursor = {
    direction: isForward ? 'next' : 'previous',
    at: new Date(0),
    id: String(isForward ? highestId + 1n : lowestId - 1n),
  };
  const before = rows.filter(({ page_id: id }) => (isForward ? id > highestId : id < lowestId));
  return { rows: before, stoppedAt, searchedTo: isForward ? lastAt : undefined };
}

function merged(
  rows: readonly Positioned<AuditSqlRow>[],
  more: readonly Positioned<AuditSqlRow>[],
  isForward: boolean,
): Positioned<AuditSqlRow>[] {
  const direction = isForward ? -1 : 1;
  return [...rows, ...more].toSorted((one, other) => (one.page_id < other.page_id ? -direction : direction));
}

/** Builds the list source of the whole audit log, with its archived parts, newest first. */
export async function wholeSource(
  tx: MerchantTx,
  query: AuditFilters,
  readParts: ReadParts,
): Promise<ListSource> {
  const { source, search } = await auditSource(tx, query);
  const parts = await partsOfWhole(tx, search);
  const isFiltered = search.terms.length > 0 || query.action !== undefined;
  const archived = parts.map(({ place, rows, isInRange }) => ({
    read: async () => fromLines((await readParts([place]))[0] ?? []),
    rows: isFiltered || !isInRange ? undefined : rows,
  }));
  return { ...source, archived: archived.length > 0 ? archived : undefined };
}

/** Takes the lock that keeps the months before it looks for parts, because the rows of the table are read after them. */
async function partsOfWhole(tx: MerchantTx, search: AuditSearch): Promise<AuditPart[]> {
  await findAudit(tx, 0n);
  await requireAllMonths(tx);
  return findAuditParts(tx, search, { isForward: true });
}

/** Finds one row of the audit log, in the table or in the archive. */
export async function findAnyAudit(
  tx: MerchantTx,
  id: bigint,
  readParts: ReadParts,
): Promise<AuditSqlRow | undefined> {
  const found = await findAudit(tx, id);
  if (found) return found;
  await requireAllMonths(tx);
  const at = { isForward: true, id: id + 1n, untilId: id };
  const parts = await findAuditParts(tx, { terms: [] }, at, most.parts);
  const read = parts.length > 0 ? await readParts(parts.map(({ place }) => place)) : [];
  for (const lines of read) {
    const old = await findAudit(tx, id, lines);
    if (old) return old;
  }
  return undefined;
}
