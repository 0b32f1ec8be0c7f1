import type { ChannelAdapter, ListedOrder } from '#channels/channel.ts';
import type { Database } from '#db/database.ts';
import { findKnownOrders, findKnownOwnNumbers, type KnownOrder } from './comparison.sql.ts';

/** Numbers that are looked up with one query. */
const batchSize = 1000;

/**
 * An order that a channel has, and that is unknown here, ended differently here, has another amount here, or never gets the channel's outcome
 * here.
 */
export interface Discrepancy {
  /** The channels that the adapter serves. */
  channel: string;
  order: ListedOrder;
  /** Undefined if it is unknown here. */
  here: KnownOrder | undefined;
}

/** The outcome of comparing a channel's list of orders with the database. */
export interface ChannelComparison {
  channel: string;
  /** Undefined if the channel has no list of its orders: compare with its statement by hand. */
  listed: number | undefined;
  discrepancies: Discrepancy[];
}

/** A payout that the channel paid must not have been rejected here: its funds were returned to the merchant. */
const contradicts = ({ kind, status }: ListedOrder, here: string) =>
  (kind === 'payout' && status === 'paid' && here === 'rejected') ||
  (kind === 'payout' && status === 'refused' && here === 'processed') ||
  (kind === 'collection' && status === 'paid' && ['closed', 'cancelled', 'failed'].includes(here)) ||
  (kind === 'refund' && status === 'refunded' && here === 'reversed') ||
  (kind === 'refund' && status === 'refused' && here === 'refunded');

/** An expired collection whose payment nobody asks about any more. That it was refused, or is still unpaid, changes nothing here. */
const isPaidUnasked = ({ status }: ListedOrder, { lacks }: KnownOrder) =>
  lacks === 'question' && status === 'paid';

/**
 * An order whose payer chose the channel, or that was sent, only after the restored moment: the channel's callbacks do not find it, or nobody asks
 * the channel, and its funds may be returned although the channel has paid.
 */
const isLeftBehind = ({ status }: ListedOrder, { lacks }: KnownOrder) =>
  lacks !== null && lacks !== 'question' && ['paid', 'refused', 'pending'].includes(status);

const isSameAmount = (order: ListedOrder, here: KnownOrder) =>
  order.amountMinor === here.amountMinor && order.currency === here.currency;

const isUnexpected = (order: ListedOrder, here: KnownOrder) =>
  contradicts(order, here.status) ||
  isPaidUnasked(order, here) ||
  isLeftBehind(order, here) ||
  !isSameAmount(order, here);

/** Whether asking the channel gives a collection what a restore has taken from it: its channel, or its payment. */
export function canBeRestored({ order, here }: Discrepancy): boolean {
  if (!here || order.kind !== 'collection' || !isSameAmount(order, here)) return false;
  if (here.lacks === 'channel') return order.method !== undefined;
  return isPaidUnasked(order, here) || contradicts(order, here.status);
}

/** Compares the orders that a channel received from a moment on with the database. Throws `ChannelUnavailable`. */
export async function compareWithChannel(
  database: Database,
  channel: string,
  adapter: ChannelAdapter,
  from: Date,
): Promise<ChannelComparison> {
  if (!adapter.listOrders) return { channel, listed: undefined, discrepancies: [] };
  const discrepancies: Discrepancy[] = [];
  let listed = 0;
  const compare = async (batch: readonly ListedOrder[]) => {
    listed += batch.length;
    const found = await database.asSystem((tx) =>
      findKnownOrders(
        tx,
        batch.map(({ reference }) => reference),
      ),
    );
    const known = new Map(found.map((order) => [order.reference, order]));
    for (const order of batch) {
      const here = known.get(order.reference);
      if (!here || isUnexpected(order, here)) discrepancies.push({ channel, order, here });
    }
  };
  let batch: ListedOrder[] = [];
  for await (const order of adapter.listOrders(from)) {
    batch.push(order);
    if (batch.length < batchSize) continue;
    await compare(batch);
    batch = [];
  }
  if (batch.length > 0) await compare(batch);
  return { channel, listed, discrepancies };
}

/** Returns which order numbers of a merchant's own records are unknown here, in their order. */
export async function unknownOwnNumbers(
  database: Database,
  merchantId: bigint,
  numbers: readonly string[],
): Promise<string[]> {
  const unknown: string[] = [];
  for (let start = 0; start < numbers.length; start += batchSize) {
    const batch = numbers.slice(start, start + batchSize);
    const known = new Set(await database.asSystem((tx) => findKnownOwnNumbers(tx, merchantId, batch)));
    unknown.push(...batch.filter((number) => !known.has(number)));
  }
  return unknown;
}
