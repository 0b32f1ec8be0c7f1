import type { Currency } from '@hengfu/contract/money';
import type { Database } from '#db/database.ts';
import type { ServiceActor } from '#domain/caller.ts';
import { Refusal } from '#domain/refusal.ts';
import type { StaffEffects, StaffRequests } from '#domain/staff-requests.sql.ts';
import { setRate } from '../withdrawal-terms.service.ts';
import { findRate } from './exchange-rates.sql.ts';

/** The change of a request for a rate, with the rate that both people read as the current one. */
interface RateChange {
  currency: Currency;
  rate: string;
  before: string | null;
}

/** Sets exchange rates once a second person agrees. */
export class RateRequests {
  readonly #database: Database;
  readonly #requests: StaffRequests;

  constructor(database: Database, requests: StaffRequests) {
    this.#database = database;
    this.#requests = requests;
  }

  /** Asks for the price of one USDT. Returns the request's ID; undefined if an operator's change was made at once. Throws `request_waiting`. */
  async ask(
    { currency, rate }: Pick<RateChange, 'currency' | 'rate'>,
    by: ServiceActor,
    reason: string,
    options: { breakGlass?: string | undefined } = {},
  ): Promise<bigint | undefined> {
    const before = (await this.#database.asSystem((tx) => findRate(tx, currency))) ?? null;
    const change: RateChange = { currency, rate, before };
    const facts = [{ name: 'rate', before, after: rate }] as const;
    const question = {
      kind: 'exchangeRate',
      merchantId: null,
      subject: currency,
      change,
      facts,
      reason,
    } as const;
    return this.#requests.ask(question, by, options);
  }
}

/** Sets a rate once the second person agrees, unless another one applies by now. */
export const exchangeRateEffects: StaffEffects = {
  async perform(tx, { change }, by) {
    const { currency, rate, before } = change as RateChange;
    if (((await findRate(tx, currency)) ?? null) !== before) throw new Refusal('approval_changed');
    await setRate(tx, currency, rate, by);
  },
};
