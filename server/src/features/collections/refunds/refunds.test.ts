import { createHash, createHmac } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, describe, expect, inject, it } from 'vitest';
import { SandboxAdapter } from '#channels/sandbox/sandbox-adapter.ts';
import { CallbackReceiver } from '../../../testing/callback-receiver.ts';
import { bankSecret, type TestMerchant, TestProduct, testPassword } from '../../../testing/test-product.ts';
import { until } from '../../../testing/until.ts';
import type { Visitor } from '../../../testing/visitor.ts';

const password = '888888';

let product: TestProduct;
let merchant: TestMerchant;
let person: Visitor;
let bank: SandboxAdapter;
let count = 0;

beforeAll(async () => {
  product = await TestProduct.start(inject('ownerUrl'), { bank: true, worker: true });
  bank = new SandboxAdapter({ url: product.bank?.url ?? '', secret: bankSecret });
});
afterAll(async () => {
  expect(await product.deadlocks()).toBe(0);
  await product.close();
});
afterEach(async () => {
  expect(await product.violations()).toEqual([]);
});

interface RefundTerms {
  refundFeeKept?: boolean;
  refundFromAvailable?: boolean;
}

/** Makes a merchant with a person who has a payment password; collections cost 0.6 %. */
async function open(terms: RefundTerms = {}): Promise<void> {
  merchant = await product.merchant(`refunds${++count}`);
  await product.admin().setTerms(merchant.id, {
    channel: 'CN_BANK',
    collectionRatePpm: 6000,
    collectionFixedMinor: 0n,
    payoutRatePpm: 0,
    payoutFixedMinor: 0n,
    validFrom: new Date('2021-01-01T00:00:00Z'),
    ...terms,
  });
  person = await product.person(merchant);
  await person.post('/api/user/confirm-password', { password: testPassword });
  const set = { payment_password: password, payment_password_confirmation: password };
  await person.send('PUT', '/api/merchant/payment-password', set);
}

/** Makes an order that its payer pays at the bank; returns its number. */
async function paid(amount: string, fields: object = {}): Promise<string> {
  const { json } = await merchant.program.create(`refund-${++count}`, { amount, ...fields });
  const token = json.cashierUrl.split('/pay/')[1];
  await product.visitor().post(`/api/cashier/${token}/pay`, { channel: 'CN_BANK' });
  await bank.playPayer(json.trade_no, 'confirm');
  await until(
    () => order(json.trade_no),
    ({ status }) => status === 'success' || status === 'paid',
  );
  return json.trade_no;
}

const order = async (tradeNo: string) => (await person.get(`/api/merchant/collections/${tradeNo}`)).json.data;
const refundOf = async (refundNo: string) =>
  (await person.get(`/api/merchant/refunds/${refundNo}`)).json.data;
const account = async () => (await person.get('/api/merchant/account')).json.data;
const give = (tradeNo: string, amount: string, more: object = {}) =>
  person.post(`/api/merchant/collections/${tradeNo}/refunds`, {
    amount,
    reason: 'Goods returned',
    payment_password: password,
    ...more,
  });
const create = (body: object) => merchant.program.post('/openapi/v1/refunds', body);
const ends = (refundNo: string, status: string) =>
  until(
    () => refundOf(refundNo),
    (refund) => refund.status === status,
    30_000,
  );
const settle = () => product.services.settlements.runNow(merchant.id, new Date(Date.now() + 1000));

