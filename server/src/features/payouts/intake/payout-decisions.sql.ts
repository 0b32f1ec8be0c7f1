import { similarHours } from '@hengfu/contract/payouts';
import { sql } from 'kysely';
import type { Tx } from '#db/database.ts';
import type { OpenNonce, RequestInfo } from '#domain/caller.ts';
import { claimsOf, type NonceRefusal } from '#domain/nonce-claims.ts';
import type { Payout, PayoutSqlRow } from '../payouts.sql.ts';

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

/** The facts about an earlier payout that an application repeats or resembles. */
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

/** The database's answer to an application: about the payout that was made, or about the earlier one that is repeated or resembled. */
type Verdict =
  | { outcome: Exclude<Decision['outcome'], 'taken' | EarlierOutcome> }
  | ({ outcome: EarlierOutcome } & Pick<PayoutSqlRow, 'trade_no' | 'status' | 'created_at'>)
  | ({ outcome: 'taken' } & MadeColumns);

type EarlierOutcome = 'earlier' | 'similar_payout' | 'similar_payout_unknown';

/** Columns of a new payout that only the database knows. */
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
