import type { ApprovalState } from '@hengfu/contract/approval-states';
import type { ChannelCode, ChannelRefusal, PayoutRefusal, PixKeyType } from '@hengfu/contract/channels';
import type { Currency } from '@hengfu/contract/money';
import { type PayoutStatus, similarHours } from '@hengfu/contract/payouts';
import { type Selectable, sql } from 'kysely';
import type { MerchantTx, Tx } from '#db/database.ts';
import type { Schema } from '#db/schema.ts';
import type { OpenNonce, RequestInfo } from '#domain/caller.ts';
import { claimsOf, type NonceRefusal } from '#domain/nonce-claims.ts';

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

/** Fields that are set when a payout is taken, or later. */
type Later =
  | 'id'
  | 'tradeNo'
  | 'status'
  | 'feeMinor'
  | 'bankReference'
  | 'rejectCode'
  | 'rejectReason'
  | 'approvalState'
  | `${'created' | 'sent' | 'paid' | 'rejected'}At`;

/** An application for a payout, from the console, a batch or the Open API. */
export interface Application extends Omit<Payout, Later> {
  /** The caller confirms it although it looks like an earlier payout. */
  confirmSimilar: boolean;
  /** The Open API call, for the audit trail; absent if the caller writes the audit entry itself. */
  call?: Pick<RequestInfo, 'id' | 'address'>;
  /** The call's nonce, which is claimed with the decision if it is open. */
  nonce?: OpenNonce | undefined;
}

/** What is known of an earlier payout that an application repeats or resembles. */
export type EarlierPayout = Pick<Payout, 'tradeNo' | 'status' | 'createdAt'>;

/**
 * The decision on an application: the payout that was made, the earlier one that it repeats or resembles, or why there is
 * none. `not_covered_together`: the funds do not cover all of its merchant's applications in this batch, but
 * may cover it alone.
 */
export type Decision =
  | { outcome: 'taken'; payout: Payout }
  | { outcome: 'earlier'; earlier: EarlierPayout }
  | { outcome: 'similar_payout' | 'similar_payout_unknown'; earlier: EarlierPayout }
  | {
      outcome:
        | 'out_trade_no_used'
        | 'channel_closed'
        | 'insufficient_funds'
        | 'merchant_suspended'
        | 'limit_exceeded'
        | 'day_limit_exceeded'
        | 'not_approved'
        | 'not_covered_together'
        // Nothing was decided: the call's nonce was refused.
        | NonceRefusal;
    };

/** What the database says of an application: of the payout that was made, or of the earlier one that is repeated or resembled. */
type Verdict =
  | { outcome: Exclude<Decision['outcome'], 'taken' | EarlierOutcome> }
  | ({ outcome: EarlierOutcome } & Pick<PayoutSqlRow, 'trade_no' | 'status' | 'created_at'>)
  | ({ outcome: 'taken' } & MadeColumns);

type EarlierOutcome = 'earlier' | 'similar_payout' | 'similar_payout_unknown';

/** What only the database knows of a payout that it has just made. */
type MadeColumns = Pick<
  PayoutSqlRow,
  'id' | 'trade_no' | 'status' | 'fee_minor' | 'approval_state' | 'created_at'
>;

/**
 * Decides each application of the transaction's merchants in one statement, which writes the payouts with
 * their postings, events, rollups and jobs, and claims the open nonces of their calls. No two applications of a merchant may share an order number, or
 * both account and amount. Posts to the ledger: call it within `refuseOverdraft`.
 */
export async function takePayouts(
  tx: Tx,
  applications: readonly Application[],
  job: { task: string; maxAttempts: number },
): Promise<Decision[]> {
  const columns = JSON.stringify(applications.map(toColumns));
  const claims = claimsOf(applications);
  const rest = sql`${similarHours}::integer, ${job.task}, ${job.maxAttempts}::integer`;
  const decided =
    claims === undefined
      ? sql`decide_payouts(${columns}::json, ${rest})`
      : sql`decide_signed_payouts(${columns}::json, ${claims}::json, ${rest})`;
  const { rows } = await sql<Verdict>`
      select outcome, id, trade_no, status, fee_minor, approval_state, created_at from ${decided} order by line`.execute(
    tx.prepared,
  );
  const decisions = applications.map((application, index) => decisionOf(application, rows[index]));
  const taken = decisions.filter((decision) => decision.outcome === 'taken');
  for (const { payout } of taken) {
    tx.changed(payout.merchantId, 'payouts', 'account');
    if (payout.approvalState === 'waiting') tx.changed(payout.merchantId, 'approvals', 'notices');
  }
  if (taken.length > 0) tx.jobsReady(taken.length);
  return decisions;
}

function decisionOf(application: Application, verdict: Verdict | undefined): Decision {
  if (!verdict) throw new Error('the database returned no decision on an application');
  switch (verdict.outcome) {
    case 'taken':
      return { outcome: verdict.outcome, payout: madeOf(application, verdict) };
    case 'earlier':
    case 'similar_payout':
    case 'similar_payout_unknown': {
      const { outcome, trade_no: tradeNo, status, created_at: createdAt } = verdict;
      return { outcome, earlier: { tradeNo, status, createdAt } };
    }
    default:
      return { outcome: verdict.outcome };
  }
}

/** Returns the payout that an application has become. */
function madeOf({ confirmSimilar, call, nonce, ...given }: Application, made: MadeColumns): Payout {
  return {
    ...given,
    id: made.id,
    tradeNo: made.trade_no,
    status: made.status,
    feeMinor: made.fee_minor,
    approvalState: made.approval_state,
    createdAt: made.created_at,
    sentAt: null,
    paidAt: null,
    rejectedAt: null,
    bankReference: null,
    rejectCode: null,
    rejectReason: null,
  };
}

function toColumns(order: Application) {
  return {
    merchant_id: String(order.merchantId),
    out_trade_no: order.outTradeNo,
    request_hash: `\\x${order.requestHash.toString('hex')}`,
    currency: order.currency,
    amount_minor: String(order.amountMinor),
    channel: order.channel,
    payee: order.payee,
    payee_account: order.payeeAccount,
    account_key: order.accountKey,
    bank: order.bank,
    bank_name: order.bankName,
    branch_name: order.branchName,
    ifsc: order.ifsc,
    account_type: order.accountType,
    tax_id: order.taxId,
    remark: order.remark,
    notify_url: order.notifyUrl,
    source: order.source,
    created_by: order.createdBy,
    batch_no: order.batchNo,
    batch_line: order.batchLine,
    means_similar: order.confirmSimilar,
    from_address: order.call?.address ?? null,
    from_request: order.call?.id ?? null,
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
