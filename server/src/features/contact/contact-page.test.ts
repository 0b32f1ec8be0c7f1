import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { TestProduct } from '../../testing/test-product.ts';
import { TestStaff } from '../../testing/test-staff.ts';
import type { Visitor } from '../../testing/visitor.ts';

const path = '/api/staff/contact';

let product: TestProduct;
let staff: TestStaff;
let person: Visitor;
let admin: Visitor;

beforeAll(async () => {
  product = await TestProduct.start(inject('ownerUrl'));
  staff = await TestStaff.start(product);
  person = await product.person(await product.merchant('asker'));
  admin = await staff.member('admin', 'ADMIN');
});
afterAll(async () => {
  await staff.close();
  await product.close();
});

const shown = async (language: string) =>
  (await person.get('/api/merchant/contact', { 'accept-language': language })).json.data;

it('a contact is added, changed and removed; merchants read it in their language', async () => {
  const contact = { kind: 'email', value: 'help@hengfu.test' };
  await admin.send('PUT', path, { ...contact, note: 'Mon–Fri', noteZhCn: '周一至周五', noteVi: '' });
  expect(await shown('zh-CN')).toEqual([{ ...contact, note: '周一至周五' }]);
  await admin.send('PUT', path, { ...contact, note: 'Always' });
  expect(await shown('zh-CN')).toEqual([{ ...contact, note: 'Always' }]);
  expect((await admin.get(path)).json.data).toEqual([{ ...contact, notes: { en: 'Always' } }]);
  expect((await admin.send('DELETE', path, contact)).status).toBe(204);
  expect((await admin.send('DELETE', path, contact)).status).toBe(404);
  expect(await shown('en')).toEqual([]);
  const { rows } = (await admin.get('/api/staff/audit-trail?merchant=-&subject=email')).json.data;
  expect(
    rows.map(({ action, changes }: { action: string; changes: object[] }) => [action, changes.length]),
  ).toEqual([
    ['contact.remove', 3],
    ['contact.set', 1],
    ['contact.set', 3],
  ]);
});

it('refuses a value that does not fit its kind, and whoever is no administrator', async () => {
  for (const [kind, value] of [
    ['email', 'not an address'],
    ['website', 'javascript:alert(1)'],
    ['website', 'http://hengfu.test'],
    ['phone', '12'],
    ['fax', '+8613800000000'],
  ]) {
    const { status, json } = await admin.send('PUT', path, { kind, value });
    expect([value, status]).toEqual([value, 422]);
    expect(Object.keys(json.errors)).toEqual([kind === 'fax' ? 'kind' : 'value']);
  }
  const support = await staff.member('support', 'SUPPORT');
  expect((await support.send('PUT', path, { kind: 'email', value: 'evil@hengfu.test' })).status).toBe(403);
  expect((await support.send('DELETE', path, { kind: 'email', value: 'x' })).status).toBe(403);
  expect((await support.get(path)).status).toBe(200);
});
