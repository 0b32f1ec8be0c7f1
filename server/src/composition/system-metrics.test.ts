import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { errorStatus } from '@hengfu/contract/errors';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { parse } from 'yaml';
import * as z from 'zod';
import { asOwner } from '#db/owner.ts';
import { readDatabaseState } from '#db/replication.ts';
import { Metrics } from '#observability/metrics.ts';
import { type TestMerchant, TestProduct } from '../testing/test-product.ts';
import { observeDatabase } from './database-metrics.ts';
import { observeSystem } from './system-metrics.ts';

const root = join(import.meta.dirname, '../../..');
const rules = z.object({
  groups: z.array(
    z.object({
      name: z.string(),
      rules: z.array(
        z.strictObject({
          alert: z.string().regex(/^Hengfu[A-Z]/),
          expr: z.string(),
          for: z
            .string()
            .regex(/^\d+[smh]$/)
            .optional(),
          labels: z.object({ severity: z.enum(['page', 'ticket']) }),
          annotations: z.object({ summary: z.string(), runbook: z.string().startsWith('docs/runbooks.md#') }),
        }),
      ),
    }),
  ),
});
const dashboard = z.object({
  panels: z.array(z.object({ title: z.string(), targets: z.array(z.object({ expr: z.string() })).min(1) })),
});

let product: TestProduct;
let merchant: TestMerchant;
let metrics: Metrics;

beforeAll(async () => {
  product = await TestProduct.start(inject('ownerUrl'));
  merchant = await product.merchant('watched');
  await product.fund(merchant, '1000.00');
  await merchant.program.post('/openapi/v1/payouts', {
    out_trade_no: 'watched',
    currency: 'CNY',
    channel: 'CN_BANK',
    amount: '20.00',
    payee: '王芳',
    bank: 'ICBC',
    bankName: '中国工商银行',
    payeeAccount: '6222 0212 3456 7890 128',
  });
  metrics = new Metrics();
  const { watch } = product.services;
  observeSystem(metrics, { watch, pool: product.runtime.pool, dataDir: product.dataDirectory });
  observeDatabase(metrics, () => readDatabaseState(product.ownerUrl));
});
afterAll(() => product.close());

const read = (file: string) => readFile(join(root, file), 'utf8');
const alerts = async () =>
  rules.parse(parse(await read('ops/alerts.yml'))).groups.flatMap((group) => group.rules);
const panels = async () => dashboard.parse(JSON.parse(await read('ops/dashboard.json'))).panels;

/** Returns the value of one series; undefined if it is not reported. */
async function seriesValue(series: string): Promise<number | undefined> {
  const line = (await metrics.text()).split('\n').find((text) => text.startsWith(`${series} `));
  return line === undefined ? undefined : Number(line.slice(series.length + 1));
}

