import type { FundFlowQuery } from '@hengfu/contract/fund-flow';
import type { OpenEntryQuery } from '@hengfu/contract/fund-flow.open';
import type { Currency } from '@hengfu/contract/money';
import { type RawBuilder, sql } from 'kysely';
import type { EntryRow } from '#archive/entry.rules.ts';
import {
  archivedEntries,
  findEntryParts,
  joinPartBefore,
  linesOfTransfers,
  type PartBefore,
  partColumns,
  type ReadParts,
  readArchivedUntil,
  readLastEntries,
} from '#archive/entry-parts.sql.ts';
import type { MerchantTx } from '#db/database.ts';
import { type OnwardPage, type Page, readOnward, readPage } from '#domain/list.sql.ts';
import { beginsWith, each, type ListSource } from '#domain/list-source.sql.ts';
import { ledgerTypes, type StatementPoint } from './fund-flow.rules.ts';

/** The ends of a range of the statement of available funds. */
export interface StatementRange {
  accountId: bigint;
  /** When the merchant was created. */
  since: Date;
  from: StatementPoint;
  to: StatementPoint;
  /** The last entry in the archive; 0 if none is. */
  archivedVersion: bigint;
}

/**
 * Finds a time range; undefined if the merchant never had funds. Costs the same for any range: an end within an archived month
 * takes one part of the archive.
 */
export async function findRange(
  tx: MerchantTx,
  currency: Currency,
  { createdFrom, createdTo }: Pick<FundFlowQuery, 'createdFrom' | 'createdTo'>,
  readParts: ReadParts,
): Promise<StatementRange | undefined> {
  const { rows } = await rangeStatement(tx, currency, { createdFrom, createdTo }).execute(tx.prepared);
  const [first, last] = rows;
  if (!(first && last)) return undefined;
  const archived = await readLastEntries(rows, readParts);
  const [from, to] = [pointAt(archived[0]) ?? toPoint(first), pointAt(archived[1]) ?? toPoint(last)];
  // A range that ends before it begins is empty.
  const { accountId, since, archivedVersion } = first;
  return { accountId, since, from, to: to.version < from.version ? from : to, archivedVersion };
}

function pointAt(entry: EntryRow | undefined): StatementPoint | undefined {
  if (!entry) return undefined;
  const { version, createdAt: at, balanceAfterMinor: balanceMinor, inflowAfterMinor: inflowMinor } = entry;
  return { version, at, balanceMinor, inflowMinor };
}

/** The last entry before an end of a range; nulls if there is none. */
interface RangeEnd extends PartBefore {
  since: Date;
  archivedVersion: bigint;
  version: bigint | null;
  at: Date | null;
  balanceMinor: bigint | null;
  inflowMinor: bigint | null;
}

function toPoint({ version, at, balanceMinor, inflowMinor }: RangeEnd): StatementPoint {
  return {
    version: version ?? 0n,
    at: at ?? undefined,
    balanceMinor: balanceMinor ?? 0n,
    inflowMinor: inflowMinor ?? 0n,
  };
}

/** Builds the query for the two ends of a range, each with the account's balance and inflow there. */
export function rangeStatement(
  tx: MerchantTx,
  currency: Currency,
  { createdFrom = '-infinity', createdTo = 'infinity' }: Pick<FundFlowQuery, 'createdFrom' | 'createdTo'>,
): RawBuilder<RangeEnd> {
  return sql<RangeEnd>`
    select a.id as "accountId", m.created_at as since, e.version, e.created_at as at, e.balance_after_minor as "balanceMinor",
      e.inflow_after_minor as "inflowMinor", ${partColumns}, coalesce((select max(last_version) from archived_entry_sum s
        where s.merchant_id = a.merchant_id and s.account_id = a.id), 0) as "archivedVersion"
    from ledger_account a
    join merchant m on m.id = a.merchant_id
    cross join unnest(array[${createdFrom}, ${createdTo}]::timestamptz[]) with ordinality as range_end (instant, place)
    cross join lateral ledger_entry_before(a.merchant_id, a.id, instant) e
    ${joinPartBefore}
    where a.merchant_id = ${tx.merchantId} and a.kind = 'available' and a.currency = ${currency}
    order by place`;
}

