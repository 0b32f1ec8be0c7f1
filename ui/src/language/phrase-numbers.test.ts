import { en } from '@hengfu/phrases/en';
import { formatter } from '@hengfu/phrases/formatter';
import { vi } from '@hengfu/phrases/vi';
import i18next from 'i18next';
import { expect, test } from 'vitest';

const catalog = i18next.createInstance();
await catalog.use(formatter).init({
  lowerCaseLng: true,
  resources: { en: { translation: en }, vi: { translation: vi } },
  interpolation: { escapeValue: false, alwaysFormat: true },
});
const inEnglish = catalog.getFixedT('en');
const inVietnamese = catalog.getFixedT('vi');

test('numbers in phrases are written as the language writes them', () => {
  const values = { count: 12_500, max: 10_000 };
  expect(inEnglish('payoutBatches.tooManyRows', values)).toContain('12,500');
  expect(inVietnamese('payoutBatches.tooManyRows', values)).toContain('12.500');
  expect(inEnglish('ui.labelled', { label: 'a', value: '1234' })).toContain('1234');
});

test('phrases agree in number with what they count', () => {
  expect(inEnglish('payoutBatches.progress', { done: 1, count: 1 })).toBe('1 of 1 row');
  expect(inEnglish('payoutBatches.progress', { done: 1, count: 2 })).toBe('1 of 2 rows');
  expect(inEnglish('notices.batchFailed', { failed: 1, count: 1 })).toBe('1 of 1 row failed');
  expect(inEnglish('notices.batchFailed', { failed: 1, count: 1200 })).toBe('1 of 1,200 rows failed');
  expect(inEnglish('errors.uploads_busy', { count: 1 })).toMatch(/1 second\./);
});
