import { expect, it } from 'vitest';
import { createExport } from './exports.ts';

const asked = { list: 'payouts', format: 'csv', language: 'en' };

it.each([
  ['Asia/Shanghai', true],
  ['UTC', true],
  // PostgreSQL reads a bare offset the other way round: eight hours to the west.
  ['+08:00', false],
  ['-0300', false],
  ['Mars/Olympus', false],
  ['', false],
])('an export is told in the zone “%s”: %s', (zone, isTaken) => {
  expect(createExport.safeParse({ ...asked, zone }).success).toBe(isTaken);
});
