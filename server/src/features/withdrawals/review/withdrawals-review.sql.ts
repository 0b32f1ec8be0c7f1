import { casesPerPage } from '@hengfu/contract/staff/cases';
import type { Network } from '@hengfu/contract/wallets';
import type { WithdrawalStatus } from '@hengfu/contract/withdrawals';
import { sql } from 'kysely';
import type { MerchantTx, Tx } from '#db/database.ts';
import { type Claim, heldClaim, toClaim } from '#domain/case-claims.sql.ts';
import { toWithdrawal, type Withdrawal } from '../withdrawals.sql.ts';

/** How many other withdrawals a reviewer is shown. */
const maxCompared = 20;
const compareHours = 24;

/** A withdrawal for its reviewer. */
export interface WithdrawalToReview extends Withdrawal {
  merchant: string;
  merchantName: string;
  /** The member of our staff who works on it. */
  claim: Claim | null;
  /** The request for its payment that waits for a second person. */
  requestId: bigint | null;
  /** The merchant has withdrawn to this wallet before. */
  isWalletKnown: boolean;
  /** Another merchant has asked for a withdrawal to this wallet. */
  isWalletShared: boolean;
  /** It is a wallet that merchants send their top-ups to. */
  isDepositWallet: boolean;
}

/** The cases to read: the one with a number in any state, or a page of those that wait. */
type Wanted =
  | { tradeNo: string }
  | {
      /** The number of the last case of the page before; undefined for the first page. */
      after: string | undefined;
    };

/** Lists the withdrawals that wait for our staff, oldest first, or the one with a number. */
export async function listToReview(tx: Tx, wanted: Wanted): Promise<WithdrawalToReview[]> {
  const { tradeNo, after } = { tradeNo: undefined, after: undefined, ...wanted };
  const rows = await tx.query
    .selectFrom('staff_withdrawal as w')
    .leftJoin('staff_case_claim as c', (join) =>
      join
        .onRef('c.merchant_id', '=', 'w.merchant_id')
        .onRef('c.trade_no', '=', 'w.trade_no')
        .on(heldClaim('c', 'w')),
    )
    .selectAll('w')
    .select(['c.staff_id', 'c.staff_name', 'c.claimed_at'])
    .select([
      sql<bigint | null>`(select r.id from staff_waiting_request r
        where r.kind = 'withdrawalPayment' and r.subject = w.trade_no)`.as('request_id'),
      sql<boolean>`exists (select from staff_withdrawal o
        where o.wallet = w.wallet and o.merchant_id = w.merchant_id and o.status = 'paid')`.as(
        'is_wallet_known',
      ),
      sql<boolean>`exists (select from staff_withdrawal o
        where o.wallet = w.wallet and o.merchant_id <> w.merchant_id)`.as('is_wallet_shared'),
      sql<boolean>`exists (select from deposit_wallet d
        where d.network = w.network and (d.address = w.address or lower(d.address) = w.wallet))`.as(
        'is_deposit_wallet',
      ),
    ])
    .$if(tradeNo === undefined, (query) =>
      query
        .where('w.status', 'in', ['pendingReview', 'approved'])
        // Its own merchant decides first.
        .where(({ eb }) =>
          eb.or([eb('w.approval_state', 'is', null), eb('w.approval_state', '=', 'approved')]),
        ),
    )
    .$if(tradeNo !== undefined, (query) => query.where(isNumbered(tradeNo ?? '')))
    .$if(after !== undefined, (query) => query.where(isBehind(after ?? '')))
    .orderBy('w.created_at')
    .orderBy('w.trade_no')
    .limit(casesPerPage)
    .execute();
  return rows.map((row) => ({
    ...toWithdrawal(row),
    merchant: row.merchant_code,
    merchantName: row.merchant_name,
    claim: toClaim(row),
    requestId: row.request_id,
    isWalletKnown: row.is_wallet_known,
    isWalletShared: row.is_wallet_shared,
    isDepositWallet: row.is_deposit_wallet,
  }));
}

/** Whether `w` has a number: looks only at the few merchants that share the number's lane. */
function isNumbered(tradeNo: string) {
  return sql<boolean>`w.trade_no = ${tradeNo}
    and w.merchant_id = any (array(select id from staff_merchant where merchant_lane(id) = lane_of_number(${tradeNo})))`;
}

