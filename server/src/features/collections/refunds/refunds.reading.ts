import type { RefundQuery } from '@hengfu/contract/refunds';
import type { OpenRefundQuery } from '@hengfu/contract/refunds.open';
import type { Database, MerchantTx } from '#db/database.ts';
import type { Home } from '#domain/caller.ts';
import type { OnwardPage, Page } from '#domain/list.sql.ts';
import { Refusal } from '#domain/refusal.ts';
import { type Collection, findCollection } from '../collections.sql.ts';
import {
  findRefundTerms,
  listRefundsOf,
  type Refund,
  type RefundTerms,
  requestedMinor,
} from './refunds.sql.ts';
import { listOpenRefunds, listRefunds } from './refunds-list.sql.ts';

/** How many refunds of a collection are shown beside it. */
export const maxShown = 100;

/** The refunds of a collection, and what is left to refund. */
export interface RefundsOfCollection {
  order: Collection;
  refunds: Refund[];
  leftMinor: bigint;
  terms: RefundTerms;
}

/** Reads refunds for the console, and lists them for merchants' systems. */
export class RefundReading {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  list(home: Home, query: RefundQuery): Promise<Page<Refund>> {
    return this.#database.asMerchant(home.merchantId, (tx) => listRefunds(tx, home, query), {
      snapshot: true,
    });
  }

  openList(home: Home, query: OpenRefundQuery): Promise<OnwardPage<Refund>> {
    return this.#database.asMerchant(home.merchantId, (tx) => listOpenRefunds(tx, home, query), {
      snapshot: true,
    });
  }

  /** Returns the last refunds of a collection, newest first. Throws `not_found`. */
  ofCollection(merchantId: bigint, tradeNo: string): Promise<RefundsOfCollection> {
    return this.#database.asMerchant(
      merchantId,
      async (tx) => {
        const order = await findCollection(tx, { tradeNo });
        if (!order) throw new Refusal('not_found');
        const refunds = await listRefundsOf(tx, order, maxShown);
        const leftMinor = order.paidAt === null ? 0n : await leftOf(tx, order);
        return { order, refunds, leftMinor, terms: await findRefundTerms(tx, order) };
      },
      { snapshot: true },
    );
  }
}

/** Returns what is left to refund of a paid collection: what was given back, is under way or waits for approval is not. */
export async function leftOf(tx: MerchantTx, order: Collection): Promise<bigint> {
  return order.amountMinor - order.refundedMinor - order.refundingMinor - (await requestedMinor(tx, order));
}
