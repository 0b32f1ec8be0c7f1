import { formatAmount } from '@hengfu/contract/money';
import { canMove } from '@hengfu/contract/moves';
import type { NoticeKind } from '@hengfu/contract/notices';
import type { StaffPerm } from '@hengfu/contract/staff/permissions';
import { isTransactionOf, transactionOf } from '@hengfu/contract/wallets';
import type { WithdrawalStatus } from '@hengfu/contract/withdrawals';
import { withdrawalMoves } from '@hengfu/contract/withdrawals';
import type { Database, MerchantTx, Tx } from '#db/database.ts';
import { refuseRequestOf } from '#domain/approvals.sql.ts';
import { fieldsOfActor, writeAudit } from '#domain/audit.sql.ts';
import { type NamedActor, nameOfActor, type ServiceActor } from '#domain/caller.ts';
import { claimCase, releaseCase } from '#domain/case-claims.sql.ts';
import { countAlone, type DoneAlone, sumAlone } from '#domain/done-alone.sql.ts';
import { moneyFacts, writeNotice } from '#domain/notices.sql.ts';
import { fieldRefusal, Refusal } from '#domain/refusal.ts';
import { assertMayBegin } from '#domain/standing.sql.ts';
import { bookWithdrawal, giveBack } from './review/withdrawal-booking.ts';
import {
  type ComparedWithdrawal,
  findReviewed,
  isPaymentAsked,
  listEarlier,
  listToReview,
  listToWallet,
  lockPayment,
  sumOfDay,
  type WithdrawalToReview,
} from './review/withdrawals-review.sql.ts';
import { findWithdrawal, moveWithdrawal, setApprovalState, type Withdrawal } from './withdrawals.sql.ts';

export type { ComparedWithdrawal, WithdrawalToReview };

/** A withdrawal with what a reviewer compares it with. */
export interface WithdrawalComparison {
  order: WithdrawalToReview;
  toWallet: ComparedWithdrawal[];
  earlier: ComparedWithdrawal[];
  /** The merchant's withdrawals of the last 24 hours, with this one. */
  day: { count: number; usdtMinor: bigint };
}

/** The final states that the merchant is notified of. */
const noticeOf: Partial<Record<WithdrawalStatus, NoticeKind>> = {
  paid: 'withdrawalPaid',
  rejected: 'withdrawalRejected',
};

/** The permission that a claim needs, by what the withdrawal waits for. */
const permOf: Partial<Record<WithdrawalStatus, StaffPerm>> = {
  pendingReview: 'withdrawalReviews.decide',
  approved: 'withdrawalReviews.pay',
};

/** A member of our staff, who alone can hold a claim. */
type StaffActor = Exclude<ServiceActor, string>;

interface MoveOptions {
  /** Two people have agreed, so nobody's claim is in the way. */
  isAgreed?: boolean;
}

interface Change extends MoveOptions {
  transactionId?: string;
  rejectReason?: string;
}

/** Lets our staff review withdrawals. Audits every change. */
export class WithdrawalReview {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Lists the withdrawals that wait for our staff, oldest first: a page of those behind the one with a number. */
  waiting(after?: string): Promise<WithdrawalToReview[]> {
    return this.#database.asSystem((tx) => listToReview(tx, { after }));
  }

  /** Returns one withdrawal. Throws `not_found`. */
  async find(tradeNo: string): Promise<WithdrawalToReview> {
    const [order] = await this.#database.asSystem((tx) => listToReview(tx, { tradeNo }));
    if (!order) throw new Refusal('not_found');
    return order;
  }

