import type { ChannelCode } from '@hengfu/contract/channels';
import type { Currency } from '@hengfu/contract/money';
import type { PixKeyType } from '@hengfu/contract/payout-fields';
import type { PayoutStatus } from '@hengfu/contract/payouts';
import { type Selectable, sql } from 'kysely';
import type { MerchantTx, Tx } from '#db/database.ts';
import type { Schema } from '#db/schema.ts';

/** A payout as the service works with it. */
export interface Payout {
  id: bigint;
  merchantId: bigint;
  tradeNo: string;
  outTradeNo: string | null;
  requestHash: Buffer;
  status: PayoutStatus;
  currency: Currency;
  amountMinor: bigint;
  feeMinor: bigint;
  channel: ChannelCode;
  payee: string;
  payeeAccount: string;
  accountKey: string;
  bank: string | null;
  bankName: string | null;
  branchName: string | null;
  ifsc: string | null;
  accountType: PixKeyType | null;
  taxId: string | null;
  remark: string | null;
  notifyUrl: string | null;
  source: 'console' | 'openApi';
  createdBy: string;
  batchNo: string | null;
  batchLine: number | null;
  bankReference: string | null;
  rejectReason: string | null;
  createdAt: Date;
  sentAt: Date | null;
  paidAt: Date | null;
  rejectedAt: Date | null;
}

export type PayoutSqlRow = Selectable<Schema['payout']>;

export function toPayout(row: PayoutSqlRow): Payout {
  return {
    id: row.id,
    merchantId: row.merchant_id,
    tradeNo: row.trade_no,
    outTradeNo: row.out_trade_no,
    requestHash: row.request_hash,
    status: row.status,
    currency: row.currency,
    amountMinor: row.amount_minor,
    feeMinor: row.fee_minor,
    channel: row.channel,
    payee: row.payee,
    payeeAccount: row.payee_account,
    accountKey: row.account_key,
    bank: row.bank,
    bankName: row.bank_name,
    branchName: row.branch_name,
    ifsc: row.ifsc,
    accountType: row.account_type,
    taxId: row.tax_id,
    remark: row.remark,
    notifyUrl: row.notify_url,
    source: row.source,
    createdBy: row.created_by,
    batchNo: row.batch_no,
    batchLine: row.batch_line,
    bankReference: row.bank_reference,
    rejectReason: row.reject_reason,
    createdAt: row.created_at,
    sentAt: row.sent_at,
    paidAt: row.paid_at,
    rejectedAt: row.rejected_at,
  };
}

export type NewPayout = Pick<
  Payout,
  | 'outTradeNo'
  | 'requestHash'
  | 'currency'
  | 'amountMinor'
  | 'feeMinor'
  | 'channel'
  | 'payee'
  | 'payeeAccount'
  | 'accountKey'
  | 'bank'
  | 'bankName'
  | 'branchName'
  | 'ifsc'
  | 'accountType'
  | 'taxId'
  | 'remark'
  | 'notifyUrl'
  | 'source'
  | 'createdBy'
  | 'batchNo'
  | 'batchLine'
> & { tradeNo: string };

/** Creates a payout with its first event and its place in the rollup, in one statement. */
export async function insertPayout(tx: MerchantTx, order: NewPayout): Promise<Payout> {
  const { rows } = await sql<PayoutSqlRow>`
    with created as (
      insert into payout (merchant_id, trade_no, out_trade_no, request_hash, currency, amount_minor, fee_minor, channel,
        payee, payee_account, account_key, bank, bank_name, branch_name, ifsc, account_type, tax_id, remark, notify_url,
        source, created_by, batch_no, batch_line, created_at)
      values (${tx.merchantId}, ${order.tradeNo}, ${order.outTradeNo}, ${order.requestHash}, ${order.currency},
        ${order.amountMinor}, ${order.feeMinor}, ${order.channel}, ${order.payee}, ${order.payeeAccount},
        ${order.accountKey}, ${order.bank}, ${order.bankName}, ${order.branchName}, ${order.ifsc}, ${order.accountType},
        ${order.taxId}, ${order.remark}, ${order.notifyUrl}, ${order.source}, ${order.createdBy},
        ${order.batchNo}, ${order.batchLine}, now())
      returning *
    ), event as (
      insert into payout_event (merchant_id, payout_id, at, status, reason)
      select merchant_id, id, created_at, status, 'created' from created
    ), counted as (
      insert into order_rollup (merchant_id, kind, currency, bucket, stripe, created_count, created_amount_minor)
      select merchant_id, 'payout', currency, rollup_bucket(created_at), rollup_stripe(), 1, amount_minor from created
      on conflict (merchant_id, kind, currency, bucket, stripe) do update set
        created_count = order_rollup.created_count + 1,
        created_amount_minor = order_rollup.created_amount_minor + excluded.created_amount_minor
    )
    select * from created`.execute(tx.prepared);
  const [row] = rows;
  if (!row) throw new Error('the payout was not written');
  return toPayout(row);
}