export interface EntrySqlRow {
  version: bigint;
  type: string;
  amount_minor: bigint;
  balance_after_minor: bigint;
  subject_no: string;
  created_at: Date;
}

type Filters = Omit<FundFlowQuery, 'limit' | 'cursor'>;

/** Builds the list source for the entries of a range that are in the table. */
export function entrySource(
  tx: MerchantTx,
  { accountId, since, from, to }: StatementRange,
  query: Filters,
): ListSource {
  const types = query.type?.map((type) => ledgerTypes[type]);
  return {
    columns: sql`e.version, e.statement_type as type, e.amount_minor, e.balance_after_minor, t.subject_no, e.created_at`,
    from: withTransfers(sql`ledger_entry`),
    orderedBy: sql`e.created_at`,
    span: { oldest: from.at ?? since, newest: to.at ?? since },
    id: sql`e.version`,
    sum: sql`e.amount_minor`,
    // Without a filter, the ends of the range tell the totals.
    ...(query.type === undefined &&
      query.subject_no === undefined && {
        known: { count: Number(to.version - from.version), sumMinor: to.balanceMinor - from.balanceMinor },
      }),
    either: each(sql`e.statement_type`, types),
    where: [
      sql`e.merchant_id = ${tx.merchantId}`,
      sql`e.account_id = ${accountId}`,
      sql`e.version > ${from.version}`,
      sql`e.version <= ${to.version}`,
      // The same range by time, so that only its months are read.
      from.at && sql`e.created_at >= ${from.at}::timestamptz`,
      sql`e.created_at <= ${to.at ?? '-infinity'}::timestamptz`,
      ofSubject(tx, query.subject_no),
    ],
  };
}

/** Entries (alias `e`) with their transfers. A left join, so that the planner drops it from counts, which use none of its columns. */
const withTransfers = (entries: RawBuilder<unknown>) =>
  sql`${entries} e left join ledger_transfer t on t.merchant_id = e.merchant_id and t.id = e.transfer_id`;

/** Builds the list source for all entries of a range; those in the archive are read part by part. */
export async function wholeSource(
  tx: MerchantTx,
  range: StatementRange,
  query: Filters,
  readParts: ReadParts,
): Promise<ListSource> {
  const source = entrySource(tx, range, query);
  const { places } = await findArchived(tx, range, query, undefined);
  const archived = places.map((place) => ({
    read: async () => {
      const [lines = []] = await readParts([place]);
      return withTransfers(archivedEntries(lines));
    },
  }));
  return { ...source, archived: archived.length > 0 ? archived : undefined };
}

/** The source of a page, and the instant before which its entries are in the archive and left out. */
interface PageSource {
  source: ListSource;
  archivedBefore: Date | undefined;
}

/** Parts that the search for one order reads at most. An order has few transfers, each of which is in one part or two. */
const maxSearchedParts = 12;

/**
 * Builds the list source for a page of a range. The entries of one order are read back from the archive; otherwise those in the
 * archive are left out, and only the totals know of them.
 */
async function pageSource(
  tx: MerchantTx,
  range: StatementRange,
  query: Filters,
  readParts: ReadParts,
): Promise<PageSource> {
  const source = entrySource(tx, range, query);
  const { places, transferIds } = await findArchived(tx, range, query, maxSearchedParts + 1);
  if (places.length === 0) return { source, archivedBefore: undefined };
  if (transferIds && places.length <= maxSearchedParts) {
    const lines = linesOfTransfers(await readParts(places), transferIds);
    const entries = sql`(select * from ledger_entry union all select * from ${archivedEntries(lines)} old)`;
    return { source: { ...source, from: withTransfers(entries) }, archivedBefore: undefined };
  }
  const archived = [{ read: () => Promise.reject(new Error('a page reads no archived rows')) }];
  return { source: { ...source, archived }, archivedBefore: await readArchivedUntil(tx) };
}

