import { mkdtempSync, rmSync, utimesSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { Handover } from './handover.ts';

const home = mkdtempSync(join(tmpdir(), 'hengfu-handover-'));
afterAll(() => rmSync(home, { recursive: true }));

it('knows since when the cluster has been archived, however often the product has restarted', async () => {
  const before = Date.now();
  expect((await Handover.open(home)).since.getTime()).toBeGreaterThan(before - 1000);
  const since = new Date('2026-01-31T09:30:00Z');
  utimesSync(join(home, 'wal-handover/since'), since, since);
  expect((await Handover.open(home)).since).toEqual(since);
});
