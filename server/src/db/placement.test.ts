import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { takeCrossings } from '../testing/placements.ts';
import { type TestMerchant, TestProduct } from '../testing/test-product.ts';

let product: TestProduct;
let merchants: TestMerchant[];

beforeAll(async () => {
  product = await TestProduct.start(inject('ownerUrl'), { bank: true, worker: true });
  merchants = [];
  for (const code of ['one', 'two', 'three', 'four']) merchants.push(await product.merchant(code));
  for (const merchant of merchants) await product.fund(merchant, '1000.00');
  takeCrossings();
});
afterAll(() => product.close());

const payout = (number: number) => ({
  channel: 'CN_BANK',
  amount: '1.00',
  currency: 'CNY',
  payee: '王芳',
  payeeAccount: `95588012${String(number).padStart(6, '0')}`,
  bank: 'ICBC',
  bankName: '中国工商银行',
  out_trade_no: `shared-${number}`,
});

describe('two placements', () => {
  it('never share a statement while signed calls of both create orders and payouts at the same time', async () => {
    const calls = Array.from({ length: 120 }, (_, number) => {
      const { program } = merchants[number % merchants.length] as TestMerchant;
      return number % 3 === 0
        ? program.create(`shared-${number}`)
        : program.post('/openapi/v1/payouts', payout(number));
    });
    const statuses = (await Promise.all(calls)).map(({ status }) => status);
    expect(statuses).toEqual(statuses.map(() => 201));
    expect(takeCrossings()).toEqual([]);
  });

  it('cannot be in one transaction of several merchants', () => {
    const [odd, even] = merchants;
    if (!odd || !even) throw new Error('there are no merchants');
    expect(() => product.services.database.asMerchants([odd.id, even.id], async () => {})).toThrow(
      'several placements',
    );
  });

  it('are noticed if a statement names merchants of both', async () => {
    const { database } = product.services;
    await database.asSystem((tx) =>
      sql`select merchant_id as "theMerchant" from merchant_terms`.execute(tx.query),
    );
    expect(takeCrossings()).toEqual([expect.stringContaining('theMerchant')]);
    const ids = merchants.map(({ id }) => id);
    await database.asSystem((tx) => sql`select 1 where 1 = any (${ids}::bigint[])`.execute(tx.query));
    expect(takeCrossings()).toHaveLength(1);
  });
});
