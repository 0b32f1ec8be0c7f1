import { once } from 'node:events';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, inject, it, vi } from 'vitest';
import { asOwner } from '#db/owner.ts';
import { gatherJobs } from '#jobs/merchant-jobs.sql.ts';
import { type TestMerchant, TestProduct } from '../../../testing/test-product.ts';
import { until } from '../../../testing/until.ts';
import { CollectionMoves } from '../collections.moves.ts';
import { RefundBooking } from './refunds.booking.ts';
import { CollectionRefunds } from './refunds.service.ts';

let product: TestProduct;
let merchant: TestMerchant;
let count = 0;

beforeAll(async () => {
  product = await TestProduct.start(inject('ownerUrl'));
});
afterAll(async () => {
  expect(await product.violations()).toEqual([]);
  expect(await product.deadlocks()).toBe(0);
  await product.close();
});
beforeEach(async () => {
  merchant = await product.merchant(`waiting${++count}`);
});

const request = { id: 'r', address: '127.0.0.1', userAgent: undefined, language: 'en' } as const;
const program = () => {
  const { id: merchantId, code } = merchant;
  const home = { merchantId, code, name: code, currency: 'CNY', zone: 'UTC' } as const;
  return { kind: 'program', keyId: 'k', home, callbackUrl: null } as const;
};

/** Makes an order of 100.00 that is paid; returns its number. */
async function paid(): Promise<string> {
  const order = { out_trade_no: `waiting-${++count}`, amount: '100.00', channel: 'CN_BANK' };
  const { trade_no: reference } = (await merchant.program.create(order.out_trade_no, order)).json;
  const report = { status: 'paid', bankReference: 'b', reason: null, currency: 'CNY' } as const;
  await product.services.collections.report({ reference, amountMinor: 10_000n, ...report });
  return reference;
}
const back = (no: string, tradeNo: string) =>
  product.services.refunds.create(program(), request, {
    body: { out_refund_no: no, trade_no: tradeNo, amount: '1.00' },
  });
const refunds = () =>
  product.services.database.asMerchant(merchant.id, async (tx) => {
    const found = await tx.query.selectFrom('refund').select('out_refund_no').orderBy('id').execute();
    return found.map(({ out_refund_no: no }) => no);
  });

/** Does something while the merchant's refunds have to wait; `first` is the one that waits in the database. */
async function whileHeld<T>(first: () => Promise<T>, work: () => Promise<void>): Promise<T> {
  const begun = await product.services.database.asMerchant(merchant.id, async (tx) => {
    await sql`select pg_advisory_xact_lock(hashtextextended(${`settling ${merchant.id}`}, 0))`.execute(
      tx.query,
    );
    const answer = first();
    const waiting = `select from pg_locks where locktype = 'advisory' and not granted
      and database = (select oid from pg_database where datname = current_database())`;
    await until(
      () => asOwner(product.ownerUrl, (client) => client.query(waiting)),
      ({ rows }) => rows.length > 0,
    );
    await work();
    return { answer };
  });
  return begun.answer;
}

it('refuses a refund whose merchant was suspended while it waited, and answers a repeated one', async () => {
  const [tradeNo, whole] = [await paid(), await paid()];
  const earlier = await back('earlier', tradeNo);
  const setSuspended = (at: Date | null) =>
    product.services.database.asSystem((tx) =>
      sql`update merchant set suspended_at = ${at} where id = ${merchant.id}`.execute(tx.query),
    );
  const later: Promise<PromiseSettledResult<unknown>[]>[] = [];
  const first = await whileHeld(
    () => Promise.allSettled([back('first', tradeNo)]),
    async () => {
      const calls = [back('second', tradeNo), back('earlier', tradeNo)];
      const rest = product.services.refunds.requestWhole(program(), request, { tradeNo: whole });
      later.push(Promise.allSettled([...calls, rest]));
      await setSuspended(new Date());
    },
  );
  const [[second, repeated, rest] = []] = await Promise.all(later);
  await setSuspended(null);
  const refused = { status: 'rejected', reason: { code: 'merchant_suspended' } };
  expect([...first, second, rest]).toMatchObject([refused, refused, refused]);
  expect(repeated).toMatchObject({ status: 'fulfilled', value: { refund_no: earlier.refund_no } });
  expect(await refunds()).toEqual(['earlier']);
});

