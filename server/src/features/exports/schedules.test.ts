import { type ExportList, exportLists } from '@hengfu/contract/export-columns';
import { scheduledLists } from '@hengfu/contract/export-schedules';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { exportablesOf } from '#composition/exports.ts';
import { rangeOf, samplePeriod } from '#domain/time-filters.ts';
import { nothingArchived } from '../../testing/nothing-archived.ts';
import { TestProduct } from '../../testing/test-product.ts';
import type { Visitor } from '../../testing/visitor.ts';

let product: TestProduct;
let merchants = 0;
beforeAll(async () => {
  product = await TestProduct.start(inject('ownerUrl'));
});
afterAll(() => product.close());

const path = '/api/merchant/export-schedules';
const lists = exportablesOf(nothingArchived);
const merchant = () => product.merchant(`schedule${++merchants}`);
const owner = async () => product.person(await merchant());
const createSchedule = (visitor: Visitor, more: object = {}) =>
  visitor.post(path, {
    name: 'For accounting',
    list: 'payouts',
    format: 'csv',
    language: 'en',
    zone: 'America/New_York',
    every: 'daily',
    ...more,
  });
const setSchedule = (id: string, change: { next_at?: Date; filters?: string; list?: ExportList }) =>
  product.services.database.asSystem((tx) =>
    tx.query.updateTable('export_schedule').set(change).where('id', '=', BigInt(id)).execute(),
  );
/** Sets the next run of a schedule, as if periods had passed. */
const setNextRun = (id: string, nextAt: string) => setSchedule(id, { next_at: new Date(nextAt) });
const run = () => product.services.tasks['exports.schedule']?.({});
const exportsOf = async (visitor: Visitor) =>
  (await visitor.get('/api/merchant/exports?limit=200')).json.data;

