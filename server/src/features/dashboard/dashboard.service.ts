import {
  type Dashboard,
  type DashboardOutcomes,
  type DashboardQuery,
  maxSplitRefusals,
} from '@hengfu/contract/dashboard';
import { type Database, pipelined } from '#db/database.ts';
import type { Home } from '#domain/caller.ts';
import { dashboardOf } from './dashboard.rules.ts';
import { readDone, readEnded, readOutcomes, readRefusals } from './dashboard.sql.ts';
import { endedStatuses, outcomesOf } from './outcomes.rules.ts';
import { readPeriod } from './period.sql.ts';
import { edgesOf, sidesOf, unitsOf } from './slots.rules.ts';

/** Reads a period's figures and those of the period before. Their cost does not grow with the number of orders. */
export function readDashboard(database: Database, home: Home, query: DashboardQuery): Promise<Dashboard> {
  return database.asMerchant(
    home.merchantId,
    async (tx) => {
      const { period, slots } = await readPeriod(tx, home.zone, query);
      const sides = sidesOf(slots);
      const [done, outcomes] = await pipelined([
        readDone(tx, home.currency, edgesOf(slots)),
        readOutcomes(tx, home.currency, edgesOf(sides)),
      ]);
      return dashboardOf(home, period, { slots, done, sides, outcomes });
    },
    { onePlan: true },
  );
}

/** Reads what became of a period's orders, by channel and by reason; reasons of refusals up to a limit. */
export function readDashboardOutcomes(
  database: Database,
  home: Home,
  query: DashboardQuery,
): Promise<DashboardOutcomes> {
  return database.asMerchant(
    home.merchantId,
    async (tx) => {
      const { period, slots } = await readPeriod(tx, home.zone, query);
      const units = unitsOf(slots);
      const edges = edgesOf(units);
      const span = [edges[0] ?? period.now, edges.at(-1) ?? period.now] as const;
      const [outcomes, ended, refusals] = await pipelined([
        readOutcomes(tx, home.currency, edges),
        readEnded(tx, home.currency, span, endedStatuses),
        readRefusals(tx, home.currency, span, maxSplitRefusals),
      ]);
      return outcomesOf(home.zone, period, { units, outcomes, ended, refusals });
    },
    { onePlan: true },
  );
}
