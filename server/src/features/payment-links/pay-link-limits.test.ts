import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, describe, expect, inject, it } from 'vitest';
import { type TestMerchant, TestProduct } from '../../testing/test-product.ts';
import type { Answer, Visitor } from '../../testing/visitor.ts';

let product: TestProduct;
let merchant: TestMerchant;
let finance: Visitor;

beforeAll(async () => {
  product = await TestProduct.start(inject('ownerUrl'), { env: { TRUST_PROXY: '127.0.0.1' } });
  merchant = await product.merchant('link-limits');
  finance = await product.person(merchant, 'FINANCE');
});
afterAll(async () => {
  expect(await product.deadlocks()).toBe(0);
  await product.close();
});
afterEach(async () => {
  expect(await product.violations()).toEqual([]);
});

const path = '/api/merchant/payment-links';
const asSystem = <T>(statement: ReturnType<typeof sql<T>>) =>
  product.services.database.asSystem(async (tx) => (await statement.execute(tx.query)).rows);
const create = (fields: object = {}) =>
  finance.post(path, { title: 'Course', amount: '10.00', maxQuantity: 2, ...fields });

/** Creates a link; returns the secret part of its address. */
async function make(fields: object = {}): Promise<string> {
  const { status, json } = await create(fields);
  expect([status, json.code]).toEqual([201, undefined]);
  return json.data.url.split('/pay/link/')[1];
}

let attempts = 0;
const newAttempt = () => `attempt-${String(attempts++).padStart(12, '0')}`;
const orderFrom = (address: string, token: string, fields: object = {}): Promise<Answer> =>
  product
    .visitor()
    .post(
      `/api/pay-links/${token}/orders`,
      { attempt: newAttempt(), ...fields },
      { 'x-forwarded-for': address },
    );
const outcome = ({ status, json }: Answer) => (status === 201 ? 'made' : json.code);
const inTurn = async (count: number, call: (nth: number) => Promise<Answer>): Promise<string[]> => {
  const found: string[] = [];
  for (let nth = 0; nth < count; nth++) found.push(outcome(await call(nth)));
  return found;
};
const made = (count: number) => Array<string>(count).fill('made');
const setLimit = (minor: bigint | null) =>
  asSystem(sql`update merchant set collection_limit_minor = ${minor} where id = ${merchant.id}`);

describe('an attempt', () => {
  it('that is sent again with something else is refused, and makes nothing', async () => {
    const token = await make({ asked: { known: ['name'], own: [] } });
    const attempt = newAttempt();
    const first = await orderFrom('192.0.2.1', token, { attempt, name: 'Ann' });
    const changed = await orderFrom('192.0.2.1', token, { attempt, name: 'Ann', quantity: 2 });
    expect([changed.status, changed.json.code]).toEqual([422, 'idempotency_key_reused']);
    const again = await orderFrom('192.0.2.1', token, { attempt, name: 'Ann' });
    expect([first.status, again.json]).toEqual([201, first.json]);
    const other = await orderFrom('192.0.2.1', token, { name: 'Ann', quantity: 2 });
    expect(other.json.cashierUrl).not.toBe(first.json.cashierUrl);
  });
});

describe('the orders of payers', () => {
  it('are counted by address as far as they are made', async () => {
    const tokens = await Promise.all(Array.from({ length: 6 }, () => make()));
    const from = (nth: number, fields: object = {}) =>
      orderFrom('192.0.2.7', tokens[nth % tokens.length] ?? '', fields);
    const first = await Promise.all(Array.from({ length: 99 }, (_, nth) => from(nth)));
    expect(first.map(outcome)).toEqual(made(99));
    expect(new Set(await inTurn(30, (nth) => from(nth, { quantity: 3 })))).toEqual(
      new Set(['validation_failed']),
    );
    const attempt = newAttempt();
    const [once, ...again] = await inTurn(5, () => from(5, { attempt }));
    expect([once, ...again]).toEqual(made(5));
    expect(outcome(await from(4))).toBe('too_many_attempts');
    // Others are not affected.
    expect(outcome(await orderFrom('192.0.2.8', tokens[0] ?? ''))).toBe('made');
  });

  it('are counted by site, which may have many groups of addresses', async () => {
    const tokens = await Promise.all(Array.from({ length: 5 }, () => make()));
    const from = (nth: number) =>
      orderFrom(`2001:db8:1:${(nth + 1).toString(16)}::1`, tokens[nth % tokens.length] ?? '');
    const answers = await Promise.all(Array.from({ length: 200 }, (_, nth) => from(nth)));
    expect(answers.map(outcome)).toEqual(made(200));
    expect(outcome(await from(200))).toBe('too_many_attempts');
    expect(outcome(await orderFrom('2001:db8:2:1::1', tokens[0] ?? ''))).toBe('made');
  });

  it('do not use up what a link takes if they are refused', async () => {
    const token = await make();
    const counts = () =>
      asSystem(sql<{ sum: number }>`select coalesce(sum(failures), 0)::integer as sum from sign_in_throttle`);
    const before = await counts();
    await asSystem(sql`update payment_link set is_on = false where token = ${token}`);
    const answers = await inTurn(30, (nth) => orderFrom(`198.51.100.${nth}`, token));
    expect(new Set(answers)).toEqual(new Set(['link_closed']));
    expect(await counts()).toEqual(before);
  });
});

