import type { Database } from '#db/database.ts';
import { fieldsOfActor, writeAudit } from '#domain/audit.sql.ts';
import { nameOfActor, type StaffActor } from '#domain/caller.ts';
import { findMerchantForService } from '#domain/orders.sql.ts';
import { Refusal } from '#domain/refusal.ts';
import { findPayout } from '../payouts.sql.ts';
import { settleContradictions } from './contradictions.sql.ts';
import { hasDecided } from './payout-outcomes.sql.ts';

/** Lets our staff settle reports that contradict the outcome of a payout. It moves no money. */
export class Contradictions {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /**
   * Settles what contradicts a payout, with how. Audits it. Throws `not_found`, `conflict` if nothing does, and `own_decision` for the two people
   * who decided the outcome: they would judge their own mistake.
   */
  async settle(tradeNo: string, note: string, by: StaffActor): Promise<void> {
    const merchantId = await this.#database.asSystem((tx) => findMerchantForService(tx, 'payout', tradeNo));
    if (merchantId === undefined) throw new Refusal('not_found');
    await this.#database.asMerchant(merchantId, async (tx) => {
      const order = await findPayout(tx, { tradeNo });
      if (!order) throw new Refusal('not_found');
      if (await hasDecided(tx, tradeNo, nameOfActor(by))) throw new Refusal('own_decision');
      const settled = await settleContradictions(tx, order, { by: nameOfActor(by), note });
      if (settled === 0) throw new Refusal('conflict');
      await writeAudit(tx, {
        merchantId: null,
        ...fieldsOfActor(by),
        action: 'payout.settle_contradiction',
        subject: tradeNo,
        after: { note },
      });
      tx.changed(merchantId, 'payouts');
    });
  }
}
