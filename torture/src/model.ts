import type { Runtime } from '@hengfu/server/composition/runtime.ts';
import { Refusal } from '@hengfu/server/domain/refusal.ts';
import { type KeyedMerchant, makeMerchants } from '@hengfu/server/testing/keyed-merchants.ts';
import { openTestInstallation } from '@hengfu/server/testing/test-installation.ts';
import { sql } from 'kysely';
import { faultsOfBooks } from './books.ts';
import { Steps } from './model-steps.ts';
import { type MerchantState, readMerchantState } from './orders.ts';
import { Random, torture } from './torture.ts';

interface Size {
  sequences: number;
  steps: number;
  /** Number of concurrent sequences, each with a merchant of its own. */
  concurrency: number;
}

const staff = 'operator:model';
/** One USDT costs 7.00: a fee of two is 14.00. */
const withdrawalTerms = { feeUsdtMinor: 2_000_000n, freePerDay: 0, minimumUsdtMinor: 1_000_000n };

/**
 * Compares all kinds of orders and the ledger with a model of a hundred lines: after each step statuses and
 * balances equal the model's, and a refused step has changed nothing.
 */
export const model = torture<Size>({
  title: 'random sequences of operations against a pure model',
  short: { sequences: 40, steps: 25, concurrency: 4 },
  long: { sequences: 5000, steps: 30, concurrency: 8 },
  async run({ sequences, steps, concurrency }, random) {
    const installation = await openTestInstallation();
    const faults: string[] = [];
    const counts = { sequences, steps: 0, refused: 0 };
    try {
      const { services } = installation.runtime;
      await services.withdrawalTerms.setRate('CNY', '7', staff);
      const merchants = await makeMerchants(installation.runtime, sequences);
      // Each sequence has its own generator, so that concurrent sequences do not affect its choices.
      const plans = merchants.map((merchant) => ({
        merchant,
        random: new Random(random.between(0, 2 ** 31 - 1)),
      }));
      const runner = async () => {
        for (let plan = plans.pop(); plan; plan = plans.pop()) {
          const sequence = new Sequence(installation.runtime, plan.merchant, plan.random);
          await sequence.run(steps);
          faults.push(...sequence.faults);
          counts.steps += steps;
          counts.refused += sequence.refused;
        }
      };
      await Promise.all(Array.from({ length: concurrency }, runner));
      faults.push(...(await faultsOfBooks(installation.ownerUrl, services.database)));
    } finally {
      await installation.close();
    }
    return { counts, faults };
  },
});

/** One merchant's operations, on the product and on the model. */
class Sequence {
  readonly faults: string[] = [];
  refused = 0;
  readonly #runtime: Runtime;
  readonly #merchant: KeyedMerchant;
  readonly #steps: Steps;

  constructor(runtime: Runtime, merchant: KeyedMerchant, random: Random) {
    this.#runtime = runtime;
    this.#merchant = merchant;
    this.#steps = new Steps(runtime, merchant, random);
  }

  /** Runs until the first fault, since later ones would only follow from it. */
  async run(steps: number): Promise<void> {
    await this.#runtime.services.withdrawalTerms.setTerms(this.#merchant.id, withdrawalTerms, staff);
    await this.#setRefundTerms();
    let before = await this.#read();
    const names: string[] = [];
    for (let step = 1; step <= steps && this.faults.length === 0; step++) {
      const { name, expected, act } = this.#steps.next();
      names.push(name);
      const answer = await act().then(
        () => 'done',
        (error: unknown) => (error instanceof Refusal ? error.code : String(error)),
      );
      const after = await this.#read();
      if (answer !== expected) this.#fault(names, `${answer}, but the model says ${expected}`);
      if (answer !== 'done') this.refused++;
      if (answer !== 'done' && after.digest !== before.digest)
        this.#fault(names, 'refused, but something changed');
      this.#compare(names, after);
      before = after;
    }
  }

  async #setRefundTerms(): Promise<void> {
    const { isFeeKept, mayTakeAvailable } = this.#steps.model.refundTerms;
    await this.#runtime.services.database.asSystem((tx) =>
      sql`insert into merchant_terms (merchant_id, channel, valid_from, collection_rate_ppm, collection_fixed_minor, payout_rate_ppm,
          payout_fixed_minor, refund_fee_kept, refund_from_available)
        select merchant_id, channel, valid_from + interval '1 day', collection_rate_ppm, collection_fixed_minor, payout_rate_ppm,
          payout_fixed_minor, ${isFeeKept}, ${mayTakeAvailable}
        from merchant_terms where merchant_id = ${this.#merchant.id}`.execute(tx.query),
    );
  }

  #read(): Promise<MerchantState> {
    return this.#runtime.services.database.asMerchant(this.#merchant.id, readMerchantState);
  }

  #compare(names: readonly string[], found: MerchantState): void {
    const { balances, orders } = this.#steps.model;
    for (const account of ['available', 'locked', 'unsettled'] as const)
      if (found.balances[account] !== balances[account])
        this.#fault(names, `${account} is ${found.balances[account]}, not ${balances[account]}`);
    for (const { tradeNo, number, status } of orders)
      if (tradeNo !== '' && found.statuses.get(tradeNo) !== status)
        this.#fault(names, `${number} is ${found.statuses.get(tradeNo)}, not ${status}`);
  }

  #fault(names: readonly string[], what: string): void {
    this.faults.push(`${this.#merchant.code}: ${what}, after ${names.join(', ')}`);
  }
}
