import type { Dashboard } from '@hengfu/contract/dashboard';
import { type Database, pipelined } from '#db/database.ts';
import type { Home } from '#domain/caller.ts';
import { dashboardOf } from './dashboard.rules.ts';
import { readBuckets, readDays } from './dashboard.sql.ts';

/** Reads the figures of the first page. Their cost does not grow with the number of orders. */
export async function readDashboard(database: Database, home: Home): Promise<Dashboard> {
  const [days, buckets] = await database.asMerchant(
    home.merchantId,
    (tx) => pipelined([readDays(tx, home.zone), readBuckets(tx, home)]),
    { onePlan: true },
  );
  return dashboardOf(home, days, buckets);
}
