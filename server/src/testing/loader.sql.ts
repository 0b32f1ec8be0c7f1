import { guardsOf } from '#db/guards.ts';
import { asOwner } from '#db/owner.ts';
import { runBulk } from './bulk.sql.ts';
import { bookOf } from './load-book.sql.ts';
import {
  batchSumsOf,
  eventsOf,
  type Load,
  ordersOf,
  payoutsOf,
  refundsOf,
  rollupsOf,
  settlementsOf,
} from './load-orders.sql.ts';

const tables = [
  'collection',
  'collection_event',
  'refund',
  'payout',
  'payout_event',
  'ledger_transfer',
  'ledger_entry',
];
const chunk = 500_000;

/**
 * Fills a merchant with past orders, of a year by default: collections with settlements and refunds, payouts, timelines, rollups
 * and the whole ledger, consistent, so that `ledger verify` finds nothing. Set-based statements create the
 * rows inside the database, in two parallel sequences; indexes are rebuilt afterwards. The database must not
 * hold orders or postings yet.
 */
export async function loadYear(
  ownerUrl: string,
  merchantId: bigint,
  collections: number,
  days = 365,
): Promise<void> {
  const load: Load = { merchantId, collections, payouts: Math.ceil(collections / 10), days };
  await asOwner(ownerUrl, (client) =>
    client.query("select make_months(now() - ($1 + 31) * interval '1 day', now())", [days]),
  );
  const guards = await guardsOf(ownerUrl, tables);
  const on = (...names: string[]) =>
    guards.on.filter(({ table }) => names.includes(table)).map(({ step }) => step);
  await runBulk(ownerUrl, [...guards.off, ...settlementsOf(load)]);
  const orders = chunksOf(collections).map(([from, to]) => ordersOf(load, from, to));
  await runBulk(
    ownerUrl,
    orders.filter((_, number) => number % 2 === 0),
    orders.filter((_, number) => number % 2 === 1),
  );
  await runBulk(ownerUrl, batchSumsOf(load));
  await runBulk(
    ownerUrl,
    [
      ...payoutsOf(load),
      ...rollupsOf(load, 'payout'),
      ...bookOf(load),
      ...on('ledger_transfer', 'ledger_entry'),
    ],
    [
      ...rollupsOf(load, 'collection'),
      ...eventsOf(load),
      ...refundsOf(load),
      ...on('collection', 'collection_event'),
    ],
  );
  // Days are closed before row-level security applies to the owner, who would see no rollups.
  await runBulk(ownerUrl, [
    ...on('payout', 'payout_event', 'refund'),
    ['select close_rollup_days($1)', merchantId],
    ...guards.closed,
  ]);
  await asOwner(ownerUrl, (client) => client.query('vacuum analyze'));
}

/** Estimates the rows of all tables, from the planner's statistics. */
export async function countRows(ownerUrl: string): Promise<number> {
  return asOwner(ownerUrl, async (client) => {
    const { rows } = await client.query<{ count: string }>(
      `select sum(reltuples) as count from pg_class where relkind = 'r' and reltuples > 0`,
    );
    return Number(rows[0]?.count);
  });
}

function chunksOf(count: number): [from: number, to: number][] {
  return Array.from({ length: Math.ceil(count / chunk) }, (_, number) => [
    number * chunk,
    Math.min((number + 1) * chunk, count),
  ]);
}
