import type { Database } from '@hengfu/server/db/database.ts';
import { asOwner } from '@hengfu/server/db/owner.ts';
import { violations } from '@hengfu/server/ledger/ledger.ts';

/**
 * What does not agree in ledger and orders, and deadlocks that PostgreSQL had to break. Without orders (the postings of
 * a test alone) the rules that hold both against each other are left out.
 */
export async function faultsOfBooks(
  ownerUrl: string,
  database: Database,
  { hasOrders = true }: { hasOrders?: boolean } = {},
): Promise<string[]> {
  const found = await database.asSystem((tx) => violations(tx));
  const counted = hasOrders ? found : found.filter(({ rule }) => !ofOrders.test(rule));
  const { rows } = await asOwner(ownerUrl, (client) =>
    client.query<{ deadlocks: string }>(
      'select deadlocks from pg_stat_database where datname = current_database()',
    ),
  );
  const deadlocks = Number(rows[0]?.deadlocks);
  return [
    ...counted.map(({ rule, detail }) => `${rule}: ${detail}`),
    ...(deadlocks > 0 ? [`PostgreSQL had to break ${deadlocks} deadlocks`] : []),
  ];
}

const ofOrders = /_order/;
