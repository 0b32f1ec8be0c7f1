import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { permsOf } from '@hengfu/contract/permissions';
import { countedLists } from '@hengfu/contract/totals';
import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, inject, it, vi } from 'vitest';
import { exportablesOf } from '#composition/exports.ts';
import { fillWithOrders } from '../../testing/many-orders.ts';
import { nothingArchived } from '../../testing/nothing-archived.ts';
import { type TestMerchant, TestProduct } from '../../testing/test-product.ts';
import type { Visitor } from '../../testing/visitor.ts';
import { withProgress } from '../../threads/progress.ts';
import { type ListTotals, TotalsService } from './totals.service.ts';

let product: TestProduct;
let merchant: TestMerchant;
let person: Visitor;

const path = '/api/merchant/totals';
const orders = 12_345;
let recordedBefore: number;
const exportables = exportablesOf(nothingArchived);

beforeAll(async () => {
  product = await TestProduct.start(inject('ownerUrl'));
  merchant = await product.merchant('totals');
  person = await product.person(merchant);
  const { rows } = await product.services.database.asSystem((tx) =>
    sql<{
      count: number;
    }>`select count(*)::integer as count from audit where merchant_id = ${merchant.id}`.execute(tx.query),
  );
  recordedBefore = rows[0]?.count ?? 0;
  await fillWithOrders(product.services.database, merchant.id, orders);
});
afterAll(() => product.close());

/** Counts rows with SQL alone. */
async function counted(table: string, where: string): Promise<{ count: number; sum: string }> {
  const { rows } = await product.services.database.asSystem((tx) =>
    sql<{ count: string; sum: string }>`
      select count(*) as count, coalesce(sum(amount_minor), 0)::text as sum from ${sql.table(table)}
      where merchant_id = ${merchant.id} and ${sql.raw(where)}`.execute(tx.query),
  );
  return { count: Number(rows[0]?.count), sum: rows[0]?.sum ?? '' };
}

/** A person of a merchant who may read every list. */
const callerOf = ({ id, code }: TestMerchant) => ({
  home: { merchantId: id, code, name: code, currency: 'CNY', zone: 'Asia/Shanghai' } as const,
  perms: permsOf(['MERCHANT_ADMIN']),
});

const minorOf = (sum: { amount: string }) => sum.amount.replace('.', '').replace(/^0+(?=\d)/, '');