  /** Returns one withdrawal with what it is compared with. Throws `not_found`. */
  compare(tradeNo: string): Promise<WithdrawalComparison> {
    return this.#database.asSystem(async (tx) => {
      const [order] = await listToReview(tx, { tradeNo });
      if (!order) throw new Refusal('not_found');
      return {
        order,
        toWallet: await listToWallet(tx, order),
        earlier: await listEarlier(tx, order),
        day: await sumOfDay(tx, order),
      };
    });
  }

  /**
   * Takes a withdrawal that waits, so that others see who works on it. Throws `not_found`, `case_taken`, `invalid_transition`, and
   * `forbidden` for somebody who may not do what the withdrawal waits for: the claim would keep out those who may.
   */
  claim(tradeNo: string, by: StaffActor): Promise<void> {
    return this.#withOrder(tradeNo, async (tx, order) => {
      const perm = permOf[order.status];
      if (!perm) throw new Refusal('invalid_transition', statusOf(order));
      if (!by.member.perms.includes(perm)) throw new Refusal('forbidden');
      await claimCase(tx, order, by.member);
      await auditClaim(tx, order, by, 'withdrawal.claim');
    });
  }

  /** Gives a withdrawal back that the person has taken; does nothing for one that the person has not. Throws `not_found`. */
  release(tradeNo: string, by: StaffActor): Promise<void> {
    return this.#withOrder(tradeNo, async (tx, order) => {
      if (await releaseCase(tx, order, by.member)) await auditClaim(tx, order, by, 'withdrawal.release');
    });
  }

  /**
   * Approves a withdrawal, which our staff then send. Throws `not_found`, `invalid_transition`, `case_taken`, and
   * `merchant_suspended`: no money leaves a suspended merchant. An approved one may already have been sent,
   * so a suspension no longer stops it from being paid or rejected.
   */
  approve(tradeNo: string, by: ServiceActor): Promise<Withdrawal> {
    return this.#withOrder(tradeNo, async (tx, order) => {
      await assertMayBegin(tx, 'withdrawalApproval');
      return move(tx, order, by, 'approved', {});
    });
  }

  /**
   * Marks a withdrawal as paid by a transaction on its network. Also throws `validation_failed`, and
   * `conflict` for a transaction that paid another one, and `approval_changed` if a second person has to agree: because the amount comes to
   * `belowUsdtMinor`, in minor units of USDT, together with what the person has paid to the merchant alone within 24 hours.
   */
  pay(
    tradeNo: string,
    by: ServiceActor,
    transactionId: string,
    belowUsdtMinor?: bigint,
  ): Promise<Withdrawal> {
    return this.#withOrder(tradeNo, async (tx, order) => {
      const { usdtMinor } = order;
      const moved = await payIn(tx, order, by, transactionId);
      if (belowUsdtMinor !== undefined)
        await countAlone(tx, { kind: 'withdrawalPayment', by, usdtMinor, belowUsdtMinor });
      return moved;
    });
  }

  /** Adds up what somebody has paid to merchants alone. */
  doneAlone(by: NamedActor): Promise<DoneAlone> {
    return this.#database.asSystem((tx) => sumAlone(tx, 'withdrawalPayment', nameOfActor(by)));
  }

  /**
   * Rejects a withdrawal and returns amount and fee. Throws `not_found`, `invalid_transition`, `case_taken`, and `request_waiting` while a second
   * person has yet to agree to its payment: the money has left by then.
   */
  async reject(tradeNo: string, by: ServiceActor, rejectReason: string): Promise<Withdrawal> {
    return this.#asMerchantOf(tradeNo, async (tx) => {
      await lockPayment(tx, tradeNo);
      if (await isPaymentAsked(tx, tradeNo)) throw new Refusal('request_waiting');
      // A request is locked before its order.
      const isRefused = await refuseRequestOf(tx, 'withdrawal', tradeNo, {
        by: fieldsOfActor(by).actor,
        reason: rejectReason,
      });
      const found = await findWithdrawal(tx, tradeNo, { isHeld: true });
      if (!found) throw new Refusal('not_found');
      const order = isRefused ? await setApprovalState(tx, found, 'refused') : found;
      const moved = await move(tx, order, by, 'rejected', { rejectReason });
      await giveBack(tx, order);
      return moved;
    });
  }

  async #asMerchantOf<T>(tradeNo: string, work: (tx: MerchantTx) => Promise<T>): Promise<T> {
    const found = await this.#database.asSystem((tx) => findReviewed(tx, tradeNo));
    if (!found) throw new Refusal('not_found');
    return this.#database.asMerchant(found.merchant_id, work);
  }

  /** Runs work on a withdrawal, whose row is locked until the transaction ends. Throws `not_found`. */
  #withOrder<T>(tradeNo: string, work: (tx: MerchantTx, order: Withdrawal) => Promise<T>): Promise<T> {
    return this.#asMerchantOf(tradeNo, async (tx) => {
      const order = await findWithdrawal(tx, tradeNo, { isHeld: true });
      if (!order) throw new Refusal('not_found');
      return work(tx, order);
    });
  }
}

