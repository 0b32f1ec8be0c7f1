import { expect, test } from 'vitest';
import { missingTitles } from './quoted-tests.ts';

const tests = `it('is made once, even concurrently', async () => {});\nit('shows the merchant’s name', () => {});`;

test('reports titles that no test has', () => {
  const document = '| a | `payouts`: "made once", "is paid twice", `topups`: "the merchant\'s name" |';
  expect(missingTitles(document, tests)).toEqual(['is paid twice']);
});

test('ignores quotations that do not follow the name of a test', () => {
  expect(missingTitles('He said: "never".', tests)).toEqual([]);
});
