import i18next from 'i18next';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { chosenLanguage, startI18n, translate, translateIssue, translatorOf } from './i18n.ts';

const stored = new Map<string, string>();

beforeEach(() => {
  vi.stubGlobal('document', { cookie: '', documentElement: { lang: '' } });
  vi.stubGlobal('location', { protocol: 'http:' });
  vi.stubGlobal('localStorage', { getItem: (key: string) => stored.get(key) ?? null });
});
afterEach(() => {
  stored.clear();
  vi.unstubAllGlobals();
});

test('the stored language is used; an unknown one falls back to Chinese, whatever the server proposes', () => {
  expect(chosenLanguage()).toBe('zh-cn');
  expect(chosenLanguage('vi')).toBe('vi');
  stored.set('language', 'en');
  expect(chosenLanguage('vi')).toBe('en');
  for (const unknown of ['fr', '', 'ZH-CN', '__proto__']) {
    stored.set('language', unknown);
    expect(chosenLanguage('vi')).toBe('zh-cn');
  }
});

test('a phrase that a language lacks is shown in English', async () => {
  await startI18n('vi');
  i18next.addResource('vi', 'translation', 'session.title', undefined as unknown as string);
  translate('session.title');
  await vi.waitFor(() => expect(translate('session.title')).toBe('Sign in'));
  expect(translate('session.submit')).toBe('Đăng nhập');
});

test('a translator returns plain phrases as written, and fills in values and plural forms', async () => {
  await startI18n('en');
  const t = await translatorOf('en');
  expect([t('session.submit'), t('session.submit')]).toEqual(['Sign in', 'Sign in']);
  expect(t('ui.zone', { zone: 'Asia/Tokyo', offset: 'UTC+9' })).toContain('Asia/Tokyo');
  expect([t('ui.rows', { count: 1 }), t('ui.rows', { count: 2 })]).toEqual(['row', 'rows']);
});

test.each([
  ['en', 'Input data is illegal!'],
  ['zh-cn', '输入的数据不合法！'],
  ['vi', 'Dữ liệu nhập không hợp lệ!'],
] as const)('an issue without a phrase of its own says so in %s', async (language, text) => {
  await startI18n(language);
  expect(translateIssue('Invalid input')).toBe(text);
});
