import { createHash } from 'node:crypto';
import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import papa from 'papaparse';
import readXlsxFile from 'read-excel-file/node';
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
const path = '/api/merchant/exports';
const dayMs = 86_400_000;
const firstMs = Date.parse('2026-03-27T00:00:00Z');
const hostile = '=HYPERLINK("http://x.test","pay")';

beforeAll(async () => {
  product = await TestProduct.start(inject('ownerUrl'), { worker: true });
  merchant = await product.merchant('exports', 'CNY', 'Europe/Berlin');
  visitor = await product.person(merchant);
  await seed();
}, 60_000);
afterAll(async () => {
  expect(await product.violations()).toEqual([]);
  await product.close();
});

/** Three thousand paid orders around a daylight saving change, some with numbers that spreadsheets garble. */
async function seed(): Promise<void> {
  await product.monthsSince(firstMs - dayMs);
  const random = new Random(42);
  for (let day = 0; day < 5; day++) {
    const startMs = firstMs + day * dayMs;
    const orders = Array.from({ length: 600 }, (_, index): DemoOrder => {
      const paidAt = startMs + Math.floor(random.next() * dayMs);
      return {
        outTradeNo: index === 0 ? `12345678901234567${day}` : index === 1 ? `=1+${day}` : `o-${day}-${index}`,
        amountMinor: BigInt(1 + Math.floor(random.next() * 1_000_000)),
        subject: index === 1 ? hostile : index === 2 ? 'a "quoted", line\nand another' : '饮料',
        status: 'success',
        createdAt: paidAt - 1000,
        paidAt,
        refundedAt: null,
        refused: null,
      };
    });
    await product.services.database.asSystemFor(merchant.id, async (tx) => {
      await insertOrders(tx, orders, { currency: 'CNY', channel: 'CN_BANK' });
      await postDay(tx, 'CNY', { from: new Date(startMs), until: new Date(startMs + dayMs) });
    });
  }
}

const create = (more: object = {}, by = visitor) =>
  by.post(path, { list: 'collections', format: 'csv', language: 'en', zone: 'Europe/Berlin', ...more });
const rowOf = async (exportNo: string, by = visitor) =>
  (await by.get(path)).json.data.find((each: { export_no: string }) => each.export_no === exportNo);
const done = (exportNo: string, by = visitor) =>
  until(
    () => rowOf(exportNo, by),
    ({ status }) => status === 'successful' || status === 'failed',
    30_000,
  );
