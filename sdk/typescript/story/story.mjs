/** The shared story (sdk/story/README.md), told by the library for TypeScript as it is published. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { CallbackVerificationError, Hengfu, HengfuError, verifyCallback } from '@hengfu/sdk';

const {
  HENGFU_BASE: base = '',
  HENGFU_KEY: key = '',
  HENGFU_SECRET: secret = '',
  STORY_NAME: name,
  STORY_PAYOUT,
  STORY_LISTS,
} = process.env;
const patienceMs = 60_000;

const events = [];
let refused = 0;

const server = createServer(async (request, response) => {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  try {
    events.push(verifyCallback(secret, request.headers, Buffer.concat(chunks)));
    response.writeHead(204).end();
  } catch (error) {
    if (!(error instanceof CallbackVerificationError)) throw error;
    refused++;
    response.writeHead(401).end();
  }
}).listen(0, '127.0.0.1');
await once(server, 'listening');
const notifyUrl = `http://127.0.0.1:${server.address().port}/callback`;

function expect(what, found, expected) {
  if (JSON.stringify(found) !== JSON.stringify(expected))
    throw new Error(`${what}: ${JSON.stringify(found)} instead of ${JSON.stringify(expected)}`);
}

/** Waits until `read` returns something. */
async function until(what, read) {
  const deadline = Date.now() + patienceMs;
  for (;;) {
    const found = await read();
    if (found) return found;
    if (Date.now() > deadline) throw new Error(`${what}: not within ${patienceMs} ms`);
    await delay(100);
  }
}

/** Waits for a callback about a number of ours. */
const callback = (type, number) =>
  until(type, () =>
    events.find(
      (event) => event.type === type && [event.data.out_trade_no, event.data.out_refund_no].includes(number),
    ),
  );

async function errorOf(call) {
  try {
    await call;
  } catch (error) {
    if (error instanceof HengfuError) return error;
    throw error;
  }
  throw new Error('a call succeeded that must not');
}

const hengfu = new Hengfu({ base, key, secret });

const newOrder = { out_trade_no: `${name}-order`, amount: '100.00', currency: 'CNY', notifyUrl };
const order = await hengfu.collections.create(newOrder);
expect('the repeated order', (await hengfu.collections.create(newOrder)).trade_no, order.trade_no);
process.stdout.write(`${JSON.stringify({ step: 'pay', cashierUrl: order.cashierUrl, notifyUrl })}\n`);

const paid = await callback('collection.paid', order.out_trade_no);
expect('the paid order', [paid.data.status, paid.data.trade_no], ['paid', order.trade_no]);
const found = await until('success', async () => {
  const each = await hengfu.collections.find(order.out_trade_no);
  return each.status === 'success' && each;
});
expect('the order by our number', await hengfu.collections.get(order.trade_no), found);

const newRefund = {
  out_refund_no: `${name}-refund`,
  trade_no: order.trade_no,
  amount: '30.00',
  reason: '退一件',
};
const refund = await hengfu.refunds.create(newRefund);
expect('the repeated refund', (await hengfu.refunds.create(newRefund)).refund_no, refund.refund_no);
await callback('refund.succeeded', refund.out_refund_no);
expect('the refund', (await hengfu.refunds.find(refund.out_refund_no)).status, 'refunded');
const tooMuch = { ...newRefund, out_refund_no: `${name}-refund-2`, amount: '100.00' };
const { code, status, details } = await errorOf(hengfu.refunds.create(tooMuch));
expect('the second refund', [code, status, details.left], ['refund_exceeds', 409, '70.00']);

const payout = await hengfu.payouts.create({
  out_trade_no: `${name}-payout`,
  amount: STORY_PAYOUT,
  currency: 'CNY',
  channel: 'CN_BANK',
  payee: '王芳',
  payeeAccount: '6222021234567890128',
  bank: 'ICBC',
  bankName: '中国工商银行',
  notifyUrl,
});
await callback('payout.processed', payout.out_trade_no);
expect('the payout', (await hengfu.payouts.find(payout.out_trade_no)).status, 'processed');

const unknown = await errorOf(hengfu.collections.find(`${name}-unknown`));
expect('an unknown number', [unknown.code, Boolean(unknown.requestId)], ['not_found', true]);
const stranger = new Hengfu({ base, key, secret: 'wrong' });
expect('a wrong secret', (await errorOf(stranger.balance())).code, 'signature_invalid');

if (STORY_LISTS === '1') {
  const numbers = new Set();
  for await (const { trade_no } of hengfu.collections.list({ limit: 1 })) {
    numbers.add(trade_no);
    if (numbers.size === 3) break;
  }
  expect('the first of the list', [...numbers][0], order.trade_no);
  for await (const entry of hengfu.balanceEntries.list({ type: ['payoutDeduction'], limit: 1 })) {
    expect('the newest deduction', entry.subject_no, payout.trade_no);
    break;
  }
  for await (const settlement of hengfu.settlements.list({ status: ['settled'], limit: 1 })) {
    expect('the newest settlement', settlement.status, 'settled');
    break;
  }
}

server.close();
server.closeAllConnections();
const done = {
  step: 'done',
  order: order.trade_no,
  refund: refund.refund_no,
  payout: payout.trade_no,
  refused,
};
process.stdout.write(`${JSON.stringify(done)}\n`);
