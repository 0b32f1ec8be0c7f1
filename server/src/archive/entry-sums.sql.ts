import { type RawBuilder, sql } from 'kysely';
import type { Tx } from '#db/database.ts';
import type { EntrySum } from './entry.rules.ts';

/** A transfer of which only some entries are in a month, with the sum of those. */
interface SplitTransfer {
  merchantId: bigint;
  transferId: bigint;
  currency: string;
  amountMinor: bigint;
}

/** The sums of a month of entries. */
export interface EntrySums {
  accounts: readonly EntrySum[];
  splits: readonly SplitTransfer[];
}

const startOf = (month: string) => sql`(${`${month}-01`}::date::timestamp at time zone 'UTC')`;
const endOf = (month: string) => sql`((${`${month}-01`}::date + interval '1 month') at time zone 'UTC')`;
const inMonth = (month: string): RawBuilder<unknown> =>
  sql`e.created_at >= ${startOf(month)} and e.created_at < ${endOf(month)}`;

/** Encodes rows for `json_to_recordset`. */
export const jsonOf = (rows: readonly object[]): string =>
  JSON.stringify(rows, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value));

/**
 * Adds up the entries of a month that is still in the database. Throws if a transfer of the month does not sum to zero over
 * all months, or if entries of an earlier month are in the database: an account's archived entries are its first ones.
 */
export async function sumEntries(tx: Tx, month: string): Promise<EntrySums> {
  const earlier = await sql<{ found: boolean }>`
    select exists (select from ledger_entry e where e.created_at < ${startOf(month)}) as found`.execute(
    tx.query,
  );
  if (earlier.rows[0]?.found !== false)
    throw new Error(`entries of a month before ${month} are not archived yet`);
  const { rows: accounts } = await sql<EntrySum>`
    select s.merchant_id as "merchantId", s.account_id as "accountId", s.count, s.credit::bigint as "creditMinor",
      s.debit::bigint as "debitMinor", last.version as "lastVersion", last.created_at as "lastAt",
      last.balance_after_minor as "balanceAfterMinor", last.inflow_after_minor as "inflowAfterMinor"
    from (
      select e.merchant_id, e.account_id, count(*) as count, sum(greatest(e.amount_minor, 0)) as credit,
        sum(greatest(-e.amount_minor, 0)) as debit, max(e.version) as version, max(e.created_at) as at
      from ledger_entry e where ${inMonth(month)} group by e.merchant_id, e.account_id) s
    join ledger_entry last on last.merchant_id = s.merchant_id and last.account_id = s.account_id
      and last.created_at = s.at and last.version = s.version
    where last.created_at >= ${startOf(month)} and last.created_at < ${endOf(month)}
    order by s.merchant_id, s.account_id`.execute(tx.query);
  const { rows: splits } = await sql<SplitTransfer & { restMinor: bigint }>`
    select s.merchant_id as "merchantId", s.transfer_id as "transferId", s.currency, s.amount::bigint as "amountMinor",
      (coalesce((select sum(e.amount_minor) from ledger_entry e
        where e.merchant_id = s.merchant_id and e.transfer_id = s.transfer_id), 0)
      + coalesce((select sum(o.amount_minor) from archived_split_transfer o
        where o.merchant_id = s.merchant_id and o.transfer_id = s.transfer_id), 0))::bigint as "restMinor"
    from (
      select e.merchant_id, e.transfer_id, a.currency, sum(e.amount_minor) as amount
      from ledger_entry e join ledger_account a on a.merchant_id = e.merchant_id and a.id = e.account_id
      where ${inMonth(month)} group by e.merchant_id, e.transfer_id, a.currency having sum(e.amount_minor) <> 0) s`.execute(
    tx.query,
  );
  const unbalanced = splits.find(({ restMinor }) => restMinor !== 0n);
  if (unbalanced)
    throw new Error(`transfer ${unbalanced.transferId} of ${month} does not sum to zero: ledger verify`);
  return { accounts, splits };
}

/** Stores the sums of a month, in the transaction that drops it. */
export async function insertEntrySums(tx: Tx, month: string, { accounts, splits }: EntrySums): Promise<void> {
  await sql`
    insert into archived_entry_sum (merchant_id, account_id, month, entry_count, credit_minor, debit_minor, last_version, last_at,
      balance_after_minor, inflow_after_minor)
    select "merchantId", "accountId", ${`${month}-01`}::date, count, "creditMinor", "debitMinor", "lastVersion", "lastAt",
      "balanceAfterMinor", "inflowAfterMinor"
    from json_to_recordset(${jsonOf(accounts)}::json) as s ("merchantId" bigint, "accountId" bigint, count bigint,
      "creditMinor" bigint, "debitMinor" bigint, "lastVersion" bigint, "lastAt" timestamptz, "balanceAfterMinor" bigint,
      "inflowAfterMinor" bigint)`.execute(tx.query);
  await sql`
    insert into archived_split_transfer (merchant_id, transfer_id, month, currency, amount_minor)
    select "merchantId", "transferId", ${`${month}-01`}::date, currency, "amountMinor"
    from json_to_recordset(${jsonOf(splits)}::json) as s ("merchantId" bigint, "transferId" bigint, currency text,
      "amountMinor" bigint)`.execute(tx.query);
}

/** Lists the recorded sums of an archived month, by account. */
export async function listEntrySums(tx: Tx, month: string): Promise<EntrySum[]> {
  const { rows } = await sql<EntrySum>`
    select merchant_id as "merchantId", account_id as "accountId", entry_count as count, credit_minor as "creditMinor",
      debit_minor as "debitMinor", last_version as "lastVersion", last_at as "lastAt",
      balance_after_minor as "balanceAfterMinor", inflow_after_minor as "inflowAfterMinor"
    from archived_entry_sum where month = ${`${month}-01`}::date
    order by merchant_id, account_id`.execute(tx.query);
  return rows;
}
