import { expect, it } from 'vitest';
import { createExport } from './exports.ts';

const request = { list: 'payouts', format: 'csv', language: 'en' };

it.each([
  ['Asia/Shanghai', true],
  ['UTC', true],
  // PostgreSQL reverses the sign of a bare offset: eight hours to the west.
  ['+08:00', false],
  ['-0300', false],
  ['Mars/Olympus', false],
  ['', false],
])('accepts an export in the zone “%s”: %s', (zone, isAccepted) => {
  expect(createExport.safeParse({ ...request, zone }).success).toBe(isAccepted);
});
