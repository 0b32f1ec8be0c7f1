import { casesPerPage } from '@hengfu/contract/staff/cases';
import type { TopupStatus } from '@hengfu/contract/topups';
import { sql } from 'kysely';
import type { Tx } from '#db/database.ts';
import { type Claim, heldClaim, toClaim } from '#domain/case-claims.sql.ts';
import { type Topup, toTopup } from './topups.sql.ts';

/** How many earlier top-ups a reviewer is shown. */
const maxEarlier = 20;

/** A top-up for its reviewer: with its merchant, and with earlier top-ups that resemble it. */
export interface TopupToReview extends Topup {
  merchant: string;
  merchantName: string;
  /** Numbers of other top-ups with the same picture. */
  sameImage: string[];
  /** Numbers of other, rejected top-ups with the same transaction. */
  sameTransaction: string[];
  /** False if it was sent to an earlier wallet of the service. */
  isCurrentWallet: boolean;
  /** The member of our staff who works on it. */
  claim: Claim | null;
  /** The request for its credit that waits for a second person; only our staff see it. */
  requestId: bigint | null;
}

/** The cases to read: the one with a number in any state, or a page of those that wait. */
type Wanted =
  | { tradeNo: string }
  | {
      /** The number of the last case of the page before; undefined for the first page. */
      after: string | undefined;
    };

/** Lists the top-ups that wait for staff, oldest first, or the one with a number. */
export async function listToReview(tx: Tx, wanted: Wanted): Promise<TopupToReview[]> {
  const { tradeNo, after } = { tradeNo: undefined, after: undefined, ...wanted };
  const rows = await tx.query
    .selectFrom('staff_topup as t')
    .innerJoin('staff_topup_image as i', (join) =>
      join.onRef('i.merchant_id', '=', 't.merchant_id').onRef('i.topup_id', '=', 't.id'),
    )
    .leftJoin('staff_case_claim as c', (join) =>
      join
        .onRef('c.merchant_id', '=', 't.merchant_id')
        .onRef('c.trade_no', '=', 't.trade_no')
        .on(heldClaim('c', 't')),
    )
    .selectAll('t')
    .select(['c.staff_id', 'c.staff_name', 'c.claimed_at'])
    .select([
      sql<string[]>`array(select other.trade_no from staff_topup_image same
        join staff_topup other on other.merchant_id = same.merchant_id and other.id = same.topup_id
        where same.sha256 = i.sha256 and other.trade_no <> t.trade_no order by other.created_at)`.as(
        'same_image',
      ),
      sql<string[]>`array(select other.trade_no from staff_topup other
        where other.network = t.network and other.transaction_id = t.transaction_id and other.trade_no <> t.trade_no
        order by other.created_at)`.as('same_transaction'),
      sql<
        bigint | null
      >`(select r.id from staff_waiting_request r where r.kind = 'topupCredit' and r.subject = t.trade_no)`.as(
        'request_id',
      ),
      sql<boolean>`t.address = (select address from deposit_wallet where network = t.network and valid_from <= now()
        order by valid_from desc limit 1)`.as('is_current_wallet'),
    ])
    .$if(tradeNo === undefined, (query) => query.where('t.status', 'in', ['pendingReview', 'approved']))
    .$if(tradeNo !== undefined, (query) => query.where(isNumbered(tradeNo ?? '')))
    .$if(after !== undefined, (query) => query.where(isBehind(after ?? '')))
    .orderBy('t.created_at')
    .orderBy('t.trade_no')
    .limit(casesPerPage)
    .execute();
  return rows.map((row) => ({
    ...toTopup(row),
    merchant: row.merchant_code,
    merchantName: row.merchant_name,
    sameImage: row.same_image,
    sameTransaction: row.same_transaction,
    isCurrentWallet: row.is_current_wallet,
    claim: toClaim(row),
    requestId: row.request_id,
  }));
}

/** Whether `t` has a number: looks only at the few merchants that share the number's lane. */
function isNumbered(tradeNo: string) {
  return sql<boolean>`t.trade_no = ${tradeNo}
    and t.merchant_id = any (array(select id from staff_merchant where merchant_lane(id) = lane_of_number(${tradeNo})))`;
}

/** Whether `t` is behind the case with a number in the queue. A case that was decided meanwhile keeps its place. */
function isBehind(tradeNo: string) {
  return sql<boolean>`(t.created_at, t.trade_no) > ((
    select o.created_at from staff_topup o where o.trade_no = ${tradeNo}
      and o.merchant_id = any (array(select id from staff_merchant where merchant_lane(id) = lane_of_number(${tradeNo})))
    ), ${tradeNo})`;
}

/** Finds the merchant of a top-up by its number. */
export async function findMerchantToReview(tx: Tx, tradeNo: string): Promise<bigint | undefined> {
  const row = await tx.query
    .selectFrom('staff_topup as t')
    .select('t.merchant_id')
    .where(isNumbered(tradeNo))
    .executeTakeFirst();
  return row?.merchant_id;
}

/** Another top-up that a reviewer compares. */
export interface ComparedTopup {
  tradeNo: string;
  merchant: string;
  status: TopupStatus;
  usdtMinor: bigint;
  createdAt: Date;
}

/** Lists the top-ups with these numbers, newest first. */
export async function listCompared(tx: Tx, tradeNos: readonly string[]): Promise<ComparedTopup[]> {
  if (tradeNos.length === 0) return [];
  const { rows } = await sql<ComparedTopup>`
    select t.trade_no as "tradeNo", t.merchant_code as merchant, t.status, t.usdt_minor as "usdtMinor",
      t.created_at as "createdAt"
    from staff_topup t
    where t.trade_no = any (${tradeNos}) and t.merchant_id = any (array(
      select id from staff_merchant
      where merchant_lane(id) = any (select lane_of_number(number) from unnest(${tradeNos}::text[]) number)))
    order by t.created_at desc`.execute(tx.query);
  return rows;
}

/** Lists a merchant's latest other top-ups. */
export async function listEarlier(
  tx: Tx,
  { merchantId, tradeNo }: Pick<Topup, 'merchantId' | 'tradeNo'>,
): Promise<ComparedTopup[]> {
  return tx.query
    .selectFrom('staff_topup')
    .select(['trade_no as tradeNo', 'merchant_code as merchant', 'status', 'usdt_minor as usdtMinor'])
    .select('created_at as createdAt')
    .where('merchant_id', '=', merchantId)
    .where('trade_no', '<>', tradeNo)
    .orderBy('created_at', 'desc')
    .limit(maxEarlier)
    .execute();
}