/** Finds parts of the archive that may hold entries of a range, and the transfers if one order is looked for. */
async function findArchived(
  tx: MerchantTx,
  { accountId, from, to, archivedVersion }: StatementRange,
  { subject_no }: Filters,
  limit: number | undefined,
) {
  const none = { places: [], transferIds: undefined };
  if (from.version >= archivedVersion || from.version >= to.version || !to.at) return none;
  const transferIds =
    subject_no !== undefined && orderNumber.test(subject_no)
      ? await listTransferIds(tx, subject_no)
      : undefined;
  const places = await findEntryParts(tx, {
    merchantId: tx.merchantId,
    accountId,
    after: from.at,
    until: to.at,
    transferIds,
    limit,
  });
  return { places, transferIds };
}

async function listTransferIds(tx: MerchantTx, subjectNo: string): Promise<bigint[]> {
  const rows = await tx.prepared
    .selectFrom('ledger_transfer')
    .select('id')
    .where('merchant_id', '=', tx.merchantId)
    .where('subject_no', '=', subjectNo)
    .execute();
  return rows.map(({ id }) => id);
}

/** A complete order number. */
const orderNumber = /^[A-Z]\d{21}$/;

/** Matches the transfers of orders whose number begins with a text. Those of one order are looked up first. */
function ofSubject(tx: MerchantTx, subjectNo: string | undefined): RawBuilder<unknown> | undefined {
  if (subjectNo === undefined) return undefined;
  if (!orderNumber.test(subjectNo))
    return sql`t.merchant_id = ${tx.merchantId} and ${beginsWith(sql`t.subject_no`, subjectNo)}`;
  return sql`e.transfer_id = any (array(
    select s.id from ledger_transfer s where s.merchant_id = ${tx.merchantId} and s.subject_no = ${subjectNo}))`;
}

/** SQL expressions of the statement's columns, by API field name. Amounts are in minor units. */
export function entryCells(currency: Currency): Readonly<Record<string, RawBuilder<unknown>>> {
  const types = Object.entries(ledgerTypes).map(
    ([type, name]) => sql`when ${sql.lit(name)} then ${sql.lit(type)}`,
  );
  return {
    createdAt: sql`e.created_at`,
    type: sql`case e.statement_type ${sql.join(types, sql` `)} end`,
    amount: sql`e.amount_minor`,
    balance: sql`e.balance_after_minor`,
    currency: sql`${sql.lit(currency)}::text`,
    subject_no: sql`t.subject_no`,
    entry_no: sql`e.version`,
  };
}

/** A page of the statement. */
export interface StatementPage extends Page<EntrySqlRow> {
  /** Entries before this instant are in the archive and left out. */
  archivedBefore?: Date | undefined;
}

/** Reads a page of the entries in a range. */
export async function listEntries(
  tx: MerchantTx,
  range: StatementRange,
  query: FundFlowQuery,
  readParts: ReadParts,
): Promise<StatementPage> {
  const { source, archivedBefore } = await pageSource(tx, range, query, readParts);
  return { ...(await readPage<EntrySqlRow>(tx, source, query)), archivedBefore };
}

/** A page of the Open API's list of entries. */
export interface OnwardEntries extends OnwardPage<EntrySqlRow> {
  /** As in {@link StatementPage}. */
  archivedBefore: Date | undefined;
}

/** Reads such a page. */
export async function listOnward(
  tx: MerchantTx,
  range: StatementRange,
  query: OpenEntryQuery,
  readParts: ReadParts,
): Promise<OnwardEntries> {
  const { source, archivedBefore } = await pageSource(tx, range, { type: query.type }, readParts);
  return { ...(await readOnward<EntrySqlRow>(tx, source, query)), archivedBefore };
}
