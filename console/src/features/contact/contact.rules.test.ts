import { expect, test } from 'vitest';
import { linkOf } from './contact.rules.ts';

test('links each kind of contact to the app that opens it', () => {
  expect(linkOf({ kind: 'email', value: 'a@b.test' })).toBe('mailto:a@b.test');
  expect(linkOf({ kind: 'phone', value: '+862150001234' })).toBe('tel:+862150001234');
  expect(linkOf({ kind: 'whatsapp', value: '+862150001234' })).toBe('https://wa.me/862150001234');
  expect(linkOf({ kind: 'telegram', value: '@hengfu' })).toBe('https://t.me/hengfu');
  expect(linkOf({ kind: 'website', value: 'https://help.test/a' })).toBe('https://help.test/a');
  expect(linkOf({ kind: 'wechat', value: 'hengfu' })).toBeUndefined();
});
