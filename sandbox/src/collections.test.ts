import { expect, test } from 'vitest';
import { call, order, startReceiver, startTestSandbox } from './test-support.ts';

const nowhere = 'http://127.0.0.1:9/';

test('creates a pending order with a page for its payer', async () => {
  const sandbox = await startTestSandbox({ publicUrl: 'https://bank.example/sandbox/' });
  const { status, json } = await call(sandbox, 'POST', '/v1/collections', order('a', '10000', nowhere));
  const payUrl = `https://bank.example/sandbox/pay/${json.id}`;
  expect(status).toBe(201);
  expect(json).toEqual({ id: json.id, reference: 'a', status: 'pending', payUrl, qrContent: payUrl });
});

test('returns the same reply and creates no second order for the same body, even after the payment', async () => {
  const sandbox = await startTestSandbox();
  const body = order('a', '10000', nowhere);
  const first = await call(sandbox, 'POST', '/v1/collections', body);
  await call(sandbox, 'POST', '/v1/collections/a/confirm');
  expect(await call(sandbox, 'POST', '/v1/collections', body)).toEqual({ ...first, status: 200 });
});

test('creates one order from many concurrent creations with one reference', async () => {
  const sandbox = await startTestSandbox();
  const body = order('a', '10000', nowhere);
  const replies = await Promise.all(
    Array.from({ length: 20 }, () => call(sandbox, 'POST', '/v1/collections', body)),
  );
  expect(new Set(replies.map(({ json }) => json.id)).size).toBe(1);
  expect(replies.filter(({ status }) => status === 201)).toHaveLength(1);
});

test('refuses another body with the same reference, and changes nothing', async () => {
  const sandbox = await startTestSandbox();
  const body = order('a', '10000', nowhere);
  await call(sandbox, 'POST', '/v1/collections', body);
  const other = await call(sandbox, 'POST', '/v1/collections', { ...body, amountMinor: '20000' });
  expect(other).toMatchObject({ status: 409, json: { code: 'reference_used' } });
  expect((await call(sandbox, 'GET', '/v1/collections/a')).json).toMatchObject({ amountMinor: '10000' });
});

test.each([
  ['amountMinor', '0'],
  ['amountMinor', '-1'],
  ['amountMinor', '1.5'],
  ['amountMinor', '1e3'],
  ['amountMinor', '0x10'],
  ['amountMinor', '007'],
  ['amountMinor', '１００'],
  ['amountMinor', '1'.repeat(40)],
  ['amountMinor', 100],
  ['currency', 'EUR'],
  ['reference', ''],
  ['reference', '../x'],
  ['notifyUrl', 'ftp://127.0.0.1/'],
  ['notifyUrl', 'file:///etc/passwd'],
  ['notifyUrl', 'not an address'],
  ['returnUrl', 'javascript:alert(1)'],
  ['returnUrl', 'data:text/html,x'],
  ['expiresAt', 'tomorrow'],
  ['surprise', 'x'],
])('refuses %s %j', async (field, value) => {
  const sandbox = await startTestSandbox();
  const body = { ...order('a', '10000', nowhere), [field]: value };
  expect(await call(sandbox, 'POST', '/v1/collections', body)).toMatchObject({
    status: 422,
    json: { code: 'validation_failed' },
  });
  expect((await call(sandbox, 'GET', '/v1/collections/a')).status).toBe(404);
});

test('cancels an order once; it can then neither be paid nor declined', async () => {
  const sandbox = await startTestSandbox();
  await call(sandbox, 'POST', '/v1/collections', order('a', '10000', nowhere));
  for (const _time of ['first', 'again']) {
    expect(await call(sandbox, 'POST', '/v1/collections/a/cancel')).toMatchObject({
      status: 200,
      json: { status: 'cancelled' },
    });
  }
  for (const move of ['confirm', 'decline']) {
    expect(await call(sandbox, 'POST', `/v1/collections/a/${move}`)).toMatchObject({
      status: 409,
      json: { code: 'already_cancelled' },
    });
  }
});

test('a paid order can be neither cancelled nor declined; a second confirmation changes nothing', async () => {
  const sandbox = await startTestSandbox();
  const receiver = await startReceiver();
  await call(sandbox, 'POST', '/v1/collections', order('a', '10000', receiver.url));
  const paid = await call(sandbox, 'POST', '/v1/collections/a/confirm');
  for (const move of ['cancel', 'decline']) {
    expect(await call(sandbox, 'POST', `/v1/collections/a/${move}`)).toMatchObject({
      status: 409,
      json: { code: 'already_paid' },
    });
  }
  expect(await call(sandbox, 'POST', '/v1/collections/a/confirm')).toEqual(paid);
});

test('accepts only one of several conflicting concurrent moves', async () => {
  const sandbox = await startTestSandbox();
  const receiver = await startReceiver();
  for (let round = 0; round < 10; round += 1) {
    await call(sandbox, 'POST', '/v1/collections', order(`r${round}`, '10000', receiver.url));
    const moves = ['confirm', 'cancel', 'decline'].map((move) =>
      call(sandbox, 'POST', `/v1/collections/r${round}/${move}`),
    );
    const statuses = (await Promise.all(moves)).map(({ status }) => status).sort();
    expect(statuses).toEqual([200, 409, 409]);
  }
});

test('returns 404 for unknown orders', async () => {
  const sandbox = await startTestSandbox();
  expect((await call(sandbox, 'GET', '/v1/collections/none')).status).toBe(404);
  for (const move of ['cancel', 'confirm', 'decline']) {
    expect((await call(sandbox, 'POST', `/v1/collections/none/${move}`)).status).toBe(404);
  }
});
