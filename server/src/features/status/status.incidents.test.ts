import { afterAll, beforeAll, beforeEach, describe, expect, inject, it } from 'vitest';
import { asOwner } from '#db/owner.ts';
import { TestProduct } from '../../testing/test-product.ts';
import type { Visitor } from '../../testing/visitor.ts';
import { StatusSampler } from './status.sampler.ts';

let product: TestProduct;
let person: Visitor;
let sampler: StatusSampler;

beforeAll(async () => {
  product = await TestProduct.start(inject('ownerUrl'));
  person = await product.person(await product.merchant('asker'));
  sampler = new StatusSampler(product.services.database);
});
afterAll(() => product.close());
beforeEach(() =>
  owner('truncate status_sample, status_quarter, status_incident, status_incident_update').then(() =>
    product.services.statusWatch.flush(),
  ),
);

const owner = (text: string, values: unknown[] = []) =>
  asOwner(product.ownerUrl, (client) => client.query(text, values));
const report = async (language = 'en', who = person) =>
  (await who.get('/api/merchant/status', { 'accept-language': language })).json.data;
const incidents = async (language = 'en') => (await report(language)).incidents;
const daysOf = async (name: string) =>
  (await report()).components.find((one: { component: string }) => one.component === name).days;
/** Takes a sample, and simulates that a minute passes. */
const sampleMinute = async () => {
  await sampler.sample();
  await passMinutes(1);
};
/** Simulates that minutes pass. In two steps, so that no row collides with one that has not moved yet. */
const passMinutes = async (minutes: number) => {
  await owner(`update status_sample set minute = minute - interval '1000 days' - $1 * interval '1 minute'`, [
    minutes,
  ]);
  await owner(`update status_sample set minute = minute + interval '1000 days'`);
  await owner(`update status_incident set started_at = started_at - $1 * interval '1 minute'`, [minutes]);
};
const stopJobs = () =>
  owner(`select graphile_worker.add_job('nobody', run_at => now() - interval '10 minutes')`);
const startJobs = () => owner('delete from graphile_worker._private_jobs');

describe('samples', () => {
  it('open an incident after three bad ones in a row and close it after three good ones', async () => {
    await sampleMinute();
    await stopJobs();
    await sampleMinute();
    await sampleMinute();
    expect(await incidents()).toEqual([]);
    await sampler.sample();
    const [open, ...others] = await incidents();
    expect(others).toEqual([]);
    expect(open).toMatchObject({
      component: 'jobs',
      impact: 'down',
      title: null,
      endedAt: null,
      updates: [],
    });
    // It starts with the first bad sample.
    const { rows } = await owner(
      `select min(minute) as at from status_sample where component = 'jobs' and state = 'down'`,
    );
    expect(Date.parse(open.startedAt)).toBe(rows[0].at.getTime());

    await startJobs();
    await passMinutes(1);
    await sampleMinute();
    await sampleMinute();
    expect((await incidents())[0].endedAt).toBeNull();
    await sampler.sample();
    const [closed] = await incidents();
    expect(closed).toMatchObject({ id: open.id, end: 'recovered' });
    expect(Date.parse(closed.endedAt)).toBeGreaterThan(Date.parse(closed.startedAt));
  });

  it('add up to days: a minute counts once, and a component without samples has no days', async () => {
    await sampler.sample();
    await sampler.sample();
    const { today } = await report();
    expect(await daysOf('database')).toEqual([{ day: today, measured: 1, degraded: 0, down: 0 }]);
    await stopJobs();
    await passMinutes(1);
    await sampler.sample();
    await startJobs();
    expect(await daysOf('jobs')).toEqual([{ day: today, measured: 2, degraded: 0, down: 1 }]);
    expect(await daysOf('CN_BANK.collection')).toEqual([]);
  });

  it('add up to at most ninety days, in the reader’s time zone', async () => {
    // 23:30 in Shanghai is 15:30 UTC; an hour later the date has changed in Shanghai only.
    await owner(`insert into status_quarter values
      ('api', (now() at time zone 'Asia/Shanghai')::date::timestamp at time zone 'Asia/Shanghai' - interval '30 minutes', 15, 0, 0),
      ('api', (now() at time zone 'Asia/Shanghai')::date::timestamp at time zone 'Asia/Shanghai' + interval '30 minutes', 10, 3, 2),
      ('api', now() - interval '91 days', 15, 0, 0)`);
    const days = await daysOf('api');
    expect(
      days.map(({ measured, degraded, down }: Record<string, number>) => [measured, degraded, down]),
    ).toEqual([
      [15, 0, 0],
      [15, 3, 2],
    ]);
    await owner(`update status_quarter set bucket = bucket - interval '92 days'`);
    await sampler.sample();
    const { rows } = await owner(
      `select count(*)::integer as old from status_quarter where bucket < now() - interval '1 day'`,
    );
    expect(rows[0].old).toBe(0);
  });

  it('close the incident of a component that is no longer sampled', async () => {
    const at = `now() - interval '2 hours'`;
    await owner(`insert into status_sample values ('CN_BANK.payout', ${at}, 'down')`);
    await owner(
      `insert into status_incident (source, component, impact, started_at) values ('samples', 'CN_BANK.payout', 'down', ${at})`,
    );
    await sampler.sample();
    expect((await incidents())[0]).toMatchObject({ component: 'CN_BANK.payout', end: 'unwatched' });
  });

  it('are taken by a web process if no worker takes them', async () => {
    await sampler.sample();
    await sampler.sampleIfOverdue();
    await passMinutes(4);
    await sampler.sampleIfOverdue();
    const { rows } = await owner(
      `select count(*)::integer as samples from status_sample where component = 'database'`,
    );
    expect(rows[0].samples).toBe(2);
  });
});

