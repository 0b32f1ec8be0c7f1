import { createHmac } from 'node:crypto';
import { expect, test } from 'vitest';
import { sampleShopKey, sampleShopPath } from './sample-shop.routes.ts';
import { startTestSandbox, testSecret } from './test-support.ts';

const body = '{"type":"collection.paid","data":{"subject":"茶"}}';
const now = () => Math.floor(Date.now() / 1000);

/** Sends a callback, signed with a key, to the sample system of a merchant; returns the status of the reply. */
async function send(key: Buffer, { timestamp = now(), sent = body, version = 'v1' } = {}): Promise<number> {
  const { url } = await startTestSandbox();
  const signature = createHmac('sha256', key).update(`m1.${timestamp}.${body}`).digest('base64');
  const { status } = await fetch(url + sampleShopPath, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'webhook-id': 'm1',
      'webhook-timestamp': String(timestamp),
      'webhook-signature': `v1,${Buffer.alloc(32).toString('base64')} ${version},${signature}`,
    },
    body: sent,
  });
  return status;
}

test('the sample system accepts a callback that one of its signatures fits', async () => {
  expect(await send(sampleShopKey(testSecret))).toBe(200);
});

test('the sample system refuses wrong keys, old messages, changed bodies, and messages without a signature', async () => {
  expect(await send(sampleShopKey('another-secret-of-tests'))).toBe(401);
  expect(await send(sampleShopKey(testSecret), { timestamp: now() - 301 })).toBe(401);
  expect(await send(sampleShopKey(testSecret), { sent: body.replace('paid', 'closed') })).toBe(401);
  expect(await send(sampleShopKey(testSecret), { version: 'v2' })).toBe(401);
  const { url } = await startTestSandbox();
  expect((await fetch(url + sampleShopPath, { method: 'POST', body })).status).toBe(401);
});
