import { expect, it } from 'vitest';
import { isCommonPassword } from './common-passwords.ts';

it.each([
  'Password123',
  '11111111',
  '12345678',
  '87654321',
  'abcdefgh',
  'ann.li@shop.test',
  'ABABABAB',
  'qwertyuiop',
])('%s is too common', async (password) =>
  expect(await isCommonPassword(password, 'ann.li@shop.test')).toBe(true),
);

it.each(['Demo-pass-2026', 'correct horse battery', '8vK!tr0w9'])('%s is not too common', async (password) =>
  expect(await isCommonPassword(password, 'ann.li@shop.test')).toBe(false),
);
