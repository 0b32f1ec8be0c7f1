import type { Currency } from '@hengfu/contract/money';
import type { Database } from '#db/database.ts';
import { writeAudit } from '#domain/audit.sql.ts';
import type { Terms } from './withdrawals.rules.ts';
import { insertRate, insertTerms, listOpen } from './withdrawals.sql.ts';

/** What the service's staff sets for withdrawals, and what waits for it. Every change leaves a trail. */
export class WithdrawalTermsService {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Sets what withdrawals cost a merchant, from now on; USDT in minor units. */
  async setTerms(
    merchantId: bigint,
    terms: Pick<Terms, 'feeUsdtMinor' | 'freePerDay' | 'minimumUsdtMinor'>,
    actor: string,
  ): Promise<void> {
    const { feeUsdtMinor, freePerDay, minimumUsdtMinor } = terms;
    const after = {
      feeUsdtMinor: String(feeUsdtMinor),
      freePerDay,
      minimumUsdtMinor: String(minimumUsdtMinor),
    };
    await this.#database.asSystem(async (tx) => {
      await insertTerms(tx, merchantId, terms);
      await writeAudit(tx, { merchantId, actor, action: 'withdrawal_terms.set', after });
    });
  }

  /** Sets what one USDT costs in a currency, from now on. */
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

  /** Withdrawals that wait for the staff, the oldest first. */
  waiting() {
    return this.#database.asSystem((tx) => listOpen(tx));
  }
}
