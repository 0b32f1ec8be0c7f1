import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { openSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { type AddressInfo, connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { openLog } from '#observability/log.ts';
import { Metrics } from '#observability/metrics.ts';
import { TestProduct } from '../testing/test-product.ts';
import { until } from '../testing/until.ts';
import type { Visitor } from '../testing/visitor.ts';

let product: TestProduct;
let person: Visitor;
let slipToken = '';
let cashierToken = '';
let receiptToken = '';
let linkToken = '';
let linkOrder = '';
const logFile = join(tmpdir(), `hengfu-log-${randomUUID()}`);
const metrics = new Metrics();

beforeAll(async () => {
  const log = openLog('trace', openSync(logFile, 'w'));
  product = await TestProduct.start(inject('ownerUrl'), { bank: true, worker: true, log, metrics });
  const merchant = await product.merchant('bearer');
  await product.fund(merchant, '1000.00');
  person = await product.person(merchant);
  const { json } = await merchant.program.post('/openapi/v1/payouts', {
    out_trade_no: '1',
    currency: 'CNY',
    channel: 'CN_BANK',
    amount: '100.00',
    payee: '王芳',
    bank: 'ICBC',
    bankName: '中国工商银行',
    payeeAccount: '6222 0212 3456 7890 128',
  });
  await until(
    async () => (await person.get(`/api/merchant/payouts/${json.trade_no}`)).json.data.status,
    (status) => status === 'processed',
  );
  const made = await person.post(`/api/merchant/payouts/${json.trade_no}/slip`, {});
  slipToken = last(made.json.data.url);
  cashierToken = last((await merchant.program.create('bearer-1')).json.cashierUrl);
  const order = (await merchant.program.create('bearer-2')).json;
  await product.services.database.asSystem((tx) =>
    sql`update collection set status = 'success', settlement_status = 'unsettled', paid_at = now(), channel = 'CN_BANK'
      where trade_no = ${order.trade_no}`.execute(tx.query),
  );
  const found = await person.get(`/api/merchant/collections/${order.trade_no}/receipt`);
  receiptToken = last(found.json.data.url);
  const link = await person.post('/api/merchant/payment-links', { title: 'Tea', amount: '1.00' });
  linkToken = last(link.json.data.url);
});
afterAll(async () => {
  await product.close();
  await rm(logFile, { force: true });
});

const last = (url: string) => url.slice(url.lastIndexOf('/') + 1);

/** Sends a request line as is, encoded as latin-1, and waits until the connection closes. */
async function raw(target: string): Promise<void> {
  const socket = connect((product.app.server.address() as AddressInfo).port, '127.0.0.1');
  socket.resume();
  socket.end(Buffer.from(`GET ${target} HTTP/1.1\r\nhost: h\r\nconnection: close\r\n\r\n`, 'latin1'));
  await once(socket, 'close');
}

/** Returns the log once it contains a request. */
const logWith = (mark: string) =>
  until(
    () => readFile(logFile, 'utf8'),
    (text) => text.includes(mark),
  );

it('keeps the tokens of receipts and checkouts out of the log, the metrics and the audit trail', async () => {
  const stranger = product.visitor();
  const opened = [
    await stranger.get(`/api/payout-slips/${slipToken}`),
    await stranger.get(`/api/receipts/${receiptToken}`),
    await stranger.get(`/api/cashier/${cashierToken}`),
    await stranger.post(`/api/cashier/${cashierToken}/pay`, { channel: 'CN_BANK' }),
  ];
  expect(opened.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  const ordered = await stranger.post(`/api/pay-links/${linkToken}/orders`, {
    attempt: 'bearer-link-order-1',
  });
  linkOrder = last(ordered.json.cashierUrl);
  expect((await stranger.get(`/api/pay-links/${linkToken}/orders/${linkOrder}`)).status).toBe(200);
  const tokens = [slipToken, cashierToken, receiptToken, linkToken, linkOrder];
  for (const token of tokens)
    for (const target of [
      '/slip/$',
      '/pay/$',
      '//slip/$',
      '/slip/$/x',
      '/redirect/slip/$',
      '/SLIP/$',
      '/%73lip/$',
      '/api/payout-slips/$/x',
      '/api/receipts/$/pdf?lang=$',
      '/receipt/$',
      '/api/cashier/$?a=$',
      '/api/cashier/$/nothing',
      '/pay/link/$',
      '/pay/link/$?order=$',
      '//pay//link/$',
      '/PAY/%6cink/$/x',
      '/api/pay-links/$',
      '/api/pay-links/$/picture',
      '/api/pay-links/$/orders/$',
      '/api/pay-links/x/orders/$?a=$',
      `/slip/$${'x'.repeat(300)}`,
    ])
      await raw(target.replaceAll('$', token));
  await raw('/the-last-one');
  const log = await logWith('/the-last-one');
  expect(log).toContain('"path":"/api/payout-slips/***"');
  expect(log).toContain('"path":"/api/cashier/***/pay"');
  expect(log).toContain('"path":"/slip/***"');
  expect(log).toContain('"path":"/receipt/***"');
  expect(log).toContain('"path":"/pay/***/***"');
  expect(log).toContain('"path":"/api/pay-links/***/orders/***"');
  const { rows } = await product.services.database.asSystem((tx) =>
    sql<{ row: string }>`select to_jsonb(audit)::text as row from audit`.execute(tx.query),
  );
  expect(rows.length).toBeGreaterThan(3);
  const kept = { log, metrics: await metrics.text(), trail: rows.map(({ row }) => row).join('\n') };
  expect(kept.metrics).toContain('/api/payout-slips/:token');
  for (const [name, text] of Object.entries(kept))
    for (const token of [...tokens, last(slipToken.replaceAll('~', '/'))])
      expect([name, text.includes(token)]).toEqual([name, false]);
});
