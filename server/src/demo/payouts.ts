import type { Currency } from '@hengfu/contract/money';
import type { DemoPayee } from './payees.ts';
import type { DemoPayout } from './payouts.sql.ts';
import type { Random } from './random.ts';

type PayoutRefused = NonNullable<DemoPayout['refused']>;

const hourMs = 3_600_000;
const refusals: readonly [PayoutRefused, ...PayoutRefused[]] = [
  { code: 'accountClosed', words: 'account closed' },
  { code: 'nameMismatch', words: 'name does not match account' },
];

/** The average number of payouts per day of each demo merchant. */
export const payoutsPerDay: Readonly<Record<string, number>> = { demo: 34, other: 6 };

/** Generates a day's payouts, in office hours and in time order, within the morning's available funds. */
export function payoutsOfDay(
  random: Random,
  { code, currency }: { code: string; currency: Currency },
  payees: readonly DemoPayee[],
  day: { midnight: number; now: number; availableMinor: bigint },
): DemoPayout[] {
  const [first, ...more] = payees;
  const count = Math.round((payoutsPerDay[code] ?? 0) * (0.7 + random.next() * 0.6));
  if (!first || count === 0) return [];
  // Leaves a third of the funds.
  const share = (Number(day.availableMinor) * 0.66) / count;
  const roundTo = currency === 'VND' ? 1000 : 100;
  const orders = Array.from({ length: count }, (): DemoPayout => {
    const createdAt = Math.floor(day.midnight + 9 * hourMs + random.next() * 9 * hourMs);
    const amount = Math.floor((share * (0.2 + random.next() * 0.75)) / roundTo) * roundTo;
    return {
      ...random.pick([first, ...more]),
      amountMinor: BigInt(Math.max(amount, roundTo)),
      createdAt,
      endedAt: createdAt + 2000 + random.between(0, 40_000),
      refused: random.chance(0.03) ? random.pick(refusals) : null,
    };
  });
  return orders
    .filter(({ endedAt, amountMinor }) => endedAt < day.now && amountMinor < day.availableMinor)
    .sort((one, other) => one.createdAt - other.createdAt);
}
