import { formatAmount } from '@hengfu/contract/money';
import {
  placeKinds,
  type todayEndpoints,
  type WaitingKind,
  waitingTargets,
} from '@hengfu/contract/staff/today';
import type { Handlers } from '#http/bind.ts';
import type { MoneyAt, TodayService } from './today.service.ts';

const kinds = Object.keys(waitingTargets) as WaitingKind[];

/** Handles the calls of the first page of the back office. */
export function todayHandlers(service: TodayService): Handlers<typeof todayEndpoints> {
  return {
    waiting: async () => {
      const { items, counts } = await service.waiting();
      return {
        data: {
          items: items.map(({ amountMinor, currency, since, ...item }) => ({
            ...item,
            currency,
            amount: amountMinor === null || currency === null ? null : formatAmount(amountMinor, currency),
            since: since.toISOString(),
          })),
          counts: Object.fromEntries(kinds.map((kind) => [kind, counts.get(kind) ?? 0])) as Record<
            WaitingKind,
            number
          >,
          at: new Date().toISOString(),
        },
      };
    },
    channels: async () => ({
      data: (await service.channels()).map(({ hour, paid, refused, ...rest }) => ({
        ...rest,
        hour: hour.toISOString(),
        paid: Number(paid),
        refused: Number(refused),
      })),
    }),
    figures: async ({ query }) => {
      const money = await service.money(new Date(query.since));
      return {
        data: [...Map.groupBy(money, ({ currency }) => currency)].map(([currency, places]) => ({
          currency,
          places: places.toSorted(byPlace).map(({ kind, reference, balanceMinor, inMinor, outMinor }) => ({
            kind,
            reference,
            balance: formatAmount(balanceMinor, currency),
            in: formatAmount(inMinor, currency),
            out: formatAmount(outMinor, currency),
          })),
        })),
      };
    },
  };
}

/** Merchants' money first, then the service's. */
function byPlace(one: MoneyAt, other: MoneyAt): number {
  return placeKinds.indexOf(one.kind) - placeKinds.indexOf(other.kind);
}
