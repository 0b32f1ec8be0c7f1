import { expect, test } from 'vitest';
import { templateOf } from './template.ts';

test('fills in texts as they are, and numbers as the language writes them', () => {
  const fill = templateOf('{{from}} – {{to}} of {{total}}');
  expect(fill?.({ from: 1, to: '$& {{from}}', total: 1800 }, 'en')).toBe('1 – $& {{from}} of 1,800');
  expect(fill?.({ from: 1, to: 20, total: 1800 }, 'vi')).toBe('1 – 20 of 1.800');
});

test('leaves to i18next what it cannot fill in', () => {
  for (const phrase of [undefined, '{{amount, money}}', 'See $t(ui.help)', '{{- raw}}'])
    expect(templateOf(phrase)).toBeUndefined();
  const fill = templateOf('{{name}} rows');
  expect(fill?.({}, 'en')).toBeUndefined();
  expect(fill?.({ name: 'a', count: 2 }, 'en')).toBeUndefined();
  expect(fill?.({ name: 'a', context: 'male' }, 'en')).toBeUndefined();
});
