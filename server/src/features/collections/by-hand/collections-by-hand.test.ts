import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, describe, expect, inject, it } from 'vitest';
import { SandboxAdapter } from '#channels/sandbox/sandbox-adapter.ts';
import { CallbackReceiver } from '../../../testing/callback-receiver.ts';
import { bankSecret, type TestMerchant, TestProduct } from '../../../testing/test-product.ts';
import { until } from '../../../testing/until.ts';
import type { Visitor } from '../../../testing/visitor.ts';

let product: TestProduct;
let merchant: TestMerchant;
let finance: Visitor;
let viewer: Visitor;
let stranger: Visitor;
let shop: CallbackReceiver;
let bank: SandboxAdapter;

beforeAll(async () => {
  product = await TestProduct.start(inject('ownerUrl'), { bank: true, worker: true });
  merchant = await product.merchant('hand');
  finance = await product.person(merchant, 'FINANCE');
  viewer = await product.person(merchant, 'MERCHANT_VIEWER');
  stranger = await product.person(await product.merchant('other-hand'));
  shop = await CallbackReceiver.start(merchant.program.key.secret);
  bank = new SandboxAdapter({ url: product.bank?.url ?? '', secret: bankSecret });
});
afterAll(async () => {
  await product.close();
  await shop.close();
});
afterEach(async () => {
  expect(await product.violations()).toEqual([]);
});

const path = '/api/merchant/collections';
const detail = async (tradeNo: string) => (await finance.get(`${path}/${tradeNo}`)).json.data;
const becomes = (tradeNo: string, status: string) =>
  until(
    () => detail(tradeNo),
    (order) => order.status === status,
  );
const reasons = (order: { timeline: { reason: string }[] }) => order.timeline.map(({ reason }) => reason);

/** Reads what the trail has about an order, oldest first. */
async function audited(tradeNo: string) {
  const { rows } = await product.services.database.asSystem((tx) =>
    sql<{ action: string; actor: string; roles: string[]; before: object; after: object }>`
      select action, actor, roles, before, after from audit where subject = ${tradeNo} order by id`.execute(
      tx.query,
    ),
  );
  return rows;
}

let keys = 0;
const create = (body: object, by = finance, key = `key-${keys++}`) =>
  by.send('POST', path, body, { 'idempotency-key': key });

describe('an order by hand', () => {
  it('has a number, a checkout link and its time to pay, and is recorded', async () => {
    const { status, json } = await create({ amount: '12.34', subject: 'Tea', payTime: 'h1' });
    expect(status).toBe(201);
    expect(json.data).toMatchObject({ amount: '12.34', currency: 'CNY', subject: 'Tea' });
    expect(json.data.out_trade_no).toMatch(/^H[0-9A-F]{18}$/);
    const order = await detail(json.data.trade_no);
    expect(order.cashierUrl).toBe(json.data.cashierUrl);
    expect(Date.parse(order.expiresAt) - Date.parse(order.createdAt)).toBe(3_600_000);
    const payer = product.visitor();
    const token = order.cashierUrl.split('/pay/')[1];
    expect((await payer.get(`/api/cashier/${token}`)).json).toMatchObject({
      amount: '12.34',
      subject: 'Tea',
    });
    expect(await audited(order.trade_no)).toMatchObject([
      {
        action: 'collection.create',
        actor: expect.stringMatching(/^user:\d+$/),
        roles: ['FINANCE'],
        after: { amount: '12.34', currency: 'CNY' },
      },
    ]);
  });

  it('is created once by twenty calls with one key', async () => {
    const body = { amount: '20.00', out_trade_no: 'INV-20' };
    const answers = await Promise.all(Array.from({ length: 20 }, () => create(body, finance, 'twenty')));
    const made = answers.filter(({ status }) => status === 201).map(({ json }) => json.data.trade_no);
    expect(new Set(made).size).toBe(1);
    for (const { status, json } of answers)
      expect(status === 201 || json.code === 'idempotency_in_flight').toBe(true);
    expect((await create(body, finance, 'twenty')).json.data.trade_no).toBe(made[0]);
    const other = await create({ ...body, amount: '21.00' }, finance, 'twenty');
    expect([other.status, other.json.code]).toEqual([422, 'idempotency_key_reused']);
    const again = await create(body);
    expect([again.status, again.json.code]).toEqual([409, 'out_trade_no_used']);
  });

  it.each([
    ['an amount of zero', { amount: '0' }, 'amount'],
    ['too many decimals', { amount: '1.001' }, 'amount'],
    ['an amount in words', { amount: 'ten' }, 'amount'],
    ['a long subject', { amount: '1', subject: 'x'.repeat(129) }, 'subject'],
    ['control characters', { amount: '1', subject: 'a\u0000b' }, 'subject'],
    ['a number with spaces', { amount: '1', out_trade_no: 'a b' }, 'out_trade_no'],
    ['a time that is not offered', { amount: '1', payTime: 'y1' }, 'payTime'],
  ])('with %s is refused', async (_what, body, field) => {
    const { status, json } = await create(body);
    expect([status, json.code, Object.keys(json.errors ?? {})]).toEqual([422, 'validation_failed', [field]]);
  });

  it('is refused to a viewer, and while the merchant is suspended', async () => {
    const refused = await create({ amount: '1.00' }, viewer);
    expect([refused.status, refused.json.code]).toEqual([403, 'forbidden']);
    const suspend = (at: Date | null) =>
      product.services.database.asSystem((tx) =>
        sql`update merchant set suspended_at = ${at} where id = ${merchant.id}`.execute(tx.query),
      );
    await suspend(new Date());
    const held = await create({ amount: '1.00' });
    await suspend(null);
    // Its people’s sessions end with the suspension.
    expect([held.status, held.json.code]).toEqual([401, 'unauthenticated']);
  });
});

