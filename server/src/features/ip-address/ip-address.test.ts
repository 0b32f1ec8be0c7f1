import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { type TestMerchant, TestProduct, testPassword } from '../../testing/test-product.ts';
import { until } from '../../testing/until.ts';
import type { Visitor } from '../../testing/visitor.ts';

let product: TestProduct;
let merchant: TestMerchant;
let visitor: Visitor;

beforeAll(async () => {
  product = await TestProduct.start(inject('ownerUrl'));
  merchant = await product.merchant('listed');
  visitor = await product.person(merchant);
});
afterAll(() => product.close());

const path = '/api/merchant/ip-address';

it('is replaced line by line, once the password is confirmed, and holds from the next call on', async () => {
  expect((await visitor.get(path)).json.data.addresses).toEqual(['127.0.0.1']);
  const lines = '203.0.113.7\n\n2001:db8::/32\n203.0.113.7/32';
  expect((await visitor.send('PUT', path, { addresses: lines })).status).toBe(423);
  await visitor.post('/api/user/confirm-password', { password: testPassword });
  expect((await merchant.program.create('before')).status).toBe(201);
  expect((await visitor.send('PUT', path, { addresses: lines })).status).toBe(200);
  expect((await visitor.get(path)).json.data.addresses).toEqual(['203.0.113.7', '2001:db8::/32']);
  expect((await merchant.program.create('after')).json.code).toBe('address_not_allowed');
  expect((await visitor.send('PUT', path, { addresses: '127.0.0.0/8' })).status).toBe(200);
  expect((await merchant.program.create('after')).status).toBe(201);
});

it('names each line that is no address', async () => {
  const { status, json } = await visitor.send('PUT', path, { addresses: 'here\n127.0.0.1\n1.2.3' });
  expect(status).toBe(422);
  expect(json.errors.addresses).toEqual([
    'Line 1 is neither an address nor a CIDR block: here',
    'Line 3 is neither an address nor a CIDR block: 1.2.3',
  ]);
  expect((await visitor.get(path)).json.data.addresses).toEqual(['127.0.0.0/8']);
});

it('tells before it is saved what it would do, and changes nothing', async () => {
  const preview = async (addresses: string) =>
    (await visitor.post(`${path}/preview`, { addresses })).json.data;
  const seen = await until(
    () => preview('127.0.0.1'),
    (data) => data.calls.length > 0,
    10_000,
  );
  expect(seen.yours).toEqual({ address: '127.0.0.1', isAllowed: true });
  expect(seen.calls).toEqual([{ address: '127.0.0.1', count: expect.any(Number), isAllowed: true }]);
  const closed = await preview('203.0.113.7');
  expect([closed.yours.isAllowed, closed.calls[0].isAllowed]).toEqual([false, false]);
  expect((await preview('')).yours.isAllowed).toBe(false);
  expect((await visitor.get(path)).json.data.addresses).toEqual(['127.0.0.0/8']);
});