describe('a database outage', () => {
  it('is recorded by the process that could not reach the database', async () => {
    await sampler.recordOutage(20);
    expect(await incidents()).toEqual([]);
    await sampler.recordOutage(300);
    const [outage] = await incidents();
    expect(outage).toMatchObject({ component: 'database', impact: 'down', endedAt: null });
    const { rows } = await owner(
      `select sum(down)::integer as minutes from status_quarter where component = 'database'`,
    );
    expect(rows[0].minutes).toBeGreaterThanOrEqual(4);
    expect(rows[0].minutes).toBeLessThanOrEqual(6);
    // Another process that saw the same outage adds nothing.
    await sampler.recordOutage(240);
    const again = await owner(
      `select sum(down)::integer as minutes from status_quarter where component = 'database'`,
    );
    expect(again.rows[0].minutes).toBe(rows[0].minutes);
    expect(await incidents()).toHaveLength(1);
  });
});

describe('the operator', () => {
  const text = { en: 'We are looking into it.', 'zh-cn': '正在排查。' };
  const title = { en: 'Slow payouts', 'zh-cn': '代付延迟' };

  it('opens, updates and resolves an incident, in the reader’s language, with an audit trail', async () => {
    const { incidents: service } = product.services;
    expect((await report()).overall).toBe('operational');
    const id = await service.open(
      { impact: 'degraded', component: 'CN_BANK.payout', title, text },
      'operator:test',
    );
    await service.update(id, { stage: 'identified', text: { en: 'A line is down.' } }, 'operator:test');
    expect((await report()).overall).toBe('degraded');
    const [inChinese] = await incidents('zh-CN');
    expect(inChinese).toMatchObject({ id: String(id), title: '代付延迟', endedAt: null });
    // Without a Chinese text, the English one is shown.
    expect(inChinese.updates.map((update: { text: string }) => update.text)).toEqual([
      'A line is down.',
      '正在排查。',
    ]);
    const [inVietnamese] = await incidents('vi');
    expect(inVietnamese.title).toBe('Slow payouts');

    await service.resolve(id, { en: 'It is mended.' }, 'operator:test');
    const [over] = await incidents();
    expect(over).toMatchObject({ end: 'resolved' });
    expect(over.updates.map(({ stage }: { stage: string }) => stage)).toEqual([
      'resolved',
      'identified',
      'investigating',
    ]);
    expect((await report()).overall).toBe('operational');
    const trail = await product.services.database.asSystem((tx) =>
      tx.query.selectFrom('audit').select('action').where('subject', '=', String(id)).orderBy('id').execute(),
    );
    expect(trail.map(({ action }) => action)).toEqual([
      'incident.open',
      'incident.update',
      'incident.resolve',
    ]);
    await expect(service.resolve(id, text, 'operator:test')).rejects.toThrow('not_found');
    await expect(service.update(id + 1n, { stage: null, text }, 'operator:test')).rejects.toThrow(
      'not_found',
    );
  });

  it('can update an incident that the samples opened, but not resolve it', async () => {
    const { incidents: service } = product.services;
    await sampler.recordOutage(300);
    const [{ id }] = await incidents();
    await service.update(BigInt(id), { stage: null, text }, 'operator:test');
    expect((await incidents())[0].updates).toMatchObject([{ stage: null, text: text.en }]);
    await expect(service.resolve(BigInt(id), text, 'operator:test')).rejects.toThrow('not_found');
    expect((await incidents())[0].endedAt).toBeNull();
  });

  it('opens an incident of a channel that only merchants of its country see', async () => {
    await product.services.incidents.open(
      { impact: 'down', component: 'CN_BANK.payout', title, text },
      'operator:test',
    );
    const abroad = await product.person(await product.merchant('abroad', 'VND', 'Asia/Ho_Chi_Minh'));
    expect(await report('en', abroad)).toMatchObject({ overall: 'operational', incidents: [] });
    expect(await report()).toMatchObject({ overall: 'down' });
  });

  it('keeps incidents for ninety days', async () => {
    const id = await product.services.incidents.open(
      { impact: 'down', component: null, title, text },
      'operator:test',
    );
    await product.services.incidents.resolve(id, text, 'operator:test');
    await owner(
      `update status_incident set started_at = now() - interval '91 days', ended_at = now() - interval '91 days'`,
    );
    expect(await incidents()).toEqual([]);
    await sampler.sample();
    expect((await owner('select from status_incident_update')).rowCount).toBe(0);
  });
});
