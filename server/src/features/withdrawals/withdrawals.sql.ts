import type { ApprovalState } from '@hengfu/contract/approval-states';
import type { Currency } from '@hengfu/contract/money';
import { parseRate } from '@hengfu/contract/rates';
import { type Network, transactionOf } from '@hengfu/contract/wallets';
import type { WithdrawalStatus } from '@hengfu/contract/withdrawals';
import { type Selectable, sql } from 'kysely';
import type { MerchantTx, Tx } from '#db/database.ts';
import type { Schema } from '#db/schema.ts';
import { claimTransaction } from '#domain/chain-transactions.sql.ts';
import { Refusal } from '#domain/refusal.ts';
import type { Terms } from './withdrawals.rules.ts';

/** A withdrawal as the service works with it. */
export interface Withdrawal {
  id: bigint;
  merchantId: bigint;
  tradeNo: string;
  status: WithdrawalStatus;
  usdtMinor: bigint;
  feeUsdtMinor: bigint;
  currency: Currency;
  amountMinor: bigint;
  feeMinor: bigint;
  usdMinor: bigint | null;
  /** Local currency per USDT; `usdRate` is US dollars per USDT. */
  rate: string;
  usdRate: string | null;
  network: Network;
  address: string;
  transactionId: string | null;
  rejectReason: string | null;
  /** Null if no rule of the merchant covers it. */
  approvalState: ApprovalState | null;
  createdAt: Date;
  reviewedAt: Date | null;
  paidAt: Date | null;
}

export type WithdrawalSqlRow = Selectable<Schema['withdrawal']>;

export function toWithdrawal(row: WithdrawalSqlRow): Withdrawal {
  return {
    id: row.id,
    merchantId: row.merchant_id,
    tradeNo: row.trade_no,
    status: row.status,
    usdtMinor: row.usdt_minor,
    feeUsdtMinor: row.fee_usdt_minor,
    currency: row.currency,
    amountMinor: row.amount_minor,
    feeMinor: row.fee_minor,
    usdMinor: row.usd_minor,
    rate: plain(row.usdt_rate),
    usdRate: row.usd_rate === null ? null : plain(row.usd_rate),
    network: row.network,
    address: row.address,
    transactionId: row.transaction_id,
    rejectReason: row.reject_reason,
    approvalState: row.approval_state,
    createdAt: row.created_at,
    reviewedAt: row.reviewed_at,
    paidAt: row.paid_at,
  };
}

/** Removes the trailing zeros that the column's scale adds to a rate. */
function plain(rate: string): string {
  return rate.replace(/\.?0+$/, '');
}

