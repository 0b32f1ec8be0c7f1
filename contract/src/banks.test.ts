import { pinyin } from 'pinyin-pro';
import { expect, it } from 'vitest';
import { banksOf } from './banks.ts';

it.each(banksOf.CN_BANK ?? [])('knows the pinyin initials of $name', ({ name, initials }) => {
  const syllables = pinyin(name, { pattern: 'first', toneType: 'none', type: 'array' });
  expect(initials).toBe(syllables.join(''));
});
