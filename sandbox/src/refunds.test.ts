import { expect, test } from 'vitest';
import { call, order, startReceiver, startTestSandbox } from './test-support.ts';

const refund = (reference: string, amountMinor: string, more: Record<string, unknown> = {}) => ({
  reference,
  collectionReference: 'a',
  amountMinor,
  currency: 'CNY',
  ...more,
});

async function startWithOrder() {
  const sandbox = await startTestSandbox();
  const receiver = await startReceiver();
  await call(sandbox, 'POST', '/v1/collections', order('a', '10000', receiver.url));
  return {
    pay: () => call(sandbox, 'POST', '/v1/collections/a/confirm'),
    post: (body: unknown) => call(sandbox, 'POST', '/v1/refunds', body),
    get: (reference: string) => call(sandbox, 'GET', `/v1/refunds/${reference}`),
  };
}

test('refunds a paid order once per reference', async () => {
  const { pay, post, get } = await startWithOrder();
  await pay();
  const id = expect.stringMatching(/^br_[0-9a-f]{32}$/);
  const refunded = { status: 200, json: { id, reference: 'r', status: 'refunded' } };
  const first = await post(refund('r', '10000'));
  expect(first).toEqual(refunded);
  expect(await post(refund('r', '10000'))).toEqual(first);
  expect(await get('r')).toEqual(first);
  expect(await post(refund('r', '9000'))).toMatchObject({ status: 409, json: { code: 'reference_used' } });
});

test('refunds parts of an order up to its amount', async () => {
  const { pay, post } = await startWithOrder();
  await pay();
  expect((await post(refund('r1', '6000'))).json.status).toBe('refunded');
  expect((await post(refund('r2', '4001'))).json).toMatchObject({
    status: 'refused',
    reason: 'more than was paid',
  });
  expect((await post(refund('r3', '4000'))).json.status).toBe('refunded');
});

test('leaves refunds pending whose amount ends in 0909, and counts them as given back', async () => {
  const { pay, post, get } = await startWithOrder();
  await pay();
  const id = expect.any(String);
  const pending = { status: 200, json: { id, reference: 'r', status: 'pending' } };
  expect(await post(refund('r', '909'))).toEqual(pending);
  expect(await get('r')).toEqual(pending);
  expect((await post(refund('all', '10000'))).json).toMatchObject({
    status: 'refused',
    reason: 'more than was paid',
  });
  expect((await post(refund('rest', '9091'))).json.status).toBe('refunded');
});

test('refuses to refund an unpaid order, and repeats that reply once it is paid', async () => {
  const { pay, post } = await startWithOrder();
  const id = expect.any(String);
  const refused = { id, reference: 'r', status: 'refused', reason: 'collection is not paid' };
  expect(await post(refund('r', '10000'))).toEqual({ status: 200, json: refused });
  await pay();
  expect((await post(refund('r', '10000'))).json).toEqual(refused);
  expect((await post(refund('r2', '10000'))).json.status).toBe('refunded');
});

test('refuses another currency', async () => {
  const { pay, post } = await startWithOrder();
  await pay();
  expect((await post(refund('r', '1', { currency: 'USD' }))).json.status).toBe('refused');
});

test('returns 404 for unknown orders and refunds, and leaves the reference free', async () => {
  const { pay, post, get } = await startWithOrder();
  await pay();
  expect((await post(refund('r', '1', { collectionReference: 'none' }))).status).toBe(404);
  expect((await get('r')).status).toBe(404);
  expect((await post(refund('r', '1'))).json.status).toBe('refunded');
});

test('refuses a bad amount', async () => {
  const { post } = await startWithOrder();
  expect((await post(refund('r', '-1'))).status).toBe(422);
});
