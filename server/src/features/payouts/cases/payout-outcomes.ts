import { formatAmount } from '@hengfu/contract/money';
import { canMove } from '@hengfu/contract/moves';
import { payoutMoves } from '@hengfu/contract/payouts';
import { type PayoutOutcome, payoutOutcomes } from '@hengfu/contract/staff/orders';
import * as z from 'zod';
import type { Database, MerchantTx } from '#db/database.ts';
import { fieldsOfActor, writeAudit } from '#domain/audit.sql.ts';
import type { ServiceActor } from '#domain/caller.ts';
import { findMerchantForService } from '#domain/orders.sql.ts';
import { Refusal } from '#domain/refusal.ts';
import type { StaffEffects, StaffRequests } from '#domain/staff-requests.sql.ts';
import { enqueue, type Task } from '#jobs/jobs.ts';
import { markPaid, reject } from '../payouts.moves.ts';
import { findPayout, insertEvent, lockPayout, type Payout } from '../payouts.sql.ts';
import { insertContradiction } from './contradictions.sql.ts';
import { readAgreedChange } from './payout-outcomes.sql.ts';

const outcomeTask = 'payouts.outcome';
const payload = z.object({ merchantId: z.string().transform(BigInt), tradeNo: z.string() });
/** The change of a request. */
const agreedChange = z.object({ outcome: z.enum(payoutOutcomes), bankReference: z.string() });
type AgreedChange = z.output<typeof agreedChange>;

/** Whether a payout has been sent and nobody knows how it ends. */
export function isUnknown({ status }: Pick<Payout, 'status'>): boolean {
  return status === 'pendingSettlement' || status === 'processing';
}

/** Lets our staff decide an unknown outcome by the bank's statement, two people together. */
export class PayoutOutcomes {
  readonly #database: Database;
  readonly #requests: StaffRequests;

  constructor(database: Database, requests: StaffRequests) {
    this.#database = database;
    this.#requests = requests;
  }

  /**
   * Asks a second person to agree to an outcome; returns the ID of the request. Throws `not_found`, `invalid_transition` for a payout whose
   * outcome is known or that was never sent, and `conflict` while a request waits.
   */
  async ask(
    tradeNo: string,
    { reason, ...change }: AgreedChange & { reason: string },
    by: ServiceActor,
  ): Promise<bigint | undefined> {
    const merchantId = await this.#database.asSystem((tx) => findMerchantForService(tx, 'payout', tradeNo));
    if (merchantId === undefined) throw new Refusal('not_found');
    const order = await this.#database.asMerchant(merchantId, (tx) => findPayout(tx, { tradeNo }));
    if (!order) throw new Refusal('not_found');
    if (!isUnknown(order)) throw invalidTransition(order);
    const fact = (name: 'amount' | 'payee' | 'account' | 'bankReference', after: string) => ({
      name,
      before: null,
      after,
    });
    return this.#requests.ask(
      {
        kind: 'payoutOutcome',
        merchantId,
        subject: tradeNo,
        change,
        facts: [
          fact('amount', `${formatAmount(order.amountMinor, order.currency)} ${order.currency}`),
          fact('payee', order.payee),
          fact('account', order.payeeAccount),
          { name: 'outcome', before: null, after: change.outcome },
          fact('bankReference', change.bankReference),
        ],
        reason,
      },
      by,
    );
  }
}

/**
 * Has a worker move the payout once the second person agrees. The back office itself has no right to: the worker moves it only if it
 * finds the agreement.
 */
export const payoutOutcomeEffects: StaffEffects = {
  async perform(tx, { subject: tradeNo, change }, by) {
    const { merchantId } = tx as MerchantTx;
    const order = await findPayout(tx as MerchantTx, { tradeNo });
    if (!order || !isUnknown(order)) throw new Refusal('approval_changed');
    const { outcome, bankReference } = agreedChange.parse(change);
    await enqueue(
      tx,
      outcomeTask,
      { merchantId: String(merchantId), tradeNo },
      { key: `outcome:${tradeNo}` },
    );
    await writeAudit(tx, {
      merchantId,
      ...fieldsOfActor(by),
      action: 'payout.outcome',
      subject: tradeNo,
      before: { status: order.status },
      after: { outcome, bankReference },
    });
  },
};

/** Moves payouts to the outcomes that two people have agreed on. */
export class PayoutOutcomeJob {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  readonly tasks: Record<string, Task> = {
    [outcomeTask]: async (given) => this.#run(payload.parse(given)),
  };

  async #run(subject: z.output<typeof payload>): Promise<void> {
    const change = await this.#database.asSystem((tx) => readAgreedChange(tx, subject));
    // Without an agreement, the job is none that two people have caused.
    if (change === undefined) return;
    const agreed = agreedChange.parse(change);
    await this.#database.asMerchant(subject.merchantId, async (tx) => {
      const order = await lockPayout(tx, subject.tradeNo);
      if (order) await applyOutcome(tx, order, agreed);
    });
  }
}

const statusOf: Readonly<Record<PayoutOutcome, 'processed' | 'rejected'>> = {
  paid: 'processed',
  failed: 'rejected',
};

/** Applies an agreed outcome. If the channel has reported another one meanwhile, our staff have to settle the contradiction. */
async function applyOutcome(
  tx: MerchantTx,
  order: Payout,
  { outcome, bankReference }: AgreedChange,
): Promise<void> {
  const to = statusOf[outcome];
  if (order.status === to) return;
  if (!canMove(payoutMoves, order.status, to)) {
    await insertEvent(tx, order, {
      reason: 'statement_contradicts',
      detail: `${outcome} (${bankReference})`,
    });
    await insertContradiction(tx, order, { source: 'statement', reported: outcome, bankReference });
    tx.changed(tx.merchantId, 'payouts');
  } else if (to === 'processed') await markPaid(tx, order, { bankReference, reason: 'statement_paid' });
  else await reject(tx, order, { reason: 'statement_failed' });
}

function invalidTransition({ status }: Payout): Refusal {
  return new Refusal('invalid_transition', { values: { status: `payouts.status.${status}` } });
}
