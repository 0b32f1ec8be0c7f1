import { expect, test } from 'vitest';
import { call, startTestSandbox } from './test-support.ts';

const order = { currency: 'CNY', method: 'CN_BANK', notifyUrl: 'http://127.0.0.1:9/' };
const payout = { ...order, payee: '王芳', account: '6222021234567890128' };

interface Page {
  orders: { reference: string; createdAt: string }[];
  isLast: boolean;
}

async function startBank() {
  const sandbox = await startTestSandbox();
  const create = (path: string, body: object) => call(sandbox, 'POST', path, body);
  const list = async (from: string, more: Record<string, string> = {}): Promise<Page> => {
    const { json } = await call(sandbox, 'GET', `/v1/orders?${new URLSearchParams({ from, ...more })}`);
    return json as unknown as Page;
  };
  return { create, list };
}

test('lists the orders of every kind since a moment, oldest first, as they are now', async () => {
  const { create, list } = await startBank();
  const expiresAt = new Date(Date.now() + 60_000).toISOString();
  await create('/v1/collections', { ...order, reference: 'C1', amountMinor: '10005', expiresAt });
  await create('/v1/payouts', { ...payout, reference: 'P1', amountMinor: '20001' });
  await create('/v1/refunds', {
    reference: 'C1-R1',
    collectionReference: 'C1',
    amountMinor: '10005',
    currency: 'CNY',
  });
  const { orders, isLast } = await list('2026-01-01T00:00:00Z');
  expect(isLast).toBe(true);
  expect(orders).toMatchObject([
    {
      kind: 'collection',
      reference: 'C1',
      status: 'paid',
      amountMinor: '10005',
      currency: 'CNY',
      method: 'CN_BANK',
    },
    { kind: 'payout', reference: 'P1', status: 'refused', amountMinor: '20001', currency: 'CNY' },
    { kind: 'refund', reference: 'C1-R1', status: 'refunded', amountMinor: '10005', currency: 'CNY' },
  ]);
  const { createdAt = '', reference: after = '' } = orders[1] ?? {};
  expect((await list(createdAt, { after })).orders).toHaveLength(1);
  expect((await list(new Date(Date.now() + 60_000).toISOString())).orders).toEqual([]);
  expect(await list('yesterday')).toMatchObject({ code: 'validation_failed' });
});

test('gives long lists in pages that neither repeat nor skip an order', async () => {
  const { create, list } = await startBank();
  const references = Array.from({ length: 7 }, (_, number) => `P${number}`);
  // At the same time, so that some arrive within one millisecond.
  await Promise.all(
    references.map((reference) => create('/v1/payouts', { ...payout, reference, amountMinor: '10000' })),
  );
  const listed: string[] = [];
  let place = { from: '2026-01-01T00:00:00Z', after: '' };
  for (let isLast = false; !isLast; ) {
    const page = await list(place.from, { after: place.after, limit: '3' });
    listed.push(...page.orders.map(({ reference }) => reference));
    const { createdAt, reference } = page.orders.at(-1) ?? expect.fail('an empty page');
    place = { from: createdAt, after: reference };
    isLast = page.isLast;
  }
  expect(listed.sort()).toEqual(references);
});
