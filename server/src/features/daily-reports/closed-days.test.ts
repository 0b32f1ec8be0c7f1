import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, inject, it } from 'vitest';
import { type TestMerchant, TestProduct } from '../../testing/test-product.ts';
import { closeDays, findMerchantsToClose } from './closed-days.sql.ts';
import { midnightsOf } from './daily-reports.rules.ts';
import { readDays } from './daily-reports.sql.ts';
import { readSums } from './months.sql.ts';

let product: TestProduct;
let merchant: TestMerchant;
let merchants = 0;

beforeAll(async () => {
  product = await TestProduct.start(inject('ownerUrl'));
});
afterAll(() => product.close());
beforeEach(async () => {
  merchant = await product.merchant(`closing-${++merchants}`);
});

const dayMs = 86_400_000;
const quarterMs = 900_000;
const today = Math.floor(Date.now() / dayMs) * dayMs;
const dateOf = (ms: number) => new Date(ms).toISOString().slice(0, 10);

interface Bucket {
  kind: 'collection' | 'payout' | 'refund';
  /** Quarters of an hour since a hundred days ago. */
  quarter: number;
  stripe: number;
  done: number;
  /** An order's state does not matter to the report, but the sums of closed days keep it. */
  status?: string;
}
const firstQuarter = today / quarterMs - 100 * 96;

const write = (buckets: readonly Bucket[]) =>
  product.services.database.asSystem(async (tx) => {
    for (const { kind, quarter, stripe, done, status = 'success' } of buckets) {
      const key = sql`${kind}, 'paid', 'CNY', ${new Date((firstQuarter + quarter) * quarterMs)}, 'CN_BANK', ${status}, 'unsettled'`;
      const sums = sql`${done}, ${done * 100}, ${done * 3}`;
      await sql`insert into order_rollup values (${merchant.id}, ${key}, ${stripe}, ${sums})
        on conflict on constraint order_rollup_pkey do update
          set orders = order_rollup.orders + excluded.orders,
            amount_minor = order_rollup.amount_minor + excluded.amount_minor,
            fee_minor = order_rollup.fee_minor + excluded.fee_minor`.execute(tx.query);
      await sql`select adjust_closed_days(array[row(${merchant.id}, ${key}, ${sums})::order_rollup_change])`.execute(
        tx.query,
      );
    }
  });
const close = () => product.services.database.asSystem((tx) => closeDays(tx, merchant.id));
const report = (from: string, to: string, offset: string) =>
  product.services.database.asMerchant(merchant.id, (tx) => readDays(tx, 'CNY', { from, to, offset }));
/** Reads the sums of closed days and months by their keys. */
const closedSums = async () => {
  const { rows } = await product.services.database.asMerchant(merchant.id, (tx) =>
    sql<{
      sum: string;
    }>`select concat_ws(' ', axis, period, status, settlement_status, orders, amount_minor) as sum
      from order_rollup_period where orders <> 0`.execute(tx.query),
  );
  return rows.map(({ sum }) => sum).toSorted();
};
const sums = (spans: { from: string; to: string }[], offset: string) =>
  product.services.database.asMerchant(merchant.id, (tx) => readSums(tx, 'CNY', midnightsOf(spans, offset)));
const disagreements = async () => {
  const { rows } = await product.services.database.asSystem((tx) =>
    sql`select * from rollup_day_violations()`.execute(tx.query),
  );
  return rows;
};
const countClosed = async () => {
  const { rows } = await product.services.database.asMerchant(merchant.id, (tx) =>
    sql<{ day: string }>`select day::text from order_rollup_day order by day`.execute(tx.query),
  );
  return rows.map(({ day }) => day);
};

/** Computes the expected counts of days bucket by bucket, newest day first. */
function expected(buckets: readonly Bucket[], from: string, offsetMinutes: number, days: number) {
  const start = Date.parse(`${from}T00:00:00Z`) - offsetMinutes * 60_000;
  return Array.from({ length: days }, (_, index) => {
    const begins = start + (days - 1 - index) * dayMs;
    const sumOf = (kind: string) =>
      buckets
        .filter((bucket) => {
          const at = (firstQuarter + bucket.quarter) * quarterMs;
          return bucket.kind === kind && at >= begins && at < begins + dayMs;
        })
        .reduce((sum, { done }) => sum + done, 0);
    return { collection: sumOf('collection'), payout: sumOf('payout'), refund: sumOf('refund') };
  });
}

/** Returns consecutive spans of one, two, three … days. */
function spansOf(from: string, days: number): { from: string; to: string }[] {
  const spans = [];
  const dayAt = (index: number) => dateOf(Date.parse(from) + index * dayMs);
  for (let [first, length] = [0, 1]; first < days; first += length++)
    spans.push({ from: dayAt(first), to: dayAt(Math.min(days, first + length) - 1) });
  return spans;
}

