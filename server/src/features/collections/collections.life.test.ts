import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'kysely';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, describe, expect, inject, it } from 'vitest';
import { SandboxAdapter } from '#channels/sandbox/sandbox-adapter.ts';
import { asOwner } from '#db/owner.ts';
import { CallbackReceiver } from '../../testing/callback-receiver.ts';
import { type TestMerchant, TestProduct } from '../../testing/test-product.ts';
import { until } from '../../testing/until.ts';
import type { Answer, Visitor } from '../../testing/visitor.ts';

let product: TestProduct;
let merchant: TestMerchant;
let person: Visitor;
let shop: CallbackReceiver;
let payer: Visitor;
let bank: SandboxAdapter;
const logged: { msg: string; tradeNo?: string; reason?: string; detail?: string }[] = [];

beforeAll(async () => {
  const log = pino({ level: 'warn' }, { write: (line: string) => void logged.push(JSON.parse(line)) });
  product = await TestProduct.start(inject('ownerUrl'), { bank: true, worker: true, log });
  merchant = await product.merchant('life');
  person = await product.person(merchant);
  shop = await CallbackReceiver.start(merchant.program.key.secret);
  payer = product.visitor();
  bank = new SandboxAdapter({ url: product.bank?.url ?? '', secret: 'a secret of the test bank' });
});
afterAll(async () => {
  await product.close();
  await shop.close();
});
afterEach(async () => {
  expect(await product.violations()).toEqual([]);
});

let count = 0;
/** Creates an order and sends its payer to the bank. */
async function begin(amount: string, fields: object = {}): Promise<{ tradeNo: string; pay: Answer }> {
  const { json } = await merchant.program.create(`life-${count++}`, {
    amount,
    notifyUrl: shop.url,
    ...fields,
  });
  const token = json.cashierUrl.split('/pay/')[1];
  const pay = await payer.post(`/api/cashier/${token}/pay`, { channel: 'CN_BANK' });
  return { tradeNo: json.trade_no, pay };
}

const detail = async (tradeNo: string) =>
  (await person.get(`/api/merchant/collections/${tradeNo}`)).json.data;
const becomes = (tradeNo: string, status: string, timeoutMs?: number) =>
  until(
    () => detail(tradeNo),
    (order) => order.status === status,
    timeoutMs,
  );
const reasons = (order: { timeline: { reason: string }[] }) => order.timeline.map(({ reason }) => reason);
const account = async () => (await person.get('/api/merchant/account')).json.data;

