/** Where a table is stored when the database is distributed by merchant with Citus. */
export type Distribution = 'distributed' | 'reference' | 'local';

/**
 * Tables with a merchant that stay in one place: people and their sessions, directories that are read before the merchant is
 * known, and the job queue. They do not grow with the orders.
 */
const keptTogether = new Set([
  'access_key_directory',
  'chain_transaction',
  'membership',
  'merchant_breaker',
  'merchant_job',
  'session',
]);

/** A table, and the tables that its foreign keys reference. */
export interface TableLinks {
  name: string;
  hasMerchant: boolean;
  references: readonly string[];
}

/**
 * Derives the distribution of each table: a merchant's data by merchant; what it references, on every machine; the rest on the
 * coordinator.
 */
export function distributionOf(tables: readonly TableLinks[]): Map<string, Distribution> {
  const distributed = tables.filter(({ name, hasMerchant }) => hasMerchant && !keptTogether.has(name));
  const own = new Set(distributed.map(({ name }) => name));
  const referenced = new Set(distributed.flatMap(({ references }) => references));
  return new Map(
    tables.map(({ name }) => [
      name,
      own.has(name) ? 'distributed' : referenced.has(name) ? 'reference' : 'local',
    ]),
  );
}
