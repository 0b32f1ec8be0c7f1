import { expect, test } from 'vitest';
import { call, order, startReceiver, startTestSandbox } from './test-support.ts';

const confirm = (reference: string) => `/v1/collections/${reference}/confirm`;
const read = (reference: string) => `/v1/collections/${reference}`;

test('any other amount is paid at once and reported once', async () => {
  const sandbox = await startTestSandbox();
  const receiver = await startReceiver();
  const created = await call(sandbox, 'POST', '/v1/collections', order('plain', '10000', receiver.url));
  expect((await call(sandbox, 'POST', confirm('plain'))).json).toMatchObject({ status: 'paid' });
  const { body, isSigned } = await receiver.first();
  expect(isSigned).toBe(true);
  expect(body).toMatchObject({
    type: 'collection.paid',
    reference: 'plain',
    bankId: created.json.id,
    amountMinor: '10000',
    currency: 'CNY',
  });
  expect((await call(sandbox, 'GET', read('plain'))).json).toEqual({
    id: created.json.id,
    reference: 'plain',
    status: 'paid',
    paidAt: body.occurredAt,
    amountMinor: '10000',
    currency: 'CNY',
  });
});

test('01: the bank refuses for lack of funds', async () => {
  const sandbox = await startTestSandbox();
  const receiver = await startReceiver();
  await call(sandbox, 'POST', '/v1/collections', order('poor', '10001', receiver.url));
  const refused = { status: 'refused', reason: 'insufficient funds' };
  expect((await call(sandbox, 'POST', confirm('poor'))).json).toMatchObject(refused);
  expect((await receiver.first()).body).toMatchObject({
    type: 'collection.refused',
    reason: 'insufficient funds',
  });
  expect((await call(sandbox, 'GET', read('poor'))).json).toMatchObject(refused);
});

test('02: the payment is pending until the delay is over, then paid and reported', async () => {
  const sandbox = await startTestSandbox({ timings: { delayedMs: 300 } });
  const receiver = await startReceiver();
  await call(sandbox, 'POST', '/v1/collections', order('slow', '10002', receiver.url));
  const confirmedAtMs = Date.now();
  expect((await call(sandbox, 'POST', confirm('slow'))).json).toMatchObject({ status: 'pending' });
  expect((await receiver.first()).arrivedAtMs).toBeGreaterThanOrEqual(confirmedAtMs + 300);
  expect((await call(sandbox, 'GET', read('slow'))).json).toMatchObject({ status: 'paid' });
});

test('02: while in progress, the payment can be neither cancelled nor declined, and is confirmed once', async () => {
  const sandbox = await startTestSandbox({ timings: { delayedMs: 600_000 } });
  await call(sandbox, 'POST', '/v1/collections', order('slow', '10002', 'http://127.0.0.1:9/'));
  await call(sandbox, 'POST', confirm('slow'));
  const underWay = { status: 409, json: { code: 'payment_under_way' } };
  expect(await call(sandbox, 'POST', '/v1/collections/slow/cancel')).toMatchObject(underWay);
  expect(await call(sandbox, 'POST', '/v1/collections/slow/decline')).toMatchObject(underWay);
  expect(await call(sandbox, 'POST', confirm('slow'))).toMatchObject({
    status: 200,
    json: { status: 'pending' },
  });
});

test('03: the same event is sent twice at the same time', async () => {
  const sandbox = await startTestSandbox();
  const both = Promise.withResolvers<number>();
  const receiver = await startReceiver(() => {
    // Answers the first copy only once the second has arrived: sent one after the other, they would hang.
    if (receiver.received.length === 2) both.resolve(200);
    return both.promise;
  });
  await call(sandbox, 'POST', '/v1/collections', order('twice', '10003', receiver.url));
  await call(sandbox, 'POST', confirm('twice'));
  const [left, right] = await receiver.arrived(2);
  expect(left?.body).toEqual(right?.body);
});

test('04: the payment is reported only after the order has expired', async () => {
  const sandbox = await startTestSandbox({ timings: { lateAfterMs: 50 } });
  const receiver = await startReceiver();
  const expiresAt = new Date(Date.now() + 400).toISOString();
  await call(sandbox, 'POST', '/v1/collections', order('late', '10004', receiver.url, { expiresAt }));
  expect((await call(sandbox, 'POST', confirm('late'))).json).toMatchObject({ status: 'pending' });
  expect((await receiver.first()).arrivedAtMs).toBeGreaterThanOrEqual(Date.parse(expiresAt) + 50);
  expect((await call(sandbox, 'GET', read('late'))).json).toMatchObject({ status: 'paid' });
});

