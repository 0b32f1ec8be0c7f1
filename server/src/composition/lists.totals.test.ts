import { collectionStatuses, settlementStatuses } from '@hengfu/contract/collections';
import { payoutStatuses } from '@hengfu/contract/payouts';
import fc from 'fast-check';
import { type RawBuilder, sql } from 'kysely';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { asOwner } from '#db/owner.ts';
import type { Home } from '#domain/caller.ts';
import { readPage } from '#domain/list.sql.ts';
import { readAll } from '#domain/list-whole.sql.ts';
import { rollupTotalsStatement } from '#domain/rollup-totals.sql.ts';
import { type KnownList, knownLists } from '../testing/known-lists.ts';
import { filterSetsOf } from '../testing/list-filters.ts';
import { fillWithOrders } from '../testing/many-orders.ts';
import { explainAnalyze } from '../testing/plans.ts';
import { TestProduct } from '../testing/test-product.ts';

let product: TestProduct;
let home: Home;

const count = 3000;
const dayMs = 86_400_000;
const [collections, payouts] = knownLists as [KnownList, KnownList];
type Filters = Readonly<Record<string, string>>;

beforeAll(async () => {
  product = await TestProduct.start(inject('ownerUrl'));
  const merchantId = (await product.merchant('exact')).id;
  home = { merchantId, code: 'exact', name: 'Exact', currency: 'CNY', zone: 'Asia/Shanghai' };
  await insertOrders();
});
afterAll(async () => {
  expect(await rollupViolations()).toEqual([]);
  await product.close();
});

const asSystem = (statement: RawBuilder<unknown>) =>
  product.services.database.asSystem((tx) => statement.execute(tx.query));

/** Spreads orders in all states over three months. */
async function insertOrders(): Promise<void> {
  const { merchantId } = home;
  const made = sql`(now() - random() * interval '90 days')::timestamptz(3)`;
  await asSystem(sql`
    insert into collection (merchant_id, trade_no, out_trade_no, request_hash, status, settlement_status, currency, amount_minor,
      fee_minor, channel, cashier_token, created_at, expires_at, paid_at, refunded_at)
    select ${merchantId}, 'X' || n, n, '', state, case when paid is not null then settled end, 'CNY', 100 + n, 0,
      case when state <> 'cancelled' then case when n % 3 = 0 then 'CN_BANK' else 'VN_NAPAS' end end, 'x' || n, made, made, paid,
      case when state = 'refunded' then paid end
    from (
      select n, made, state, settled, case when state in ('paid', 'success', 'refunded') then made + random() * interval '1 day' end as paid
      from (
        select n, ${made} as made, (${[...collectionStatuses]}::text[])[1 + (random() * 6)::integer] as state,
          (${[...settlementStatuses]}::text[])[1 + (random() * 2)::integer] as settled
        from generate_series(1, ${count}::integer) n) given) o`);
  await asSystem(sql`
    insert into payout (merchant_id, trade_no, request_hash, status, currency, amount_minor, fee_minor, channel, payee,
      payee_account, account_key, source, created_by, created_at, sent_at, paid_at, rejected_at)
    select ${merchantId}, 'Y' || n, '', state, 'CNY', 100 + n, n, 'CN_BANK', 'P', 'A', 'CN_BANK A', 'console', 'user:1', made,
      made, case when state = 'processed' then made + interval '3 hours' end, case when state = 'rejected' then made end
    from (
      select n, ${made} as made, (${[...payoutStatuses]}::text[])[1 + (random() * 4)::integer] as state
      from generate_series(1, ${count}::integer) n) o`);
}

async function rollupViolations(): Promise<unknown[]> {
  const found = await product.services.database.asSystem((tx) =>
    sql<{ rule: string }>`
      select * from collection_violations() union all select * from payout_violations() union all
      select * from rollup_day_violations()`.execute(tx.query),
  );
  // These orders have no postings.
  return found.rows.filter(({ rule }) => /rollup|closed/.test(rule));
}

