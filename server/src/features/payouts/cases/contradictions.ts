import type { Database } from '#db/database.ts';
import { fieldsOfActor, writeAudit } from '#domain/audit.sql.ts';
import { nameOfActor, type StaffActor } from '#domain/caller.ts';
import { findMerchantForService } from '#domain/orders.sql.ts';
import { Refusal } from '#domain/refusal.ts';
import { findPayout } from '../payouts.sql.ts';
import { type ContradictionKey, settleContradictions } from './contradictions.sql.ts';
import { hasDecided } from './payout-outcomes.sql.ts';

/** Lets our staff settle reports that contradict the outcome of a payout. It moves no money. */
export class Contradictions {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /**
   * Settles the reports that somebody has read, with how; those that came since stay open. Audits it. Throws `not_found`, `conflict` unless all of
   * them are open, and `own_decision` for the two people who decided the outcome: they would judge their own mistake.
   */
  async settle(
    tradeNo: string,
    { note, reports }: { note: string; reports: readonly ContradictionKey[] },
    by: StaffActor,
  ): Promise<void> {
    const merchantId = await this.#database.asSystem((tx) => findMerchantForService(tx, 'payout', tradeNo));
    if (merchantId === undefined) throw new Refusal('not_found');
    await this.#database.asMerchant(merchantId, async (tx) => {
      const order = await findPayout(tx, { tradeNo });
      if (!order) throw new Refusal('not_found');
      if (await hasDecided(tx, tradeNo, nameOfActor(by))) throw new Refusal('own_decision');
      const settled = await settleContradictions(tx, order, reports, { by: nameOfActor(by), note });
      if (settled < reports.length) throw new Refusal('conflict');
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
