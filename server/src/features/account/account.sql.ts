import { exactTotalLimit } from '@hengfu/contract/lists';
import type { Currency } from '@hengfu/contract/money';
import { sql } from 'kysely';
import {
  joinPartBefore,
  type PartBefore,
  partColumns,
  type ReadParts,
  readLastEntries,
} from '#archive/entry-parts.sql.ts';
import type { MerchantTx } from '#db/database.ts';

/** Minor units by account. */
type Balances = Record<'available' | 'locked' | 'unsettled', bigint>;

/** Reads the balances just before an instant; accounts without entries by then count as zero. */
export async function balancesBefore(
  tx: MerchantTx,
  currency: Currency,
  at: string,
  readParts: ReadParts,
): Promise<Balances> {
  const { rows } = await sql<PartBefore & { kind: keyof Balances; balance: bigint | null }>`
    select a.id as "accountId", a.kind, e.balance_after_minor as balance, ${partColumns}
    from ledger_account a
    cross join (select ${at}::timestamptz as instant) moment
    cross join lateral ledger_entry_before(a.merchant_id, a.id, instant) e
    ${joinPartBefore}
    where a.merchant_id = ${tx.merchantId} and a.currency = ${currency}
      and a.kind in ('available', 'locked', 'unsettled')`.execute(tx.prepared);
  const archived = await readLastEntries(rows, readParts);
  const found = new Map(
    rows.map(({ kind, balance }, index) => [kind, archived[index]?.balanceAfterMinor ?? balance]),
  );
  const balanceOf = (kind: keyof Balances) => found.get(kind) ?? 0n;
  return {
    available: balanceOf('available'),
    locked: balanceOf('locked'),
    unsettled: balanceOf('unsettled'),
  };
}

/** Orders that hold funds. Neither count nor sum is exact if the count exceeds the contract's limit. */
export interface Part {
  count: number;
  amountMinor: bigint;
}

export interface Breakdown {
  locked: bigint;
  unsettled: bigint;
  payouts: Part;
  withdrawals: Part;
  payments: Part;
  refunds: Part;
  batches: Part;
  nextSettlementAt: Date;
}

const limit = exactTotalLimit + 1;

/** Reads what holds locked and unsettled funds: in one statement, so that the figures are of one moment. */
export async function readBreakdown(tx: MerchantTx, currency: Currency): Promise<Breakdown> {
  const counted = (orders: ReturnType<typeof sql>) =>
    sql`(select json_build_object('count', count(*), 'amountMinor', coalesce(sum(held), 0)::text) from (${orders}) orders)`;
  const mine = sql`merchant_id = ${tx.merchantId} and currency = ${currency}`;
  const { rows } = await sql<Record<string, unknown>>`
    select
      (select balance_minor from ledger_account where ${mine} and kind = 'locked' and reference = '') as locked,
      (select balance_minor from ledger_account where ${mine} and kind = 'unsettled' and reference = '') as unsettled,
      (select next_settlement_at from merchant where id = ${tx.merchantId}) as "nextSettlementAt",
      ${counted(sql`select amount_minor + fee_minor as held from payout
        where ${mine} and status in ('pending', 'processing', 'pendingSettlement') limit ${limit}`)} as payouts,
      ${counted(sql`select amount_minor + fee_minor as held from withdrawal
        where ${mine} and status in ('pendingReview', 'approved') limit ${limit}`)} as withdrawals,
      ${counted(sql`select amount_minor - fee_minor as held from collection
        where ${mine} and settlement_status = 'unsettled' and paid_at is not null and settlement_id is null
          and not never_settles limit ${limit}`)} as payments,
      ${counted(sql`select amount_minor - fee_minor - available_minor as held from refund
        where ${mine} and status in ('processing', 'refunded') and settlement_id is null and not never_settles
        limit ${limit}`)} as refunds,
      ${counted(sql`select net_minor as held from settlement
        where ${mine} and status = 'pendingSettlement' limit ${limit}`)} as batches`.execute(tx.query);
  const [row = {}] = rows;
  const part = (name: string): Part => {
    const { count, amountMinor } = row[name] as { count: number; amountMinor: string };
    return { count, amountMinor: BigInt(amountMinor) };
  };
  return {
    locked: (row.locked as bigint | null) ?? 0n,
    unsettled: (row.unsettled as bigint | null) ?? 0n,
    nextSettlementAt: row.nextSettlementAt as Date,
    payouts: part('payouts'),
    withdrawals: part('withdrawals'),
    payments: part('payments'),
    refunds: part('refunds'),
    batches: part('batches'),
  };
}
