import { expect, test } from 'vitest';
import { Pauses } from './pauses.ts';
import { filled } from './templates.ts';

const limits = { medianMs: 25_000, longestMs: 45_000 };

test('reports a pause that is too long, and a kind of fault whose median is', () => {
  const pauses = new Pauses(limits);
  pauses.add('leader killed', 45_000);
  pauses.add('leader killed', 25_000);
  pauses.add('leader killed', 20_000);
  pauses.add('switchover', 3000);
  expect(pauses.faults).toEqual([]);
  pauses.add('leader stopped', 25_100);
  pauses.add('switchover', 45_100);
  expect(pauses.faults).toEqual([
    'writes paused for 45.1 s after: switchover',
    'writes paused for 25.1 s in the median after: leader stopped',
  ]);
  expect(pauses.counts).toMatchObject({ faults: 6, 's at most': 45.1 });
});

test('fills in a template of deploy/ha, and refuses one that lacks a value', async () => {
  const text = await filled('database.sql', { HA_OWNER_PASSWORD: 'abc' });
  expect(text).toContain(`create role hengfu login createrole password 'abc';`);
  await expect(filled('database.sql', {})).rejects.toThrow('database.sql needs HA_OWNER_PASSWORD');
});