/** A number for a payout. */
export async function newPayoutNo(tx: MerchantTx): Promise<string> {
  const { rows } = await sql<{ no: string }>`
    select new_trade_no('P', now()) as no`.execute(tx.prepared);
  return rows[0]?.no ?? '';
}

/** One payout of the transaction's merchant. */
export async function findPayout(
  tx: MerchantTx,
  by: { tradeNo: string } | { outTradeNo: string },
): Promise<Payout | undefined> {
  const row = await tx.prepared
    .selectFrom('payout')
    .selectAll()
    .where('merchant_id', '=', tx.merchantId)
    .where('tradeNo' in by ? 'trade_no' : 'out_trade_no', '=', 'tradeNo' in by ? by.tradeNo : by.outTradeNo)
    .executeTakeFirst();
  return row && toPayout(row);
}

/** The same, locked until the transaction ends: whoever moves a payout holds it. */
export async function lockPayout(tx: MerchantTx, tradeNo: string): Promise<Payout | undefined> {
  const row = await tx.prepared
    .selectFrom('payout')
    .selectAll()
    .where('merchant_id', '=', tx.merchantId)
    .where('trade_no', '=', tradeNo)
    .forUpdate()
    .executeTakeFirst();
  return row && toPayout(row);
}

/** Whose payout a number is. */
export async function findMerchantOf(tx: Tx, tradeNo: string): Promise<bigint | undefined> {
  const row = await tx.prepared
    .selectFrom('payout')
    .select('merchant_id')
    .where('trade_no', '=', tradeNo)
    .executeTakeFirst();
  return row?.merchant_id;
}

/** What a move changes besides the status. */
export interface MoveChanges {
  bankReference?: string;
  rejectReason?: string | null;
}

/** Moves a payout that the transaction holds; undefined where it is not where the caller saw it. */
export async function movePayout(
  tx: MerchantTx,
  order: Payout,
  to: PayoutStatus,
  { bankReference, rejectReason }: MoveChanges,
): Promise<Payout | undefined> {
  const when = sql<Date>`now()`;
  const row = await tx.prepared
    .updateTable('payout')
    .set({
      status: to,
      ...(to === 'pendingSettlement' && { sent_at: when }),
      ...(to === 'processed' && { paid_at: when }),
      ...(to === 'rejected' && { rejected_at: when, reject_reason: rejectReason ?? null }),
      ...(bankReference !== undefined && { bank_reference: bankReference }),
    })
    .where('merchant_id', '=', tx.merchantId)
    .where('id', '=', order.id)
    .where('status', '=', order.status)
    .returningAll()
    .executeTakeFirst();
  return row && toPayout(row);
}

/** Adds to a payout's timeline. */
export async function insertEvent(
  tx: MerchantTx,
  order: Payout,
  event: { reason: string; detail?: string | null },
): Promise<void> {
  await tx.prepared
    .insertInto('payout_event')
    .values({
      merchant_id: tx.merchantId,
      payout_id: order.id,
      status: order.status,
      reason: event.reason,
      detail: event.detail ?? null,
    })
    .execute();
}

/** A payout's timeline, oldest first. */
export async function listEvents(tx: MerchantTx, order: Payout) {
  return tx.query
    .selectFrom('payout_event')
    .select(['at', 'status', 'reason', 'detail'])
    .where('merchant_id', '=', tx.merchantId)
    .where('payout_id', '=', order.id)
    .orderBy('id')
    .execute();
}
