import type { OrderQuery } from '@hengfu/contract/staff/orders';
import { sendAgain } from '#callbacks/callbacks.ts';
import type { Database } from '#db/database.ts';
import { fieldsOfActor, writeAudit } from '#domain/audit.sql.ts';
import type { ServiceActor } from '#domain/caller.ts';
import type { Page } from '#domain/list.sql.ts';
import { findMerchantForService } from '#domain/orders.sql.ts';
import { Refusal } from '#domain/refusal.ts';
import { type FoundOrder, listOrders } from './orders-list.sql.ts';

export type { FoundOrder };

/** Finds payouts and collections of all merchants, and sends their callbacks again. */
export class OrdersService {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Reads a page of the orders that a query matches, newest first. Throws `validation_failed`. */
  list(query: OrderQuery): Promise<Omit<Page<FoundOrder>, 'sumMinor'>> {
    return this.#database.asSystem((tx) => listOrders(tx, query));
  }

  /**
   * Sends a callback of an order again at once. At most one delivery of a callback waits, so it does no harm if two do it at once.
   * Throws `not_found`.
   */
  async sendAgain(tradeNo: string, id: string, by: ServiceActor): Promise<void> {
    const merchantId = await this.#database.asSystem(
      async (tx) =>
        (await findMerchantForService(tx, 'payout', tradeNo)) ??
        (await findMerchantForService(tx, 'collection', tradeNo)),
    );
    if (merchantId === undefined) throw new Refusal('not_found');
    await this.#database.asMerchant(merchantId, async (tx) => {
      const event = await sendAgain(tx, { id, subjectNo: tradeNo });
      if (event === undefined) throw new Refusal('not_found');
      await writeAudit(tx, {
        merchantId,
        ...fieldsOfActor(by),
        action: 'callback.send_again',
        subject: tradeNo,
        after: { event },
      });
      tx.changed(merchantId, 'payouts', 'collections');
    });
  }
}