describe('a scheduled export', () => {
  it('runs at the end of each period in its zone, and covers that period', async () => {
    const visitor = await owner();
    const made = await createSchedule(visitor, {
      filters: { status: 'processed', createdFrom: '2020-01-01T00:00:00Z', paidTo: '2021-01-01T00:00:00Z' },
    });
    expect(made.status).toBe(201);
    const { id, name, nextAt, filters } = made.json.data;
    expect(name).toBe('For accounting');
    expect(filters).toEqual({ status: 'processed' });
    expect(new Date(nextAt).getTime()).toBeGreaterThan(Date.now());
    // A day has 23 or 25 hours if New York's clocks change. Missed days are made up for.
    const before = Date.now();
    const yesterday = new Date(before - 86_400_000).toISOString().slice(0, 10);
    await setNextRun(id, `${yesterday}T05:00:00Z`);
    await run();
    await run();
    const found = await exportsOf(visitor);
    expect(found.length).toBeGreaterThanOrEqual(1);
    expect(found.length).toBeLessThanOrEqual(2);
    for (const { filters: range, fileName, scheduleName } of found) {
      expect(scheduleName).toBe('For accounting');
      expect(range.status).toBe('processed');
      const hours = (Date.parse(range.createdTo) - Date.parse(range.createdFrom)) / 3_600_000;
      expect([23, 24, 25]).toContain(hours);
      expect(fileName).toMatch(/^Send money history \d{4}-\d\d-\d\d E\d+\.csv$/);
    }
    const [again] = (await visitor.get(path)).json.data;
    expect(Date.parse(again.nextAt)).toBeGreaterThan(before);
  });

  it.each([
    ['daily', '2026-11-02T05:00:00Z', '2026-11-01T04:00:00Z'],
    ['weekly', '2026-11-02T05:00:00Z', '2026-10-26T04:00:00Z'],
    ['monthly', '2026-11-01T04:00:00Z', '2026-10-01T04:00:00Z'],
  ])(
    '%s periods begin at midnight across a change to or from daylight saving time',
    async (every, end, start) => {
      const { sql } = await import('kysely');
      const { rows } = await product.services.database.asSystem((tx) =>
        sql<{ start: Date; next: Date }>`
        select period_start(${every}, ${end}::timestamptz, 'America/New_York', -1) as start,
          period_start(${every}, ${start}::timestamptz, 'America/New_York', 1) as next`.execute(tx.query),
      );
      expect(rows[0]).toEqual({ start: new Date(start), next: new Date(end) });
    },
  );

  it('of daily reports covers the days of its period', async () => {
    const visitor = await owner();
    const filters = { offset: '-05:00', from: '2026-01-01', to: '2026-01-02' };
    const made = await createSchedule(visitor, { list: 'dailyReports', every: 'monthly', filters });
    const { id } = made.json.data;
    expect(made.json.data.filters).toEqual({ offset: '-05:00' });
    const now = new Date();
    const thisMonth = `${now.toISOString().slice(0, 7)}-01T05:00:00Z`;
    await setNextRun(id, thisMonth);
    await run();
    const [{ filters: range }] = await exportsOf(visitor);
    expect([range.offset, range.from.slice(8), Number(range.to.slice(8)) >= 28]).toEqual([
      '-05:00',
      '01',
      true,
    ]);
  });

  it.each(scheduledLists)(
    'of %s asks for its period alone, and for nothing that its list refuses',
    async (list) => {
      const home = await merchant();
      const visitor = await product.person(home);
      const times = lists[list].timeFilters;
      expect(times.size).toBeGreaterThan(0);
      const other: Record<string, string> = list === 'dailyReports' ? { offset: '+08:00' } : {};
      const filters = { ...other };
      for (const [name, kind] of times)
        filters[name] = kind === 'day' ? '2020-05-01' : '2020-05-01T00:00:00Z';
      const made = await createSchedule(visitor, { list, filters, every: 'monthly', zone: 'UTC' });
      expect([made.status, made.json.data?.filters]).toEqual([201, other]);
      const { id } = made.json.data;
      // Earlier versions kept some of the times.
      await setSchedule(id, { filters: JSON.stringify(filters) });
      await setNextRun(id, `${new Date().toISOString().slice(0, 7)}-01T00:00:00Z`);
      await run();
      const [{ export_no: exportNo, filters: asked }] = await exportsOf(visitor);
      const created = { createdFrom: expect.any(String), createdTo: expect.any(String) };
      const days = { from: expect.any(String), to: expect.any(String) };
      expect(asked).toEqual({ ...other, ...(list === 'dailyReports' ? days : created) });
      await product.services.tasks['exports.run']?.({ merchantId: String(home.id), exportNo });
      const [done] = await exportsOf(visitor);
      expect([done.status, done.reason]).toEqual(['successful', null]);
    },
  );

  it('is refused for a list without a time range', async () => {
    const visitor = await owner();
    const hasRange = (list: ExportList) => rangeOf(lists[list].timeFilters, samplePeriod);
    expect(exportLists.filter(hasRange)).toEqual(scheduledLists);
    const refused = await createSchedule(visitor, {
      list: 'settlementLines',
      filters: { settlement_no: 'S1' },
    });
    expect([refused.status, Object.keys(refused.json.errors)]).toEqual([422, ['list']]);
  });

  it('is removed when it is due if an earlier version has accepted a list without a time range', async () => {
    const visitor = await owner();
    const { id } = (await createSchedule(visitor)).json.data;
    await setSchedule(id, { list: 'settlementLines', filters: '{"settlement_no":"S1"}' });
    await setNextRun(id, new Date().toISOString());
    await run();
    expect([(await visitor.get(path)).json.data, await exportsOf(visitor)]).toEqual([[], []]);
  });

  it('is removed only by its own merchant; a merchant can have twenty', async () => {
    const [visitor, stranger] = [await owner(), await owner()];
    const { id } = (await createSchedule(visitor)).json.data;
    expect((await stranger.send('DELETE', `${path}/${id}`)).status).toBe(404);
    expect((await stranger.get(path)).json.data).toEqual([]);
    expect((await visitor.send('DELETE', `${path}/${id}`)).status).toBe(204);
    expect((await visitor.send('DELETE', `${path}/${id}`)).status).toBe(404);
    const answers = await Promise.all(Array.from({ length: 22 }, () => createSchedule(visitor)));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(20);
    expect(answers.find(({ status }) => status !== 201)?.json.errors.every[0]).toContain('20');
    expect((await createSchedule(visitor, { every: 'hourly' })).status).toBe(422);
    expect((await createSchedule(visitor, { filters: { color: 'red' } })).status).toBe(422);
    for (const name of [undefined, '', '  ', 'x'.repeat(61), 7])
      expect((await createSchedule(visitor, { name })).json.errors).toHaveProperty('name');
  });
});