async function download(exportNo: string, what = 'file') {
  const response = await fetch(`${product.url}${path}/${exportNo}/${what}`, {
    headers: { cookie: [...visitor.cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
  });
  return { response, bytes: Buffer.from(await response.arrayBuffer()) };
}
async function exported(more: object = {}) {
  const made = await create(more);
  expect(made.status).toBe(201);
  const row = await done(made.json.data.export_no);
  expect(row.status).toBe('successful');
  return { row, ...(await download(row.export_no)) };
}
const lines = (bytes: Buffer) =>
  papa.parse<string[]>(bytes.toString('utf8').slice(1), { skipEmptyLines: true }).data;

describe('an export as CSV', () => {
  it.each(['Europe/Berlin', 'Asia/Kolkata', 'Australia/Lord_Howe', 'America/St_Johns'])(
    'of a day in %s contains every row that matches the filters, with the totals of screen and SQL',
    async (zone) => {
      // In Berlin the clocks change on that day: it is 23 hours long.
      const { rows: days } = await product.services.database.asSystem((tx) =>
        sql<{ paidFrom: Date; paidTo: Date; count: number; amount: bigint }>`
          select start as "paidFrom", stop as "paidTo", count(*)::integer as count, sum(amount_minor)::bigint as amount
          from (select timestamp '2026-03-29' at time zone ${zone} as start,
            timestamp '2026-03-30' at time zone ${zone} as stop) day
          join collection on paid_at >= start and paid_at < stop group by 1, 2`.execute(tx.query),
      );
      const day = days[0] ?? expect.fail('no orders');
      const range = { paidFrom: day.paidFrom.toISOString(), paidTo: day.paidTo.toISOString() };
      const screen = (await visitor.get(`/api/merchant/collections?${new URLSearchParams(range)}`)).json;
      const { row, bytes, response } = await exported({ filters: range, zone });
      expect([...bytes.subarray(0, 3)]).toEqual([0xef, 0xbb, 0xbf]);
      expect(response.headers.get('content-disposition')).toContain('attachment');
      expect(response.headers.get('x-content-type-options')).toBe('nosniff');
      const [headings = [], ...rows] = lines(bytes);
      expect(headings.slice(0, 4)).toEqual([
        'Order number',
        'Merchant order number',
        'Order status',
        'Amount',
      ]);
      expect([rows.length, row.rows, screen.total.count]).toEqual([day.count, day.count, day.count]);
      const cents = rows.reduce((sum, cells) => sum + BigInt((cells[3] ?? '').replace('.', '')), 0n);
      expect(cents).toBe(day.amount);
      expect(row.sums.find(({ key }: { key: string }) => key === 'amount')).toEqual({
        key: 'amount',
        currency: 'CNY',
        amount: screen.sum.amount,
      });
      expect(BigInt(screen.sum.amount.replace('.', ''))).toBe(day.amount);
      const paid = rows.map((cells) => cells[headings.indexOf('Paid at')] ?? '');
      expect(paid.every((time) => /^2026-03-29 \d\d:\d\d:\d\d$/.test(time))).toBe(true);
      if (zone === 'Europe/Berlin')
        expect(paid.filter((time) => time.startsWith('2026-03-29 02:'))).toEqual([]);
      expect(row.sha256).toBe(createHash('sha256').update(bytes).digest('hex'));
      expect(row.bytes).toBe(bytes.length);
    },
  );

  it.each([
    ['Asia/Kolkata', 19_800],
    ['Australia/Lord_Howe', 39_600],
    ['America/St_Johns', -9000],
  ])('shows times in %s', async (zone, offsetSeconds) => {
    const { bytes } = await exported({ zone, columns: ['paidAt', 'trade_no'] });
    const [, first = []] = lines(bytes);
    const order = (await visitor.get(`/api/merchant/collections/${first[1]}`)).json.data;
    expect(Date.parse(`${first[0]?.replace(' ', 'T')}Z`) - offsetSeconds * 1000).toBe(
      Math.floor(Date.parse(order.paidAt) / 1000) * 1000,
    );
  });

  it('has the chosen columns in order, with headings and values in the chosen language', async () => {
    const { bytes } = await exported({ language: 'vi', columns: ['status', 'channel', 'amount'] });
    const [headings, first] = lines(bytes);
    expect(headings).toEqual(['Trạng thái đơn', 'Kênh', 'Số tiền']);
    expect(first?.slice(0, 2)).toEqual(['Thành công', expect.any(String)]);
  });

  it('escapes formulas, and keeps quotes and line breaks', async () => {
    const { bytes } = await exported({ columns: ['out_trade_no', 'subject'] });
    const rows = lines(bytes);
    expect(rows.filter(([, subject]) => subject === `'${hostile}`)).toHaveLength(5);
    expect(rows.some(([number]) => number === "'=1+3")).toBe(true);
    expect(rows.filter(([, subject]) => subject === 'a "quoted", line\nand another')).toHaveLength(5);
  });

  it('comes with a manifest of rows, filters, zone, creator and hash', async () => {
    const { row } = await exported({ filters: { status: 'success' }, columns: ['amount', 'currency'] });
    const { bytes } = await download(row.export_no, 'manifest');
    const text = bytes.toString('utf8');
    for (const part of [
      'Rows: 3000',
      'Filter by Order status: Success',
      'Europe/Berlin',
      'MERCHANT_ADMIN',
      row.sha256,
    ])
      expect(text).toContain(part);
  });
});

describe('an export as XLSX', () => {
  it('keeps numbers as numbers and order numbers as text, to the last digit', async () => {
    const { bytes } = await exported({
      format: 'xlsx',
      columns: ['out_trade_no', 'amount', 'subject', 'paidAt'],
    });
    const [sheet, manifest] = await readXlsxFile(bytes);
    const [headings, ...rows] = sheet?.data ?? [];
    expect(sheet?.sheet).toBe('Collection transactions');
    expect([headings?.[0], rows.length]).toEqual(['Merchant order number', 3000]);
    expect(
      rows
        .map(([number]) => number)
        .filter((number) => /^1234567890/.test(String(number)))
        .sort(),
    ).toEqual(Array.from({ length: 5 }, (_, day) => `12345678901234567${day}`));
    expect(rows.every(([, amount]) => typeof amount === 'number')).toBe(true);
    expect(rows.filter(([, , subject]) => subject === hostile)).toHaveLength(5);
    expect(rows[0]?.[3]).toBeInstanceOf(Date);
    const sum = rows.reduce((total, [, amount]) => total + Math.round(Number(amount) * 100), 0);
    const screen = (await visitor.get('/api/merchant/collections')).json.sum.amount;
    expect(sum).toBe(Number(screen.replace('.', '')));
    expect(manifest?.data.map(([name]) => name)).toEqual(
      expect.arrayContaining([
        'Exports',
        'Export number',
        'Rows',
        'Total Amount',
        'Time zone',
        'Submitted by',
      ]),
    );
  });

  it.each([
    ['fundFlow', {}],
    ['settlements', {}],
    ['payouts', {}],
    ['topups', {}],
    ['withdrawals', {}],
    ['dailyReports', { offset: '+08:00', from: '2026-03-25', to: '2026-04-02' }],
  ])('is available for %s', async (list, filters) => {
    await product.services.settlements.runNow(merchant.id, new Date(firstMs + dayMs));
    const { bytes, row } = await exported({ list, filters, format: 'xlsx' });
    const [sheet] = await readXlsxFile(bytes);
    expect(sheet?.data).toHaveLength(row.rows + 1);
    if (list === 'dailyReports') expect(row.rows).toBe(9);
  });
});

it('exported orders of a settlement add up to its net amount', async () => {
  const [batch] = await product.services.settlements.runNow(merchant.id, new Date(firstMs + 3 * dayMs));
  const { row, bytes } = await exported({ list: 'settlementLines', filters: { settlement_no: batch } });
  const net = (await visitor.get(`/api/merchant/settlements/${batch}`)).json.data;
  expect(row.sums.find(({ key }: { key: string }) => key === 'net').amount).toBe(net.net);
  expect(lines(bytes)).toHaveLength(net.orderCount + 1);
  expect(lines(bytes)[1]?.[1]).toBe('Payment');
});

describe('an export', () => {
  it.each([
    [{ list: 'secrets' }, 'list'],
    [{ columns: ['password'] }, 'columns'],
    [{ list: 'payouts', columns: ['subject'] }, 'columns'],
    [{ columns: ['amount', 'amount'] }, 'columns'],
    [{ format: 'pdf' }, 'format'],
    [{ zone: 'Mars/Olympus' }, 'zone'],
    [{ filters: { color: 'red' } }, 'color'],
    [{ filters: { status: 'gone' } }, 'status'],
    [{ list: 'dailyReports', filters: { offset: '+99:00', from: '1926-01-01', to: '2026-01-01' } }, 'offset'],
  ])('is refused with %j', async (more, field) => {
    const answer = await create(more);
    expect(answer.status).toBe(422);
    if (field !== 'color') expect(Object.keys(answer.json.errors)).toContain(field);
  });

  it('is not found by other merchants', async () => {
    const { row } = await exported();
    const stranger = await product.person(await product.merchant('stranger'));
    for (const call of ['file', 'manifest'])
      expect((await stranger.get(`${path}/${row.export_no}/${call}`)).status).toBe(404);
    expect((await stranger.post(`${path}/${row.export_no}/cancel`)).status).toBe(404);
    expect((await stranger.get(path)).json.data).toEqual([]);
  });

  it('waits while three others of its merchant run', async () => {
    const quiet = await TestProduct.start(inject('ownerUrl'));
    const owner = await quiet.merchant('queue');
    const person = await quiet.person(owner);
    const numbers: string[] = [];
    for (let index = 0; index < 5; index++) numbers.push((await create({}, person)).json.data.export_no);
    await quiet.services.database.asSystem((tx) =>
      tx.query
        .updateTable('export_task')
        .set({ status: 'exporting', alive_at: new Date() })
        .where('export_no', 'in', numbers.slice(0, 3))
        .execute(),
    );
    const run = (exportNo: string) =>
      quiet.services.tasks['exports.run']?.({ merchantId: String(owner.id), exportNo });
    await run(numbers[3] ?? '');
    expect((await rowOf(numbers[3] ?? '', person)).status).toBe('waiting');
    await person.post(`${path}/${numbers[0]}/cancel`);
    await run(numbers[3] ?? '');
    expect((await rowOf(numbers[3] ?? '', person)).status).toBe('successful');
    await quiet.close();
  });

  it('can be canceled and retried; a canceled export has no file', async () => {
    const { json } = await create();
    const cancelled = await visitor.post(`${path}/${json.data.export_no}/cancel`);
    if (cancelled.status === 200) {
      expect(cancelled.json.data).toMatchObject({ status: 'failed', reason: 'cancelled' });
      expect((await download(json.data.export_no)).response.status).toBe(404);
      expect((await visitor.post(`${path}/${json.data.export_no}/retry`)).json.data.status).toBe('waiting');
    }
    expect((await done(json.data.export_no)).status).toBe('successful');
    const late = await visitor.post(`${path}/${json.data.export_no}/cancel`);
    expect([late.status, late.json.code]).toEqual([409, 'invalid_transition']);
  });

  it('is requeued when its worker dies, and fails after the fourth attempt', async () => {
    const quiet = await TestProduct.start(inject('ownerUrl'));
    const owner = await quiet.merchant('lost');
    const person = await quiet.person(owner);
    const exportNo = (await create({}, person)).json.data.export_no;
    const loseWorker = (attempt: number) =>
      quiet.services.database.asSystem((tx) =>
        tx.query
          .updateTable('export_task')
          .set({ status: 'exporting', attempt, alive_at: new Date(Date.now() - 31_000) })
          .execute(),
      );
    const sweep = () => quiet.services.tasks['exports.sweep']?.({});
    await loseWorker(1);
    await sweep();
    expect((await rowOf(exportNo, person)).status).toBe('waiting');
    await loseWorker(4);
    await sweep();
    expect(await rowOf(exportNo, person)).toMatchObject({ status: 'failed', reason: 'lost' });
    await quiet.close();
  });

  it('keeps its file for seven days', async () => {
    const { row } = await exported();
    expect(Date.parse(row.expiresAt) - Date.parse(row.finishedAt)).toBe(7 * dayMs);
    await product.services.database.asSystem((tx) =>
      tx.query
        .updateTable('export_task')
        .set({ expires_at: new Date(0) })
        .where('export_no', '=', row.export_no)
        .execute(),
    );
    await product.services.tasks['exports.sweep']?.({});
    expect((await download(row.export_no)).response.status).toBe(404);
    expect((await rowOf(row.export_no)).expiresAt).toBeNull();
  });
});

it('these tests leave no partial files behind', async () => {
  const folder = join(product.dataDirectory, 'exports');
  // Canceled attempts clean up asynchronously.
  const partFiles = async () => (await readdir(folder)).filter((name) => name.endsWith('.part'));
  expect(await until(partFiles, (files) => files.length === 0)).toEqual([]);
  expect((await stat(folder)).mode & 0o077).toBe(0);
  await rm(folder, { recursive: true, maxRetries: 5 });
});