it('reports the same from closed days as from their buckets under any offset', async () => {
  const bucket: fc.Arbitrary<Bucket> = fc.record({
    kind: fc.constantFrom('collection', 'payout', 'refund'),
    quarter: fc.integer({ min: 0, max: 100 * 96 + 95 }),
    stripe: fc.integer({ min: 0, max: 7 }),
    done: fc.integer({ min: 0, max: 1000 }),
    status: fc.constantFrom('paid', 'success', 'refunded'),
  });
  const buckets = fc.sample(bucket, 400);
  await write(buckets);
  expect(await close()).toBeGreaterThan(100);
  expect(await close()).toBe(0);
  expect(await disagreements()).toEqual([]);
  const offset = fc.record({
    minutes: fc.integer({ min: -48, max: 56 }).map((quarters) => quarters * 15),
    first: fc.integer({ min: -100, max: 0 }),
    days: fc.integer({ min: 1, max: 100 }),
  });
  for (const { minutes, first, days } of fc.sample(offset, 60)) {
    const [from, to] = [dateOf(today + first * dayMs), dateOf(today + (first + days - 1) * dayMs)];
    const size = Math.abs(minutes);
    const text = `${minutes < 0 ? '-' : '+'}${String(Math.floor(size / 60)).padStart(2, '0')}:${String(size % 60).padStart(2, '0')}`;
    const rows = await report(from, to, text);
    const wanted = expected(buckets, from, minutes, days);
    expect([text, from, rows.map((row) => [row.collectionCount, row.paymentCount, row.refundCount])]).toEqual(
      [text, from, wanted.map(({ collection, payout, refund }) => [collection, payout, refund])],
    );
    expect(rows.map((row) => [row.collectionMinor, row.paymentFeeMinor])).toEqual(
      wanted.map(({ collection, payout }) => [BigInt(collection * 100), BigInt(payout * 3)]),
    );
    // The same figures, read by spans of several days.
    const spans = spansOf(from, days);
    const counts = spans.map((span) =>
      rows
        .filter(({ date }) => date >= span.from && date <= span.to)
        .reduce((sum, row) => sum + row.collectionCount, 0),
    );
    const spanSums = await sums(spans, text);
    expect([text, from, spanSums.map((row) => row.collectionCount)]).toEqual([text, from, counts]);
    expect(spanSums.reduce((sum, row) => sum + row.refundCount, 0)).toBe(
      rows.reduce((sum, row) => sum + row.refundCount, 0),
    );
    expect(spanSums.reduce((sum, row) => sum + row.paymentFeeMinor, 0n)).toBe(
      rows.reduce((sum, row) => sum + row.paymentFeeMinor, 0n),
    );
  }
});

it('closes a day one day after its end, and finds only merchants that may have one to close', async () => {
  const quarterOf = (daysBack: number) => (100 - daysBack) * 96 + 95;
  await write([0, 1, 2, 3].map((back) => ({ kind: 'payout', quarter: quarterOf(back), stripe: 0, done: 1 })));
  const isFound = async () =>
    (await product.services.database.asSystem(findMerchantsToClose)).includes(merchant.id);
  expect(await isFound()).toBe(true);
  await close();
  expect(await countClosed()).toEqual([dateOf(today - 3 * dayMs), dateOf(today - 2 * dayMs)]);
  expect(await isFound()).toBe(false);
});

it('reads a closed day from its buckets again after a backdated write, even during closing', async () => {
  const old: Bucket = { kind: 'collection', quarter: 40, stripe: 0, done: 5 };
  await write([old, { ...old, quarter: 300 }]);
  await close();
  const day = dateOf((firstQuarter + 40) * quarterMs);
  const count = async () => (await report(day, day, '+00:00')).map((row) => row.collectionCount);
  expect(await count()).toEqual([5]);
  await Promise.all([
    write([{ ...old, done: 7 }]),
    close(),
    write([{ ...old, stripe: 3, done: 1 }]),
    close(),
  ]);
  expect(await count()).toEqual([13]);
  expect(await countClosed()).not.toContain(day);
  expect(await disagreements()).toEqual([]);
});

/** Inserts orders of one day sixty days before this month, all in one statement, paid a minute later. */
const insertOrders = (firstNumber: number, lastNumber: number, isPaid = true) =>
  product.services.database.asSystem((tx) =>
    sql`insert into collection (merchant_id, trade_no, out_trade_no, request_hash, status, settlement_status, currency,
        amount_minor, channel, cashier_token, created_at, expires_at, paid_at)
      select ${merchant.id}, 'C-' || ${merchant.id} || '-' || n, n, '', case when ${isPaid} then 'success' else 'closed' end,
        case when ${isPaid} then 'unsettled' end, 'CNY', 100, 'CN_BANK', 't-' || ${merchant.id} || '-' || n, at, at,
        case when ${isPaid} then at + interval '1 minute' end
      from generate_series(${firstNumber}::integer, ${lastNumber}::integer) n
      cross join lateral (select date_trunc('month', now()) - interval '60 days' + n * interval '20 minutes') made (at)`.execute(
      tx.query,
    ),
  );

