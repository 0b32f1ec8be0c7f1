import type { ApprovalState } from '@hengfu/contract/approval-states';
import { canMove } from '@hengfu/contract/moves';
import {
  type RefundFailure,
  type RefundSource,
  type RefundStatus,
  refundMoves,
} from '@hengfu/contract/refunds';
import { type RawBuilder, type Selectable, sql } from 'kysely';
import type { MerchantTx, Tx } from '#db/database.ts';
import type { Schema } from '#db/schema.ts';
import { maxLateReturns } from '#domain/late-money.sql.ts';
import type { Collection } from '../collections.sql.ts';

/** A refund, with the numbers of its collection and of the settlement that deducted it. */
export type Refund = Omit<Selectable<Schema['refund']>, 'request_hash'> & {
  request_hash: Buffer | null;
  trade_no: string;
  out_trade_no: string;
  settlement_no: string | null;
};

/** The columns of a {@link Refund}; the table's alias is `r`, that of its collection `c`. */
export const refundColumns: RawBuilder<unknown> = sql`r.*, c.trade_no, c.out_trade_no,
  (select s.settlement_no from settlement s where s.merchant_id = r.merchant_id and s.id = r.settlement_id) as settlement_no`;
export const refundTables: RawBuilder<unknown> = sql`refund r
  join collection c on c.merchant_id = r.merchant_id and c.id = r.collection_id`;

/** Returns the origin of a refund. */
export function sourceOf({ requested_by }: Pick<Refund, 'requested_by'>): RefundSource {
  if (requested_by.startsWith('user:')) return 'console';
  return requested_by.startsWith('key:') ? 'openApi' : 'service';
}

export interface NewRefund {
  amountMinor: bigint;
  outRefundNo: string | null;
  requestHash: Buffer;
  reason: string | null;
  /** `user:<id>`, `key:<id>` or `service`. */
  requestedBy: string;
}

/** Stores a request to refund a collection that the transaction has locked. Nothing is posted yet. */
export async function insertRefund(
  tx: MerchantTx,
  order: Collection,
  refund: NewRefund,
  at?: Date,
): Promise<Refund> {
  const { rows } = await sql<Selectable<Schema['refund']>>`
    insert into refund (merchant_id, refund_no, out_refund_no, request_hash, collection_id, status, currency, amount_minor, channel,
      reason, requested_by, created_at)
    select ${tx.merchantId}::bigint, ${order.tradeNo} || '-R' || (
        select count(*) + 1 from refund where merchant_id = ${tx.merchantId} and collection_id = ${order.id}),
      ${refund.outRefundNo}, ${refund.requestHash}, ${order.id}::bigint, 'requested', ${order.currency}, ${refund.amountMinor}::bigint,
      ${order.channel}, ${refund.reason}, ${refund.requestedBy}, coalesce(${at ?? null}::timestamptz, now())
    returning *`.execute(tx.prepared);
  const [row] = rows;
  if (!row) throw new Error('an insert returned no row');
  return { ...row, trade_no: order.tradeNo, out_trade_no: order.outTradeNo, settlement_no: null };
}

/** Finds a refund of the transaction's merchant. */
export function findRefund(
  tx: MerchantTx,
  by: { refundNo: string } | { outRefundNo: string },
): Promise<Refund | undefined> {
  const condition =
    'refundNo' in by ? sql`r.refund_no = ${by.refundNo}` : sql`r.out_refund_no = ${by.outRefundNo}`;
  return one(tx, condition);
}

/**
 * Finds the refund that waits for the approval of a request: the request names the refund or, if the version before made it, the
 * collection.
 */
export function findAsked(tx: MerchantTx, subjectNo: string): Promise<Refund | undefined> {
  return one(
    tx,
    sql`r.status = 'requested' and (r.refund_no = ${subjectNo} or r.request_hash is null and c.trade_no = ${subjectNo})`,
  );
}

async function one(tx: MerchantTx, condition: RawBuilder<unknown>): Promise<Refund | undefined> {
  const { rows } = await sql<Refund>`
    select ${refundColumns} from ${refundTables} where r.merchant_id = ${tx.merchantId} and ${condition}`.execute(
    tx.prepared,
  );
  return rows[0];
}

/** Lists the last refunds of a collection, newest first. */
export async function listRefundsOf(
  tx: MerchantTx,
  order: Pick<Collection, 'id'>,
  limit: number,
): Promise<Refund[]> {
  const { rows } = await sql<Refund>`
    select ${refundColumns} from ${refundTables}
    where r.merchant_id = ${tx.merchantId} and r.collection_id = ${order.id}
    order by r.id desc limit ${limit}`.execute(tx.prepared);
  return rows;
}

