import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { SandboxAdapter } from '#channels/sandbox/sandbox-adapter.ts';
import { CallbackReceiver } from '../../testing/callback-receiver.ts';
import { bankSecret, type TestMerchant, TestProduct } from '../../testing/test-product.ts';
import { type CollectedSpan, TraceCollector } from '../../testing/trace-collector.ts';
import { until } from '../../testing/until.ts';
import { startTraces } from './exporter.ts';
import { record } from './traces.ts';

let collector: TraceCollector;
let product: TestProduct;
let merchant: TestMerchant;
let shop: CallbackReceiver;
let endTraces: () => Promise<void>;
const warnings: unknown[] = [];
const log = { warn: (...args: unknown[]) => void warnings.push(args) };

const server = 2;
const client = 3;
const consumer = 5;

beforeAll(async () => {
  collector = await TraceCollector.start();
  endTraces = startTraces(collector.url, log);
  product = await TestProduct.start(inject('ownerUrl'), { bank: true, worker: true });
  merchant = await product.merchant('traced');
  shop = await CallbackReceiver.start(merchant.program.key.secret);
});
afterAll(async () => {
  await product.close();
  await shop.close();
  await endTraces();
  await collector.close();
});

const spansOf = (orderNo: string) =>
  collector.spans.filter(({ attributes }) => attributes['hengfu.order'] === orderNo);
/** Waits for the named spans of an order. Returns all its spans. */
const collected = (orderNo: string, names: readonly string[]) =>
  until(
    async () => spansOf(orderNo),
    (spans) => names.every((name) => spans.some((span) => span.name === name)),
    30_000,
  );
const called = (spans: readonly CollectedSpan[], name: string) =>
  spans.find((span) => span.name === name) ?? expect.fail(`no span ${name}`);

/** Expects one trace whose spans are all children of the first. */
function expectOneTrace(spans: readonly CollectedSpan[], origin: CollectedSpan): void {
  expect(new Set(spans.map(({ traceId }) => traceId)).size).toBe(1);
  expect(origin.parentSpanId ?? '').toBe('');
  for (const span of spans) if (span !== origin) expect(span.parentSpanId).toBe(origin.spanId);
  expect(new Set(spans.map(({ spanId }) => spanId)).size).toBe(spans.length);
  for (const { startTimeUnixNano, endTimeUnixNano } of spans)
    expect(BigInt(endTimeUnixNano)).toBeGreaterThanOrEqual(BigInt(startTimeUnixNano));
}

describe('traces', () => {
  it('follow a collection from the signed call to the channel’s callback and the merchant’s', async () => {
    const order = { amount: '4876543.21', subject: 'Jasmine tea', notifyUrl: `${shop.url}?key=hidden` };
    const created = await merchant.program.create('traced-1', order);
    const { trade_no: tradeNo, cashierUrl } = created.json;
    const token: string = cashierUrl.split('/pay/')[1];
    await product.visitor().post(`/api/cashier/${token}/pay`, { channel: 'CN_BANK' });
    const bank = new SandboxAdapter({ url: product.bank?.url ?? '', secret: bankSecret });
    await bank.playPayer(tradeNo, 'confirm');
    await until(
      async () => shop.of(tradeNo),
      (received) => received.length > 0,
    );

    const names = [
      'POST /openapi/v1/collections',
      'POST /api/cashier/:token/pay',
      'POST /api/channels/:channel/callback',
      'callbacks.deliver',
      'POST callback',
    ];
    const spans = await collected(tradeNo, names);
    const origin = called(spans, 'POST /openapi/v1/collections');
    expectOneTrace(spans, origin);
    expect(origin.attributes).toMatchObject({
      'http.route': '/openapi/v1/collections',
      'http.response.status_code': created.status,
      'hengfu.request_id': created.headers.get('x-request-id'),
    });
    expect(names.map((name) => called(spans, name).kind)).toEqual([server, server, server, consumer, client]);
    expect(called(spans, 'POST callback').attributes).toMatchObject({
      'hengfu.event': 'collection.paid',
      'hengfu.attempt': 1,
      'http.response.status_code': 200,
    });

    // No span contains the token of the checkout, or personal data.
    const sent = collector.bodies.join('\n');
    for (const secret of [
      token,
      '4876543.21',
      '487654321',
      'Jasmine',
      'hidden',
      'traced-1',
      merchant.program.key.id,
    ])
      expect(sent).not.toContain(secret);
    expect(called(spans, 'POST /api/cashier/:token/pay').attributes['url.path']).toBe('/api/cashier/***/pay');
  }, 90_000);

  it('follow a payout from the signed call through its job to the callbacks', async () => {
    await product.fund(merchant, '5000000.00');
    const created = await merchant.program.post('/openapi/v1/payouts', {
      out_trade_no: 'traced-payout',
      amount: '4321987.65',
      currency: 'CNY',
      channel: 'CN_BANK',
      payee: '王小明',
      payeeAccount: '6222021234567890128',
      bank: 'ICBC',
      bankName: '中国工商银行',
      branchName: '北京朝阳支行',
      notifyUrl: shop.url,
    });
    expect(created.status).toBeLessThan(300);
    const spans = await collected(created.json.trade_no, [
      'POST /openapi/v1/payouts',
      'payouts.send',
      'POST /api/channels/:channel/callback',
      'callbacks.deliver',
      'POST callback',
    ]);
    expectOneTrace(spans, called(spans, 'POST /openapi/v1/payouts'));
    const sent = collector.bodies.join('\n');
    for (const personal of ['王小明', '6222021234567890128', '4321987.65', '432198765'])
      expect(sent).not.toContain(personal);
  }, 90_000);

  it('show the status of a refused call, and mark failed work as an error', async () => {
    const refused = await merchant.program.create('refused', { amount: 'nothing' });
    const [span] = await until(
      async () =>
        collector.spans.filter(
          ({ attributes }) => attributes['hengfu.request_id'] === refused.headers.get('x-request-id'),
        ),
      (found) => found.length > 0,
      30_000,
    );
    expect(span?.attributes['http.response.status_code']).toBe(422);
    expect(span?.attributes['hengfu.order']).toBeUndefined();
    expect(span?.status.code ?? 0).toBe(0);
    const work = { kind: 'consumer', startedAtMs: Date.now(), attributes: {}, isFailed: true } as const;
    record({ ...work, name: 'failing', orderNo: undefined });
    const [failed] = await until(
      async () => collector.spans.filter(({ name }) => name === 'failing'),
      (found) => found.length > 0,
      30_000,
    );
    expect(failed?.status.code).toBe(2);
  }, 90_000);
});
