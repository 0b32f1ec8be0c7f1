import { sql } from 'kysely';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { TestProduct } from '../../testing/test-product.ts';
import { until } from '../../testing/until.ts';
import type { Answer } from '../../testing/visitor.ts';
import { saveView } from './saved-views.sql.ts';

let product: TestProduct;
beforeAll(async () => {
  product = await TestProduct.start(inject('ownerUrl'));
});
afterAll(() => product.close());

const path = '/api/merchant/saved-views';
const view = (name: string, more: object = {}) => ({
  list: 'payouts',
  name,
  filters: { status: 'rejected' },
  columns: ['trade_no', 'amount'],
  ...more,
});

it('saves, replaces and deletes a view that only its owner can see', async () => {
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

it('limits a person to fifty views per list, each with a name', async () => {
  const person = await product.person(await product.merchant('many'));
  for (let index = 0; index < 50; index++)
    expect((await person.post(path, view(`v${index}`))).status).toBe(201);
  expect((await person.post(path, view('one more'))).json.errors.name[0]).toContain('50');
  expect((await person.post(path, view('v7'))).status).toBe(201);
  expect((await person.post(path, view(' '))).status).toBe(422);
  expect((await person.post(path, view('x', { list: 'secrets' }))).status).toBe(422);
});

it('saves fifty of sixty concurrent views', async () => {
  const person = await product.person(await product.merchant('rush'));
  const answers = await Promise.all(
    Array.from({ length: 60 }, (_, index) => person.post(path, view(`v${index}`))),
  );
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(50);
  expect(answers.filter(({ status }) => status === 422)).toHaveLength(10);
  expect((await person.get(path)).json.data).toHaveLength(50);
});

it('waits for a concurrent save before it counts views', async () => {
  const merchant = await product.merchant('counted');
  const person = await product.person(merchant);
  for (let index = 0; index < 49; index++) await person.post(path, view(`v${index}`));
  const { database } = product.services;
  const waiting = async () => {
    const { rows } = await database.asSystem((tx) =>
      sql`select from pg_locks where locktype = 'advisory' and not granted
        and database = (select oid from pg_database where datname = current_database())`.execute(tx.query),
    );
    return rows.length;
  };
  let answer: Answer | undefined;
  const late = await database.asMerchant(merchant.id, async (tx) => {
    const { user_id: id } = await tx.query
      .selectFrom('membership')
      .select('user_id')
      .where('merchant_id', '=', merchant.id)
      .executeTakeFirstOrThrow();
    await saveView(tx, id, { ...view('fiftieth'), list: 'payouts' } as Parameters<typeof saveView>[2]);
    const pending = person.post(path, view('one too many')).then((reply) => {
      answer = reply;
      return reply;
    });
    await until(
      async () => answer !== undefined || (await waiting()) > 0,
      (isReady) => isReady,
    );
    return { pending };
  });
  expect((await late.pending).status).toBe(422);
});
