import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { openStore } from './store.ts';
import { call, order, startReceiver, startTestSandbox } from './test-support.ts';

async function pay(sandbox: { url: string }, reference: string, notifyUrl: string, amountMinor = '10000') {
  await call(sandbox, 'POST', '/v1/collections', order(reference, amountMinor, notifyUrl));
  return call(sandbox, 'POST', `/v1/collections/${reference}/confirm`);
}

/** Reads the callbacks from the database of a stopped bank. */
function outbox(dataDirectory: string) {
  const store = openStore(dataDirectory);
  const rows = store.db.prepare('SELECT status, attempts, last_result AS lastResult FROM callbacks').all();
  store.close();
  return rows.map((row) => ({ ...row }));
}

test('retries a callback after each pause of the schedule, until it is acknowledged', async () => {
  const sandbox = await startTestSandbox({ timings: { retryDelaysMs: [30, 90] } });
  const receiver = await startReceiver(() => (receiver.received.length < 4 ? 500 : 204));
  await pay(sandbox, 'a', receiver.url);
  const received = await receiver.arrived(4);
  expect(new Set(received.map(({ body }) => JSON.stringify(body))).size).toBe(1);
  expect(received.every(({ isSigned }) => isSigned)).toBe(true);
  const times = received.map(({ arrivedAtMs }) => arrivedAtMs);
  const pauses = times.slice(1).map((time, index) => time - (times[index] ?? 0));
  for (const [index, leastMs] of [30, 90, 90].entries())
    expect(pauses[index]).toBeGreaterThanOrEqual(leastMs - 1);
  await sandbox.close();
  expect(outbox(sandbox.dataDirectory)).toEqual([
    { status: 'acknowledged', attempts: 4n, lastResult: '204' },
  ]);
});

test('retries a receiver that is unreachable or never responds', async () => {
  const sandbox = await startTestSandbox({ timings: { callbackTimeoutMs: 50 } });
  const never = Promise.withResolvers<number>().promise;
  const receiver = await startReceiver(() => (receiver.received.length === 1 ? never : 200));
  await pay(sandbox, 'absent', 'http://127.0.0.1:9/');
  await pay(sandbox, 'mute', receiver.url);
  expect(await receiver.arrived(2)).toHaveLength(2);
});

test('does not follow a redirect, nor count it as an acknowledgment', async () => {
  const sandbox = await startTestSandbox({ timings: { retryDelaysMs: [600_000] } });
  const target = await startReceiver();
  const redirecting = createServer((_request, response) => {
    response.writeHead(307, { location: target.url }).end(() => redirecting.emit('answered'));
  });
  onTestFinished(() => void redirecting.close());
  await once(redirecting.listen(0, '127.0.0.1'), 'listening');
  const answered = once(redirecting, 'answered');
  await pay(sandbox, 'a', `http://127.0.0.1:${(redirecting.address() as AddressInfo).port}/`);
  await answered;
  await pay(sandbox, 'b', target.url);
  expect((await target.first()).body.reference).toBe('b');
  await sandbox.close();
  expect(outbox(sandbox.dataDirectory)).toMatchObject([
    { status: 'waiting', lastResult: '307' },
    { status: 'acknowledged' },
  ]);
});

test('gives a callback up after its retry period', async () => {
  const sandbox = await startTestSandbox({ timings: { retryForMs: 0 } });
  const receiver = await startReceiver(() => 500);
  await pay(sandbox, 'a', receiver.url);
  await receiver.first();
  await sandbox.close();
  expect(outbox(sandbox.dataDirectory)).toEqual([{ status: 'given_up', attempts: 1n, lastResult: '500' }]);
  expect(receiver.received).toHaveLength(1);
});

test('does not delay other receivers when one hangs', async () => {
  const sandbox = await startTestSandbox();
  const hanging = await startReceiver(() => Promise.withResolvers<number>().promise);
  const receiver = await startReceiver();
  await pay(sandbox, 'hangs', hanging.url);
  await hanging.first();
  await pay(sandbox, 'goes', receiver.url);
  expect((await receiver.first()).body.reference).toBe('goes');
});

test('resumes unacknowledged callbacks after a restart', async () => {
  const before = await startTestSandbox({ timings: { retryDelaysMs: [1] } });
  let isUp = false;
  const receiver = await startReceiver(() => (isUp ? 200 : 503));
  await pay(before, 'a', receiver.url);
  const sent = await receiver.first();
  await before.close();
  isUp = true;
  const count = receiver.received.length;
  const after = await startTestSandbox({ dataDirectory: before.dataDirectory });
  const received = await receiver.arrived(count + 1);
  expect(received.at(-1)?.body).toEqual(sent.body);
  expect((await call(after, 'GET', '/v1/collections/a')).json).toMatchObject({ status: 'paid' });
});

test('repeats an attempt after a restart if the shutdown aborted it', async () => {
  const before = await startTestSandbox({ timings: { closeGraceMs: 10 } });
  const never = Promise.withResolvers<number>().promise;
  const receiver = await startReceiver(() => (receiver.received.length === 1 ? never : 200));
  await pay(before, 'a', receiver.url);
  await receiver.first();
  await before.close();
  await startTestSandbox({ dataDirectory: before.dataDirectory });
  expect(await receiver.arrived(2)).toHaveLength(2);
});

test.each(['10002', '10004'])(
  'books a payment of %s after a restart if it fell due in the meantime',
  async (amountMinor) => {
    const before = await startTestSandbox({ timings: { delayedMs: 600_000 } });
    const receiver = await startReceiver();
    await call(before, 'POST', '/v1/collections', order('a', amountMinor, receiver.url));
    await call(before, 'POST', '/v1/collections/a/confirm');
    await before.close();
    expect(receiver.received).toHaveLength(0);
    // Instead of waiting, makes the payment due in the database.
    const store = openStore(before.dataDirectory);
    store.db.prepare('UPDATE collections SET due_at = ?').run(new Date().toISOString());
    store.close();
    await startTestSandbox({ dataDirectory: before.dataDirectory });
    expect((await receiver.first()).body).toMatchObject({ type: 'collection.paid', amountMinor });
  },
);

test('returns 503 and holds callbacks during an outage, and resumes both afterwards', async () => {
  const sandbox = await startTestSandbox({ hasControl: true });
  const receiver = await startReceiver();
  const { json } = await call(sandbox, 'POST', '/v1/collections', order('a', '10000', receiver.url));
  expect((await call(sandbox, 'POST', '/v1/control', { paused: true })).json).toEqual({ paused: true });
  expect(await call(sandbox, 'GET', '/v1/collections/a')).toMatchObject({
    status: 503,
    json: { code: 'paused' },
  });
  await fetch(`${sandbox.url}/pay/${json.id}/confirm`, { method: 'POST', redirect: 'manual' });
  expect((await fetch(`${sandbox.url}/healthz`)).status).toBe(200);
  expect(receiver.received).toHaveLength(0);
  const endedAtMs = Date.now();
  await call(sandbox, 'POST', '/v1/control', { paused: false });
  expect((await receiver.first()).arrivedAtMs).toBeGreaterThanOrEqual(endedAtMs);
  expect((await call(sandbox, 'GET', '/v1/collections/a')).json).toMatchObject({ status: 'paid' });
});

test('has no control route unless it is enabled', async () => {
  const sandbox = await startTestSandbox();
  expect((await call(sandbox, 'POST', '/v1/control', { paused: true })).status).toBe(404);
});
