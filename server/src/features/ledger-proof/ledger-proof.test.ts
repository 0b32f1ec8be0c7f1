import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { asOwner } from '#db/owner.ts';
import { TestProduct } from '../../testing/test-product.ts';

let product: TestProduct;

beforeAll(async () => {
  product = await TestProduct.start(inject('ownerUrl'));
});
afterAll(() => product.close());

const prove = () => product.services.tasks['ledger.prove']?.({});
const counts = async () =>
  (await product.services.proof.list(10)).map(({ violationCount }) => violationCount);

it('runs once a day and reports a rollup that is not the sum of its orders', async () => {
  const merchant = await product.merchant('proof');
  await product.fund(merchant, '10.00');
  await prove();
  await prove();
  expect(await counts()).toEqual([0]);
  await product.services.database.asSystem((tx) =>
    tx.query
      .updateTable('order_rollup')
      .set({ orders: 5n })
      .where('axis', '=', 'paid')
      .where('settlement_status', '=', 'settled')
      .execute(),
  );
  await asOwner(product.ownerUrl, (client) =>
    client.query("update ledger_proof set ended_at = ended_at - interval '1 day'"),
  );
  await expect(prove()).rejects.toThrow('rollup_is_sum_of_orders');
  expect(await counts()).toEqual([1, 0]);
});
