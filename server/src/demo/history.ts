import type { Services } from '#composition/services.ts';
import type { MerchantTx } from '#db/database.ts';
import type { Home } from '#domain/caller.ts';
import { freeUnsettled } from '#domain/settling.sql.ts';
import { balances } from '#ledger/ledger.ts';
import { ordersOfDay, shops } from './orders.ts';
import { payeesOf } from './payees.ts';
import { applicantOf, insertPayoutDay } from './payouts.sql.ts';
import { payoutsOfDay } from './payouts.ts';
import { postDay, postRefunds } from './postings.ts';
import { Random } from './random.ts';
import { type DueRefund, insertRefunds } from './refunds.sql.ts';
import { type DemoOrder, idsOf, insertOrders, readMidnights, rollUpOrders } from './seed.sql.ts';

const seed = 20_260_701;
const settlementDelayMs = 12_000;
/** Orders inserted by one statement. */
const ordersAtOnce = 2000;
/**
 * Commits without waiting for the disk: an interrupted start starts over, and only the final mark must be
 * durable.
 */
const relaxed = { relaxed: true } as const;

/** A demo merchant, and the channel of all its orders. */
export interface DemoHome extends Home {
  channel: 'CN_BANK' | 'VN_NAPAS';
}

/**
 * Writes the orders of past days of a merchant whose tables are light (see {@link withLightTables}): all payments with their
 * timelines first, then the money day by day.
 */
export async function seedHistory(services: Services, home: DemoHome, days: number): Promise<void> {
  const shop = shops[home.code];
  if (!shop) return;
  const { database } = services;
  const { merchantId } = home;
  const midnights = await database.asSystem((tx) => readMidnights(tx, home.zone, days));
  const random = new Random(seed);
  const now = Date.now();
  const orders = midnights.flatMap((midnight) => ordersOfDay(random, shop, midnight.getTime(), now));
  for (let from = 0; from < orders.length; from += ordersAtOnce) {
    const some = orders.slice(from, from + ordersAtOnce);
    await database.asMerchant(merchantId, (tx) => insertOrders(tx, some, home), relaxed);
  }
  await moveMoney(services, home, { midnights, now, refunds: await refundsOf(services, home, orders) });
  await database.asMerchant(merchantId, rollUpOrders, relaxed);
}

/**
 * Moves the money of each day: yesterday is settled at midnight, then the day's payments and payouts are posted, and at last what its
 * refunds give back.
 */
async function moveMoney(
  services: Services,
  home: DemoHome,
  { midnights, now, refunds }: { midnights: readonly Date[]; now: number; refunds: readonly DueRefund[] },
): Promise<void> {
  const { database, settlements } = services;
  const { merchantId, currency } = home;
  const payOut = await payoutsFor(services, home, now);
  let from = new Date(0);
  for (const [index, midnight] of midnights.entries()) {
    const until = midnights[index + 1] ?? new Date(now);
    const due = refunds.filter(({ at }) => at >= from.getTime() && at < until.getTime());
    await settlements.recordPast(merchantId, midnight, new Date(midnight.getTime() + settlementDelayMs));
    const work = async (tx: MerchantTx) => {
      await postDay(tx, currency, { from, until, payoutIds: await payOut(tx, midnight) });
      if (due.length === 0) return;
      const refundIds = await insertRefunds(tx, due, await freeUnsettled(tx));
      await postRefunds(tx, currency, refundIds);
    };
    await database.asMerchant(merchantId, work, relaxed);
    from = until;
  }
}

/** Returns a function that writes the payouts of a day and returns their IDs; call it for each day in order. */
async function payoutsFor(
  { database }: Services,
  home: DemoHome,
  now: number,
): Promise<(tx: MerchantTx, midnight: Date) => Promise<bigint[]>> {
  const random = new Random(seed + 1);
  const payees = payeesOf(home.code, random);
  const by = await database.asMerchant(home.merchantId, applicantOf);
  return async (tx, midnight) => {
    const { available: availableMinor } = await balances(tx, home.currency);
    const day = { midnight: midnight.getTime(), now, availableMinor };
    const payouts = payoutsOfDay(random, home, payees, day);
    return payouts.length === 0 ? [] : insertPayoutDay(tx, payouts, { ...home, by });
  };
}

/** Returns the payments that are given back as a whole, and when. */
async function refundsOf(
  { database }: Services,
  { merchantId }: DemoHome,
  orders: readonly DemoOrder[],
): Promise<DueRefund[]> {
  const due = orders.flatMap(({ outTradeNo, refundedAt }) =>
    refundedAt === null ? [] : [{ outTradeNo, at: refundedAt }],
  );
  const ids = await database.asMerchant(merchantId, (tx) =>
    idsOf(
      tx,
      due.map(({ outTradeNo }) => outTradeNo),
    ),
  );
  return due.flatMap(({ outTradeNo, at }) => {
    const collectionId = ids.get(outTradeNo);
    return collectionId === undefined ? [] : [{ collectionId, at }];
  });
}