/** Changes random orders, one or many at a time, and closes days, until stopped. Returns the number of changes. */
async function changeOrders(signal: AbortSignal, changes: readonly RawBuilder<unknown>[]): Promise<number> {
  let changed = 0;
  for (; !signal.aborted; changed++) await asSystem(changes[changed % changes.length] ?? sql`select`);
  return changed;
}

const some = sql`id % 97 = (random() * 96)::integer`;
const collectionChanges = [
  sql`update collection set status = 'success', settlement_status = 'unsettled', paid_at = now(), channel = 'CN_BANK'
    where status in ('closed', 'cancelled') and ${some}`,
  sql`update collection set settlement_status = 'settled' where settlement_status = 'unsettled' and ${some}`,
  sql`update collection set status = 'refunded', refunded_at = now() where status = 'success' and ${some}`,
  sql`update collection set channel = 'CN_BANK' where channel = 'VN_NAPAS' and ${some}`,
];
const otherChanges = [
  sql`update payout set status = 'processed', paid_at = now() where status = 'processing' and ${some}`,
  sql`update payout set status = 'processing' where status = 'pendingSettlement' and ${some}`,
  sql`insert into collection (merchant_id, trade_no, out_trade_no, request_hash, currency, amount_minor, cashier_token,
      created_at, expires_at)
    select merchant_id, new_trade_no('N', merchant_id, now()), new_trade_no('N', merchant_id, now()), '', 'CNY', 7, gen_random_uuid(), created_at, now()
    from collection where ${some}`,
  sql`select close_rollup_days(id) from merchant`,
  sql`select fold_rollup(id) from merchant`,
];

const instant = (unitMs: number) =>
  fc
    .integer({ min: -95 * dayMs, max: dayMs })
    .map((ms) => new Date(Math.floor((Date.now() + ms) / unitMs) * unitMs).toISOString());
/** Ends at midnights, at quarter-hours, and at arbitrary milliseconds. */
const end = fc.option(fc.oneof(...[dayMs, 900_000, 1].map(instant)), { nil: undefined });
const several = (values: readonly string[]) =>
  fc.option(
    fc.subarray([...values], { minLength: 1 }).map((chosen) => chosen.join(',')),
    { nil: undefined },
  );
const filters = fc
  .record({
    axis: fc.constantFrom('created', 'paid'),
    from: end,
    to: end,
    channel: fc.option(fc.constantFrom('CN_BANK', 'VN_NAPAS', 'NONE'), { nil: undefined }),
    status: several(collectionStatuses),
    settlementStatus: several(settlementStatuses),
    payoutStatus: several(payoutStatuses),
  })
  .map(({ axis, from, to, payoutStatus, ...keys }) => {
    const range = { [`${axis}From`]: from, [`${axis}To`]: to };
    return {
      collections: given({ ...keys, ...range }),
      payouts: given({ channel: keys.channel, status: payoutStatus, ...range }),
    };
  });
const given = (all: Record<string, string | undefined>): Filters =>
  Object.fromEntries(
    Object.entries(all).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );

/** Counts with SQL of its own. */
function plainCount(table: 'collection' | 'payout', set: Filters) {
  const conditions = Object.entries(set).map(([name, value]) => {
    if (name.endsWith('From')) return sql`${sql.ref(`${name.slice(0, -4)}_at`)} >= ${value}::timestamptz`;
    if (name.endsWith('To')) return sql`${sql.ref(`${name.slice(0, -2)}_at`)} < ${value}::timestamptz`;
    const column = name === 'settlementStatus' ? 'settlement_status' : name;
    return sql`${sql.ref(column)} = any(${value.split(',')}::text[])`;
  });
  return sql<{ count: string; sum: string }>`
    select count(*)::text as count, coalesce(sum(amount_minor), 0)::text as sum from ${sql.table(table)}
    where ${sql.join([sql`merchant_id = ${home.merchantId}`, ...conditions], sql` and `)}`;
}