/** Serializes a merchant's applications, so that the last free withdrawal of a day is used once. */
export async function serializeApplications(tx: MerchantTx): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`withdrawal ${tx.merchantId}`}, 0))`.execute(
    tx.prepared,
  );
}

/** Reads the current terms; undefined if there is no rate, or the merchant has no terms. */
export async function readTerms(
  tx: MerchantTx,
  { currency, zone }: { currency: Currency; zone: string },
): Promise<Terms | undefined> {
  const { rows } = await sql<Omit<Terms, 'rate'>>`
    select trim_scale(r.usdt_rate)::text as "rateText", r.valid_from as "rateAt", t.fee_usdt_minor as "feeUsdtMinor",
      (select trim_scale(usdt_rate)::text from exchange_rate where currency = 'USD' and valid_from <= now()
        order by valid_from desc limit 1) as "usdRate",
      t.free_per_day as "freePerDay", t.minimum_usdt_minor as "minimumUsdtMinor",
      (select count(*)::integer from withdrawal w
        where w.merchant_id = ${tx.merchantId} and w.status <> 'rejected'
          and w.created_at >= date_trunc('day', now() at time zone ${zone}) at time zone ${zone}) as "madeToday"
    from (select * from exchange_rate where currency = ${currency} and valid_from <= now() order by valid_from desc limit 1) r
    cross join (select * from withdrawal_terms where merchant_id = ${tx.merchantId} and valid_from <= now()
      order by valid_from desc limit 1) t`.execute(tx.prepared);
  const [row] = rows;
  const rate = row && parseRate(row.rateText);
  return row && rate !== undefined ? { ...row, rate } : undefined;
}

export interface NewWithdrawal {
  tradeNo: string;
  requestHash: Buffer;
  usdtMinor: bigint;
  feeUsdtMinor: bigint;
  currency: Currency;
  amountMinor: bigint;
  feeMinor: bigint;
  usdMinor: bigint | null;
  rate: string;
  usdRate: string | null;
  network: Network;
  address: string;
  createdBy: string;
}

export async function insertWithdrawal(tx: MerchantTx, order: NewWithdrawal): Promise<Withdrawal> {
  const row = await tx.prepared
    .insertInto('withdrawal')
    .values({
      merchant_id: tx.merchantId,
      trade_no: order.tradeNo,
      request_hash: order.requestHash,
      usdt_minor: order.usdtMinor,
      fee_usdt_minor: order.feeUsdtMinor,
      currency: order.currency,
      amount_minor: order.amountMinor,
      fee_minor: order.feeMinor,
      usd_minor: order.usdMinor,
      usdt_rate: order.rate,
      usd_rate: order.usdRate,
      network: order.network,
      address: order.address,
      created_by: order.createdBy,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  return toWithdrawal(row);
}

/** Finds one withdrawal of the transaction's merchant; `isHeld` locks it until the transaction ends. */
export async function findWithdrawal(
  tx: MerchantTx,
  tradeNo: string,
  { isHeld = false } = {},
): Promise<Withdrawal | undefined> {
  const row = await tx.query
    .selectFrom('withdrawal')
    .selectAll()
    .where('merchant_id', '=', tx.merchantId)
    .where('trade_no', '=', tradeNo)
    .$if(isHeld, (query) => query.forUpdate())
    .executeTakeFirst();
  return row && toWithdrawal(row);
}

/** Sets the approval of a withdrawal that the transaction has locked. */
export async function setApprovalState(
  tx: MerchantTx,
  { id }: Pick<Withdrawal, 'id'>,
  state: ApprovalState,
): Promise<Withdrawal> {
  const row = await tx.query
    .updateTable('withdrawal')
    .set({ approval_state: state })
    .where('merchant_id', '=', tx.merchantId)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();
  return toWithdrawal(row);
}

/**
 * Moves a withdrawal that the transaction has locked; undefined if its status is no longer the one that the
 * caller read. Throws `conflict` if the network's transaction paid another one.
 */
export async function moveWithdrawal(
  tx: MerchantTx,
  order: Withdrawal,
  to: WithdrawalStatus,
  { transactionId, rejectReason }: { transactionId?: string; rejectReason?: string },
): Promise<Withdrawal | undefined> {
  const paidBy =
    to === 'paid' && transactionId !== undefined ? transactionOf(order.network, transactionId) : null;
  const { network, tradeNo } = order;
  if (paidBy !== null)
    await claimTransaction(
      tx,
      { kind: 'withdrawal', network, transactionId: paidBy, tradeNo },
      () => new Refusal('conflict'),
    );
  const row = await tx.query
    .updateTable('withdrawal')
    .set({
      status: to,
      ...(to === 'paid'
        ? { paid_at: sql<Date>`now()`, transaction_id: paidBy }
        : { reviewed_at: sql<Date>`now()` }),
      ...(rejectReason !== undefined && { reject_reason: rejectReason }),
    })
    .where('merchant_id', '=', tx.merchantId)
    .where('id', '=', order.id)
    .where('status', '=', order.status)
    .returningAll()
    .executeTakeFirst();
  return row && toWithdrawal(row);
}

/** Lists the addresses of paid withdrawals, last used first. */
export async function listAddresses(
  tx: MerchantTx,
  limit: number,
): Promise<{ network: Network; address: string }[]> {
  const { rows } = await sql<{ network: Network; address: string }>`
    select network, address from withdrawal
    where merchant_id = ${tx.merchantId} and status = 'paid'
    group by network, address order by max(paid_at) desc limit ${limit}`.execute(tx.query);
  return rows;
}

/** Lists the withdrawals that wait for staff, oldest first. */
export async function listOpen(tx: Tx): Promise<(Withdrawal & { merchant: string })[]> {
  const rows = await tx.query
    .selectFrom('withdrawal as w')
    .innerJoin('merchant as m', 'm.id', 'w.merchant_id')
    .selectAll('w')
    .select('m.code')
    .where('w.status', 'in', ['pendingReview', 'approved'])
    // Its own merchant decides first.
    .where(({ eb }) => eb.or([eb('w.approval_state', 'is', null), eb('w.approval_state', '=', 'approved')]))
    .orderBy('w.created_at')
    .execute();
  return rows.map((row) => ({ ...toWithdrawal(row), merchant: row.code }));
}

/** Sets a merchant's withdrawal terms, from now on. */
export async function insertTerms(
  tx: Tx,
  merchantId: bigint,
  terms: Pick<Terms, 'feeUsdtMinor' | 'freePerDay' | 'minimumUsdtMinor'>,
): Promise<void> {
  await tx.query
    .insertInto('withdrawal_terms')
    .values({
      merchant_id: merchantId,
      fee_usdt_minor: terms.feeUsdtMinor,
      free_per_day: terms.freePerDay,
      minimum_usdt_minor: terms.minimumUsdtMinor,
    })
    .execute();
}

/** Sets the rate of a currency, from now on. */
export async function insertRate(tx: Tx, currency: Currency, rate: string): Promise<void> {
  await tx.query.insertInto('exchange_rate').values({ currency, usdt_rate: rate }).execute();
}
