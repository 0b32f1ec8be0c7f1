import type { Random } from './random.ts';
import type { DemoOrder } from './seed.sql.ts';

/** Products of the demo shop, with prices. */
export interface DemoShop {
  prefix: string;
  subjects: readonly [string, ...string[]];
  /** Usual amounts in minor units: low, high, and what they are rounded to. */
  low: number;
  high: number;
  roundTo: number;
  ordersPerDay: number;
}

export const shops: Record<string, DemoShop> = {
  demo: {
    prefix: 'QH',
    subjects: [
      '有机大米 5kg',
      '冷榨山茶油',
      '云南小粒咖啡豆',
      '手工红糖礼盒',
      '五常稻花香',
      '高山乌龙茶',
      '冻干草莓',
      '原味坚果混合装',
      '土鸡蛋 30 枚',
      '阳澄湖大闸蟹券',
    ],
    low: 1900,
    high: 98_000,
    roundTo: 10,
    ordersPerDay: 220,
  },
  other: {
    prefix: 'SV',
    subjects: ['Áo dài lụa', 'Cà phê Robusta 1kg', 'Bánh pía Sóc Trăng', 'Gốm Bát Tràng', 'Trà sen Tây Hồ'],
    low: 85_000,
    high: 2_400_000,
    roundTo: 1000,
    ordersPerDay: 6,
  },
};

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;
const expiryMs = 30 * minuteMs;

/** The share of each local hour in a day's orders, in percent. */
const hourWeights = [2, 1, 1, 1, 1, 1, 2, 3, 4, 5, 6, 6, 6, 5, 5, 5, 5, 5, 6, 7, 8, 7, 5, 3];

/**
 * Generates a day's orders of a shop, in time order: none after `now`, and those of the last half hour may be
 * open.
 */
export function ordersOfDay(random: Random, shop: DemoShop, dayStart: number, now: number): DemoOrder[] {
  const weekend = [0, 6].includes(new Date(dayStart).getUTCDay()) ? 1.25 : 1;
  const count = Math.round(shop.ordersPerDay * weekend * (0.8 + random.next() * 0.4));
  const times = Array.from({ length: count }, () => dayStart + timeOfDay(random)).sort(
    (one, other) => one - other,
  );
  return times
    .filter((at) => at < now - minuteMs / 2)
    .map((at, index) => order(random, shop, at, index, now));
}

function timeOfDay(random: Random): number {
  let left = random.next() * hourWeights.reduce((sum, weight) => sum + weight, 0);
  const hour = hourWeights.findIndex((weight) => {
    left -= weight;
    return left < 0;
  });
  return Math.floor((Math.max(hour, 0) + random.next()) * 60 * minuteMs);
}

function order(random: Random, shop: DemoShop, at: number, index: number, now: number): DemoOrder {
  const spread = random.next() ** 2.2;
  const amount = Math.round((shop.low + (shop.high - shop.low) * spread) / shop.roundTo) * shop.roundTo;
  const second = new Date(at).toISOString().slice(2, 19).replace(/\D/g, '');
  const base = {
    outTradeNo: `${shop.prefix}${second}${String(index + 1).padStart(4, '0')}`,
    amountMinor: BigInt(amount),
    subject: random.pick(shop.subjects),
    createdAt: at,
    paidAt: null,
    refundedAt: null,
    refused: null,
  };
  return { ...base, ...outcome(random, at, now) };
}

type Outcome = Pick<DemoOrder, 'status'> & Partial<Pick<DemoOrder, 'paidAt' | 'refundedAt' | 'refused'>>;

/** Decides the outcome of an order: nine in ten are paid, the others expire, are canceled or fail. */
function outcome(random: Random, at: number, now: number): Outcome {
  const roll = random.next();
  if (roll < 0.9) {
    const paidAt = at + random.between(15_000, 6 * minuteMs);
    if (paidAt > now) return { status: 'toBePaid' };
    const refundedAt = paidAt + random.between(3 * 60 * minuteMs, 3 * dayMs);
    if (random.chance(0.012) && refundedAt < now) return { status: 'refunded', paidAt, refundedAt };
    return { status: 'success', paidAt };
  }
  if (at + expiryMs > now) return { status: 'toBePaid' };
  if (roll < 0.965) return { status: 'closed' };
  if (roll < 0.985) return { status: 'cancelled' };
  return { status: 'failed', refused: { code: 'insufficientFunds', words: 'insufficient funds' } };
}
