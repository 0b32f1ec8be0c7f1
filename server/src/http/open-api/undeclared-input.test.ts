import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { type TestMerchant, TestProduct } from '../../testing/test-product.ts';

let product: TestProduct;
let merchant: TestMerchant;
let path: string;

beforeAll(async () => {
  product = await TestProduct.start(inject('ownerUrl'));
  merchant = await product.merchant('strict');
  const { json } = await merchant.program.create('first');
  path = `/openapi/v1/collections/${json.trade_no}`;
});
afterAll(() => product.close());

it.each([
  ['a query that a call does not read', '/refund?amount=1', undefined, 'amount'],
  ['a body that a call does not read', '/refund', { amount: '1.00' }, 'amount'],
  ['a list', '/cancel', [], undefined],
  ['a query of a call that only has a body', '', undefined, 'foo'],
  ['a query of a call that finds by its path', '', undefined, 'foo'],
])('refuses %s, so that a misspelled field is noticed', async (name, end, body, field) => {
  const { program } = merchant;
  const answer = name.includes('only has a body')
    ? await program.post('/openapi/v1/collections?foo=1', {
        out_trade_no: 'x',
        amount: '1.00',
        currency: 'CNY',
      })
    : name.includes('by its path')
      ? await program.get(`${path}?foo=1`)
      : await program.post(`${path}${end}`, body);
  expect([answer.status, answer.json.code]).toEqual([422, 'validation_failed']);
  if (field !== undefined) expect(Object.keys(answer.json.errors)).toEqual([field]);
});

it('takes an empty object for no body', async () => {
  const { status, json } = await merchant.program.post(`${path}/cancel`, {});
  expect([status, json.status]).toEqual([200, 'cancelled']);
});
