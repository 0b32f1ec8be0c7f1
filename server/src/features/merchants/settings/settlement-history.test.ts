import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type RawBuilder, sql } from 'kysely';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { asOwner } from '#db/owner.ts';
import { root } from '#folders.ts';
import { type TestMerchant, TestProduct } from '../../../testing/test-product.ts';
import { TestStaff } from '../../../testing/test-staff.ts';
import type { Visitor } from '../../../testing/visitor.ts';

const path = '/api/staff/merchants';

let product: TestProduct;
let staff: TestStaff;
let finance: Visitor;
let admin: Visitor;

beforeAll(async () => {
  product = await TestProduct.start(inject('ownerUrl'), { bank: true });
  staff = await TestStaff.start(product);
  finance = await staff.member('finance', 'FINANCE');
  admin = await staff.member('admin', 'ADMIN');
});
afterAll(async () => {
  await staff.close();
  await product.close();
});

const daily = { cycle: 'daily', weekday: null, cutOff: '00:00' };
const weekly = { cycle: 'weekly', weekday: 'friday', cutOff: '18:30' };
const workdays = { cycle: 'workdays', weekday: null, cutOff: '09:00' };

const run = <T>(statement: RawBuilder<T>) =>
  product.services.database.asSystem(async (tx) => (await statement.execute(tx.query)).rows);
const settlementOf = async (code: string) =>
  (await finance.get(`${path}/${code}/terms`)).json.data.settlement;
async function set(code: string, cycle: { weekday: string | null }): Promise<void> {
  const body = { ...cycle, weekday: cycle.weekday ?? 'monday', reason: 'asked for' };
  const { request } = (await finance.post(`${path}/${code}/settlement`, body)).json.data;
  expect((await admin.post(`/api/staff/requests/${request}/approve`, {})).status).toBe(200);
}
/** Makes the next cut-off of a merchant due, and returns it. */
async function makeDue({ id, code }: TestMerchant): Promise<string> {
  await run(sql`update merchant set next_settlement_at = date_trunc('second', now()) where id = ${id}`);
  return (await settlementOf(code)).nextAt;
}

it('keeps each cycle with the last cut-off that it planned, and shows which one is in force', async () => {
  const merchant = await product.merchant('versions');
  const [{ validFrom: created }] = (await settlementOf('versions')).versions;
  await run(
    sql`update merchant set next_settlement_at = now() + interval '1 hour' where id = ${merchant.id}`,
  );
  const { nextAt: planned } = await settlementOf('versions');
  await set('versions', workdays);
  expect((await settlementOf('versions')).versions).toEqual([
    { ...workdays, validFrom: planned, isInForce: false },
    { ...daily, validFrom: created, isInForce: true },
  ]);
  // Changed again before that cut-off: the cycle in between planned nothing.
  await set('versions', weekly);
  expect((await settlementOf('versions')).versions).toEqual([
    { ...weekly, validFrom: planned, isInForce: false },
    { ...daily, validFrom: created, isInForce: true },
  ]);
  // Taken back before it counted.
  await set('versions', daily);
  expect((await settlementOf('versions')).versions).toEqual([
    { ...daily, validFrom: created, isInForce: true },
  ]);
});

it('leaves the cycles of earlier settlements as they were', async () => {
  const merchant = await product.merchant('settled');
  const first = await makeDue(merchant);
  await set('settled', weekly);
  await product.services.settlements.runDue();
  const { nextAt: second } = await settlementOf('settled');
  await set('settled', workdays);
  expect((await settlementOf('settled')).versions).toMatchObject([
    { ...workdays, validFrom: second, isInForce: false },
    { ...weekly, validFrom: first, isInForce: true },
    daily,
  ]);
});

it('is followed by the test merchant, as far as it existed', async () => {
  const merchant = await product.merchant('lived');
  const pastOf = (id: bigint) =>
    run(
      sql`select cycle, valid_until as until from past_settlement_cycle where merchant_id = ${id} order by 2`,
    );
  await makeDue(merchant);
  await set('lived', weekly);
  await product.services.settlements.runDue();
  const twin = await product.services.testMode.open(merchant.id);
  expect(await pastOf(twin.id)).toEqual([]);
  await set('lived', workdays);
  const live = await pastOf(merchant.id);
  expect(live).toMatchObject([{ cycle: 'daily' }, { cycle: 'weekly' }]);
  expect(await pastOf(twin.id)).toEqual(live.slice(1));
});

it('is filled from the requests that were approved before there was a history', async () => {
  const merchant = await product.merchant('before');
  const other = await product.merchant('unchanged');
  await set('before', weekly);
  const [made] = await run(
    sql<{
      until: Date;
    }>`select valid_until as until from past_settlement_cycle where merchant_id = ${merchant.id}`,
  );
  const migration = await readFile(join(root, 'server/migrations/0121_past_settlement_cycles.sql'), 'utf8');
  await asOwner(product.ownerUrl, (client) =>
    client.query(`begin; drop table past_settlement_cycle; ${migration}; commit`),
  );
  const pastOf = ({ id }: TestMerchant) =>
    run(
      sql`select cycle, weekday, cut_off as "cutOff", valid_until as until from past_settlement_cycle where merchant_id = ${id}`,
    );
  expect(await pastOf(merchant)).toEqual([
    { cycle: 'daily', weekday: null, cutOff: '00:00:00', until: made?.until },
  ]);
  expect(await pastOf(other)).toEqual([]);
  // Row security holds for the table as the migration makes it.
  expect((await settlementOf('before')).versions).toHaveLength(2);
  expect((await settlementOf('unchanged')).versions).toHaveLength(1);
});