/** Whether `w` is behind the case with a number in the queue. A case that was decided meanwhile keeps its place. */
function isBehind(tradeNo: string) {
  return sql<boolean>`(w.created_at, w.trade_no) > ((
    select o.created_at from staff_withdrawal o where o.trade_no = ${tradeNo}
      and o.merchant_id = any (array(select id from staff_merchant where merchant_lane(id) = lane_of_number(${tradeNo})))
    ), ${tradeNo})`;
}

/** Finds the merchant and the status of a withdrawal by its number. */
export function findReviewed(
  tx: Tx,
  tradeNo: string,
): Promise<{ merchant_id: bigint; status: WithdrawalStatus } | undefined> {
  return tx.query
    .selectFrom('staff_withdrawal as w')
    .select(['w.merchant_id', 'w.status'])
    .where(isNumbered(tradeNo))
    .executeTakeFirst();
}

/** Serializes requests for a withdrawal's payment and its rejection: the second one waits until the transaction of the first one ends. */
export async function lockPayment(tx: Tx, tradeNo: string): Promise<void> {
  const gate = `withdrawal payment ${tradeNo}`;
  await sql`select pg_advisory_xact_lock(hashtextextended(${gate}::text, 0))`.execute(tx.query);
}

/** Whether a second person has yet to agree to the payment of a withdrawal of the transaction's merchant. */
export async function isPaymentAsked(tx: MerchantTx, tradeNo: string): Promise<boolean> {
  const { rows } = await sql<{ isAsked: boolean }>`select is_payment_asked(${tradeNo}) as "isAsked"`.execute(
    tx.query,
  );
  return rows[0]?.isAsked === true;
}

/** Another withdrawal that a reviewer compares. */
export interface ComparedWithdrawal {
  tradeNo: string;
  merchant: string;
  status: WithdrawalStatus;
  usdtMinor: bigint;
  network: Network;
  address: string;
  createdAt: Date;
}

/** Lists the latest other withdrawals of anybody to the wallet of a withdrawal. */
export function listToWallet(
  tx: Tx,
  { tradeNo, network, address }: Withdrawal,
): Promise<ComparedWithdrawal[]> {
  return compared(
    tx,
    sql`o.wallet = case when ${network} in ('ERC20', 'BEP20') then lower(${address}) else ${address} end`,
    tradeNo,
  );
}

/** Lists a merchant's latest other withdrawals. */
export function listEarlier(tx: Tx, { tradeNo, merchantId }: Withdrawal): Promise<ComparedWithdrawal[]> {
  return compared(tx, sql`o.merchant_id = ${merchantId}::bigint`, tradeNo);
}

async function compared(
  tx: Tx,
  which: ReturnType<typeof sql>,
  tradeNo: string,
): Promise<ComparedWithdrawal[]> {
  const { rows } = await sql<ComparedWithdrawal>`
    select o.trade_no as "tradeNo", o.merchant_code as merchant, o.status, o.usdt_minor as "usdtMinor", o.network, o.address,
      o.created_at as "createdAt"
    from staff_withdrawal o
    where ${which} and o.trade_no <> ${tradeNo}
    order by o.created_at desc limit ${maxCompared}`.execute(tx.query);
  return rows;
}

/** Counts and adds up a merchant's withdrawals of the 24 hours before a withdrawal, this one included. */
export async function sumOfDay(
  tx: Tx,
  { merchantId, createdAt }: Withdrawal,
): Promise<{ count: number; usdtMinor: bigint }> {
  const { rows } = await sql<{ count: number; usdtMinor: bigint }>`
    select count(*)::integer as count, coalesce(sum(usdt_minor), 0)::bigint as "usdtMinor" from staff_withdrawal
    where merchant_id = ${merchantId}::bigint and status <> 'rejected'
      and created_at > ${createdAt}::timestamptz - ${sql.lit(compareHours)} * interval '1 hour'
      and created_at <= ${createdAt}::timestamptz`.execute(tx.query);
  return rows[0] ?? { count: 0, usdtMinor: 0n };
}
