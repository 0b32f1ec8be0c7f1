import type { ApprovalState } from '@hengfu/contract/approval-states';
import type { ChannelCode, ChannelRefusal, PayoutRefusal, PixKeyType } from '@hengfu/contract/channels';
import type { Currency } from '@hengfu/contract/money';
import type { PayoutStatus } from '@hengfu/contract/payouts';
import { type Selectable, sql } from 'kysely';
import type { MerchantTx } from '#db/database.ts';
import type { Schema } from '#db/schema.ts';

/** A payout. Amounts are in minor units. */
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
  rejectCode: PayoutRefusal | null;
  /** The channel's own text, or the reason that an operator gave. */
  rejectReason: string | null;
  /** Null if no rule of the merchant covers it. */
  approvalState: ApprovalState | null;
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
    rejectCode: row.reject_code,
    rejectReason: row.reject_reason,
    approvalState: row.approval_state,
    createdAt: row.created_at,
    sentAt: row.sent_at,
    paidAt: row.paid_at,
    rejectedAt: row.rejected_at,
  };
}

/** Finds a payout of the transaction's merchant. */
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

/** Finds a payout and locks it until the transaction ends. Every move of a payout needs this lock. */
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

/** Changes of a move besides the status. */
export interface MoveChanges {
  bankReference?: string;
  /** Why the channel rejected it; an operator's reason is in `detail`. */
  refused?: ChannelRefusal<PayoutRefusal> | null;
  detail?: string | null;
}

/** Moves a payout that the transaction has locked; undefined if its status is not the one given. */
export async function movePayout(
  tx: MerchantTx,
  order: Payout,
  to: PayoutStatus,
  { bankReference, refused, detail }: MoveChanges,
): Promise<Payout | undefined> {
  const when = sql<Date>`now()`;
  const row = await tx.prepared
    .updateTable('payout')
    .set({
      status: to,
      ...(to === 'pendingSettlement' && { sent_at: when }),
      ...(to === 'processed' && { paid_at: when }),
      ...(to === 'rejected' && {
        rejected_at: when,
        reject_code: refused?.code ?? null,
        reject_reason: refused?.words ?? detail ?? null,
      }),
      ...(bankReference !== undefined && { bank_reference: bankReference }),
    })
    .where('merchant_id', '=', tx.merchantId)
    .where('id', '=', order.id)
    .where('status', '=', order.status)
    .returningAll()
    .executeTakeFirst();
  return row && toPayout(row);
}

/** Sets the approval of a payout that the transaction has locked. */
export async function setApprovalState(
  tx: MerchantTx,
  { id }: Pick<Payout, 'id'>,
  state: ApprovalState,
): Promise<Payout> {
  const row = await tx.prepared
    .updateTable('payout')
    .set({ approval_state: state })
    .where('merchant_id', '=', tx.merchantId)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();
  return toPayout(row);
}

/** Adds an event to a payout's timeline. */
export async function insertEvent(
  tx: MerchantTx,
  order: Payout,
  event: Pick<MoveChanges, 'refused' | 'detail'> & { reason: string },
): Promise<void> {
  await tx.prepared
    .insertInto('payout_event')
    .values({
      merchant_id: tx.merchantId,
      payout_id: order.id,
      status: order.status,
      reason: event.reason,
      refusal: event.refused?.code ?? null,
      detail: event.refused?.words ?? event.detail ?? null,
    })
    .execute();
}
