import { sql } from 'kysely';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { asOwner } from '#db/owner.ts';
import { TestProduct } from '../../testing/test-product.ts';
import { TestStaff } from '../../testing/test-staff.ts';
import { until } from '../../testing/until.ts';

let product: TestProduct;
let staff: TestStaff;

beforeAll(async () => {
  product = await TestProduct.start(inject('ownerUrl'));
  staff = await TestStaff.start(product);
});
afterAll(async () => {
  expect(await product.deadlocks()).toBe(0);
  await staff.close();
  await product.close();
});

const rate = { currency: 'CNY', rate: '7.15' } as const;
const auditOf = async (action: string) => {
  const { rows } = await product.services.database.asSystem((tx) =>
    sql<{
      actor: string;
      subject: string;
    }>`select actor, subject from audit where action = ${action}`.execute(tx.query),
  );
  return rows;
};

it('an operator acts at once while nobody could agree, which is audited; an account of another role changes nothing', async () => {
  const { rateRequests } = staff.runtime.services;
  expect(await rateRequests.ask(rate, 'operator:test', '')).toBeUndefined();
  await staff.member('sue', 'SUPPORT');
  expect(await rateRequests.ask({ ...rate, rate: '7.16' }, 'operator:test', '')).toBeUndefined();
  expect(await auditOf('staff_request.nobody')).toEqual([
    { actor: 'operator:test', subject: 'CNY' },
    { actor: 'operator:test', subject: 'CNY' },
  ]);
  await staff.add('fin', 'FINANCE');
  expect(await rateRequests.ask({ ...rate, rate: '7.17' }, 'operator:test', '')).toEqual(expect.any(BigInt));
  expect(await auditOf('staff_request.nobody')).toHaveLength(2);
});

it.each(['asks', 'agrees'])('who %s must still hold the permission when the change is made', async (who) => {
  const [asker, approver] = [await staff.member(`${who}1`, 'ADMIN'), await staff.member(`${who}2`, 'ADMIN')];
  const body = { ...rate, currency: who === 'asks' ? 'USD' : 'INR', reason: 'x' };
  const { json } = await asker.post('/api/staff/rates', body);
  const loser = `${who}${who === 'asks' ? 1 : 2}@staff.test`;
  const result = await asOwner(product.ownerUrl, async (client) => {
    // A change of the account is under way: its locks are held, and the approval waits for it.
    await client.query('begin');
    await client.query(`select pg_advisory_xact_lock(hashtextextended('staff accounts', 0))`);
    await client.query('update staff_user set disabled_at = now() where email = $1', [loser]);
    const approval = approver.post(`/api/staff/requests/${json.data.request}/approve`, {});
    const isWaiting = async () =>
      (
        await product.services.database.asSystem((tx) =>
          sql`select from pg_locks where locktype = 'advisory' and not granted
            and database = (select oid from pg_database where datname = current_database())`.execute(
            tx.query,
          ),
        )
      ).rows.length > 0;
    await until(isWaiting, (waits) => waits);
    await client.query('commit');
    return approval;
  });
  expect(result.json.code).toBe(who === 'asks' ? 'approval_changed' : 'forbidden');
});
