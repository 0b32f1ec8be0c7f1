import { sql } from 'kysely';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { TestProduct } from '../../testing/test-product.ts';

let product: TestProduct;
beforeAll(async () => {
  product = await TestProduct.start(inject('ownerUrl'));
});
afterAll(() => product.close());

const path = '/api/merchant/payout-batch-headings';

it('remembers a heading for everyone at the merchant and for nobody else, until it is forgotten', async () => {
  const merchant = await product.merchant('headed');
  const [owner, colleague, viewer] = [
    await product.person(merchant),
    await product.person(merchant, 'ROOT'),
    await product.person(merchant, 'MERCHANT_VIEWER'),
  ];
  const stranger = await product.person(await product.merchant('unheaded'));
  expect((await owner.send('PUT', path, { heading: '入账卡 (必填)：', field: 'payeeAccount' })).status).toBe(
    204,
  );
  expect((await colleague.get(path)).json.data).toEqual([{ heading: '入账卡', field: 'payeeAccount' }]);
  expect((await stranger.get(path)).json.data).toEqual([]);
  expect((await viewer.send('PUT', path, { heading: 'x', field: 'payee' })).status).toBe(403);
  await stranger.send('PUT', path, { heading: '入账卡', field: null });
  await colleague.send('PUT', path, { heading: '入账卡', field: 'remark' });
  expect((await owner.get(path)).json.data).toEqual([{ heading: '入账卡', field: 'remark' }]);
  await owner.send('PUT', path, { heading: ' 入账卡 ', field: null });
  expect((await owner.get(path)).json.data).toEqual([]);
  const { rows } = await product.services.database.asSystem((tx) =>
    sql`select subject, before, after from audit
      where merchant_id = ${merchant.id} and action = 'payout-batch.heading' order by id`.execute(tx.query),
  );
  expect(rows).toEqual([
    { subject: '入账卡', before: { field: null }, after: { field: 'payeeAccount' } },
    { subject: '入账卡', before: { field: 'payeeAccount' }, after: { field: 'remark' } },
    { subject: '入账卡', before: { field: 'remark' }, after: { field: null } },
  ]);
});

it('refuses fields that are no column, and headings without text or beyond the limit', async () => {
  const person = await product.person(await product.merchant('hostile-heads'));
  for (const body of [
    { heading: 'x', field: 'channel' },
    { heading: 'x', field: '__proto__' },
    { heading: 'x' },
    { heading: ' *： (note)', field: 'payee' },
    { heading: 'x'.repeat(101), field: 'payee' },
    // Eighteen characters each once normalized.
    { heading: '\uFDFA'.repeat(50), field: 'payee' },
    { heading: 'x', field: 'payee', merchant_id: '1' },
  ])
    expect([body, (await person.send('PUT', path, body)).status]).toEqual([body, 422]);
  expect((await person.get(path)).json.data).toEqual([]);
});

it('keeps the two hundred headings that were saved last, also of concurrent calls', async () => {
  const person = await product.person(await product.merchant('many-heads'));
  for (let from = 0; from < 210; from += 30)
    await Promise.all(
      Array.from({ length: 30 }, (_, index) =>
        person.send('PUT', path, { heading: `h${from + index}`, field: 'remark' }),
      ),
    );
  const { data } = (await person.get(path)).json;
  expect(data).toHaveLength(200);
  expect(data).toContainEqual({ heading: 'h209', field: 'remark' });
});
