import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { TestProduct } from '../../testing/test-product.ts';

let product: TestProduct;
beforeAll(async () => {
  product = await TestProduct.start(inject('ownerUrl'));
});
afterAll(() => product.close());

const path = '/api/merchant/saved-views';
const view = (name: string, more: object = {}) => ({
  ...{ list: 'payouts', name, filters: { status: 'rejected' }, columns: ['trade_no', 'amount'] },
  ...more,
});

it('a view is kept, replaced by its name, and forgotten; it is its owner’s alone', async () => {
  const merchant = await product.merchant('views');
  const [owner, colleague] = [
    await product.person(merchant),
    await product.person(merchant, 'MERCHANT_VIEWER'),
  ];
  expect((await owner.post(path, view('Rejected'))).status).toBe(201);
  await owner.post(path, view('Rejected', { filters: { status: 'pending' } }));
  await owner.post(path, view('Rejected', { list: 'collections' }));
  const { data } = (await owner.get(path)).json;
  expect(data).toHaveLength(2);
  const [saved] = data.filter(({ list }: { list: string }) => list === 'payouts');
  expect(saved).toMatchObject(view('Rejected', { filters: { status: 'pending' } }));
  expect((await colleague.get(path)).json.data).toEqual([]);
  expect((await colleague.send('DELETE', `${path}/${saved.id}`)).status).toBe(404);
  expect((await owner.send('DELETE', `${path}/${saved.id}`)).status).toBe(204);
  expect((await owner.send('DELETE', `${path}/${saved.id}`)).status).toBe(404);
});

it('a person keeps fifty of a list, and names each', async () => {
  const person = await product.person(await product.merchant('many'));
  for (let index = 0; index < 50; index++)
    expect((await person.post(path, view(`v${index}`))).status).toBe(201);
  expect((await person.post(path, view('one more'))).json.errors.name[0]).toContain('50');
  expect((await person.post(path, view('v7'))).status).toBe(201);
  expect((await person.post(path, view(' '))).status).toBe(422);
  expect((await person.post(path, view('x', { list: 'secrets' }))).status).toBe(422);
});
