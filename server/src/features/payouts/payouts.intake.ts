import { parseAmount } from '@hengfu/contract/money';
import type { PayoutFields } from '@hengfu/contract/payout-fields';
import { type Database, type MerchantTx, pipelined, type Tx } from '#db/database.ts';
import { MicroBatcher } from '#db/micro-batcher.ts';
import type { Placement } from '#db/placement.ts';
import type { Home } from '#domain/caller.ts';
import { isIfsc } from '#domain/ifsc.ts';
import { fieldRefusal, Refusal } from '#domain/refusal.ts';
import { defaultMaxAttempts as maxAttempts } from '#jobs/jobs.ts';
import { refuseOverdraft } from '#ledger/ledger.ts';
import { sendTask } from './payouts.dispatch.ts';
import { accountKey } from './payouts.rules.ts';
import { type Application, type Decision, type Payout, takePayouts } from './payouts.sql.ts';
import { findOpenTerms, findSimilar } from './payouts-lookup.sql.ts';

const job = { task: sendTask, maxAttempts };
const maxPerTransaction = 64;
const patienceMs = 500;
/** Concurrent transactions per placement, each over several merchants; all payouts of one merchant are in the same lane. */
const lanes = 2n;

/**
 * Accepts an application in the caller's transaction: reserves amount and fee and enqueues the payout for its
 * channel, or returns the payout if the same application was accepted before. Throws `out_trade_no_used`,
 * `channel_closed`, `similar_payout`, `similar_payout_unknown`, `insufficient_funds`, `merchant_suspended`.
 */
export async function take(tx: MerchantTx, application: Application): Promise<Payout> {
  const [decision] = await refuseOverdraft(takePayouts(tx, [application], job));
  return payoutOf(decision);
}

/**
 * Accepts Open API applications of all merchants: those that arrive while others are in progress share the next
 * transaction. A merchant whose rows are locked, or whose funds do not cover all of its applications at once,
 * is excluded from it and processed one application at a time, so that it delays nobody else.
 */
export class Intake {
  readonly #shared: MicroBatcher<string, Application, Decision>;
  readonly #single: MicroBatcher<bigint, Application, Decision>;
  readonly #placement: Placement;

  constructor(database: Database) {
    const takeAll = (tx: Tx, applications: readonly Application[]) =>
      refuseOverdraft(takePayouts(tx, applications, job));
    this.#placement = database.placement;
    this.#single = new MicroBatcher({
      work: (merchantId, applications) =>
        database.asMerchant(merchantId, (tx) => takeAll(tx, applications), { oneStatement: true }),
      conflictKeysOf: namesOf,
      maxBatchSize: 1,
    });
    this.#shared = new MicroBatcher({
      work: (_lane, applications) =>
        database.asMerchants(
          applications.map(({ merchantId }) => merchantId),
          (tx) => takeAll(tx, applications),
        ),
      conflictKeysOf: namesOf,
      maxBatchSize: maxPerTransaction,
      stuckAfterMs: patienceMs,
      retryAlone: (application) => this.#single.submit(application.merchantId, application),
    });
  }

  /** Like {@link take}, in a transaction that may be shared with other applications. */
  async take(application: Application): Promise<Payout> {
    const { merchantId } = application;
    if (!this.#single.isBusy(merchantId)) {
      const decision = await this.#shared.submit(
        `${this.#placement(merchantId)} ${merchantId % lanes}`,
        application,
      );
      if (decision.outcome !== 'not_covered_together') return payoutOf(decision);
    }
    return payoutOf(await this.#single.submit(merchantId, application));
  }
}

function namesOf({ merchantId, accountKey, amountMinor, outTradeNo }: Application): string[] {
  return [`twin ${merchantId} ${accountKey} ${amountMinor}`, `number ${merchantId} ${outTradeNo}`];
}

function payoutOf(decision: Decision | undefined): Payout {
  switch (decision?.outcome) {
    case 'taken':
    case 'earlier':
      return decision.payout;
    case 'similar_payout':
    case 'similar_payout_unknown':
      throw similarTo(decision.outcome, decision.payout);
    case 'out_trade_no_used':
    case 'channel_closed':
    case 'insufficient_funds':
    case 'merchant_suspended':
      throw new Refusal(decision.outcome);
    case 'not_covered_together':
    case undefined:
      throw new Error('the database returned no decision on an application');
  }
}

/** Checks whether a payout may be made at all. Throws `channel_closed`, `similar_payout…`. */
export async function checkTerms(tx: MerchantTx, application: Application): Promise<void> {
  const [terms, similar] = await pipelined([
    findOpenTerms(tx, application.channel, application.currency),
    findSimilar(tx, application),
  ]);
  if (!terms) throw new Refusal('channel_closed');
  if (similar?.status === 'pendingSettlement') throw similarTo('similar_payout_unknown', similar);
  if (similar && !application.confirmSimilar) throw similarTo('similar_payout', similar);
}

function similarTo(code: 'similar_payout' | 'similar_payout_unknown', earlier: Payout): Refusal {
  const { tradeNo: trade_no, createdAt, status } = earlier;
  const details = { earlier: { trade_no, status, createdAt: createdAt.toISOString() } };
  return new Refusal(code, { values: { trade_no }, details });
}

/** Builds a payout's columns from the submitted fields. Throws `validation_failed`. */
export function payoutColumns(home: Pick<Home, 'merchantId' | 'currency'>, fields: PayoutFields) {
  const { channel, payee, payeeAccount, ifsc } = fields;
  const amountMinor = parseAmount(fields.amount, home.currency);
  if (amountMinor === undefined) throw fieldRefusal('amount', 'validation.amount');
  if (ifsc !== undefined && !isIfsc(ifsc)) throw fieldRefusal('ifsc', 'validation.ifsc');
  return {
    merchantId: home.merchantId,
    currency: home.currency,
    amountMinor,
    channel,
    payee,
    payeeAccount,
    accountKey: accountKey(fields),
    bank: fields.bank ?? null,
    bankName: fields.bankName ?? null,
    branchName: fields.branchName ?? null,
    ifsc: ifsc ?? null,
    accountType: fields.accountType ?? null,
    taxId: fields.taxId ?? null,
    remark: fields.remark ?? null,
  };
}
