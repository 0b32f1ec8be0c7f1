import type { Currency } from '@hengfu/contract/money';
import type { Database, Tx } from '#db/database.ts';
import { fieldsOfActor, ofService, writeAudit } from '#domain/audit.sql.ts';
import type { ServiceActor } from '#domain/caller.ts';
import { findRate, listRates, type Rate } from './rates/exchange-rates.sql.ts';
import { type WithdrawalTerms, writeWithdrawalTerms } from './terms/write-terms.ts';
import { insertRate, listOpen } from './withdrawals.sql.ts';

/** Lets staff set withdrawal terms and exchange rates, and list pending withdrawals. Audits every change. */
export class WithdrawalTermsService {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Sets a merchant's withdrawal terms, from now on; USDT in minor units. */
  async setTerms(merchantId: bigint, terms: WithdrawalTerms, actor: string): Promise<void> {
    await this.#database.asSystemFor(merchantId, (tx) => writeWithdrawalTerms(tx, terms, actor));
  }

  /** Lists the latest exchange rates of each currency, newest first. */
  rates(): Promise<Rate[]> {
    return this.#database.asSystem((tx) => listRates(tx));
  }

  /** Sets the price of one USDT in a currency, from now on. */
  setRate(currency: Currency, rate: string, by: ServiceActor): Promise<void> {
    return this.#database.asSystem((tx) => setRate(tx, currency, rate, by));
  }

  /** Lists the withdrawals that wait for staff, oldest first. */
  waiting() {
    return this.#database.asSystem((tx) => listOpen(tx));
  }
}

/** Sets the price of one USDT in a currency, from now on, in the transaction of whoever decides so. */
export async function setRate(tx: Tx, currency: Currency, rate: string, by: ServiceActor): Promise<void> {
  const before = await findRate(tx, currency);
  await insertRate(tx, currency, rate);
  await writeAudit(tx, {
    merchantId: null,
    ...fieldsOfActor(by),
    action: 'rate.set',
    subject: currency,
    ...(before !== undefined && { before: { rate: before } }),
    after: { rate },
  });
  tx.changed(ofService, 'service');
}