it('pages count as calls of their visitors, not of the server', async () => {
  const token = await make();
  const embeds = async (address: string) => {
    const page = await fetch(`${product.url}/pay/link/${token}`, { headers: { 'x-forwarded-for': address } });
    return (await page.text()).includes('"reply"');
  };
  const busy = await Promise.all(Array.from({ length: 500 }, () => embeds('192.0.2.60')));
  expect([busy[0], busy.includes(false)]).toEqual([true, true]);
  expect(await embeds('192.0.2.61')).toBe(true);
});

describe('the uses of a link', () => {
  it('cannot all be held by one payer, who may go on once an order has ended', async () => {
    const token = await make({ maxUses: 3 });
    const order = await orderFrom('192.0.2.20', token);
    expect(outcome(await orderFrom('192.0.2.20', token))).toBe('made');
    expect(outcome(await orderFrom('192.0.2.20', token))).toBe('link_busy');
    expect(outcome(await orderFrom('192.0.2.21', token))).toBe('made');
    const cashier = order.json.cashierUrl.split('/pay/')[1];
    const [ended] = await asSystem(
      sql<{ no: string }>`select trade_no as no from collection where cashier_token = ${cashier}`,
    );
    expect((await finance.post(`/api/merchant/collections/${ended?.no}/cancel`)).status).toBe(204);
    expect(outcome(await orderFrom('192.0.2.20', token))).toBe('made');
  });

  it('can be had by many people behind one address while half of them are free, also all at once', async () => {
    const token = await make({ maxUses: 60 });
    const answers = await Promise.all(Array.from({ length: 40 }, () => orderFrom('192.0.2.30', token)));
    expect(answers.map(outcome).filter((one) => one === 'made')).toHaveLength(30);
    expect(new Set(answers.map(outcome))).toEqual(new Set(['made', 'link_busy']));
    // The other half is there for others, a few at each address.
    expect(await inTurn(6, () => orderFrom('192.0.2.31', token))).toEqual([...made(5), 'link_busy']);
    expect(outcome(await orderFrom('192.0.2.32', token))).toBe('made');
    // A link without a number of uses has enough for everybody.
    const endless = await make();
    const many = await Promise.all(Array.from({ length: 30 }, () => orderFrom('192.0.2.33', endless)));
    expect(many.map(outcome)).toEqual(made(30));
  });

  it('that are still open count, not those that are paid', async () => {
    const token = await make({ maxUses: 20 });
    await asSystem(sql`update payment_link set paid_orders = 17 where token = ${token}`);
    expect(await inTurn(3, () => orderFrom('192.0.2.35', token))).toEqual([...made(2), 'link_busy']);
    expect(outcome(await orderFrom('192.0.2.36', token))).toBe('made');
    await asSystem(sql`update payment_link set paid_orders = 0 where token = ${token}`);
  });

  it('are held by one site up to the half, and one use can be had by anybody', async () => {
    const token = await make({ maxUses: 20 });
    const answers = await inTurn(11, (nth) => orderFrom(`2001:db8:5:${nth + 1}::1`, token));
    expect(answers).toEqual([...made(10), 'link_busy']);
    expect(outcome(await orderFrom('2001:db8:6:1::1', token))).toBe('made');
    expect(outcome(await orderFrom('192.0.2.40', await make({ maxUses: 1 })))).toBe('made');
  });
});

describe('the limit of a merchant', () => {
  it('is named to people, and to payers in other words', async () => {
    const [fixed, chosen] = [
      await make(),
      await make({ amount: '', least: '1.00', most: '90.00', maxQuantity: 1 }),
    ];
    await setLimit(1500n);
    const refused = await create({ amount: '15.01' });
    expect([refused.status, refused.json.code]).toEqual([409, 'limit_exceeded']);
    const byHand = await finance.post(
      '/api/merchant/collections',
      { amount: '15.01' },
      { 'idempotency-key': 'above' },
    );
    expect([byHand.status, byHand.json.code, byHand.json.details]).toEqual([
      409,
      'limit_exceeded',
      { limit: 'collection' },
    ]);
    const several = await orderFrom('192.0.2.50', fixed, { quantity: 2 });
    expect([several.status, Object.keys(several.json.errors)]).toEqual([422, ['quantity']]);
    const much = await orderFrom('192.0.2.50', chosen, { amount: '15.01' });
    expect([much.status, Object.keys(much.json.errors)]).toEqual([422, ['amount']]);
    expect(JSON.stringify(much.json)).not.toMatch(/agreed|support/);
    expect(outcome(await orderFrom('192.0.2.50', fixed))).toBe('made');
    await setLimit(null);
  });
});
