import type { FundFlowQuery } from '@hengfu/contract/fund-flow';
import type { Currency } from '@hengfu/contract/money';
import { sql } from 'kysely';
import type { MerchantTx } from '#db/database.ts';
import { each, equal, type ListSource, type Page, readPage } from '#db/list.ts';
import { ledgerTypes, type StatementPoint } from './fund-flow.rules.ts';

/** The ends of a range of the statement of available funds. */
export interface StatementRange {
  accountId: bigint;
  from: StatementPoint;
  to: StatementPoint;
}

const start: StatementPoint = { version: 0n, balanceMinor: 0n, inflowMinor: 0n };

/** Finds a range of time in the statement; undefined where the merchant never had funds. Costs the same for any range. */
export async function findRange(
  tx: MerchantTx,
  currency: Currency,
  { createdFrom, createdTo }: Pick<FundFlowQuery, 'createdFrom' | 'createdTo'>,
): Promise<StatementRange | undefined> {
  const { rows } = await sql<{
    accountId: bigint;
    version: bigint;
    balanceMinor: bigint;
    inflowMinor: bigint;
    from: bigint;
    to: bigint;
  }>`
    select a.id as "accountId", e.version, e.balance_after_minor as "balanceMinor", e.inflow_after_minor as "inflowMinor",
      range.from, range.to
    from ledger_account a
    cross join lateral (select
      case when ${createdFrom ?? null}::timestamptz is null then 0 else ledger_version_before(a.id, ${createdFrom ?? null}) end as from,
      case when ${createdTo ?? null}::timestamptz is null then a.version else ledger_version_before(a.id, ${createdTo ?? null}) end as to
    ) range
    left join ledger_entry e on e.account_id = a.id and e.version in (range.from, range.to)
    where a.merchant_id = ${tx.merchantId} and a.kind = 'available' and a.currency = ${currency}`.execute(
    tx.prepared,
  );
  const [row] = rows;
  if (!row) return undefined;
  const pointAt = (version: bigint) => rows.find((each) => each.version === version) ?? start;
  // A range that ends before it begins is empty, at its beginning.
  const from = pointAt(row.from);
  return { accountId: row.accountId, from, to: row.to < row.from ? from : pointAt(row.to) };
}

export interface EntrySqlRow {
  version: bigint;
  type: string;
  amount_minor: bigint;
  balance_after_minor: bigint;
  subject_no: string;
  created_at: Date;
}

/** What the entries of a range are read from. */
export function entrySource(
  tx: MerchantTx,
  { accountId, from, to }: StatementRange,
  query: Omit<FundFlowQuery, 'limit' | 'cursor'>,
): ListSource {
  const types = query.type?.map((type) => ledgerTypes[type]);
  return {
    columns: sql`e.version, e.statement_type as type, e.amount_minor, e.balance_after_minor, t.subject_no, e.created_at`,
    // Left, so that counting does without it where nothing of it is asked for.
    from: sql`ledger_entry e left join ledger_transfer t on t.id = e.transfer_id`,
    id: sql`e.version`,
    sum: sql`e.amount_minor`,
    either: each(sql`e.statement_type`, types),
    where: [
      sql`e.account_id = ${accountId}`,
      sql`e.version > ${from.version}`,
      sql`e.version <= ${to.version}`,
      equal(sql`t.subject_no`, query.subject_no),
      query.subject_no === undefined ? undefined : sql`t.merchant_id = ${tx.merchantId}`,
    ],
  };
}

/** A page of the entries in a range. */
export function listEntries(
  tx: MerchantTx,
  range: StatementRange,
  query: FundFlowQuery,
): Promise<Page<EntrySqlRow>> {
  return readPage<EntrySqlRow>(tx, entrySource(tx, range, query), query);
}

/** A number for a transfer between merchants. */
export async function newTransferNo(tx: MerchantTx): Promise<string> {
  const { rows } = await sql<{ no: string }>`select new_trade_no('F', now()) as no`.execute(tx.prepared);
  return rows[0]?.no ?? '';
}

/** The same transaction, posting to another merchant's ledger. */
export async function forMerchant(tx: MerchantTx, merchantId: bigint): Promise<MerchantTx> {
  await sql`select set_config('app.merchant_id', ${String(merchantId)}, true)`.execute(tx.prepared);
  return { ...tx, merchantId };
}
