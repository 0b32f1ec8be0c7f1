import { violations } from '@hengfu/server/ledger/ledger.ts';
import { fundMerchant } from '@hengfu/server/testing/keyed-merchants.ts';
import { countJobs, countOrders } from './count.sql.ts';
import { measureDurable } from './durable-load.ts';
import { atMost, type Figure } from './figures.ts';

const funds = '100000000000.00';

/**
 * Measures accepted payouts per second over HTTP. Nothing is sent to a channel, because the process runs
 * without workers. At the end, ledger, rollups and payouts are verified against each other.
 */
export function measurePayouts(seconds?: number): Promise<Figure[]> {
  return measureDurable({
    call: 'payouts',
    name: 'payouts',
    ...(seconds !== undefined && { seconds }),
    env: { PROCESS: 'web' },
    prepare: async ({ runtime }, merchants) => {
      for (const merchant of merchants) await fundMerchant(runtime, merchant, funds);
    },
    judge: async ({ ownerUrl, runtime: { services } }, answered) => {
      const written = await countOrders(services.database, 'payout');
      const planned = await countJobs(ownerUrl, 'payouts.send');
      const found = await services.database.asSystem((tx) => violations(tx));
      for (const { rule, detail } of found.slice(0, 10)) process.stderr.write(`${rule}: ${detail}\n`);
      return [
        atMost('payouts acknowledged but not stored, or the reverse', Math.abs(answered - written), '', 0),
        atMost('payouts stored but not enqueued, or the reverse', Math.abs(written - planned), '', 0),
        atMost('violations of the ledger', found.length, '', 0),
      ];
    },
  });
}
