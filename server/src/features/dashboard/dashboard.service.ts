import type { Dashboard } from '@hengfu/contract/dashboard';
import type { Home } from '#caller.ts';
import type { Database } from '#db/database.ts';
import { dashboardOf } from './dashboard.rules.ts';
import { readBuckets, readDays } from './dashboard.sql.ts';

/** The figures of the first page; their cost does not grow with the number of orders. */
export async function readDashboard(database: Database, home: Home): Promise<Dashboard> {
  return database.asMerchant(home.merchantId, async (tx) => {
    const days = await readDays(tx, home.zone);
    return dashboardOf(home, days, await readBuckets(tx, home.currency, days.yesterdayStart));
  });
}