it('gives back the rest beside a part that is in progress, once, however often two processes are asked at once', async () => {
  const tradeNo = await paid();
  await back('part', tradeNo);
  const { database } = product.services;
  const other = new CollectionRefunds(
    database,
    new RefundBooking(new CollectionMoves(() => product.url)),
    () => expect.fail('asks nobody for a password'),
  );
  const services = [product.services.refunds, other];
  const whole = () => services.map((refunds) => refunds.requestWhole(program(), request, { tradeNo }));
  const orders = await Promise.all(Array.from({ length: 10 }, whole).flat());
  expect(new Set(orders.map(({ refundingMinor }) => refundingMinor))).toEqual(new Set([10_000n]));
  const made = await database.asMerchant(merchant.id, (tx) =>
    tx.query.selectFrom('refund').select(['refund_no', 'amount_minor']).orderBy('id').execute(),
  );
  expect(made).toEqual([
    { refund_no: `${tradeNo}-R1`, amount_minor: 100n },
    { refund_no: `${tradeNo}-R2`, amount_minor: 9900n },
  ]);
});

it('makes no refund for a caller who has left while it waited', async () => {
  const tradeNo = await paid();
  const create = vi.spyOn(product.services.refunds, 'create');
  const leaving = new AbortController();
  const calls: Promise<unknown>[] = [];
  await whileHeld(
    () => back('stays', tradeNo),
    async () => {
      const body = { out_refund_no: 'leaves', trade_no: tradeNo, amount: '1.00' };
      const call = merchant.program.post('/openapi/v1/refunds', body, { signal: leaving.signal });
      calls.push(call.catch(() => 'left'));
      await until(
        async () => create.mock.lastCall?.[2].gone,
        (gone) => gone !== undefined,
      );
      const gone = create.mock.lastCall?.[2].gone ?? expect.fail('no signal');
      const noticed = once(gone, 'abort');
      leaving.abort();
      await noticed;
    },
  );
  expect(await Promise.all(calls)).toEqual(['left']);
  await back('last', tradeNo);
  expect(await refunds()).toEqual(['stays', 'last']);
});

it('is sent and asked for as a call to its channel, whose slots it shares with payouts', async () => {
  const tradeNo = await paid();
  await back('aimed', tradeNo);
  const { database, refundDispatch } = product.services;
  const lines = new Map(['refunds.send', 'refunds.ask'].map((task) => [task, 'channels']));
  const found = async () => {
    await asOwner(product.ownerUrl, (client) =>
      client.query(
        `update graphile_worker._private_jobs set run_at = now() where payload ->> 'merchantId' = $1`,
        [String(merchant.id)],
      ),
    );
    const { rows } = await database.asSystem(async (tx) => {
      await gatherJobs(tx, lines, 1000);
      return sql<{ task: string; target: string; payload: object }>`
        delete from merchant_job where merchant_id = ${merchant.id} and line = 'channels' returning task, target, payload`.execute(
        tx.query,
      );
    });
    return rows;
  };
  const [sent] = await found();
  expect(sent).toMatchObject({ task: 'refunds.send', target: 'CN_BANK' });
  // While no adapter may serve the merchant, it is tried again later.
  await asOwner(product.ownerUrl, (client) => client.query('update channel set is_live = false'));
  await refundDispatch.tasks['refunds.send']?.(sent?.payload);
  expect(await found()).toMatchObject([{ task: 'refunds.send', target: 'CN_BANK' }]);
  // A job of an earlier version names no channel; its query does.
  const { channel: _, ...earlier } = { channel: '', ...sent?.payload };
  await refundDispatch.tasks['refunds.ask']?.(earlier);
  expect(await found()).toMatchObject([{ task: 'refunds.ask', target: 'CN_BANK' }]);
});
