import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { TestProduct } from '../../../testing/test-product.ts';
import { TestStaff } from '../../../testing/test-staff.ts';
import type { Visitor } from '../../../testing/visitor.ts';

const path = '/api/staff/incidents';

let product: TestProduct;
let staff: TestStaff;
let person: Visitor;
let support: Visitor;

beforeAll(async () => {
  product = await TestProduct.start(inject('ownerUrl'));
  staff = await TestStaff.start(product);
  person = await product.person(await product.merchant('reader'));
  support = await staff.member('support', 'SUPPORT');
});
afterAll(async () => {
  await staff.close();
  await product.close();
});

const given = {
  impact: 'degraded',
  component: 'CN_BANK.payout',
  title: 'Slow payouts',
  titleZhCn: '代付较慢',
  titleVi: '',
  text: 'We are looking into it.',
  textZhCn: '我们正在排查。',
  textVi: '',
};
const read = async (language: string) =>
  (await person.get('/api/merchant/status', { 'accept-language': language })).json.data.incidents[0];
const newest = async () => (await support.get(path)).json.data[0];

it('an incident is reported, updated and resolved, and merchants read each step in their language', async () => {
  const opened = await support.post(path, given);
  expect(opened.status).toBe(201);
  const { id } = opened.json.data;
  expect(await read('zh-CN')).toMatchObject({ title: '代付较慢', updates: [{ text: '我们正在排查。' }] });
  expect(await read('vi')).toMatchObject({ title: 'Slow payouts' });
  const update = { stage: 'identified', text: 'The bank has an outage.', textZhCn: '', textVi: 'Ngân hàng.' };
  expect((await support.post(`${path}/${id}/updates`, update)).status).toBe(204);
  expect((await support.post(`${path}/${id}/updates`, { stage: '', text: 'A note.' })).status).toBe(204);
  expect((await read('vi')).updates.map(({ stage, text }: Record<string, string>) => [stage, text])).toEqual([
    [null, 'A note.'],
    ['identified', 'Ngân hàng.'],
    ['investigating', 'We are looking into it.'],
  ]);
  expect((await support.post(`${path}/${id}/resolution`, { text: 'It is over.' })).status).toBe(204);
  expect(await newest()).toMatchObject({ id, end: 'resolved', updates: [{ stage: 'resolved' }, {}, {}, {}] });
  expect((await support.post(`${path}/${id}/resolution`, { text: 'Again.' })).status).toBe(404);
  const admin = await staff.member('admin', 'ADMIN');
  const { rows } = (await admin.get(`/api/staff/audit-trail?merchant=-&subject=${id}`)).json.data;
  expect(rows.map(({ action, actorName }: Record<string, string>) => [action, actorName])).toEqual([
    ['incident.resolve', 'support'],
    ['incident.update', 'support'],
    ['incident.update', 'support'],
    ['incident.open', 'support'],
  ]);
});

it('an incident that the samples opened takes updates, and ends by itself alone', async () => {
  await product.services.database.asSystem((tx) =>
    tx.query
      .insertInto('status_incident')
      .values({ source: 'samples', component: 'jobs', impact: 'down', started_at: new Date() })
      .execute(),
  );
  const { id, source } = await newest();
  expect(source).toBe('samples');
  expect((await support.post(`${path}/${id}/updates`, { stage: 'monitoring', text: 'Seen.' })).status).toBe(
    204,
  );
  expect((await support.post(`${path}/${id}/resolution`, { text: 'Over.' })).status).toBe(404);
  expect((await newest()).endedAt).toBeNull();
});

it('needs an impact, a title and a text in English, and the permission', async () => {
  for (const body of [
    { ...given, title: ' ' },
    { ...given, text: '' },
    { ...given, impact: 'slow' },
    { ...given, component: 'moon' },
    { ...given, title: 'x'.repeat(121) },
    { ...given, source: 'samples' },
  ])
    expect((await support.post(path, body)).status).toBe(422);
  expect((await support.post(`${path}/999/updates`, { stage: '', text: 'x' })).status).toBe(404);
  const finance = await staff.member('finance', 'FINANCE');
  expect((await finance.post(path, given)).status).toBe(403);
  expect((await finance.get(path)).status).toBe(200);
});
