import { feeOf } from '@hengfu/contract/fees';
import { parseAmount } from '@hengfu/contract/money';
import type { PayoutFields } from '@hengfu/contract/payout-fields';
import { confirmEarlierCommits, type Database, type MerchantTx, pipelined } from '#db/database.ts';
import { MerchantBatcher } from '#db/merchant-batcher.ts';
import type { Home } from '#domain/caller.ts';
import { isIfsc } from '#domain/ifsc.ts';
import { limitExceeded } from '#domain/limits.sql.ts';
import { claimAlone, nonceKeysOf, settleNonce } from '#domain/nonce-claims.ts';
import { fieldRefusal, Refusal } from '#domain/refusal.ts';
import { defaultMaxAttempts as maxAttempts } from '#jobs/jobs.ts';
import { refuseOverdraft } from '#ledger/ledger.ts';
import { sendTask } from '../payouts.dispatch.ts';
import { accountKey } from '../payouts.rules.ts';
import { findPayout, type Payout } from '../payouts.sql.ts';
import { findOpenTerms, findSimilar } from '../payouts-lookup.sql.ts';
import { type Application, type Decision, type EarlierPayout, takePayouts } from './payout-decisions.sql.ts';

const job = { task: sendTask, maxAttempts };

/**
 * Accepts an application in the caller's transaction: reserves amount and fee and enqueues the payout for its
 * channel, or returns the payout if the same application was accepted before. Throws `out_trade_no_used`,
 * `channel_closed`, `similar_payout`, `similar_payout_unknown`, `insufficient_funds`, `limit_exceeded`, `merchant_suspended`.
 */
export async function take(tx: MerchantTx, application: Application): Promise<Payout> {
  const [decision] = await refuseOverdraft(takePayouts(tx, [application], job));
  return decision?.outcome === 'earlier' ? found(await findPayout(tx, decision.earlier)) : payoutOf(decision);
}

/**
 * Micro-batches the Open API's applications of all merchants. A merchant whose funds do not cover all of its applications at once
 * has them decided one at a time.
 */
export class Intake {
  readonly #database: Database;
  readonly #applications: MerchantBatcher<Application, Decision>;

  constructor(database: Database) {
    this.#database = database;
    this.#applications = new MerchantBatcher({
      database,
      work: (tx, applications) => refuseOverdraft(takePayouts(tx, applications, job)),
      conflictKeysOf: namesOf,
      isUndecided: ({ outcome }) => outcome === 'not_covered_together',
      onCommitted: (application, { outcome }) => settleNonce(application, outcome),
      beforeAlone: claimAlone,
    });
  }

  /** Like {@link take}, in a transaction that may be shared with other applications. */
  async take(application: Application): Promise<Payout> {
    const decision = await this.#applications.submit(application);
    if (decision.outcome !== 'earlier') return payoutOf(decision);
    return this.#database.asMerchant(application.merchantId, async (tx) => {
      const [earlier] = await pipelined([findPayout(tx, decision.earlier), confirmEarlierCommits(tx)]);
      return found(earlier);
    });
  }
}

function namesOf(application: Application): string[] {
  const { merchantId, accountKey, amountMinor, outTradeNo } = application;
  const twin = `twin ${merchantId} ${accountKey} ${amountMinor}`;
  return [twin, `number ${merchantId} ${outTradeNo}`, ...nonceKeysOf(application)];
}

function found(payout: Payout | undefined): Payout {
  if (!payout) throw new Error('the earlier payout was not found');
  return payout;
}

/** Returns the payout that an application has become, or throws the reason why there is none. */
function payoutOf(decision: Exclude<Decision, { outcome: 'earlier' }> | undefined): Payout {
  switch (decision?.outcome) {
    case 'taken':
      return decision.payout;
    case 'similar_payout':
    case 'similar_payout_unknown':
      throw similarTo(decision.outcome, decision.earlier);
    case 'out_trade_no_used':
    case 'channel_closed':
    case 'insufficient_funds':
    case 'merchant_suspended':
    case 'not_approved':
      throw new Refusal(decision.outcome);
    case 'limit_exceeded':
      throw limitExceeded('payout');
    case 'day_limit_exceeded':
      throw limitExceeded('payoutsOfDay');
    case 'not_covered_together':
    case 'replayed':
    case 'changed':
    case undefined:
      throw new Error('the database returned no decision on an application');
  }
}

/**
 * Checks whether a payout may be made at all, at the total that a person was shown. Throws `channel_closed`, `terms_changed`,
 * `similar_payout…`.
 */
export async function checkTerms(
  tx: MerchantTx,
  application: Application,
  shownTotalMinor: bigint | undefined,
): Promise<void> {
  const [terms, similar] = await pipelined([
    findOpenTerms(tx, application.channel, application.currency),
    findSimilar(tx, application),
  ]);
  if (!terms) throw new Refusal('channel_closed');
  const { amountMinor } = application;
  assertTotal({ amountMinor, feeMinor: feeOf(amountMinor, terms) }, shownTotalMinor);
  if (similar?.status === 'pendingSettlement') throw similarTo('similar_payout_unknown', similar);
  if (similar && !application.confirmSimilar) throw similarTo('similar_payout', similar);
}

/** Throws `terms_changed` if a payout costs another total than a person was shown. */
export function assertTotal(
  { amountMinor, feeMinor }: Pick<Payout, 'amountMinor' | 'feeMinor'>,
  shownTotalMinor: bigint | undefined,
): void {
  if (shownTotalMinor !== undefined && shownTotalMinor !== amountMinor + feeMinor)
    throw new Refusal('terms_changed');
}

function similarTo(code: 'similar_payout' | 'similar_payout_unknown', earlier: EarlierPayout): Refusal {
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
