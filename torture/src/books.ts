import type { Database } from '@hengfu/server/db/database.ts';
import { asOwner } from '@hengfu/server/db/owner.ts';
import { violations } from '@hengfu/server/ledger/ledger.ts';

/**
 * Verifies the ledger and the orders, and reports deadlocks that PostgreSQL had to break. `hasOrders: false`
 * skips the rules that compare the ledger with orders, for tests that only post transfers.
 */
export async function faultsOfBooks(
  ownerUrl: string,
  database: Database,
  { hasOrders = true }: { hasOrders?: boolean } = {},
): Promise<string[]> {
  const found = await database.asSystem((tx) => violations(tx));
  const relevant = hasOrders ? found : found.filter(({ rule }) => !orderRules.test(rule));
  const { rows } = await asOwner(ownerUrl, (client) =>
    client.query<{ deadlocks: string }>(
      'select deadlocks from pg_stat_database where datname = current_database()',
    ),
  );
  const deadlocks = Number(rows[0]?.deadlocks);
  return [
    ...relevant.map(({ rule, detail }) => `${rule}: ${detail}`),
    ...(deadlocks > 0 ? [`PostgreSQL had to break ${deadlocks} deadlocks`] : []),
  ];
}

const orderRules = /_order/;
