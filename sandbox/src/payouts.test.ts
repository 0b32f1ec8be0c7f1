import { expect, test } from 'vitest';
import { call, startReceiver, startTestSandbox } from './test-support.ts';

async function startBank() {
  const sandbox = await startTestSandbox();
  const receiver = await startReceiver();
  const body = (reference: string, amountMinor: string, more: object = {}) => ({
    reference,
    amountMinor,
    currency: 'CNY',
    method: 'CN_BANK',
    notifyUrl: receiver.url,
    payee: '王芳',
    account: '6222021234567890128',
    ...more,
  });
  return {
    receiver,
    body,
    pay: (reference: string, amountMinor: string, more?: object) =>
      call(sandbox, 'POST', '/v1/payouts', body(reference, amountMinor, more)),
    find: (reference: string) => call(sandbox, 'GET', `/v1/payouts/${reference}`),
    void: (reference: string) => call(sandbox, 'POST', `/v1/payouts/${reference}/void`, {}),
  };
}

test('accepts a payout once per reference, pays and reports it', async () => {
  const { pay, find, receiver } = await startBank();
  expect(await pay('a', '10000')).toMatchObject({ status: 201, json: { status: 'pending' } });
  expect(await pay('a', '10000')).toMatchObject({ status: 200, json: { status: 'pending' } });
  expect(await pay('a', '20000')).toMatchObject({ status: 409, json: { code: 'reference_used' } });
  expect((await find('a')).json).toMatchObject({ status: 'paid', amountMinor: '10000' });
  const { body, isSigned } = await receiver.first();
  expect([isSigned, body.type, body.reference, body.amountMinor]).toEqual([
    true,
    'payout.paid',
    'a',
    '10000',
  ]);
});

test.each([
  ['10001', 'refused', 'account closed'],
  ['10004', 'refused', 'name does not match account'],
  ['10002', 'paid', undefined],
])('a payout of %s is %s', async (amountMinor, status, reason) => {
  const { pay, find, receiver } = await startBank();
  await pay('a', amountMinor);
  const { body } = await receiver.first();
  expect([body.type, body.reason]).toEqual([`payout.${status}`, reason]);
  expect((await find('a')).json.status).toBe(status);
});

test('sends some callbacks twice, some before the reply, some never', async () => {
  const { pay, find, receiver } = await startBank();
  await pay('twice', '10003');
  await receiver.arrived(2);
  await pay('early', '10005');
  expect(receiver.received.at(-1)?.body.reference).toBe('early');
  await pay('silent', '10006');
  expect((await find('silent')).json.status).toBe('paid');
  expect(receiver.received).toHaveLength(3);
});

test('stores a payout whose reply is lost, but not one whose request is lost', async () => {
  const { pay, find } = await startBank();
  await expect(pay('lost-answer', '10007')).rejects.toThrow();
  expect((await find('lost-answer')).json.status).toBe('paid');
  await expect(pay('refused-unheard', '10008')).rejects.toThrow();
  expect((await find('refused-unheard')).json).toMatchObject({ status: 'refused', reason: 'account closed' });
  await expect(pay('lost-request', '10009')).rejects.toThrow();
  expect((await find('lost-request')).status).toBe(404);
});

test('voids a payout that never arrived, and then never pays it', async () => {
  const bank = await startBank();
  expect((await bank.void('a')).json).toMatchObject({
    status: 'refused',
    reason: 'voided before it arrived',
  });
  expect(await bank.pay('a', '10000')).toMatchObject({ status: 409, json: { code: 'reference_used' } });
  await bank.pay('b', '10000');
  expect((await bank.void('b')).json.status).toBe('paid');
});