/** Adds up what waits for approval, in minor units, of a collection that the transaction has locked. */
export async function requestedMinor(tx: MerchantTx, order: Pick<Collection, 'id'>): Promise<bigint> {
  const { rows } = await sql<{ sum: bigint }>`
    select coalesce(sum(amount_minor), 0)::bigint as sum from refund
    where merchant_id = ${tx.merchantId} and collection_id = ${order.id} and status = 'requested'`.execute(
    tx.prepared,
  );
  return rows[0]?.sum ?? 0n;
}

/** Changes that come with a refund's move. */
export interface RefundChanges {
  status?: RefundStatus;
  approvalState?: ApprovalState | null;
  feeMinor?: bigint;
  availableMinor?: bigint;
  failure?: { code: RefundFailure; words: string | null };
  /** Backdates the end, for demo data. */
  at?: Date;
}

/** Changes a refund whose collection the transaction has locked. Returns undefined if its status has changed. */
export async function changeRefund(
  tx: MerchantTx,
  refund: Refund,
  change: RefundChanges,
): Promise<Refund | undefined> {
  const { status = refund.status, failure, at } = change;
  if (status !== refund.status && !canMove(refundMoves, refund.status, status)) return undefined;
  const hasEnded = status === 'refunded' || status === 'failed';
  const row = await tx.query
    .updateTable('refund')
    .set({
      status,
      ...(change.approvalState !== undefined && { approval_state: change.approvalState }),
      ...(change.feeMinor !== undefined && { fee_minor: change.feeMinor }),
      ...(change.availableMinor !== undefined && { available_minor: change.availableMinor }),
      ...(failure && { failure_code: failure.code, failure_reason: failure.words }),
      ...(hasEnded && { ended_at: sql<Date>`coalesce(${at ?? null}::timestamptz, now())` }),
    })
    .where('merchant_id', '=', tx.merchantId)
    .where('id', '=', refund.id)
    .where('status', '=', refund.status)
    .returningAll()
    .executeTakeFirst();
  return row && { ...refund, ...row };
}

