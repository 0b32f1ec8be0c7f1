import type { Dashboard, dashboardEndpoints } from '@hengfu/contract/dashboard';
import type { Database } from '#db/database.ts';
import type { Handlers } from '#http/bind.ts';
import { dayFigures, hourFigures } from './dashboard.rules.ts';
import { readBuckets, readDays } from './dashboard.sql.ts';

/** The figures of the first page; their cost does not grow with the number of orders. */
export function dashboardHandlers(database: Database): Handlers<typeof dashboardEndpoints> {
  return {
    get: ({ caller }) =>
      database.asMerchant(caller.home.merchantId, async (tx) => {
        const { currency, zone } = caller.home;
        const days = await readDays(tx, zone);
        const buckets = await readBuckets(tx, currency, days.yesterdayStart);
        const isToday = (bucket: { bucket: Date }) => bucket.bucket >= days.todayStart;
        const dayOf = (date: string, ofDay: typeof buckets): Dashboard['today'] => ({
          date,
          collection: dayFigures(
            ofDay.filter(({ kind }) => kind === 'collection'),
            currency,
          ),
          payout: dayFigures(
            ofDay.filter(({ kind }) => kind === 'payout'),
            currency,
          ),
        });
        const data: Dashboard = {
          currency,
          zone,
          asOf: days.now.toISOString(),
          today: dayOf(days.todayDate, buckets.filter(isToday)),
          yesterday: dayOf(
            days.yesterdayDate,
            buckets.filter((bucket) => !isToday(bucket)),
          ),
          hours: hourFigures(buckets, days, currency),
        };
        return { data };
      }),
  };
}