/** Lets the bank answer nothing, or everything again. */
async function pauseBank(paused: boolean): Promise<void> {
  const [path, body] = ['/v1/control', JSON.stringify({ paused })];
  const timestamp = String(Math.floor(Date.now() / 1000));
  const hash = createHash('sha256').update(body).digest('hex');
  const signed = ['POST', path, timestamp, hash].join('\n');
  const response = await fetch(`${product.bank?.url}${path}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-bank-timestamp': timestamp,
      'x-bank-signature': createHmac('sha256', bankSecret).update(signed).digest('hex'),
    },
    body,
  });
  expect(response.status).toBe(200);
}

/** How many refunds of a collection the bank has made. */
async function madeAtBank(tradeNo: string): Promise<number> {
  const made = [];
  for await (const one of bank.listOrders(new Date(0)))
    if (one.kind === 'refund' && one.reference.startsWith(tradeNo) && one.status === 'refunded')
      made.push(one);
  return made.length;
}

describe('a payment that is given back in parts', () => {
  beforeAll(() => open());

  it('returns the fee in proportion, and is "refund received" once nothing is left', async () => {
    const tradeNo = await paid('100.00');
    const first = await give(tradeNo, '33.33');
    expect([first.status, first.json.data]).toMatchObject([
      201,
      {
        refund_no: `${tradeNo}-R1`,
        status: 'processing',
        amount: '33.33',
        fee: '0.19',
        net: '33.14',
        source: 'console',
      },
    ]);
    await ends(`${tradeNo}-R1`, 'refunded');
    expect(await order(tradeNo)).toMatchObject({ status: 'success', refunded: '33.33', net: '66.26' });
    // The entry of the audit log does not say that the order lost its status.
    const log = await product.person(merchant, 'ROOT');
    const [entry] = (await log.get(`/api/merchant/audit-log?subject=${tradeNo}`)).json.data;
    expect(entry.changes.map(({ field }: { field: string }) => field).toSorted()).toEqual([
      'amount',
      'refundNo',
    ]);
    const shown = (await person.get(`/api/merchant/collections/${tradeNo}/refunds`)).json.data;
    expect(shown).toMatchObject({
      left: '66.67',
      isFeeReturned: true,
      refunds: [{ refund_no: `${tradeNo}-R1` }],
    });
    const tooMuch = await give(tradeNo, '66.68');
    expect([tooMuch.status, tooMuch.json.code]).toEqual([409, 'refund_exceeds']);
    expect(tooMuch.json.details).toEqual({ left: '66.67', currency: 'CNY' });
    for (const part of ['33.33', '33.34']) {
      const { json } = await give(tradeNo, part);
      await ends(json.data.refund_no, 'refunded');
    }
    const whole = await order(tradeNo);
    expect(whole).toMatchObject({ status: 'refunded', refunded: '100.00', net: '0.00', refunding: '0.00' });
    expect(whole.timeline.map(({ reason }: { reason: string }) => reason).slice(-3)).toEqual([
      'part_refunded',
      'part_refunded',
      'refunded',
    ]);
    const { rows } = await product.services.database.asMerchant(merchant.id, (tx) =>
      sql<{ fees: string }>`select sum(fee_minor)::text as fees from refund`.execute(tx.query),
    );
    expect(rows[0]?.fees).toBe('60');
    expect((await give(tradeNo, '0.01')).json.code).toBe('invalid_transition');
    expect(await madeAtBank(tradeNo)).toBe(3);
  });

  it('is settled less its refunds; one that was given back before its settlement is left out', async () => {
    await settle();
    const [parted, whole] = [await paid('200.00'), await paid('50.00')];
    await ends((await give(parted, '20.00')).json.data.refund_no, 'refunded');
    await ends((await give(whole, '50.00')).json.data.refund_no, 'refunded');
    const [settlementNo] = await settle();
    const batch = (await person.get(`/api/merchant/settlements/${settlementNo}`)).json.data;
    expect(batch).toMatchObject({
      orderCount: 1,
      refundCount: 1,
      amount: '200.00',
      fee: '1.20',
      refunded: '19.88',
      net: '178.92',
    });
    const lines = (await person.get(`/api/merchant/settlements/${settlementNo}/lines`)).json;
    expect(lines.data).toMatchObject([
      { kind: 'refund', trade_no: parted, refund_no: `${parted}-R1`, net: '-19.88' },
      { kind: 'payment', trade_no: parted, refund_no: null, net: '198.80' },
    ]);
    expect(lines.sum.amount).toBe(batch.net);
    expect((await refundOf(`${parted}-R1`)).settlement_no).toBe(settlementNo);
    expect((await order(whole)).settlement_no).toBeNull();
  });

  it('says how much is missing when the unsettled funds do not suffice', async () => {
    const tradeNo = await paid('80.00');
    await settle();
    const refused = await give(tradeNo, '10.00');
    expect([refused.status, refused.json.code, refused.json.details]).toEqual([
      409,
      'insufficient_funds',
      { shortfall: '9.94', currency: 'CNY' },
    ]);
    expect(JSON.stringify(refused.json.errors)).toContain('9.94');
  });

  it('is refused without the payment password, before it is paid, and to other merchants', async () => {
    const tradeNo = await paid('10.00');
    expect((await give(tradeNo, '1.00', { payment_password: 'wrong' })).status).toBe(422);
    expect((await give(tradeNo, '0.00')).status).toBe(422);
    expect((await give(tradeNo, '1.001')).status).toBe(422);
    expect((await give(tradeNo, '1.00', { reason: ' ' })).status).toBe(422);
    expect((await give('C1', '1.00')).status).toBe(404);
    const unpaid = (await merchant.program.create(`unpaid-${++count}`, { amount: '5.00' })).json.trade_no;
    expect((await give(unpaid, '1.00')).json.code).toBe('invalid_transition');
    const viewer = await product.person(merchant, 'MERCHANT_VIEWER');
    expect(
      (
        await viewer.post(`/api/merchant/collections/${tradeNo}/refunds`, {
          amount: '1.00',
          reason: 'x',
          payment_password: password,
        })
      ).status,
    ).toBe(403);
    expect((await viewer.get('/api/merchant/refunds')).status).toBe(200);
    expect((await order(tradeNo)).refunded).toBe('0.00');
  });

  it('is given back once by a repeated call with one key', async () => {
    const tradeNo = await paid('10.00');
    const call = () =>
      person.send(
        'POST',
        `/api/merchant/collections/${tradeNo}/refunds`,
        { amount: '4.00', reason: 'x', payment_password: password },
        { 'idempotency-key': `k${tradeNo}` },
      );
    const answers = await Promise.all([call(), call(), call()]);
    expect(
      new Set(answers.filter(({ status }) => status === 201).map(({ json }) => json.data.refund_no)).size,
    ).toBe(1);
    await ends(`${tradeNo}-R1`, 'refunded');
    expect((await order(tradeNo)).refunded).toBe('4.00');
  });
});

describe('the Open API', () => {
  let shop: CallbackReceiver;

  beforeAll(async () => {
    await open();
    shop = await CallbackReceiver.start(merchant.program.key.secret);
  });
  afterAll(() => shop.close());

  it('makes a refund once per number, finds it, and reports how it ended', async () => {
    const tradeNo = await paid('60.00', { notifyUrl: shop.url });
    const body = { out_refund_no: 'back-1', trade_no: tradeNo, amount: '15.00', reason: 'One item' };
    const answers = await Promise.all([create(body), create(body), create(body)]);
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201]);
    expect(new Set(answers.map(({ json }) => json.refund_no)).size).toBe(1);
    expect((await create({ ...body, amount: '16.00' })).json.code).toBe('out_trade_no_used');
    const found = await merchant.program.get('/openapi/v1/refunds?out_refund_no=back-1');
    expect(found.json).toMatchObject({ out_refund_no: 'back-1', amount: '15.00', trade_no: tradeNo });
    await ends(found.json.refund_no, 'refunded');
    const message = await until(
      async () => shop.of(tradeNo).find(({ type }) => type === 'refund.succeeded'),
      (one) => one !== undefined,
    );
    expect(message?.data).toMatchObject({
      refund_no: found.json.refund_no,
      status: 'refunded',
      amount: '15.00',
    });
    const rest = await create({ out_refund_no: 'back-2', trade_no: tradeNo });
    expect(rest.json).toMatchObject({ amount: '45.00' });
    await ends(rest.json.refund_no, 'refunded');
    expect((await merchant.program.get(`/openapi/v1/collections/${tradeNo}`)).json).toMatchObject({
      status: 'refunded',
      refunded: '60.00',
    });
    const other = await product.merchant(`other${++count}`);
    expect((await other.program.get(`/openapi/v1/refunds/${rest.json.refund_no}`)).status).toBe(404);
    expect(
      (await other.program.post('/openapi/v1/refunds', { out_refund_no: 'x', trade_no: tradeNo })).status,
    ).toBe(404);
  });

  it('never gives back more than was paid, however many calls there are at once', async () => {
    const tradeNo = await paid('100.00');
    const calls = Array.from({ length: 300 }, (_, at) =>
      create({ out_refund_no: `many-${at}`, trade_no: tradeNo, amount: '0.99' }),
    );
    const answers = await Promise.all(calls);
    const made = answers.filter(({ status }) => status === 201);
    expect(made).toHaveLength(101);
    expect(new Set(answers.filter(({ status }) => status !== 201).map(({ json }) => json.code))).toEqual(
      new Set(['refund_exceeds']),
    );
    await until(
      () => order(tradeNo),
      ({ refunded }) => refunded === '99.99',
      60_000,
    );
    expect(await madeAtBank(tradeNo)).toBe(101);
  }, 120_000);
});

describe('an outcome that is not known', () => {
  beforeAll(() => open());
  const sentAndLost = async (tradeNo: string) => {
    // As if the process had died between the commit and the call, or the call had got no answer.
    const { json } = await create({ out_refund_no: `lost-${++count}`, trade_no: tradeNo, amount: '5.00' });
    return json.refund_no as string;
  };

  it('is asked for under the same number, and the refund is not sent again', async () => {
    const tradeNo = await paid('40.00');
    await pauseBank(true);
    const refundNo = await sentAndLost(tradeNo);
    await until(
      () => refundOf(refundNo),
      ({ sentAt }) => sentAt !== null,
    );
    await pauseBank(false);
    // The request arrived, its reply did not.
    await bank.refund({
      reference: refundNo,
      collectionReference: tradeNo,
      amountMinor: 500n,
      currency: 'CNY',
    });
    await ends(refundNo, 'refunded');
    expect(await madeAtBank(tradeNo)).toBe(1);
  });

  it('stays in progress while the channel has not decided, however often it is asked', async () => {
    const tradeNo = await paid('40.00');
    const body = { out_refund_no: `pending-${++count}`, trade_no: tradeNo, amount: '9.09' };
    const refundNo: string = (await create(body)).json.refund_no;
    await until(
      () => refundOf(refundNo),
      ({ sentAt }) => sentAt !== null,
    );
    expect(await bank.queryRefund(refundNo)).toEqual({
      status: 'pending',
      reason: null,
      bankReference: expect.stringMatching(/^br_/),
    });
    // After several queries it would be voided if the channel did not know it.
    const ask = product.services.refundDispatch.tasks['refunds.ask'];
    for (const attempt of [1, 2, 3, 4]) await ask?.({ merchantId: String(merchant.id), refundNo, attempt });
    expect(await refundOf(refundNo)).toMatchObject({ status: 'processing' });
    expect(await order(tradeNo)).toMatchObject({ refunding: '9.09', refunded: '0.00' });
  });

  it('ends as failed if the channel never received it, and its number is dead there', async () => {
    const tradeNo = await paid('40.00');
    const before = await account();
    await pauseBank(true);
    const refundNo = await sentAndLost(tradeNo);
    await until(
      () => refundOf(refundNo),
      ({ sentAt }) => sentAt !== null,
    );
    await pauseBank(false);
    const failed = await ends(refundNo, 'failed');
    expect(failed).toMatchObject({ failure: 'neverArrived' });
    expect((await account()).unsettled).toBe(before.unsettled);
    await expect(
      bank.refund({ reference: refundNo, collectionReference: tradeNo, amountMinor: 500n, currency: 'CNY' }),
    ).rejects.toThrow(/409/);
    expect(await madeAtBank(tradeNo)).toBe(0);
    await ends((await give(tradeNo, '40.00')).json.data.refund_no, 'refunded');
  });
});

describe('the terms', () => {
  it('let available funds pay what unsettled funds do not cover, shown as a negative settlement', async () => {
    await open({ refundFromAvailable: true });
    const tradeNo = await paid('100.00');
    await settle();
    await paid('10.00');
    const refundNo = (await give(tradeNo, '50.00')).json.data.refund_no;
    expect(await refundOf(refundNo)).toMatchObject({ net: '49.70', fromAvailable: '39.76' });
    expect(await account()).toMatchObject({ available: '59.64', unsettled: '0.00' });
    await ends(refundNo, 'refunded');
    const flow = (await person.get('/api/merchant/fund-flow')).json.data;
    expect(flow[0]).toMatchObject({ type: 'collectionSettlement', subject_no: refundNo, amount: '-39.76' });
    const short = await give(tradeNo, '50.00');
    expect(short.status).toBe(201);
    await ends(short.json.data.refund_no, 'refunded');
    expect(await account()).toMatchObject({ available: '9.94', unsettled: '0.00' });
    await paid('20.00');
    const [settlementNo] = await settle();
    const batch = (await person.get(`/api/merchant/settlements/${settlementNo}`)).json.data;
    expect(batch).toMatchObject({ refunded: '9.94', net: '19.88' });
  });

  it('let the service keep the fee, which is then the merchant’s cost', async () => {
    await open({ refundFeeKept: true });
    const tradeNo = await paid('100.00');
    await paid('100.00');
    const { json } = await give(tradeNo, '100.00');
    expect(json.data).toMatchObject({ fee: '0.00', net: '100.00' });
    await ends(json.data.refund_no, 'refunded');
    expect(await order(tradeNo)).toMatchObject({ status: 'refunded', net: '-0.60' });
    expect((await account()).unsettled).toBe('98.80');
    await settle();
    expect(await account()).toMatchObject({ available: '98.80', unsettled: '0.00' });
  });
});

it('a refund that the version before makes is counted, ended and settled like any other', async () => {
  await open();
  const [settled, fresh] = [await paid('30.00'), await paid('20.00')];
  const old = (tradeNo: string, change: ReturnType<typeof sql>) =>
    product.services.database.asMerchant(merchant.id, (tx) =>
      sql`update collection set ${change} where merchant_id = ${merchant.id} and trade_no = ${tradeNo}`.execute(
        tx.query,
      ),
    );
  const post = async (tradeNo: string, net: bigint, fee: bigint) =>
    product.services.database.asMerchant(merchant.id, async (tx) => {
      await sql`select ledger_post('collection_refund', ${`collection_refund:${tradeNo}-R1700000000000`}, ${tradeNo}, 'CNY',
        '{unsettled,fees,clearing}', ${['', '', 'CN_BANK']}::text[], ${[-net, -fee, net + fee].map(String)}::bigint[], now())`.execute(
        tx.query,
      );
      await sql`update collection set refund_requested_at = now() where merchant_id = ${merchant.id} and trade_no = ${tradeNo}`.execute(
        tx.query,
      );
    });
  await post(fresh, 1988n, 12n);
  expect(await refundOf(`${fresh}-R1700000000000`)).toMatchObject({
    status: 'processing',
    amount: '20.00',
    fee: '0.12',
  });
  expect((await give(fresh, '1.00')).json.code).toBe('refund_exceeds');
  await old(fresh, sql`status = 'refunded', refunded_at = now()`);
  expect(await refundOf(`${fresh}-R1700000000000`)).toMatchObject({ status: 'refunded' });
  await settle();
  const [parted] = [await paid('300.00'), await paid('50.00')];
  await ends((await give(parted, '1.00')).json.data.refund_no, 'refunded');
  await expect(post(parted, 29_820n, 180n)).rejects.toThrow(/collection_refunds_within_amount/);
  await post(settled, 2982n, 18n);
  await old(settled, sql`status = 'refunded', refunded_at = now()`);
  const [settlementNo] = await settle();
  const batch = (await person.get(`/api/merchant/settlements/${settlementNo}`)).json.data;
  expect(batch).toMatchObject({ refundCount: 2, refunded: '30.82' });
});
