import {
  type DailyReport,
  type MonthlyReport,
  startOfDayAt,
  utcOffsets,
} from '@hengfu/contract/daily-reports';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { postDay } from '../../demo/postings.ts';
import { Random } from '../../demo/random.ts';
import { type DemoOrder, insertOrders } from '../../demo/seed.sql.ts';
import { type TestMerchant, TestProduct } from '../../testing/test-product.ts';
import { until } from '../../testing/until.ts';
import type { Visitor } from '../../testing/visitor.ts';

let product: TestProduct;
let merchant: TestMerchant;
let visitor: Visitor;

const path = '/api/merchant/daily-reports';
const dayMs = 86_400_000;
const firstMs = Date.parse('2026-03-25T00:00:00Z');

beforeAll(async () => {
  product = await TestProduct.start(inject('ownerUrl'));
  merchant = await product.merchant('report', 'CNY', 'Europe/Berlin');
  visitor = await product.person(merchant);
  await seed();
});
afterAll(async () => {
  expect(await product.violations()).toEqual([]);
  await product.close();
});

/** Ten days of paid orders around the start of daylight saving time, settled each day. */
async function seed(): Promise<void> {
  await product.monthsSince(firstMs - dayMs);
  const random = new Random(20_260_325);
  const { database, settlements } = product.services;
  for (let day = 0; day < 10; day++) {
    const startMs = firstMs + day * dayMs;
    const orders = Array.from({ length: 60 }, (_, index): DemoOrder => {
      const paidAt = startMs + Math.floor(random.next() * dayMs);
      return {
        outTradeNo: `r-${day}-${index}`,
        amountMinor: BigInt(1 + Math.floor(random.next() * 1_000_000)),
        subject: 'x',
        status: 'success',
        createdAt: paidAt - 1000,
        paidAt,
        refundedAt: null,
        refused: null,
      };
    });
    await database.asSystemFor(merchant.id, async (tx) => {
      await insertOrders(tx, orders, { currency: 'CNY', channel: 'CN_BANK' });
      await postDay(tx, 'CNY', { from: new Date(startMs), until: new Date(startMs + dayMs) });
    });
    await settlements.recordPast(merchant.id, new Date(startMs + dayMs), new Date(startMs + dayMs + 5000));
  }
}

const report = (offset: string, from = '2026-03-24', to = '2026-04-06') =>
  visitor.get(`${path}?${new URLSearchParams({ offset, from, to })}`);

/** Reads a page of a list until it has its sum, which a busy machine may omit. */
async function readAddedUp(list: string) {
  const { json } = await until(
    () => visitor.get(list),
    (answer) => answer.json.sum !== undefined,
  );
  return json;
}