describe('alerts and dashboard', () => {
  it('refer to metrics and labels that exist', async () => {
    const text = await metrics.text();
    const expressions = [
      ...(await alerts()).map(({ expr }) => expr),
      ...(await panels()).flatMap(({ targets }) => targets.map(({ expr }) => expr)),
    ];
    expect(expressions.length).toBeGreaterThan(30);
    for (const expression of expressions) {
      const names = expression.match(/\b(hengfu|nodejs|process)_\w+/g) ?? [];
      expect(names.length + (expression.match(/\bup\{/) ?? []).length, expression).toBeGreaterThan(0);
      for (const name of names) {
        const family = name.replace(/_(bucket|count|sum)$/, '');
        expect(text, expression).toMatch(new RegExp(`^# TYPE (${name} |${family} histogram)`, 'm'));
      }
      // Histograms have no series before their first observation.
      for (const [, name, label] of expression.matchAll(/\b(hengfu_(?!job_s|http)\w+)\{(\w+="\w+")\}/g))
        expect(text, expression).toMatch(new RegExp(`^${name}\\{[^}]*${label}`, 'm'));
    }
  });

  it('page for calls that fail, not for those that a bank leaves unanswered', async () => {
    const { expr = '' } = (await alerts()).find(({ alert }) => alert === 'HengfuCallsFail') ?? {};
    const [failed = ''] = expr.split('/');
    const isCounted = (status: number) =>
      [...failed.matchAll(/status(=~|!=)"([^"]+)"/g)].every(
        ([, operator, pattern]) => new RegExp(`^${pattern}$`).test(String(status)) === (operator === '=~'),
      );
    expect([errorStatus.internal, errorStatus.unavailable, 504].map(isCounted)).toEqual([true, true, true]);
    expect([200, errorStatus.not_found, errorStatus.channel_unavailable].map(isCounted)).toEqual([
      false,
      false,
      false,
    ]);
  });

  it('link to sections that exist in the runbooks', async () => {
    const headings = [...(await read('docs/runbooks.md')).matchAll(/^## (.+)$/gm)].map(([, heading = '']) =>
      heading
        .toLowerCase()
        .replaceAll(' ', '-')
        .replaceAll(/[^\w-]/g, ''),
    );
    const wanted = new Set((await alerts()).map(({ annotations }) => annotations.runbook.split('#')[1]));
    expect([...wanted].filter((anchor) => !headings.includes(anchor ?? ''))).toEqual([]);
  });
});

describe('system metrics', () => {
  it('name the version of package.json', async () => {
    const { version } = JSON.parse(await read('package.json'));
    expect(await seriesValue(`hengfu_build_info{version="${version}"}`)).toBe(1);
  });

  it('count an unfinished payout by its age', async () => {
    expect(await seriesValue('hengfu_unfinished_payouts{status="pending",age="under_10m"}')).toBe(1);
    const age = (hours: number) =>
      product.services.database.asSystem((tx) =>
        sql`update payout set created_at = created_at - ${hours}::integer * interval '1 hour'`.execute(
          tx.query,
        ),
      );
    await age(2);
    expect(await seriesValue('hengfu_unfinished_payouts{status="pending",age="under_10m"}')).toBe(0);
    expect(await seriesValue('hengfu_unfinished_payouts{status="pending",age="over_1h"}')).toBe(1);
    expect(await seriesValue('hengfu_oldest_payout_seconds{status="pending"}')).toBeGreaterThan(7000);
    expect(await seriesValue('hengfu_job_wait_seconds')).toBeGreaterThan(0);
    await age(-2);
  });

  it('count commands that were refused apart from those that an operator carried out alone', async () => {
    const counts = async () => [
      await seriesValue('hengfu_break_glass_actions'),
      await seriesValue('hengfu_break_glass_refused'),
    ];
    const lastSeconds = () => seriesValue('hengfu_break_glass_last_timestamp_seconds');
    expect([...(await counts()), await lastSeconds()]).toEqual([0, 0, 0]);
    await asOwner(product.ownerUrl, async (owner) => {
      await owner.query(`insert into staff_alert (kind, actor, subject, reason, at)
        select 'exchangeRate', 'operator:ann', 'CNY', 'nobody is awake', now() - age * interval '1 minute' from unnest('{0, 2, 3, 61}'::int[]) age`);
      await owner.query(`insert into staff_alert_refused (alert_id)
        select id from staff_alert where at < now() - interval '150 seconds'`);
    });
    expect(await counts()).toEqual([2, 1]);
    // Of two minutes ago: that of this moment may be about to be refused, and that of three minutes ago was.
    expect(Math.round((Date.now() / 1000 - Number(await lastSeconds())) / 60)).toBe(2);
    const { expr } =
      (await alerts()).find(
        ({ labels: { severity }, alert }) => severity === 'page' && alert === 'HengfuBreakGlass',
      ) ?? {};
    expect(expr).toContain('hengfu_break_glass_last_timestamp_seconds');
    expect((await alerts()).find(({ alert }) => alert === 'HengfuBreakGlassRefused')?.labels.severity).toBe(
      'ticket',
    );
  });

  it('report a ledger that was never proved by the age of its first merchant', async () => {
    const moveMerchants = (hours: number) =>
      product.services.database.asSystem((tx) =>
        sql`update merchant set created_at = created_at - ${hours}::integer * interval '1 hour'`.execute(
          tx.query,
        ),
      );
    await moveMerchants(37);
    expect(await seriesValue('hengfu_ledger_proof_age_seconds')).toBeGreaterThan(36 * 3600);
    expect(await seriesValue('hengfu_ledger_violations')).toBeUndefined();
    await moveMerchants(-37);
  });

  it('report the result of the last ledger proof', async () => {
    expect(await seriesValue('hengfu_ledger_violations')).toBeUndefined();
    await product.services.proof.prove();
    expect(await seriesValue('hengfu_ledger_violations')).toBe(0);
    await product.services.database.asSystem((tx) =>
      tx.query.updateTable('order_rollup').set({ orders: 50n }).execute(),
    );
    await product.services.proof.prove().catch(() => {});
    expect(await seriesValue('hengfu_ledger_violations')).toBeGreaterThan(0);
    expect(await seriesValue('hengfu_ledger_proof_age_seconds')).toBeLessThan(60);
  });

  it('report the archiving of WAL without a base backup by its own age', async () => {
    const archived = new Metrics();
    const since = new Date(Date.now() - 37 * 3_600_000);
    observeSystem(archived, {
      watch: product.services.watch,
      pool: product.runtime.pool,
      dataDir: product.dataDirectory,
      archiving: () => ({ waitingSegments: 0, since, newestBaseAt: undefined }),
    });
    const [, age] = /^hengfu_base_backup_age_seconds (\S+)$/m.exec(await archived.text()) ?? [];
    expect(Number(age)).toBeGreaterThan(36 * 3600);
  });

  it('report closed channels, disk space and connections', async () => {
    expect(await seriesValue('hengfu_channel_open{channel="CN_BANK",kind="payout"}')).toBe(1);
    await product.admin().setChannel('CN_BANK', { payout: false });
    expect(await seriesValue('hengfu_channel_open{channel="CN_BANK",kind="payout"}')).toBe(0);
    expect(await seriesValue('hengfu_data_free_bytes')).toBeGreaterThan(1e6);
    expect(await seriesValue('hengfu_pool_connections{use="idle"}')).toBeGreaterThan(0);
  });

  it('report the archiving of WAL and a restore, each only where there is one', async () => {
    expect(await seriesValue('hengfu_wal_archived_age_seconds')).toBeUndefined();
    expect(await seriesValue('hengfu_wal_waiting_segments')).toBeUndefined();
    expect(await seriesValue('hengfu_payouts_held')).toBe(0);
    const archived = new Metrics();
    const newestBaseAt = new Date(Date.now() - 60_000);
    observeSystem(archived, {
      watch: {
        state: async () => ({ ...(await product.services.watch.state()), wal: { age: 40, failures: 3 } }),
      },
      pool: product.runtime.pool,
      dataDir: product.dataDirectory,
      archiving: () => ({ waitingSegments: 7, since: new Date(0), newestBaseAt }),
      isHeld: () => true,
    });
    const text = await archived.text();
    expect(text).toMatch(/^hengfu_wal_archived_age_seconds 40$/m);
    expect(text).toMatch(/^hengfu_wal_archive_failures 3$/m);
    expect(text).toMatch(/^hengfu_wal_waiting_segments 7$/m);
    expect(text).toMatch(/^hengfu_base_backup_age_seconds 6\d\.?\d*$/m);
    expect(text).toMatch(/^hengfu_payouts_held 1$/m);
  });

  it('report that the database is down, and omit the figures that depend on it', async () => {
    expect(await seriesValue('hengfu_database_up')).toBe(1);
    const away = new Metrics();
    const state = () => Promise.reject(new Error('away'));
    const pool = () => ({ busy: 20, idle: 0, waiting: 11 });
    observeSystem(away, { watch: { state }, pool, dataDir: '/nowhere' });
    const text = await away.text();
    expect(text).toMatch(/^hengfu_database_up 0$/m);
    expect(text).toMatch(/^hengfu_pool_waiting 11$/m);
    expect(text).not.toMatch(/^hengfu_(ledger_violations|data_free_bytes|job_wait_seconds) /m);
  });
});
