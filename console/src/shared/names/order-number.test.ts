import { expect, it } from 'vitest';
import { utcTimeIn } from './order-number.ts';

it('finds the UTC time in a number', () => {
  expect(utcTimeIn('C261122163005618033989')).toBe('2026-11-22 16:30:05');
  expect(utcTimeIn('order-17')).toBeUndefined();
});
