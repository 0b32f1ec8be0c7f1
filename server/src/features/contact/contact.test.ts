import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { TestProduct } from '../../testing/test-product.ts';
import type { Visitor } from '../../testing/visitor.ts';

let product: TestProduct;
let person: Visitor;

beforeAll(async () => {
  product = await TestProduct.start(inject('ownerUrl'));
  person = await product.person(await product.merchant('asker'), 'MERCHANT_VIEWER');
});
afterAll(() => product.close());

const shown = async (language = 'en') =>
  (await person.get('/api/merchant/contact', { 'accept-language': language })).json.data;

it('lists contacts in the order they were added, with notes in the reader’s language', async () => {
  const { contact } = product.services;
  expect(await shown()).toEqual([]);
  const notes = { en: 'Day and night', 'zh-cn': '全天候' };
  await contact.set({ kind: 'telegram', value: '@hengfu_help', notes }, 'operator:test');
  await contact.set({ kind: 'email', value: 'help@hengfu.test', notes: {} }, 'operator:test');
  const way = { kind: 'telegram', value: '@hengfu_help' };
  const email = { kind: 'email', value: 'help@hengfu.test', note: null };
  expect(await shown('en')).toEqual([{ ...way, note: 'Day and night' }, email]);
  expect(await shown('zh-CN')).toEqual([{ ...way, note: '全天候' }, email]);
  // Without a Vietnamese note, the English one is shown.
  expect(await shown('vi')).toEqual([{ ...way, note: 'Day and night' }, email]);

  await contact.set({ ...email, kind: 'email', notes: { en: 'Within a day' } }, 'operator:test');
  await contact.remove('telegram', '@hengfu_help', 'operator:test');
  expect(await shown('en')).toEqual([{ ...email, note: 'Within a day' }]);
});

it.each([
  ['email', 'help'],
  ['phone', '021-5000'],
  ['telegram', 'hengfu'],
  ['website', 'http://help.test'],
  ['website', 'javascript:alert(1)'],
] as const)('refuses %s %s', async (kind, value) => {
  const { contact } = product.services;
  const before = await contact.list();
  await expect(contact.set({ kind, value, notes: {} }, 'operator:test')).rejects.toThrow('validation_failed');
  expect(await contact.list()).toEqual(before);
});

it('throws not_found when there is nothing to remove', async () => {
  await expect(product.services.contact.remove('email', 'nobody@b.test', 'operator:test')).rejects.toThrow(
    'not_found',
  );
});

it('requires a signed-in user', async () => {
  expect((await product.visitor().get('/api/merchant/contact')).status).toBe(401);
});
