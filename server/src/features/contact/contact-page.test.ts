import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { TestProduct } from '../../testing/test-product.ts';
import { TestStaff } from '../../testing/test-staff.ts';
import type { Visitor } from '../../testing/visitor.ts';

const path = '/api/staff/contact';

let product: TestProduct;
let staff: TestStaff;
let person: Visitor;
let admin: Visitor;
let support: Visitor;

beforeAll(async () => {
  product = await TestProduct.start(inject('ownerUrl'));
  staff = await TestStaff.start(product);
  person = await product.person(await product.merchant('asker'));
  admin = await staff.member('admin', 'ADMIN');
  support = await staff.member('support', 'SUPPORT');
});
afterAll(async () => {
  await staff.close();
  await product.close();
});

const shown = async (language: string) =>
  (await person.get('/api/merchant/contact', { 'accept-language': language })).json.data;

/** Asks for a change as one person, and agrees as another one; returns the statuses of both calls. */
async function change(method: 'PUT' | 'DELETE', body: object): Promise<[number, number]> {
  const { status, json } = await support.send(method, path, { ...body, reason: 'Asked by the team.' });
  const approval = await admin.post(`/api/staff/requests/${json.data?.request}/approve`, {});
  return [status, approval.status];
}

it('a contact is added, changed and removed once a second person agrees; merchants read it in their language', async () => {
  const contact = { kind: 'email', value: 'help@hengfu.test' };
  const notes = { note: 'Mon–Fri', noteZhCn: '周一至周五', noteVi: '' };
  const { status, json } = await support.send('PUT', path, { ...contact, ...notes, reason: 'New.' });
  expect(status).toBe(201);
  expect(await shown('zh-CN')).toEqual([]);
  const request = `/api/staff/requests/${json.data.request}`;
  expect((await support.post(`${request}/approve`, {})).json.code).toBe('own_request');
  expect((await admin.get(request)).json.data.facts).toEqual([
    { name: 'contact', before: null, after: 'email help@hengfu.test' },
    { name: 'note', before: null, after: 'Mon–Fri' },
    { name: 'noteZhCn', before: null, after: '周一至周五' },
  ]);
  expect((await admin.post(`${request}/approve`, {})).status).toBe(200);
  expect(await shown('zh-CN')).toEqual([{ ...contact, note: '周一至周五' }]);
  expect(await change('PUT', { ...contact, note: 'Always' })).toEqual([201, 200]);
  expect(await shown('zh-CN')).toEqual([{ ...contact, note: 'Always' }]);
  expect((await admin.get(path)).json.data).toEqual([{ ...contact, notes: { en: 'Always' } }]);
  expect(await change('DELETE', contact)).toEqual([201, 200]);
  expect((await support.send('DELETE', path, { ...contact, reason: 'x' })).status).toBe(404);
  expect(await shown('en')).toEqual([]);
  const { rows } = (await admin.get('/api/staff/audit-trail?merchant=-&subject=email')).json.data;
  expect(
    rows.map(({ action, changes }: { action: string; changes: object[] }) => [action, changes.length]),
  ).toEqual([
    ['contact.remove', 3],
    // Each language of a note is a field of its own.
    ['contact.set', 2],
    ['contact.set', 4],
  ]);
});

it('is not changed by a request if it has changed meanwhile', async () => {
  const contact = { kind: 'website', value: `https://hengfu.test/${'x'.repeat(1900)}` };
  const { json } = await support.send('PUT', path, { ...contact, note: 'one', reason: 'x' });
  expect((await support.send('PUT', path, { ...contact, note: 'two', reason: 'x' })).json.code).toBe(
    'request_waiting',
  );
  const { contactRequests } = staff.runtime.services;
  const way = { kind: 'website', value: contact.value, notes: { en: 'three' } } as const;
  expect(await contactRequests.askToSet(way, 'operator:test', '', { breakGlass: 'at once' })).toBeUndefined();
  const late = await admin.post(`/api/staff/requests/${json.data.request}/approve`, {});
  expect(late.json.code).toBe('approval_changed');
  expect(await shown('en')).toEqual([{ ...contact, note: 'three' }]);
});

it('refuses a value that does not fit its kind, and whoever may not change it', async () => {
  for (const [kind, value] of [
    ['email', 'not an address'],
    ['website', 'javascript:alert(1)'],
    ['website', 'http://hengfu.test'],
    ['phone', '12'],
    ['fax', '+8613800000000'],
  ]) {
    const { status, json } = await admin.send('PUT', path, { kind, value, reason: 'x' });
    expect([value, status]).toEqual([value, 422]);
    expect(Object.keys(json.errors)).toEqual([kind === 'fax' ? 'kind' : 'value']);
  }
  const finance = await staff.member('finance', 'FINANCE');
  expect((await finance.send('PUT', path, { kind: 'email', value: 'evil@hengfu.test' })).status).toBe(403);
  expect((await finance.send('DELETE', path, { kind: 'email', value: 'x' })).status).toBe(403);
  expect((await finance.get(path)).status).toBe(200);
});
