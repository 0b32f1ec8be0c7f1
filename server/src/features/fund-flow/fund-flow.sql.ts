import type { FundFlowQuery } from '@hengfu/contract/fund-flow';
import type { Currency } from '@hengfu/contract/money';
import { type RawBuilder, sql } from 'kysely';
import type { MerchantTx } from '#db/database.ts';
import { type Page, readPage } from '#domain/list.sql.ts';
import { beginsWith, each, type ListSource } from '#domain/list-source.sql.ts';
import { ledgerTypes, type StatementPoint } from './fund-flow.rules.ts';

/** The ends of a range of the statement of available funds. */
export interface StatementRange {
  accountId: bigint;
  /** When the merchant was created. */
  since: Date;
  from: StatementPoint;
  to: StatementPoint;
}

/** Finds a time range; undefined if the merchant never had funds. Costs the same for any range. */
export async function findRange(
  tx: MerchantTx,
  currency: Currency,
  { createdFrom, createdTo }: Pick<FundFlowQuery, 'createdFrom' | 'createdTo'>,
): Promise<StatementRange | undefined> {
  const { rows } = await rangeStatement(tx, currency, { createdFrom, createdTo }).execute(tx.prepared);
  const [first, last] = rows;
  if (!(first && last)) return undefined;
  const [from, to] = [toPoint(first), toPoint(last)];
  // A range that ends before it begins is empty.
  const { accountId, since } = first;
  return { accountId, since, from, to: to.version < from.version ? from : to };
}

/** The last entry before an end of a range; nulls if there is none. */
interface RangeEnd {
  accountId: bigint;
  since: Date;
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
      e.inflow_after_minor as "inflowMinor"
    from ledger_account a
    join merchant m on m.id = a.merchant_id
    cross join unnest(array[${createdFrom}, ${createdTo}]::timestamptz[]) with ordinality as range_end (instant, place)
    cross join lateral ledger_entry_before(a.merchant_id, a.id, instant) e
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

/** Builds the list source for the entries of a range. */
export function entrySource(
  tx: MerchantTx,
  { accountId, since, from, to }: StatementRange,
  query: Omit<FundFlowQuery, 'limit' | 'cursor'>,
): ListSource {
  const types = query.type?.map((type) => ledgerTypes[type]);
  return {
    columns: sql`e.version, e.statement_type as type, e.amount_minor, e.balance_after_minor, t.subject_no, e.created_at`,
    // A left join, so that the planner drops it from counts, which use none of its columns.
    from: sql`ledger_entry e left join ledger_transfer t on t.merchant_id = e.merchant_id and t.id = e.transfer_id`,
    orderedBy: sql`e.created_at`,
    span: { oldest: from.at ?? since, newest: to.at ?? since },
    id: sql`e.version`,
    sum: sql`e.amount_minor`,
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

/** Reads a page of the entries in a range. */
export function listEntries(
  tx: MerchantTx,
  range: StatementRange,
  query: FundFlowQuery,
): Promise<Page<EntrySqlRow>> {
  return readPage<EntrySqlRow>(tx, entrySource(tx, range, query), query);
}

/** Switches the transaction to another merchant, to post to its ledger. */
export async function forMerchant(tx: MerchantTx, merchantId: bigint): Promise<MerchantTx> {
  await sql`select set_config('app.merchant_id', ${String(merchantId)}, true)`.execute(tx.prepared);
  return Object.assign(Object.create(tx) as MerchantTx, { merchantId });
}