it('keeps the sums of closed days and months exact when their orders change state', async () => {
  const database = product.services.database;
  await insertOrders(1, 3);
  await close();
  const sumsOf = (...sums: string[]) =>
    ['created', 'paid'].flatMap((axis) =>
      ['day', 'month'].flatMap((period) => sums.map((sum) => `${axis} ${period} ${sum}`)),
    );
  expect(await closedSums()).toEqual(sumsOf('success unsettled 3 300'));
  const days = await countClosed();
  await database.asSystem(async (tx) => {
    const ofMerchant = sql`where merchant_id = ${merchant.id}`;
    await sql`update collection set settlement_status = 'settled' ${ofMerchant}`.execute(tx.query);
    await sql`update collection set status = 'refunded', refunded_at = now() ${ofMerchant} and out_trade_no = '1'`.execute(
      tx.query,
    );
  });
  expect(await closedSums()).toEqual(sumsOf('refunded settled 1 100', 'success settled 2 200').toSorted());
  // The running sums do not tell states apart, so they are still right.
  expect([days.length, await countClosed()]).toEqual([1, days]);
  expect(await disagreements()).toEqual([]);
});

it('counts a single backdated order in the sums of its closed day and month', async () => {
  await insertOrders(1, 3);
  await close();
  await insertOrders(4, 4);
  await insertOrders(5, 5, false);
  const sums = (axis: string, sum: string) => ['day', 'month'].map((period) => `${axis} ${period} ${sum}`);
  expect(await closedSums()).toEqual(
    [
      ...sums('created', 'closed  1 100'),
      ...sums('created', 'success unsettled 4 400'),
      ...sums('paid', 'success unsettled 4 400'),
    ].toSorted(),
  );
  expect(await disagreements()).toEqual([]);
});

it('folds the stripes of complete buckets into one, and changes no sum', async () => {
  const quartersAgo = (count: number) => Math.floor(Date.now() / quarterMs) - firstQuarter - count;
  const stripes = (quarter: number): Bucket[] =>
    Array.from({ length: 8 }, (_, stripe) => ({ kind: 'collection', quarter, stripe, done: stripe - 2 }));
  const [recent, complete, empty] = [quartersAgo(1), quartersAgo(20), quartersAgo(30)];
  await write([...stripes(recent), ...stripes(complete)]);
  await write([1, -1].map((done, stripe) => ({ kind: 'payout', quarter: empty, stripe, done })));
  const rows = async () => {
    const { rows } = await product.services.database.asMerchant(merchant.id, (tx) =>
      sql<{
        sum: string;
      }>`select concat_ws(' ', kind, count(*), sum(orders), sum(amount_minor), sum(fee_minor)) as sum
        from order_rollup group by kind, bucket order by kind, bucket`.execute(tx.query),
    );
    return rows.map(({ sum }) => sum);
  };
  expect(await rows()).toEqual(['collection 8 12 1200 36', 'collection 8 12 1200 36', 'payout 2 0 0 0']);
  await product.services.tasks['reports.closeDays']?.({});
  expect(await rows()).toEqual(['collection 1 12 1200 36', 'collection 8 12 1200 36']);
});

it('folds nothing while a stripe is held for long, and gives back the others, so that orders go on', async () => {
  const { database } = product.services;
  const stripeLock = (stripe: number) =>
    sql`pg_advisory_xact_lock(hashtextextended(${`rollup ${merchant.id} ${stripe}`}, 0))`;
  const quarter = Math.floor((Date.now() - 3 * 3_600_000) / quarterMs) - firstQuarter;
  await write([1, 2].map((stripe) => ({ kind: 'collection', quarter, stripe, done: 1 })));
  const held = Promise.withResolvers<void>();
  const release = Promise.withResolvers<void>();
  const settlement = database.asSystem(async (tx) => {
    await sql`select ${stripeLock(5)}`.execute(tx.query);
    held.resolve();
    await release.promise;
  });
  await held.promise;
  await database.asSystem(async (tx) => {
    const { rows } = await sql<{ folded: number }>`select fold_rollup(${merchant.id}) as folded`.execute(
      tx.query,
    );
    expect(rows).toEqual([{ folded: 0 }]);
    // In the same transaction, which still runs.
    await database.asSystem((order) => sql`select ${stripeLock(0)}`.execute(order.query));
  });
  release.resolve();
  await settlement;
  await database.asSystem(async (tx) => {
    const { rows } = await sql<{ folded: number }>`select fold_rollup(${merchant.id}) as folded`.execute(
      tx.query,
    );
    expect(rows).toEqual([{ folded: 1 }]);
  });
});

it('keeps the running sums of a closed day uncompressed, in its row', async () => {
  await write(
    Array.from({ length: 96 }, (_, quarter) => ({ kind: 'collection', quarter, stripe: 0, done: 1 })),
  );
  await close();
  const { rows } = await product.services.database.asMerchant(merchant.id, (tx) =>
    sql<{ bytes: number }>`
      select pg_column_size(sums) as bytes
      from order_rollup_day, lateral (values (done_counts), (done_amounts_minor), (fees_minor)) each (sums)`.execute(
      tx.query,
    ),
  );
  // A header of 24 bytes and 97 sums.
  expect(new Set(rows.map(({ bytes }) => bytes))).toEqual(new Set([24 + 97 * 8]));
});