describe('a daily report', () => {
  it.each(['+08:00', '+05:45', '-03:30', '+00:00', '+14:00', '-12:00'])(
    'under %s matches the orders, and each figure matches the list it links to',
    async (offset) => {
      const { data, totals } = (await report(offset)).json;
      expect(data).toHaveLength(14);
      const orders = await product.services.database.asSystem((tx) =>
        sql<{ day: string; amount: bigint; fee: bigint; count: bigint }>`
          select to_char(paid_at at time zone 'UTC' + ${offset}::interval, 'YYYY-MM-DD') as day,
            sum(amount_minor)::bigint as amount, sum(fee_minor)::bigint as fee, count(*) as count
          from collection where merchant_id = ${merchant.id} group by 1`.execute(tx.query),
      );
      const byDay = new Map(orders.rows.map((row) => [row.day, row]));
      for (const day of data as DailyReport[]) {
        const { amount = 0n, fee = 0n, count = 0n } = byDay.get(day.date) ?? {};
        const minor = (text: string) => BigInt(text.replace('.', ''));
        expect([
          day.date,
          minor(day.collectionAmount),
          minor(day.collectionFee),
          BigInt(day.collectionCount),
        ]).toEqual([day.date, amount, fee, count]);
        const from = startOfDayAt(day.date, offset);
        const range = { from: from.toISOString(), to: new Date(from.getTime() + dayMs).toISOString() };
        const paid = new URLSearchParams({ paidFrom: range.from, paidTo: range.to });
        const list = await readAddedUp(`/api/merchant/collections?${paid}`);
        expect([list.total.count, list.sum.amount]).toEqual([day.collectionCount, day.collectionAmount]);
        const settled = new URLSearchParams({ settledFrom: range.from, settledTo: range.to });
        const batches = await readAddedUp(`/api/merchant/settlements?${settled}`);
        expect([batches.total.count, batches.sum.amount]).toEqual([
          day.settlementCount,
          day.settlementAmount,
        ]);
        expect(day.settlementAt).toBe(batches.data[0]?.settledAt ?? null);
      }
      expect(totals.collectionCount).toBe(600);
    },
  );

  it.each(['+08:00', '-03:30', '+00:00'])('by month under %s adds up its days', async (offset) => {
    const query = { offset, from: '2026-02-27', to: '2026-04-06' };
    const { data, totals } = (await visitor.get(`${path}/months?${new URLSearchParams(query)}`)).json;
    expect(data.map(({ month, from, to }: MonthlyReport) => [month, from, to])).toEqual([
      ['2026-04', '2026-04-01', '2026-04-06'],
      ['2026-03', '2026-03-01', '2026-03-31'],
      ['2026-02', '2026-02-27', '2026-02-28'],
    ]);
    for (const { month, from, to, ...figures } of data as MonthlyReport[]) {
      const days = (await report(offset, from, to)).json;
      expect([month, figures]).toMatchObject([month, days.totals]);
      const settled = days.data.map(({ settlementAt }: DailyReport) => settlementAt).filter(Boolean);
      expect(figures.settlementAt).toBe(settled[0] ?? null);
    }
    expect(totals).toEqual((await report(offset, query.from, query.to)).json.totals);
  });

  it('covers at most three months by day and a year by month', async () => {
    const statusOf = async (part: string, from: string) =>
      (await visitor.get(`${path}${part}?offset=%2B00:00&from=${from}&to=2026-12-31`)).status;
    expect(await statusOf('', '2026-10-01')).toBe(200);
    expect(await statusOf('', '2026-09-30')).toBe(422);
    expect(await statusOf('/months', '2025-12-31')).toBe(200);
    expect(await statusOf('/months', '2025-12-30')).toBe(422);
  });

  it('adds up to the same totals under every offset', async () => {
    const totals = new Set<string>();
    for (const offset of utcOffsets)
      totals.add(JSON.stringify((await report(offset, '2026-03-20', '2026-04-10')).json.totals));
    expect([utcOffsets.length, totals.size]).toEqual([105, 1]);
  }, 30_000);

  it('lists the orders that change days between two offsets', async () => {
    const [one, other] = ['+01:00', '+08:00'];
    const query = new URLSearchParams({ offset: one, other, from: '2026-03-24', to: '2026-04-06' });
    const { data } = (await visitor.get(`${path}/moved?${query}`)).json;
    expect(data.length).toBeGreaterThan(8);
    const figures = async (offset: string) =>
      new Map(
        ((await report(offset)).json.data as DailyReport[]).map((day) => [day.date, day.collectionCount]),
      );
    const counts = await figures(one);
    for (const { day, otherDay, from, to, collections } of data) {
      const paid = new URLSearchParams({ paidFrom: from, paidTo: to });
      const list = (await visitor.get(`/api/merchant/collections?${paid}`)).json;
      expect([list.total.count, list.sum.amount]).toEqual([collections.count, collections.amount]);
      counts.set(day, (counts.get(day) ?? 0) - collections.count);
      counts.set(otherDay, (counts.get(otherDay) ?? 0) + collections.count);
    }
    // Applying the moves turns one report into the other.
    expect(counts).toEqual(await figures(other));
  });

  it.each([
    ['offset=%2B99:00&from=2026-03-01&to=2026-03-02', 'offset'],
    ['offset=%2B08:10&from=2026-03-01&to=2026-03-02', 'offset'],
    ['offset=%2B14:15&from=2026-03-01&to=2026-03-02', 'offset'],
    ['offset=%2B08:00&from=1926-03-01&to=2026-03-02', 'to'],
    ['offset=%2B08:00&from=2026-03-03&to=2026-03-02', 'to'],
    ['offset=%2B08:00&from=2026-02-30&to=2026-03-02', 'from'],
    ['offset=%2B08:00&from=2026-03-01', 'to'],
  ])('refuses %s', async (query, field) => {
    const answer = await visitor.get(`${path}?${query}`);
    expect([answer.status, Object.keys(answer.json.errors)]).toEqual([422, [field]]);
  });
});
