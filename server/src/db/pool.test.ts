import pg from 'pg';
import { expect, it } from 'vitest';
import { isDatabaseAway } from './pool.ts';

function databaseError(code: string): Error {
  return Object.assign(new pg.DatabaseError('failed', 6, 'error'), { code });
}

it.each([
  ['a full disk', '53100'],
  ['no memory', '53200'],
  ['no connections left', '53300'],
  ['a shutdown', '57P01'],
  ['a cut connection', '08006'],
])('%s means that the database is unavailable', (_name, code) => {
  expect(isDatabaseAway(databaseError(code))).toBe(true);
});

it.each([
  ['a wrong statement', '42601'],
  ['a broken constraint', '23514'],
  ['a deadlock', '40P01'],
])('%s does not mean that the database is unavailable', (_name, code) => {
  expect(isDatabaseAway(databaseError(code))).toBe(false);
});
