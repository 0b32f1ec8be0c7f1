import { Duplex } from 'node:stream';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { type TestMerchant, TestProduct, testPassword } from '../testing/test-product.ts';

let product: TestProduct;
let merchant: TestMerchant;

beforeAll(async () => {
  product = await TestProduct.start(inject('ownerUrl'), { env: { TRUST_PROXY: '127.0.0.1 10.0.0.0/8' } });
  merchant = await product.merchant('proxied');
  await product.person(merchant);
});
afterAll(() => product.close());

/** Returns the address of the latest sign-in in the audit trail. */
const addressOfLastSignIn = (): Promise<string | undefined> =>
  product.services.database.asSystem(async (tx) => {
    const { rows } = await sql<{ address: string }>`
      select host(address) as address from audit where action = 'session.sign_in' order by id desc limit 1`.execute(
      tx.query,
    );
    return rows[0]?.address;
  });

it.each([
  ['1.2.3.4', '1.2.3.4'],
  ['1.2.3.4:5678', '1.2.3.4'],
  ['[2001:db8::1]:443', '2001:db8::1'],
  ['"[2001:db8::1]:443"', '2001:db8::1'],
  ['::ffff:1.2.3.4', '1.2.3.4'],
  ['9.9.9.9, 1.2.3.4:80, 10.0.0.7', '1.2.3.4'],
  ['unknown', '127.0.0.1'],
  ['_hidden', '127.0.0.1'],
  ['fe80::1%eth0', '127.0.0.1'],
  ['0x7f.1', '127.0.0.1'],
  ["' or 1=1 --", '127.0.0.1'],
  [`9.9.9.9${', 10.0.0.1'.repeat(20)}`, '127.0.0.1'],
])('a sign-in with X-Forwarded-For: %s is recorded as coming from %s', async (forwarded, address) => {
  const visitor = product.visitor();
  await visitor.get('/api/csrf-cookie');
  const body = { email: 'merchant_admin@proxied.test', password: testPassword };
  const { status } = await visitor.post('/api/login', body, { 'x-forwarded-for': forwarded });
  expect([status, await addressOfLastSignIn()]).toEqual([200, address]);
});

it('a signed call is checked against the whitelist by the address behind the proxy only', async () => {
  const call = (forwarded: string, number: string) =>
    merchant.program.post(
      '/openapi/v1/collections',
      { out_trade_no: number, amount: '1.00', currency: 'CNY' },
      { headers: { 'x-forwarded-for': forwarded } },
    );
  await product.admin().setAllowedAddresses(merchant.id, ['127.0.0.1/32'], { confirmClosed: true });
  for (const forged of ['127.0.0.1, 1.2.3.4', '0x7f.1, 1.2.3.4', '127.0.0.1:80, 1.2.3.4:80'])
    expect((await call(forged, 'forged')).json.code).toBe('address_not_allowed');
  await product.admin().setAllowedAddresses(merchant.id, ['2001:db8::/32'], { confirmClosed: true });
  expect((await call('[2001:db8::9]:4711', 'bracketed')).status).toBe(201);
  expect((await call('0x7f.1', 'hexadecimal')).json).toMatchObject({
    code: 'address_not_allowed',
    message: expect.stringContaining('127.0.0.1'),
  });
});

it.each([
  ['has an address', '127.0.0.1', false],
  ['was reset before it was accepted, and has none', undefined, true],
])('a connection that %s is served only if its address can be recorded', (_, remoteAddress, isClosed) => {
  const connection = Object.assign(
    new Duplex({ read: () => {}, write: (_chunk, _encoding, next) => next() }),
    {
      remoteAddress,
    },
  );
  product.app.server.emit('connection', connection);
  expect(connection.destroyed).toBe(isClosed);
  connection.destroy();
});
