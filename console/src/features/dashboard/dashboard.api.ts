import { shownInPlace } from '@hengfu/client/in-place.ts';
import { type DashboardQuery, dashboardEndpoints } from '@hengfu/contract/dashboard';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../../platform/http.ts';
import { reading } from '../../platform/reading.ts';

// A page left open past midnight must switch to the new day even if nothing happens.
const refetchInterval = 5 * 60_000;
const [today] = [reading(dashboardEndpoints.get)];

/** Keys of the figures and the outcomes of all periods, for invalidation. */
export const dashboardKey = [dashboardEndpoints.get.path] as const;
export const outcomesKey = [dashboardEndpoints.outcomes.path] as const;

/** The figures of a period. Today's have the key under which the page's first reply is embedded. */
export function dashboardOptions(query: DashboardQuery) {
  return queryOptions({
    queryKey: query.period === 'today' ? today.queryKey : ([...dashboardKey, query] as const),
    queryFn: async ({ signal }) => (await call(dashboardEndpoints.get, { query, signal })).data,
    meta: { inPlace: shownInPlace },
    refetchInterval,
  });
}

/** The outcomes of a period's orders. */
export function outcomesOptions(query: DashboardQuery) {
  return queryOptions({
    queryKey: [...outcomesKey, query] as const,
    queryFn: async ({ signal }) => (await call(dashboardEndpoints.outcomes, { query, signal })).data,
    meta: { inPlace: shownInPlace },
    refetchInterval,
  });
}

/** A page that has just loaded has the current steps. */
const freshStepsMs = 500;
const freshMs = 30_000;

/** The merchant's open matters, the next settlement, and the first steps, which other pages complete. */
export const agendaOptions = queryOptions({
  ...reading(dashboardEndpoints.agenda),
  staleTime: ({ state }) => (state.data?.firstSteps ? freshStepsMs : freshMs),
});