/** The totals on screen, of the exported rows, and of plain SQL, as of one moment. */
function totalsOf(list: KnownList, table: 'collection' | 'payout', set: Filters) {
  return product.services.database.asMerchant(
    home.merchantId,
    async (tx) => {
      const source = await list.source(tx, home, set);
      if (!source?.rollup) throw new Error(`the rollup cannot tell ${JSON.stringify(set)}`);
      const { total, sumMinor } = await readPage(tx, source, { limit: 20 });
      let [exported, exportedMinor] = [0, 0n];
      for await (const rows of readAll<{ amount_minor: bigint }>(tx, source))
        for (const { amount_minor } of rows)
          [exported, exportedMinor] = [exported + 1, exportedMinor + amount_minor];
      const { rows } = await plainCount(table, set).execute(tx.query);
      return {
        screen: [total.exact, String(total.count), String(sumMinor)],
        exported: [true, String(exported), String(exportedMinor)],
        plain: [true, rows[0]?.count, rows[0]?.sum],
      };
    },
    { snapshot: true },
  );
}

it('screen, export and SQL agree for random filters while orders change their state', async () => {
  const over = new AbortController();
  const changes = Promise.all(
    [collectionChanges, otherChanges].map((some) => changeOrders(over.signal, some)),
  );
  await fc
    .assert(
      fc.asyncProperty(filters, async (sets) => {
        for (const [list, table, set] of [
          [collections, 'collection', sets.collections],
          [payouts, 'payout', sets.payouts],
        ] as const) {
          const { screen, exported, plain } = await totalsOf(list, table, set);
          expect({ set, screen, exported }).toEqual({ set, screen: plain, exported: plain });
        }
      }),
      { numRuns: 60 },
    )
    .finally(() => over.abort());
  expect(Math.min(...(await changes))).toBeGreaterThan(10);
  expect(await product.deadlocks()).toBe(0);
});

it('a long list has its exact totals in its first reply, with their moment', async () => {
  const merchant = await product.merchant('long');
  await fillWithOrders(product.services.database, merchant.id, 12_345);
  const person = await product.person(merchant);
  for (const path of ['collections', 'payouts?status=pending', 'collections?status=toBePaid,closed']) {
    const { json } = await person.get(`/api/merchant/${path}`);
    expect([path, json.total]).toEqual([path, { count: 12_345, exact: true }]);
    expect(Math.abs(Date.parse(json.at) - Date.now())).toBeLessThan(60_000);
  }
});

it('totals from the rollup read no order outside the buckets that the range cuts, and scan no table', async () => {
  await asOwner(product.ownerUrl, (client) => client.query('analyze'));
  const sets = [...filterSetsOf(collections, { channel: 'CN_BANK' })];
  const closedEndMs = Math.floor(Date.now() / dayMs - 1) * dayMs;
  const read = await product.services.database.asMerchant(home.merchantId, async (tx) => {
    for (const way of ['seqscan', 'bitmapscan'])
      await sql`set local ${sql.raw(`enable_${way}`)} = off`.execute(tx.query);
    const found = [];
    for (const set of sets) {
      const source = await collections.source(tx, home, set);
      if (!source?.rollup) continue;
      const nodes = await explainAnalyze(tx, rollupTotalsStatement(source, source.rollup, closedEndMs));
      const rows = (table: string) =>
        nodes
          .filter((node) => node['Relation Name'] === table)
          .reduce((sum, node) => sum + node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0), 0);
      found.push({
        set,
        scans: nodes.filter((node) => node['Node Type'] === 'Seq Scan').length,
        orders: rows('collection'),
      });
    }
    return found;
  });
  expect(read.length).toBeGreaterThan(100);
  expect(read.filter(({ scans, orders }) => scans > 0 || orders > 2 * 30)).toEqual([]);
});
