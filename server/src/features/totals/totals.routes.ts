import { formatAmount } from '@hengfu/contract/money';
import type { CountedList, totalEndpoints } from '@hengfu/contract/totals';
import type { Person } from '#domain/caller.ts';
import type { Handlers } from '#http/bind.ts';
import { whileConnected } from '#http/caller-gone.ts';
import { withProgress } from '#threads/progress.ts';
import type { ListTotals, TotalsService } from './totals.service.ts';

/** Handlers of the totals endpoint. */
export function totalHandlers(totals: TotalsService): Handlers<typeof totalEndpoints> {
  async function* count(
    caller: Person,
    list: CountedList,
    filters: Readonly<Record<string, string>>,
    gone: AbortSignal,
  ) {
    const counting = withProgress<number, ListTotals>((report) =>
      totals.count(caller, list, filters, gone, report),
    );
    for await (const step of counting)
      yield 'progress' in step ? { counted: step.progress } : { data: toWire(step.result, caller) };
  }
  return {
    count: async ({ caller, body: { list, filters }, http: { request } }) =>
      whileConnected(request.raw.socket, (gone) => count(caller, list, filters, gone)),
  };
}

function toWire({ count, sumMinor, at }: ListTotals, { home: { currency } }: Person) {
  const sum = sumMinor === undefined ? undefined : { currency, amount: formatAmount(sumMinor, currency) };
  return { count, sum, at: at.toISOString() };
}