describe('the life of an order', () => {
  it('ends in available funds after payment and settlement', async () => {
    const before = await account();
    const { tradeNo, pay } = await begin('100.00');
    expect(pay.json).toMatchObject({ status: 'toBePaid', amount: '100.00', payment: { channel: 'CN_BANK' } });
    expect(JSON.stringify(pay.json)).not.toContain('notifyUrl');
    await bank.playPayer(tradeNo, 'confirm');
    const paid = await becomes(tradeNo, 'success');
    expect(paid).toMatchObject({ fee: '0.60', net: '99.40', settlementStatus: 'unsettled' });
    expect(reasons(paid)).toEqual(['created', 'channel_paid', 'callback_acknowledged']);
    expect(paid.callbacks).toMatchObject([{ event: 'collection.paid', attempt: 1, httpStatus: 200 }]);
    expect(shop.of(tradeNo)).toMatchObject([
      { type: 'collection.paid', data: { status: 'paid', amount: '100.00' } },
    ]);
    expect(Number((await account()).unsettled) - Number(before.unsettled)).toBeCloseTo(99.4);

    const [settlementNo] = await product.services.settlements.runNow(
      merchant.id,
      new Date(Date.now() + 1000),
    );
    const settled = await detail(tradeNo);
    expect(settled).toMatchObject({ settlementStatus: 'settled', settlement_no: settlementNo });
    const batch = (await person.get(`/api/merchant/settlements/${settlementNo}`)).json.data;
    const lines = (await person.get(`/api/merchant/settlements/${settlementNo}/lines`)).json;
    expect(batch).toMatchObject({
      status: 'settled',
      orderCount: 1,
      amount: '100.00',
      fee: '0.60',
      net: '99.40',
    });
    expect(lines).toMatchObject({ data: [{ trade_no: tradeNo, net: '99.40' }], sum: { amount: '99.40' } });
    const after = await account();
    expect([after.unsettled, after.available]).toEqual(['0.00', '99.40']);
    const dashboard = (await person.get('/api/merchant/dashboard')).json.data;
    expect(dashboard.current.collection).toEqual({ amount: '100.00', count: 1, successRate: 1 });
  });

  it('fails when the bank refuses the payment', async () => {
    const { tradeNo } = await begin('7.01');
    await bank.playPayer(tradeNo, 'confirm');
    expect(reasons(await becomes(tradeNo, 'failed'))).toEqual(['created', 'channel_refused']);
    await until(
      async () => shop.of(tradeNo),
      (messages) => messages[0]?.type === 'collection.failed',
    );
  });

  it('books a payment once when the bank reports it twice at the same time', async () => {
    const { tradeNo } = await begin('8.03');
    await bank.playPayer(tradeNo, 'confirm');
    const order = await becomes(tradeNo, 'success');
    expect(reasons(order)).toEqual(['created', 'channel_paid', 'callback_acknowledged']);
  });

  it('accepts a payment that arrives before the bank answers the collect request', async () => {
    const { tradeNo, pay } = await begin('9.05');
    expect(pay.status).toBe(200);
    await becomes(tradeNo, 'success');
  });

  it('finds a payment that the bank never reports by querying it', async () => {
    const { tradeNo } = await begin('9.06');
    await bank.playPayer(tradeNo, 'confirm');
    await becomes(tradeNo, 'success');
  }, 40_000);

  it('books a payment that the bank accepted without answering the collect request', async () => {
    const { tradeNo, pay } = await begin('9.07');
    expect([pay.status, pay.json.code]).toEqual([502, 'channel_unavailable']);
    await bank.playPayer(tradeNo, 'confirm');
    expect((await becomes(tradeNo, 'success')).amount).toBe('9.07');
  });

  it('books nothing when the bank reports another amount', async () => {
    const before = await account();
    const { tradeNo } = await begin('9.08');
    await bank.playPayer(tradeNo, 'confirm');
    const order = await until(
      () => detail(tradeNo),
      (seen) => reasons(seen).includes('amount_mismatch'),
    );
    expect(order.status).toBe('toBePaid');
    expect(await account()).toEqual(before);
  });

  it('keeps a second payment, and a payment taken back, on its timeline, once each, and books neither', async () => {
    const { tradeNo } = await begin('14.00');
    await bank.playPayer(tradeNo, 'confirm');
    await becomes(tradeNo, 'success');
    const before = await account();
    const first = (await bank.queryCollection(tradeNo)) ?? expect.fail('unknown to the bank');
    const report = (change: object) => product.services.collections.report({ ...first, ...change });
    // The bank repeats what it has said.
    await report({});
    expect(reasons(await detail(tradeNo))).toEqual(['created', 'channel_paid', 'callback_acknowledged']);
    const again = { bankReference: 'bc_again' };
    await Promise.all(Array.from({ length: 5 }, () => report(again)));
    await report({ bankReference: 'bc_third', amountMinor: 1399n });
    const refused = { status: 'refused', reason: { code: 'other', words: 'reversed' } };
    await Promise.all(Array.from({ length: 5 }, () => report(refused)));
    await report({});
    await report(again);
    const expected = [
      { reason: 'paid_again', detail: '14.00 CNY (bc_again)' },
      { reason: 'paid_again', detail: '13.99 CNY (bc_third)' },
      { reason: 'channel_contradicts', detail: `refused (${first.bankReference})` },
    ];
    const after = await detail(tradeNo);
    expect(after).toMatchObject({ status: 'success', bankReference: first.bankReference });
    expect(after.timeline.slice(3)).toMatchObject(expected);
    expect(await account()).toEqual(before);
    const text = 'a channel’s report about a collection was not booked';
    expect(logged.filter((line) => line.tradeNo === tradeNo)).toMatchObject(
      expected.map((each) => ({ ...each, msg: text })),
    );
    await merchant.program.post(`/openapi/v1/collections/${tradeNo}/refund`);
    await becomes(tradeNo, 'refunded');
    await report({ bankReference: 'bc_late' });
    expect((await detail(tradeNo)).timeline.at(-1)).toMatchObject({ reason: 'paid_again' });
  });

  it('closes when it expires, and accepts a late payment', async () => {
    const { json } = await merchant.program.create(`life-${count++}`, {
      amount: '11.00',
      notifyUrl: shop.url,
      expiresIn: 10,
    });
    const token = json.cashierUrl.split('/pay/')[1];
    await payer.post(`/api/cashier/${token}/pay`, { channel: 'CN_BANK' });
    // Ten seconds to expire, up to five until the next sweep, and time for the callback.
    await becomes(json.trade_no, 'closed', 25_000);
    await until(
      async () => shop.of(json.trade_no),
      (messages) => messages.length === 1,
    );
    expect((await payer.get(`/api/cashier/${token}`)).json.status).toBe('closed');
    const again = await payer.post(`/api/cashier/${token}/pay`, { channel: 'CN_BANK' });
    expect(again.json.status).toBe('closed');
    await bank.playPayer(json.trade_no, 'confirm');
    const paid = await becomes(json.trade_no, 'success');
    expect(reasons(paid)).toEqual(['created', 'expired', 'late_payment', 'callback_acknowledged']);
    expect(shop.of(json.trade_no).map(({ type }) => type)).toEqual(['collection.closed', 'collection.paid']);
  }, 40_000);

  it('is asked about once more after a day without workers, as an outage or a restore leaves it', async () => {
    // Paid, but never reported; and never paid.
    const [{ tradeNo: paid }, { tradeNo: unpaid }] = [await begin('11.06'), await begin('11.10')];
    await bank.playPayer(paid, 'confirm');
    await product.services.database.asSystem((tx) =>
      sql`update collection set created_at = created_at - interval '2 days', expires_at = expires_at - interval '2 days'
        where trade_no in (${paid}, ${unpaid})`.execute(tx.query),
    );
    expect(reasons(await becomes(paid, 'success', 25_000))).toContain('late_payment');
    await until(
      () =>
        asOwner(product.ownerUrl, async (client) => {
          const { rows } = await client.query(
            `select key from graphile_worker.jobs where key = $1 union all select key from merchant_job where key = $1`,
            [`ask:${unpaid}`],
          );
          return rows.length;
        }),
      (waiting) => waiting === 0,
      25_000,
    );
    expect((await detail(unpaid)).status).toBe('closed');
  }, 60_000);

  it('is canceled at the bank when the merchant cancels it', async () => {
    const { tradeNo } = await begin('12.00');
    const answer = await merchant.program.post(`/openapi/v1/collections/${tradeNo}/cancel`);
    expect(answer.json.status).toBe('cancelled');
    await expect(bank.playPayer(tradeNo, 'confirm')).rejects.toThrow(/409/);
    expect((await merchant.program.post(`/openapi/v1/collections/${tradeNo}/refund`)).json.code).toBe(
      'invalid_transition',
    );
  });

  it('cannot be paid at the bank once it is canceled, even if its payer begins to pay at the same time', async () => {
    for (let turn = 0; turn < 12; turn++) {
      const { json } = await merchant.program.create(`race-${turn}`, { amount: '13.00' });
      const pay = () =>
        payer.post(`/api/cashier/${json.cashierUrl.split('/pay/')[1]}/pay`, { channel: 'CN_BANK' });
      const cancel = async () => {
        await pause(turn);
        return merchant.program.post(`/openapi/v1/collections/${json.trade_no}/cancel`);
      };
      const [paying, cancelled] = await Promise.all([pay(), cancel()]);
      expect(cancelled.json.status).toBe('cancelled');
      // Either the payer was sent to the bank, which has canceled the payment since, or the order could no longer be paid.
      if (paying.status !== 200) expect(paying.json.code).toBe('order_not_payable');
      await expect(bank.playPayer(json.trade_no, 'confirm')).rejects.toThrow(/40[49]/);
    }
  });

  it('can be created again and canceled after its channel has closed', async () => {
    const fields = { channel: 'CN_BANK' };
    const { json } = await merchant.program.create('closed-since', fields);
    await payer.post(`/api/cashier/${json.cashierUrl.split('/pay/')[1]}/pay`, { channel: 'CN_BANK' });
    await product.admin().setChannel('CN_BANK', { collection: false });
    expect((await merchant.program.create('closed-since', fields)).json.trade_no).toBe(json.trade_no);
    expect((await merchant.program.create('closed-now', fields)).json.code).toBe('channel_closed');
    const answer = await merchant.program.post(`/openapi/v1/collections/${json.trade_no}/cancel`);
    expect(answer.json.status).toBe('cancelled');
    await expect(bank.playPayer(json.trade_no, 'confirm')).rejects.toThrow(/409/);
    await product.admin().setChannel('CN_BANK', { collection: true });
  });

  it('can be refunded before and after its settlement', async () => {
    const [early, late, base] = [await begin('20.00'), await begin('30.00'), await begin('500.00')];
    for (const { tradeNo } of [early, late, base]) {
      await bank.playPayer(tradeNo, 'confirm');
      await becomes(tradeNo, 'success');
    }
    const refund = (tradeNo: string) => merchant.program.post(`/openapi/v1/collections/${tradeNo}/refund`);
    expect((await refund(early.tradeNo)).json).toMatchObject({ refundPending: true });
    await becomes(early.tradeNo, 'refunded');
    await product.services.settlements.runNow(merchant.id, new Date(Date.now() + 1000));
    expect((await refund(late.tradeNo)).json.code).toBe('insufficient_funds');

    const next = await begin('100.00');
    await bank.playPayer(next.tradeNo, 'confirm');
    await becomes(next.tradeNo, 'success');
    const answers = await Promise.all([refund(late.tradeNo), refund(late.tradeNo), refund(late.tradeNo)]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    await becomes(late.tradeNo, 'refunded');
    const [settlementNo] = await product.services.settlements.runNow(
      merchant.id,
      new Date(Date.now() + 1000),
    );
    const batch = (await person.get(`/api/merchant/settlements/${settlementNo}`)).json.data;
    expect(batch).toMatchObject({
      orderCount: 1,
      refundCount: 1,
      amount: '100.00',
      fee: '0.60',
      refunded: '29.82',
      net: '69.58',
    });
    const lines = (await person.get(`/api/merchant/settlements/${settlementNo}/lines`)).json;
    expect(lines.sum.amount).toBe(batch.net);
    await until(
      async () => shop.of(late.tradeNo),
      (messages) => messages.length === 3,
    );
    expect(new Set(shop.of(late.tradeNo).map(({ type }) => type))).toEqual(
      new Set(['collection.paid', 'collection.refunded', 'refund.succeeded']),
    );
  });

  it('retries a failed callback under the same id', async () => {
    shop.answers.push(500);
    const { tradeNo } = await begin('13.00');
    await bank.playPayer(tradeNo, 'confirm');
    const order = await becomes(tradeNo, 'success');
    expect(order.callbacks.map(({ httpStatus }: { httpStatus: number }) => httpStatus)).toEqual([500, 200]);
    expect(new Set(shop.of(tradeNo).map(({ id }) => id)).size).toBe(1);
  });

  it('succeeds without an acknowledgment when it has no callback URL', async () => {
    const { tradeNo } = await begin('14.00', { notifyUrl: undefined });
    await bank.playPayer(tradeNo, 'confirm');
    expect(reasons(await becomes(tradeNo, 'success'))).toEqual([
      'created',
      'channel_paid',
      'no_callback_wanted',
    ]);
  });
});

describe('a bank’s callback', () => {
  it('with a wrong signature is refused and changes nothing', async () => {
    const { tradeNo } = await begin('15.00');
    const body = {
      id: 'x',
      type: 'collection.paid',
      reference: tradeNo,
      bankId: 'b',
      amountMinor: '1500',
      currency: 'CNY',
    };
    const answer = await payer.post('/api/channels/CN_BANK/callback', body, {
      'x-bank-timestamp': String(Math.floor(Date.now() / 1000)),
      'x-bank-signature': '0'.repeat(64),
    });
    expect([answer.status, answer.json.code]).toEqual([401, 'signature_invalid']);
    expect((await detail(tradeNo)).status).toBe('toBePaid');
    expect((await payer.post('/api/channels/NOWHERE/callback', body)).status).toBe(404);
  });
});

describe('the checkout', () => {
  it('is not found without a valid link', async () => {
    expect((await payer.get('/api/cashier/AAAAAAAAAAAAAAAAAAAAAA')).status).toBe(404);
    expect((await payer.get('/api/cashier/short')).status).toBe(404);
  });

  it('shows no channels and refuses payment when none is open', async () => {
    const { json } = await merchant.program.create(`life-${count++}`);
    await product.admin().setChannel('CN_BANK', { collection: false });
    const token = json.cashierUrl.split('/pay/')[1];
    expect((await payer.get(`/api/cashier/${token}`)).json.channels).toEqual([]);
    expect((await payer.post(`/api/cashier/${token}/pay`, { channel: 'CN_BANK' })).json.code).toBe(
      'channel_closed',
    );
    await product.admin().setChannel('CN_BANK', { collection: true });
  });
});