/**
 * Marks a withdrawal as paid, in a transaction of its merchant. Two people have agreed, so nobody's claim is in the way. Throws what
 * {@link WithdrawalReview.pay} throws.
 */
export async function payAsAgreed(
  tx: MerchantTx,
  tradeNo: string,
  by: ServiceActor,
  transactionId: string,
): Promise<void> {
  const order = await findWithdrawal(tx, tradeNo, { isHeld: true });
  if (!order) throw new Refusal('not_found');
  await payIn(tx, order, by, transactionId, { isAgreed: true });
}

async function payIn(
  tx: MerchantTx,
  order: Withdrawal,
  by: ServiceActor,
  transactionId: string,
  options: MoveOptions = {},
): Promise<Withdrawal> {
  assertTransaction(order, transactionId);
  const moved = await move(tx, order, by, 'paid', { transactionId, ...options });
  const { amountMinor, feeMinor, network } = order;
  await bookWithdrawal(tx, order, 'withdrawal_payment', [
    { account: 'locked', amountMinor: -(amountMinor + feeMinor) },
    { account: 'crypto', reference: network, amountMinor },
    { account: 'fees', amountMinor: feeMinor },
  ]);
  return moved;
}

/**
 * Checks, in the transaction that asks for a payment, that the withdrawal still waits for it; nobody rejects it before that transaction ends.
 * Throws `invalid_transition`.
 */
export async function assertPayable(tx: Tx, tradeNo: string): Promise<void> {
  await lockPayment(tx, tradeNo);
  const found = await findReviewed(tx, tradeNo);
  if (!found || !canMove(withdrawalMoves, found.status, 'paid'))
    throw new Refusal('invalid_transition', found && statusOf(found));
}

/** Throws `validation_failed` unless a text is a transaction hash of the network of a withdrawal. Returns it as it is stored. */
export function assertTransaction({ network }: Pick<Withdrawal, 'network'>, transactionId: string): string {
  if (!isTransactionOf(network, transactionId))
    throw fieldRefusal('transactionId', 'validation.transactionId');
  return transactionOf(network, transactionId);
}

/** Moves a withdrawal whose row is locked; audits it, and notifies the merchant. */
async function move(
  tx: MerchantTx,
  order: Withdrawal,
  by: ServiceActor,
  to: Exclude<WithdrawalStatus, 'pendingReview'>,
  { isAgreed = false, ...change }: Change,
): Promise<Withdrawal> {
  const { merchantId } = tx;
  const { tradeNo, status } = order;
  if (order.approvalState === 'waiting')
    throw new Refusal('invalid_transition', { values: { status: 'approvals.states.waiting' } });
  if (!canMove(withdrawalMoves, status, to)) throw new Refusal('invalid_transition', statusOf(order));
  if (typeof by !== 'string' && !isAgreed) await claimCase(tx, order, by.member);
  const moved = await moveWithdrawal(tx, order, to, change);
  if (!moved) throw new Refusal('invalid_transition', statusOf(order));
  await writeAudit(tx, {
    merchantId,
    ...fieldsOfActor(by),
    action: `withdrawal.${to}`,
    subject: tradeNo,
    before: { status },
    after: { ...change, status: to, usdt: formatAmount(order.usdtMinor, 'USDT') },
  });
  const kind = noticeOf[to];
  if (kind) await writeNotice(tx, { merchantId, kind, subject: tradeNo, facts: moneyFacts(moved) });
  tx.changed(merchantId, 'withdrawals', 'account');
  return moved;
}

/** Audits a claim for the service: merchants do not read who works on their cases. */
async function auditClaim(
  tx: MerchantTx,
  { tradeNo, status }: Withdrawal,
  by: StaffActor,
  action: 'withdrawal.claim' | 'withdrawal.release',
): Promise<void> {
  const fields = fieldsOfActor(by);
  await writeAudit(tx, { merchantId: null, ...fields, action, subject: tradeNo, after: { status } });
}

/** The value of a refusal that names a withdrawal's status. */
function statusOf({ status }: Pick<Withdrawal, 'status'>) {
  return { values: { status: `withdrawals.status.${status}` } } as const;
}
