import type { FastifyRequest } from 'fastify';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { asOwner } from '#db/owner.ts';
import { SoftPasskey } from '../testing/soft-passkey.ts';
import { type TestMerchant, TestProduct, testPassword } from '../testing/test-product.ts';
import type { Visitor } from '../testing/visitor.ts';
import { FirstCalls, noReplies } from './first-calls.ts';

const collections = '/api/merchant/collections';

let product: TestProduct;
let merchant: TestMerchant;
beforeAll(async () => {
  product = await TestProduct.start(inject('ownerUrl'));
  merchant = await product.merchant('first');
  await merchant.program.create('FIRST-1');
});
afterAll(() => product.close());

/** Longer than a list takes on the busiest machine. */
const patienceMs = 30_000;

/** Returns what a person's page at an address embeds. */
function embedded(
  { cookies }: Visitor,
  url: string,
  { code = merchant.code, calls = new FirstCalls(product.app, patienceMs) } = {},
) {
  const cookie = `hengfu_session=${cookies.get('hengfu_session')}`;
  const request = { url, ip: '127.0.0.1', headers: { cookie } } as FastifyRequest;
  return calls.replies(request, { path: url.split('?')[0] ?? '', code });
}

it('embeds the first rows of a list as its call returns them', async () => {
  const person = await product.person(merchant);
  const { json } = await person.get(collections);
  const { lists, replies } = await embedded(person, '/collection/payments');
  expect(lists).toEqual({ [collections]: { ...json, at: expect.any(String) } });
  expect(json.data).toMatchObject([{ out_trade_no: 'FIRST-1' }]);
  expect(replies).toEqual({});
});

it('leaves rows to a page whose address has parameters', async () => {
  const person = await product.person(merchant, 'MERCHANT_ADMIN', 'filtering');
  expect(await embedded(person, '/collection/payments')).not.toEqual(noReplies);
  expect(await embedded(person, '/collection/payments?status=paid')).toEqual(noReplies);
});

it('embeds nothing that the user may not read, or of another merchant', async () => {
  const developer = await product.person(merchant, 'DEVELOPER');
  expect((await embedded(developer, '/developers/requests')).lists).not.toEqual({});
  expect(await embedded(developer, '/collection/payments')).toEqual(noReplies);
  expect(await embedded(developer, '/dashboard')).toEqual(noReplies);
  const { code } = await product.merchant('second');
  const admin = await product.person(merchant, 'MERCHANT_ADMIN', 'switched');
  expect((await embedded(admin, '/collection/payments')).lists).not.toEqual({});
  expect(await embedded(admin, '/collection/payments', { code })).toEqual(noReplies);
});

it('embeds nothing for a session that has not passed its second factor', async () => {
  const person = await product.person(merchant, 'MERCHANT_ADMIN', 'factor');
  expect((await embedded(person, '/collection/payments')).lists).not.toEqual({});
  await person.post('/api/user/confirm-password', { password: testPassword });
  const passkey = new SoftPasskey(product.url);
  expect((await passkey.bind(person)).status).toBe(201);
  const again = product.visitor();
  await again.signIn(`factor@${merchant.code}.test`, testPassword);
  expect(await embedded(again, '/collection/payments')).toEqual(noReplies);
  expect(await embedded(again, '/dashboard')).toEqual(noReplies);
  await passkey.pass(again);
  expect((await embedded(again, '/collection/payments')).lists).not.toEqual({});
});

it('embeds the figures of the fund flow beside its rows', async () => {
  const person = await product.person(merchant, 'MERCHANT_ADMIN', 'funds');
  const { lists, replies } = await embedded(person, '/fund/fundWater');
  expect(Object.keys(lists)).toEqual(['/api/merchant/fund-flow']);
  expect(Object.keys(replies).toSorted()).toEqual([
    '/api/merchant/account',
    '/api/merchant/account/breakdown',
  ]);
});

it('does not wait for rows that take long, and not again for a while', async () => {
  const person = await product.person(merchant, 'MERCHANT_ADMIN', 'impatient');
  const calls = new FirstCalls(product.app, 50);
  await asOwner(product.ownerUrl, async (owner) => {
    await owner.query('begin; lock table collection in access exclusive mode');
    expect(await embedded(person, '/collection/payments', { calls })).toEqual(noReplies);
    await owner.query('rollback');
  });
  expect(await embedded(person, '/collection/payments', { calls })).toEqual(noReplies);
  expect(await embedded(person, '/collection/payments')).not.toEqual(noReplies);
});

it('lets one merchant’s slow list keep no rows from another merchant', async () => {
  const person = await product.person(merchant, 'MERCHANT_ADMIN', 'slow');
  const neighbor = await product.merchant('neighbor');
  const other = await product.person(neighbor);
  const calls = new FirstCalls(product.app, 5000);
  await asOwner(product.ownerUrl, async (owner) => {
    await owner.query('begin; lock table collection in access exclusive mode');
    expect(await embedded(person, '/collection/payments', { calls })).toEqual(noReplies);
    await owner.query('rollback');
  });
  expect(await embedded(person, '/collection/payments', { calls })).toEqual(noReplies);
  expect(await embedded(other, '/collection/payments', { code: neighbor.code, calls })).not.toEqual(
    noReplies,
  );
});
