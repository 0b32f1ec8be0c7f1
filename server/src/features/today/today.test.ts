import { sql } from 'kysely';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { asOwner } from '#db/owner.ts';
import { TestProduct } from '../../testing/test-product.ts';
import { TestStaff } from '../../testing/test-staff.ts';
import type { Visitor } from '../../testing/visitor.ts';

let product: TestProduct;
let staff: TestStaff;
let finance: Visitor;

beforeAll(async () => {
  product = await TestProduct.start(inject('ownerUrl'));
  staff = await TestStaff.start(product);
  finance = await staff.member('finance', 'FINANCE');
});
afterAll(async () => {
  await staff.close();
  await product.close();
});

it('shows the orders of each channel by the hour, those of half a day', async () => {
  await asOwner(product.ownerUrl, (client) =>
    client.query(`
      insert into channel_minute (minute, channel, kind, is_paid, delay_class, orders)
      select date_trunc('hour', now()) - age, 'CN_BANK', kind, is_paid, class, orders
      from (values (interval '0', 'collection', true, 1, 8), (interval '0', 'collection', true, 2, 1), (interval '0', 'collection', false, 1, 1),
        (interval '0', 'payout', false, 1, 2), (interval '11 hours', 'payout', true, 1, 5), (interval '12 hours', 'payout', true, 1, 7))
        as made (age, kind, is_paid, class, orders)`),
  );
  const { rows } = await product.services.database.asSystem((tx) =>
    sql<{ hour: Date }>`select date_trunc('hour', now()) as hour`.execute(tx.query),
  );
  const hour = rows[0]?.hour ?? new Date(0);
  const earlier = new Date(hour.getTime() - 11 * 3_600_000);
  const { json } = await finance.get('/api/staff/channel-hours');
  expect(json.data).toEqual([
    { hour: earlier.toISOString(), channel: 'CN_BANK', kind: 'payout', paid: 5, refused: 0 },
    { hour: hour.toISOString(), channel: 'CN_BANK', kind: 'collection', paid: 9, refused: 1 },
    { hour: hour.toISOString(), channel: 'CN_BANK', kind: 'payout', paid: 0, refused: 2 },
  ]);
});