describe('the totals of a list', () => {
  it('are exact above the limit at which the list’s own reply stops counting', async () => {
    const page = (await person.get('/api/merchant/collections?amountFrom=1.05')).json;
    expect(page.total).toEqual({ count: 10_000, exact: false });
    const { status, json } = await person.post(path, {
      list: 'collections',
      filters: { amountFrom: '1.05' },
    });
    const expected = await counted('collection', 'amount_minor >= 105');
    expect(status).toBe(200);
    expect(expected.count).toBeGreaterThan(12_000);
    expect([json.data.count, minorOf(json.data.sum)]).toEqual([expected.count, expected.sum]);
    expect(Math.abs(Date.parse(json.data.at) - Date.now())).toBeLessThan(60_000);
  });

  it('count every list, with filters as its own call accepts them', async () => {
    for (const list of countedLists) {
      const filters = list === 'settlementLines' ? { settlement_no: `S${merchant.id}-1` } : {};
      const { status, json } = await person.post(path, { list, filters });
      expect([list, status]).toEqual([list, 200]);
      // The audit log also has what was done before: the merchant and its people were made.
      const before = list === 'auditLog' ? recordedBefore : 0;
      if (list !== 'settlementLines' && list !== 'fundFlow')
        expect([list, json.data.count]).toEqual([list, orders + before]);
    }
  });

  it('agree with SQL for random filters, whatever the size of a slice', async () => {
    const states = ['toBePaid', 'paid', 'success', 'refunded', 'cancelled', 'closed', 'failed'];
    await product.services.database.asSystem((tx) =>
      sql`update collection set status = (array['toBePaid', 'cancelled', 'closed', 'failed'])[1 + id % 4]
        where merchant_id = ${merchant.id}`.execute(tx.query),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.subarray(states, { minLength: 1 }),
        fc.integer({ min: 1, max: 200 }),
        fc.integer({ min: 0, max: 200 }),
        fc.constantFrom(97, 1000, 50_000),
        async (status, from, length, sliceRows) => {
          const service = new TotalsService(product.services.snapshots, exportables, { sliceRows });
          const filters = {
            status: status.join(','),
            amountFrom: `${from}.00`,
            amountTo: `${from + length}.00`,
          };
          const caller = callerOf(merchant);
          const totals = await service.count(caller, 'collections', filters, new AbortController().signal);
          const list = status.map((one) => `'${one}'`).join(',');
          const where = `status in (${list}) and amount_minor between ${from * 100} and ${(from + length) * 100}`;
          const { count, sum } = await counted('collection', where);
          expect([totals.count, String(totals.sumMinor)]).toEqual([count, sum]);
        },
      ),
      { numRuns: 25 },
    );
  });

  it('are of one moment, while rows change', async () => {
    const service = new TotalsService(product.services.snapshots, exportables, { sliceRows: 500 });
    const caller = callerOf(merchant);
    const signal = new AbortController().signal;
    const move = (to: string, from: string) =>
      product.services.database.asSystem((tx) =>
        sql`update collection set status = ${to} where merchant_id = ${merchant.id} and status = ${from}`.execute(
          tx.query,
        ),
      );
    const before = await counted('collection', `status = 'failed'`);
    const counting = service.count(caller, 'collections', { status: 'failed' }, signal);
    const moving = move('cancelled', 'failed');
    const totals = await counting;
    await moving;
    // Either all of them or none: a count that mixed two moments would be in between.
    expect([0, before.count]).toContain(totals.count);
    expect((await service.count(caller, 'collections', { status: 'failed' }, signal)).count).toBe(0);
  });

  it('stop counting when the caller disconnects', async () => {
    const service = new TotalsService(product.services.snapshots, exportables, { sliceRows: 10 });
    const caller = callerOf(merchant);
    const gone = new AbortController();
    const counting = service.count(caller, 'collections', {}, gone.signal);
    gone.abort();
    await expect(counting).rejects.toThrow();
    const totals = await service.count(caller, 'payouts', {}, new AbortController().signal);
    expect(totals.count).toBe(orders);
  });

  it('are not counted for a caller who disconnects while the session is looked up', async () => {
    const { database, totals } = product.services;
    const isAborted = new Promise<boolean>((resolve) => {
      vi.spyOn(totals, 'count').mockImplementationOnce(async (_person, _list, _filters, signal) => {
        resolve(signal.aborted);
        throw new Error('not counted');
      });
    });
    const accepted = once(product.app.server, 'connection');
    const lookUp = database.asSystem.bind(database);
    vi.spyOn(database, 'asSystem').mockImplementationOnce(async (work, options) => {
      const [served] = await accepted;
      if (!served.destroyed) await once(served, 'close');
      return lookUp(work, options);
    });
    const body = JSON.stringify({ list: 'payouts', filters: {} });
    const head = [
      `POST ${path} HTTP/1.1`,
      'host: localhost',
      `cookie: ${[...person.cookies].map(([name, value]) => `${name}=${value}`).join('; ')}`,
      `x-xsrf-token: ${person.cookies.get('XSRF-TOKEN')}`,
      'content-type: application/json',
      `content-length: ${body.length}`,
    ];
    const socket = connect(Number(new URL(product.url).port), '127.0.0.1');
    socket.write(`${head.join('\r\n')}\r\n\r\n${body}`, () => socket.destroy());
    expect(await isAborted).toBe(true);
  });

  it('leave no listener on a connection that is kept alive', async () => {
    const sockets = new Set<Socket>();
    product.app.server.on('connection', (socket) => sockets.add(socket));
    for (let call = 0; call < 12; call++) await person.post(path, { list: 'settlements', filters: {} });
    const listeners = Array.from(sockets, (socket) => socket.listenerCount('close'));
    expect(Math.max(...listeners)).toBeLessThan(8);
  });
});

