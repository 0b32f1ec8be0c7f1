import type { Currency } from '@hengfu/contract/money';
import type { Database } from '#db/database.ts';
import { writeAudit } from '#domain/audit.sql.ts';
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
    await this.#database.asSystem((tx) => writeWithdrawalTerms(tx, merchantId, terms, actor));
  }

  /** Sets the price of one USDT in a currency, from now on. */
  async setRate(currency: Currency, rate: string, actor: string): Promise<void> {
    await this.#database.asSystem(async (tx) => {
      await insertRate(tx, currency, rate);
      await writeAudit(tx, {
        merchantId: null,
        actor,
        action: 'rate.set',
        subject: currency,
        after: { rate },
      });
    });
  }

  /** Lists the withdrawals that wait for staff, oldest first. */
  waiting() {
    return this.#database.asSystem((tx) => listOpen(tx));
  }
}
