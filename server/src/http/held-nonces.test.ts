import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { asOwner } from '#db/owner.ts';
import { openShop } from '../testing/signing-shop.ts';
import { TestProduct } from '../testing/test-product.ts';

let product: TestProduct;

beforeAll(async () => {
  // One queue for the nonces of all merchants.
  product = await TestProduct.start(inject('ownerUrl'), { hasOnePlacement: true });
});
afterAll(async () => {
  expect([await product.violations(), await product.deadlocks()]).toEqual([[], 0]);
  await product.close();
});

it('a nonce whose transaction does not end is in nobody’s way but its own call’s', async () => {
  const holding = await openShop(product, 'payouts');
  const other = await openShop(product, 'payouts');
  const { id, program } = holding.merchant;
  await asOwner(product.ownerUrl, async (client) => {
    await client.query(`begin; set local role hengfu_intake; set local app.merchant_ids = '{${id}}'`);
    await client.query(
      `insert into used_nonce (merchant_id, key_id, nonce) values (${id}, '${program.key.id}', 'held-nonce')`,
    );
    const held = Array.from({ length: 8 }, (_, number) =>
      number % 2 ? holding.get('held-nonce', 'balance') : holding.outcome('held-nonce', `order-${number}`),
    );
    // Each of these would wait with them until the other transaction ends.
    for (const number of [1, 2, 3]) {
      expect(await other.get(`of-balance-${number}`, 'balance')).toBe('accepted');
      expect(await other.outcome(`of-create-${number}`, `order-${number}`)).toBe('accepted');
    }
    expect(new Set(await Promise.all(held))).toEqual(new Set(['unavailable']));
    await client.query('rollback');
  });
  expect(await holding.orders()).toEqual([]);
  expect(await holding.outcome('held-nonce', 'order')).toBe('accepted');
  expect(await holding.get('held-nonce', 'balance')).toBe('nonce_replayed');
});

it('a table that a migration locks for a moment delays calls, and refuses none', async () => {
  const shop = await openShop(product, 'collections');
  await asOwner(product.ownerUrl, async (client) => {
    await client.query('begin; lock table merchant in access exclusive mode');
    const calls = [shop.get('while-locked-1', 'balance'), shop.outcome('while-locked-2', 'order')];
    await new Promise((resolve) => setTimeout(resolve, 400));
    await client.query('rollback');
    expect(await Promise.all(calls)).toEqual(['accepted', 'accepted']);
  });
});