describe('a long count', () => {
  const pace = { sliceRows: 1000, reportEveryMs: 0 };
  const filters = { amountFrom: '0.01' };
  const signal = new AbortController().signal;

  it('reports the rows counted so far, then totals of one moment', async () => {
    const reports: number[] = [];
    const service = new TotalsService(product.services.snapshots, exportables, pace);
    const totals = await service.count(callerOf(merchant), 'payouts', filters, signal, (counted) =>
      reports.push(counted),
    );
    expect(reports).toEqual(Array.from({ length: 12 }, (_, index) => (index + 1) * 1000));
    expect(totals.count).toBe(orders);
  });

  it('does not wait for a client that does not read, and leaves its lane', async () => {
    const service = new TotalsService(product.services.snapshots, exportables, pace);
    const caller = callerOf(merchant);
    const unread = withProgress<number, ListTotals>((report) =>
      service.count(caller, 'payouts', filters, signal, report),
    );
    expect((await unread.next()).value).toEqual({ progress: 1000 });
    expect((await service.count(caller, 'collections', filters, signal)).count).toBe(orders);
  });

  it('of one merchant, however many, does not hold up another merchant’s', async () => {
    const other = await product.merchant('patient');
    const service = new TotalsService(product.services.snapshots, exportables, pace);
    let finished = 0;
    const hostile = Array.from({ length: 7 }, () =>
      service.count(callerOf(merchant), 'payouts', filters, signal).then(() => finished++),
    );
    await service.count(callerOf(other), 'payouts', filters, signal);
    expect(finished).toBeLessThanOrEqual(1);
    await Promise.all(hostile);
  });
});

describe('a request for totals', () => {
  it.each([
    ['an unknown list', { list: 'app_user', filters: {} }],
    ['a list that is computed', { list: 'dailyReports', filters: {} }],
    ['an unknown filter', { list: 'payouts', filters: { merchant_id: '1' } }],
    ['a bad value', { list: 'payouts', filters: { status: `' or true --` } }],
    ['an unknown field', { list: 'payouts', filters: {}, limit: '1' }],
    ['filters that are no object', { list: 'payouts', filters: 'all' }],
  ])('is refused for %s', async (_name, body) => {
    const { status, json } = await person.post(path, body);
    expect([status, json.code]).toEqual([422, 'validation_failed']);
  });

  it('counts nothing of another merchant', async () => {
    const stranger = await product.person(await product.merchant('strangers'));
    for (const settlement_no of [`S${merchant.id}-1`, `S${merchant.id}-2`]) {
      const { json } = await stranger.post(path, { list: 'settlementLines', filters: { settlement_no } });
      expect(json.data.count).toBe(0);
    }
    const { json } = await stranger.post(path, { list: 'payouts', filters: {} });
    expect(json.data.count).toBe(0);
  });

  it('needs the permission to read the list', async () => {
    const caller = callerOf(merchant);
    const signal = new AbortController().signal;
    const powerless = { ...caller, perms: [] };
    await expect(product.services.totals.count(powerless, 'payouts', {}, signal)).rejects.toMatchObject({
      code: 'forbidden',
    });
  });

  it('waits for earlier ones of its merchant, and is refused behind too many', async () => {
    const service = new TotalsService(product.services.snapshots, exportables, { sliceRows: 100 });
    const caller = callerOf(merchant);
    const signal = new AbortController().signal;
    const results = await Promise.allSettled(
      Array.from({ length: 12 }, () => service.count(caller, 'collections', {}, signal)),
    );
    const refused = results.filter((result) => result.status === 'rejected');
    expect(refused.map(({ reason }) => reason.code)).toEqual(Array(5).fill('too_many_requests'));
    for (const result of results) if (result.status === 'fulfilled') expect(result.value.count).toBe(orders);
  });
});