test('05: the callback is delivered before the creation returns', async () => {
  const sandbox = await startTestSandbox();
  const steps: string[] = [];
  const receiver = await startReceiver(async ({ body }) => {
    const { json } = await call(sandbox, 'GET', read(body.reference));
    steps.push(`callback: ${json.status}`);
    return 200;
  });
  const created = await call(sandbox, 'POST', '/v1/collections', order('early', '10005', receiver.url));
  steps.push('created');
  expect(created).toMatchObject({ status: 201, json: { status: 'pending' } });
  expect(steps).toEqual(['callback: paid', 'created']);
});

test('06: the payment is paid without a callback, and found only by querying', async () => {
  const sandbox = await startTestSandbox();
  const receiver = await startReceiver();
  await call(sandbox, 'POST', '/v1/collections', order('silent', '10006', receiver.url));
  await call(sandbox, 'POST', confirm('silent'));
  expect((await call(sandbox, 'GET', read('silent'))).json).toMatchObject({ status: 'paid' });
  // Another order's callback arrives after everything that was to be sent before it.
  await call(sandbox, 'POST', '/v1/collections', order('after', '10000', receiver.url));
  await call(sandbox, 'POST', confirm('after'));
  expect((await receiver.first()).body.reference).toBe('after');
});

test('07: the creation gets no reply, but the order exists and can be paid', async () => {
  const sandbox = await startTestSandbox({ timings: { holdMs: 80 } });
  const receiver = await startReceiver();
  const body = order('lost', '10007', receiver.url);
  const startedAtMs = Date.now();
  await expect(call(sandbox, 'POST', '/v1/collections', body)).rejects.toThrow('fetch failed');
  expect(Date.now() - startedAtMs).toBeGreaterThanOrEqual(79);
  expect((await call(sandbox, 'GET', read('lost'))).json).toMatchObject({ status: 'pending' });
  expect((await call(sandbox, 'POST', '/v1/collections', body)).status).toBe(200);
  await call(sandbox, 'POST', confirm('lost'));
  expect((await receiver.first()).body).toMatchObject({ type: 'collection.paid', reference: 'lost' });
});

test('07: shutdown does not wait for the held reply', async () => {
  const sandbox = await startTestSandbox({ timings: { holdMs: 600_000 } });
  const dropped = call(sandbox, 'POST', '/v1/collections', order('lost', '10007', 'http://127.0.0.1/'));
  const outcome = expect(dropped).rejects.toThrow('fetch failed');
  await expect.poll(async () => (await call(sandbox, 'GET', read('lost'))).status).toBe(200);
  await sandbox.close();
  await outcome;
});

test('08: the callback reports 100 too much; querying returns the right amount', async () => {
  const sandbox = await startTestSandbox();
  const receiver = await startReceiver();
  await call(sandbox, 'POST', '/v1/collections', order('wrong', '10008', receiver.url));
  await call(sandbox, 'POST', confirm('wrong'));
  expect((await receiver.first()).body.amountMinor).toBe('10108');
  expect((await call(sandbox, 'GET', read('wrong'))).json).toMatchObject({
    amountMinor: '10008',
    status: 'paid',
  });
});

test('an order that its payer declines is reported as refused, whatever the amount', async () => {
  const sandbox = await startTestSandbox();
  const receiver = await startReceiver();
  await call(sandbox, 'POST', '/v1/collections', order('no', '10006', receiver.url));
  const refused = { status: 'refused', reason: 'declined by payer' };
  expect((await call(sandbox, 'POST', '/v1/collections/no/decline')).json).toMatchObject(refused);
  expect((await receiver.first()).body).toMatchObject({
    type: 'collection.refused',
    reason: 'declined by payer',
  });
  expect((await call(sandbox, 'POST', confirm('no'))).json).toMatchObject({ code: 'already_refused' });
});

test('an order can be confirmed until a day after its expiry', async () => {
  const sandbox = await startTestSandbox();
  const receiver = await startReceiver();
  const hoursAgo = (hours: number) => ({ expiresAt: new Date(Date.now() - hours * 3_600_000).toISOString() });
  await call(sandbox, 'POST', '/v1/collections', order('hour', '10000', receiver.url, hoursAgo(1)));
  expect((await call(sandbox, 'POST', confirm('hour'))).json).toMatchObject({ status: 'paid' });
  await call(sandbox, 'POST', '/v1/collections', order('day', '10000', receiver.url, hoursAgo(25)));
  expect(await call(sandbox, 'POST', confirm('day'))).toMatchObject({
    status: 409,
    json: { code: 'expired' },
  });
  expect((await call(sandbox, 'GET', read('day'))).json).toMatchObject({
    status: 'cancelled',
    reason: 'expired',
  });
});
