import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { EventStream } from '../testing/event-stream.ts';
import { type TestMerchant, TestProduct, testPassword } from '../testing/test-product.ts';
import type { Visitor } from '../testing/visitor.ts';

let product: TestProduct;
let merchant: TestMerchant;
let person: Visitor;

beforeAll(async () => {
  product = await TestProduct.start(inject('ownerUrl'));
  merchant = await product.merchant('live');
  person = await product.person(merchant);
});
afterAll(() => product.close());

it('tells an open screen what changed, soon after it did', async () => {
  const stream = await EventStream.open(product.url, person);
  const startedAt = performance.now();
  await merchant.program.create('seen');
  expect(await stream.next()).toEqual({ topics: ['collections', 'dashboard'] });
  expect(performance.now() - startedAt).toBeLessThan(2000);
  await stream.cancel();
});

it('tells one merchant nothing of another', async () => {
  const stream = await EventStream.open(product.url, person);
  const other = await product.merchant('unheard');
  const theirs = await EventStream.open(product.url, await product.person(other));
  await product.fund(other, '100.00');
  // Once their own screen knows of a settlement, ours would know of it, too: ours has none.
  while (!(await theirs.next()).topics.includes('settlements'));
  await merchant.program.create('ours');
  expect(await stream.next()).toEqual({ topics: ['collections', 'dashboard'] });
  await Promise.all([stream.cancel(), theirs.cancel()]);
});

it('ends with its session, and only with its own', async () => {
  const [leaving, staying] = [product.visitor(), product.visitor()];
  for (const visitor of [leaving, staying]) await visitor.signIn('merchant_admin@live.test', testPassword);
  const ending = await EventStream.open(product.url, leaving);
  const stream = await EventStream.open(product.url, staying);
  expect((await leaving.post('/api/logout')).status).toBe(204);
  await ending.ended();
  await merchant.program.create('still-told');
  expect((await stream.next()).topics).toContain('collections');
  await stream.cancel();
});