/** Records that the channel is about to be called. Returns false if it was called before. */
export async function markSent(tx: MerchantTx, refund: Refund): Promise<boolean> {
  const { numUpdatedRows } = await tx.query
    .updateTable('refund')
    .set({ sent_at: sql<Date>`now()` })
    .where('merchant_id', '=', tx.merchantId)
    .where('id', '=', refund.id)
    .where('status', '=', 'processing')
    .where('sent_at', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** Records the channel's number of a refund. The first one stays. */
export async function setReference(tx: MerchantTx, refund: Refund, bankReference: string): Promise<void> {
  await tx.query
    .updateTable('refund')
    .set({ bank_reference: bankReference })
    .where('merchant_id', '=', tx.merchantId)
    .where('id', '=', refund.id)
    .where('bank_reference', 'is', null)
    .execute();
}

/** Returns how a collection's figures of refunds change. Minor units; negative takes away. */
export interface CountChange {
  refundedMinor?: bigint;
  refundedFeeMinor?: bigint;
  refundingMinor?: bigint;
  refundingFeeMinor?: bigint;
}

/** Changes the figures of refunds of a collection that the transaction has locked. */
export async function countRefunds(tx: MerchantTx, order: Collection, by: CountChange): Promise<Collection> {
  const sums = {
    refundedMinor: order.refundedMinor + (by.refundedMinor ?? 0n),
    refundedFeeMinor: order.refundedFeeMinor + (by.refundedFeeMinor ?? 0n),
    refundingMinor: order.refundingMinor + (by.refundingMinor ?? 0n),
    refundingFeeMinor: order.refundingFeeMinor + (by.refundingFeeMinor ?? 0n),
  };
  await tx.query
    .updateTable('collection')
    .set({
      refunded_minor: sums.refundedMinor,
      refunded_fee_minor: sums.refundedFeeMinor,
      refunding_minor: sums.refundingMinor,
      refunding_fee_minor: sums.refundingFeeMinor,
    })
    .where('merchant_id', '=', tx.merchantId)
    .where('id', '=', order.id)
    .execute();
  return { ...order, ...sums };
}

/** Sets the approval that readers of a locked collection see: `waiting` while another of its refunds waits, otherwise that of the given one. */
export async function setLatestApproval(
  tx: MerchantTx,
  order: Collection,
  { id }: Pick<Refund, 'id'>,
  state: ApprovalState | null,
): Promise<Collection> {
  const { latest } = await tx.query
    .updateTable('collection')
    .set({
      latest_refund_approval: sql<ApprovalState | null>`case when exists (
          select from refund r where r.merchant_id = collection.merchant_id and r.collection_id = collection.id
            and r.status = 'requested' and r.id <> ${id}::bigint)
        then 'waiting' else ${state}::text end`,
    })
    .where('merchant_id', '=', tx.merchantId)
    .where('id', '=', order.id)
    .returning('latest_refund_approval as latest')
    .executeTakeFirstOrThrow();
  return { ...order, refundApprovalState: latest };
}

/**
 * Takes a collection that is given back as a whole, and its refunds, out of all settlements if they cancel each other: no settlement has
 * moved any of them, and together the refunds took exactly what it had brought out of unsettled funds.
 */
export async function leaveSettlements(tx: MerchantTx, order: Collection): Promise<void> {
  const { rows } = await sql`
    update collection c set never_settles = true
    where c.merchant_id = ${tx.merchantId} and c.id = ${order.id} and c.settlement_id is null
      and c.amount_minor - c.fee_minor = (
        select sum(r.amount_minor - r.fee_minor - r.available_minor) from refund r
        where r.merchant_id = c.merchant_id and r.collection_id = c.id and r.status = 'refunded'
        having bool_and(r.settlement_id is null))
    returning c.id`.execute(tx.query);
  if (rows.length === 0) return;
  await sql`
    update refund set never_settles = true
    where merchant_id = ${tx.merchantId} and collection_id = ${order.id} and status = 'refunded'`.execute(
    tx.query,
  );
}

/** The terms of a refund: whether the fee stays with the service, and whether available funds may pay. */
export interface RefundTerms {
  isFeeKept: boolean;
  mayTakeAvailable: boolean;
}

/** Finds the terms of a collection's refunds: those of its channel in force when it was created. */
export async function findRefundTerms(tx: MerchantTx, order: Collection): Promise<RefundTerms> {
  const at = order.createdAt;
  const { rows } = await sql<{ kept: boolean; available: boolean }>`
    select t.refund_fee_kept as kept, t.refund_from_available as available from merchant_terms t
    where t.merchant_id = ${tx.merchantId} and t.channel = ${order.channel}
    order by (t.valid_from <= ${at}) desc, case when t.valid_from <= ${at} then t.valid_from end desc, t.valid_from
    limit 1`.execute(tx.prepared);
  return { isFeeKept: rows[0]?.kept ?? false, mayTakeAvailable: rows[0]?.available ?? false };
}

/**
 * True if a payment beyond the uses of its payment link still needs a refund. One by the service that never reached its channel counts for an
 * hour.
 */
const isReturnMissing = (merchantId: RawBuilder<unknown>, collectionId: RawBuilder<unknown>) => sql<boolean>`(
  select count(*) < ${sql.lit(maxLateReturns)}::integer and not coalesce(bool_or(r.requested_by <> 'service'
    or r.failure_code is distinct from 'neverArrived' or r.ended_at > now() - interval '1 hour'), false)
  from refund r where r.merchant_id = ${merchantId} and r.collection_id = ${collectionId})`;

/** Finds payments beyond the uses of their payment link that have to be given back, of all merchants: an index has these alone. */
export async function findForgottenLate(
  tx: Tx,
  limit: number,
): Promise<{ merchantId: bigint; tradeNo: string }[]> {
  const { rows } = await sql<{ merchantId: bigint; tradeNo: string }>`
    select c.merchant_id as "merchantId", c.trade_no as "tradeNo" from collection c
    where not c.holds_link_use and c.paid_at is not null and c.refunded_minor = 0 and c.refunding_minor = 0
      and ${isReturnMissing(sql`c.merchant_id`, sql`c.id`)}
    order by c.merchant_id, c.id limit ${limit}`.execute(tx.query);
  return rows;
}

/** Whether a payment beyond the uses of its payment link has to be given back by a refund that it does not have. */
export async function needsReturn(tx: MerchantTx, { id }: Pick<Collection, 'id'>): Promise<boolean> {
  const { rows } = await sql<{ missing: boolean }>`select ${isReturnMissing(
    sql`${tx.merchantId}::bigint`,
    sql`${id}::bigint`,
  )} as missing`.execute(tx.query);
  return rows[0]?.missing === true;
}