describe('an action by hand', () => {
  it('cancels an unpaid order once, in the name of the person', async () => {
    const { trade_no } = (await create({ amount: '5.00' })).json.data;
    const answers = await Promise.all([0, 1, 2].map(() => finance.post(`${path}/${trade_no}/cancel`)));
    expect(answers.map(({ status }) => status)).toEqual([204, 204, 204]);
    const order = await detail(trade_no);
    expect([order.status, reasons(order)]).toEqual(['cancelled', ['created', 'cancelled_by_merchant']]);
    expect((await audited(trade_no)).map(({ action, roles }) => [action, roles])).toEqual([
      ['collection.create', ['FINANCE']],
      ['collection.cancel', ['FINANCE']],
    ]);
  });

  it('does not cancel a paid order', async () => {
    const tradeNo = await begun('6.00');
    await bank.playPayer(tradeNo, 'confirm');
    await becomes(tradeNo, 'success');
    const { status, json } = await finance.post(`${path}/${tradeNo}/cancel`);
    expect([status, json.code]).toEqual([409, 'invalid_transition']);
  });

  it('has the channel asked at once about a payment that it never reported', async () => {
    const tradeNo = await begun('9.06');
    await bank.playPayer(tradeNo, 'confirm');
    expect((await detail(tradeNo)).canAsk).toBe(true);
    expect((await finance.post(`${path}/${tradeNo}/ask`)).status).toBe(204);
    const order = await becomes(tradeNo, 'success');
    expect(order.canAsk).toBe(false);
    expect(await audited(tradeNo)).toMatchObject([
      { action: 'collection.ask', roles: ['FINANCE'], before: { status: 'toBePaid' } },
    ]);
    const again = await finance.post(`${path}/${tradeNo}/ask`);
    expect([again.status, again.json.code]).toEqual([409, 'invalid_transition']);
  });

  it('sends a callback again under its old id', async () => {
    const tradeNo = await begun('7.00', { notifyUrl: shop.url });
    await bank.playPayer(tradeNo, 'confirm');
    const { callbacks } = await becomes(tradeNo, 'success');
    const id = callbacks[0].callback_id;
    expect((await finance.post(`${path}/${tradeNo}/callbacks/${id}/send-again`)).status).toBe(204);
    const order = await until(
      () => detail(tradeNo),
      (found) => found.callbacks.length === 2,
    );
    expect(order.callbacks).toMatchObject([
      { callback_id: id, attempt: 1, receiver: new URL(shop.url).host },
      { callback_id: id, attempt: 2, httpStatus: 200 },
    ]);
    expect(new Set(shop.of(tradeNo).map((message) => message.id))).toEqual(new Set([id]));
    // Neither through another order, nor from another merchant.
    const { trade_no } = (await create({ amount: '5.00' })).json.data;
    for (const [by, number] of [
      [finance, trade_no],
      [stranger, tradeNo],
    ] as const)
      expect((await by.post(`${path}/${number}/callbacks/${id}/send-again`)).status).toBe(404);
  });

  it('is counted per merchant', async () => {
    const crowded = await product.merchant('crowded');
    const person = await product.person(crowded);
    const answers = [];
    for (let nth = 0; nth < 201; nth++) answers.push(await person.post(`${path}/C0/ask`));
    expect(answers.slice(0, 200).every(({ status }) => status === 404)).toBe(true);
    const last = answers.at(-1);
    expect([last?.status, last?.json.code]).toEqual([429, 'too_many_attempts']);
    expect((await stranger.post(`${path}/C0/ask`)).status).toBe(404);
  });
});

/** Creates an order as the merchant's system does, and sends its payer to the bank. */
async function begun(amount: string, fields: object = {}): Promise<string> {
  const { json } = await merchant.program.create(`hand-${keys++}`, { amount, ...fields });
  const token = json.cashierUrl.split('/pay/')[1];
  await product.visitor().post(`/api/cashier/${token}/pay`, { channel: 'CN_BANK' });
  return json.trade_no;
}
