import { formatAmount } from '@hengfu/contract/money';
import { canMove } from '@hengfu/contract/moves';
import { type PayoutStatus, payoutMoves } from '@hengfu/contract/payouts';
import { type PayoutOutcome, type payoutOutcomeBody, payoutOutcomes } from '@hengfu/contract/staff/orders';
import * as z from 'zod';
import type { Database, MerchantTx, Tx } from '#db/database.ts';
import { fieldsOfActor, writeAudit } from '#domain/audit.sql.ts';
import type { ServiceActor } from '#domain/caller.ts';
import { findMerchantForService } from '#domain/orders.sql.ts';
import { fieldRefusal, Refusal } from '#domain/refusal.ts';
import type { StaffEffects, StaffRequests } from '#domain/staff-requests.sql.ts';
import { enqueue, type Task } from '#jobs/jobs.ts';
import { findLoose, keepEvidence } from '../evidence/evidence.sql.ts';
import { markPaid, reject } from '../payouts.moves.ts';
import { findPayout, insertEvent, lockPayout, type Payout } from '../payouts.sql.ts';
import { insertContradiction } from './contradictions.sql.ts';
import { isUnknown } from './payout-outcomes.rules.ts';
import { readAgreedChange } from './payout-outcomes.sql.ts';

const outcomeTask = 'payouts.outcome';
const payload = z.object({ merchantId: z.string().transform(BigInt), tradeNo: z.string() });
/** The change of a request. Those of earlier versions have no evidence. */
const agreedChange = z.object({
  outcome: z.enum(payoutOutcomes),
  bankReference: z.string(),
  evidence: z.array(z.object({ id: z.string(), sha256: z.string() })).default([]),
});
type AgreedChange = z.output<typeof agreedChange>;

/** An outcome as somebody asks for it. */
type AskedOutcome = z.output<typeof payoutOutcomeBody>;

/** Lets our staff decide an unknown outcome by the bank's statement, two people together. */
export class PayoutOutcomes {
  readonly #database: Database;
  readonly #requests: StaffRequests;

  constructor(database: Database, requests: StaffRequests) {
    this.#database = database;
    this.#requests = requests;
  }

  /**
   * Asks a second person to agree to an outcome; returns the ID of the request, or undefined if an operator decides it alone, which is recorded. The
   * operator's command then has to apply it: see {@link PayoutOutcomeJob.applyAlone}. `evidence`: the IDs of files that the same person has uploaded. Throws `not_found`, `invalid_transition` for a payout whose outcome is known
   * or that was never sent, `validation_failed` on `evidence`, and `request_waiting`.
   */
  async ask(
    tradeNo: string,
    { reason, evidence, ...outcome }: AskedOutcome,
    by: ServiceActor,
    options?: { breakGlass?: string | undefined },
  ): Promise<bigint | undefined> {
    const merchantId = await this.#database.asSystem((tx) => findMerchantForService(tx, 'payout', tradeNo));
    if (merchantId === undefined) throw new Refusal('not_found');
    const order = await this.#database.asMerchant(merchantId, (tx) => findPayout(tx, { tradeNo }));
    if (!order) throw new Refusal('not_found');
    if (!isUnknown(order)) throw invalidTransition(order);
    const change = { ...outcome, evidence: await this.#filesOf(tradeNo, evidence, by) };
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
      options,
    );
  }

  async #filesOf(
    subject: string,
    ids: readonly string[],
    by: ServiceActor,
  ): Promise<AgreedChange['evidence']> {
    const loose = { subject, uploadedBy: fieldsOfActor(by).actor };
    const files = await this.#database.asSystem((tx) => findLoose(tx, loose, ids.map(BigInt)));
    if (files.length < ids.length) throw missingEvidence();
    return files.map(({ id, sha256 }) => ({ id: String(id), sha256: sha256.toString('hex') }));
  }
}

/**
 * Has a worker move the payout once the second person agrees. The back office itself has no right to: the worker moves it only if it
 * finds the agreement.
 */
export const payoutOutcomeEffects: StaffEffects = {
  async onAsked(tx, { subject, change, id, requestedBy }) {
    await keep(tx, { subject, uploadedBy: requestedBy }, agreedChange.parse(change), id);
  },

  async perform(tx, { subject: tradeNo, change }, by) {
    const { merchantId } = tx as MerchantTx;
    const order = await findPayout(tx as MerchantTx, { tradeNo });
    if (!order || !isUnknown(order)) throw new Refusal('approval_changed');
    const agreed = agreedChange.parse(change);
    const { outcome, bankReference } = agreed;
    // An operator who acts alone has made no request that could keep the evidence, or that a worker could find.
    if (typeof by === 'string') await keep(tx, { subject: tradeNo, uploadedBy: by }, agreed, null);
    else
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

/** Moves payouts to the outcomes that two people, or an operator alone, have decided. */
export class PayoutOutcomeJob {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  readonly tasks: Record<string, Task> = {
    [outcomeTask]: async (given) => this.#run(payload.parse(given)),
  };

  /**
   * Applies an outcome that an operator decides without a second person, once that is recorded. No worker does: what the back office's role could write
   * proves no decision of an operator, whose command works with the product's own role. Returns the payout's status afterwards: another one than was
   * decided if the channel has reported it meanwhile, which our staff then have to settle. Throws `not_found`.
   */
  async applyAlone(
    tradeNo: string,
    decided: Pick<AgreedChange, 'outcome' | 'bankReference'>,
  ): Promise<PayoutStatus> {
    const merchantId = await this.#database.asSystem((tx) => findMerchantForService(tx, 'payout', tradeNo));
    if (merchantId === undefined) throw new Refusal('not_found');
    return this.#database.asMerchant(merchantId, async (tx) => {
      const order = await lockPayout(tx, tradeNo);
      if (!order) throw new Refusal('not_found');
      await applyOutcome(tx, order, decided);
      return canMove(payoutMoves, order.status, statusOf[decided.outcome])
        ? statusOf[decided.outcome]
        : order.status;
    });
  }

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

/** Applies a decided outcome. If the channel has reported another one meanwhile, our staff have to settle the contradiction. */
async function applyOutcome(
  tx: MerchantTx,
  order: Payout,
  { outcome, bankReference }: Pick<AgreedChange, 'outcome' | 'bankReference'>,
): Promise<void> {
  const to = statusOf[outcome];
  if (order.status === to) return;
  if (!canMove(payoutMoves, order.status, to)) {
    // The job may run twice.
    if (!(await insertContradiction(tx, order, { source: 'statement', reported: outcome, bankReference })))
      return;
    await insertEvent(tx, order, {
      reason: 'statement_contradicts',
      detail: `${outcome} (${bankReference})`,
    });
    tx.changed(tx.merchantId, 'payouts');
  } else if (to === 'processed') await markPaid(tx, order, { bankReference, reason: 'statement_paid' });
  else await reject(tx, order, { reason: 'statement_failed' });
}

/** Keeps the evidence for good. Throws `validation_failed` if another request has it by now. */
async function keep(
  tx: Tx,
  loose: { subject: string; uploadedBy: string },
  { evidence }: AgreedChange,
  requestId: bigint | null,
): Promise<void> {
  const ids = evidence.map(({ id }) => BigInt(id));
  if (ids.length > 0 && (await keepEvidence(tx, loose, { ids, requestId })) < ids.length)
    throw missingEvidence();
}

function missingEvidence(): Refusal {
  return fieldRefusal('evidence', 'validation.evidenceRequired');
}

function invalidTransition({ status }: Payout): Refusal {
  return new Refusal('invalid_transition', { values: { status: `payouts.status.${status}` } });
}
