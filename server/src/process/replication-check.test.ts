import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { observeDatabase } from '#composition/database-metrics.ts';
import { readDatabaseState } from '#db/replication.ts';
import { Metrics } from '#observability/metrics.ts';
import { type OwnCluster, startOwnCluster, urlOfPorts } from '../testing/own-cluster.ts';
import { operatorMain } from '../testing/product-process.ts';
import { type Standby, startStandby } from '../testing/standby.ts';
import { testKey } from '../testing/test-database.ts';
import { until } from '../testing/until.ts';
import { warnOfReplicationFaults } from './replication-check.ts';

let cluster: OwnCluster;
let standby: Standby;

beforeAll(async () => {
  cluster = await startOwnCluster();
  standby = await startStandby(cluster.dataDir, { name: 'one' });
}, 120_000);
afterAll(async () => {
  await standby?.stop();
  await cluster?.remove();
});

/** The warnings of a start on some ports. */
async function warningsOn(...ports: number[]): Promise<string[]> {
  const texts: string[] = [];
  await warnOfReplicationFaults(urlOfPorts(cluster.ownerUrl, ports), {
    warn: (...given: unknown[]) => void texts.push(String(given.at(-1))),
  });
  return texts;
}

/** Changes settings of the primary; resolves once a new session sees the last of them. */
async function set(settings: Record<string, string>): Promise<void> {
  for (const [name, value] of Object.entries(settings))
    await standby.onPrimary(`alter system set ${name} = '${value}'`);
  await standby.onPrimary('select pg_reload_conf()');
  for (const [name, value] of Object.entries(settings))
    await until(
      () => standby.onPrimary<string>(`select current_setting('${name}')`),
      (seen) => seen === value,
    );
}

async function seriesOfDatabase(): Promise<string[]> {
  const metrics = new Metrics();
  observeDatabase(metrics, () => readDatabaseState(cluster.ownerUrl));
  return (await metrics.text()).split('\n').filter((line) => line.startsWith('hengfu_database_'));
}

it('a single database without standbys is started without a warning', async () => {
  expect(await warningsOn(cluster.port)).toEqual([]);
  expect(await seriesOfDatabase()).toEqual([
    'hengfu_database_timeline 1',
    'hengfu_database_synchronous_commit 1',
    'hengfu_database_standbys_hidden 0',
  ]);
});

it('warns if several hosts have no synchronous standby', async () => {
  expect(await warningsOn(cluster.port, standby.port)).toEqual([
    expect.stringContaining('synchronous_standby_names is empty'),
  ]);
});

it('warns if the owner may not see the standbys', async () => {
  await set({ synchronous_standby_names: 'one' });
  expect(await warningsOn(cluster.port)).toEqual([expect.stringContaining('grant pg_monitor')]);
  const hidden = await seriesOfDatabase();
  expect(hidden).not.toContainEqual(expect.stringContaining('synchronous_standbys'));
  expect(hidden).toContainEqual('hengfu_database_standbys_hidden 1');
  await standby.onPrimary('grant pg_monitor to hengfu_owner');
  await until(
    () => warningsOn(cluster.port, standby.port),
    (warnings) => warnings.length === 0,
  );
});

it('counts synchronous standbys and their lag', async () => {
  expect(await seriesOfDatabase()).toContainEqual('hengfu_database_synchronous_standbys 1');
  expect(await seriesOfDatabase()).toContainEqual('hengfu_database_standbys_hidden 0');
  await standby.pauseReplay(true);
  await standby.onPrimary(`select pg_logical_emit_message(false, 'lag', repeat('x', 100000))`);
  const lag = await until(
    async () =>
      Number(
        (await seriesOfDatabase()).find((line) => line.includes('lag_bytes{standby="one"}'))?.split(' ')[1],
      ),
    (bytes) => bytes > 100_000,
  );
  expect(lag).toBeLessThan(100_000_000);
  await standby.pauseReplay(false);
});

it('shows all of it to operators', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, [operatorMain, 'database', 'status'], {
    env: {
      ...process.env,
      DATABASE_URL: urlOfPorts(cluster.ownerUrl, [standby.port, cluster.port]),
      APP_KEY: testKey,
    },
  });
  expect(stdout).toContain(`127.0.0.1:${cluster.port} accepts writes: PostgreSQL 18`);
  expect(stdout).toContain('standby one (127.0.0.1): synchronous');
  expect(stdout).toContain(`127.0.0.1:${standby.port}: it is a standby`);
});

it('warns if no standby confirms commits, or commits wait for none', async () => {
  await set({ synchronous_commit: 'local' });
  expect(await warningsOn(cluster.port)).toEqual([expect.stringContaining('synchronous_commit is local')]);
  await set({ synchronous_commit: 'off', synchronous_standby_names: 'missing' });
  await until(
    () => warningsOn(cluster.port),
    (warnings) => warnings.some((text) => text.startsWith('No synchronous')),
  );
  expect(await warningsOn(cluster.port)).toContainEqual(expect.stringContaining('synchronous_commit is off'));
  expect(await seriesOfDatabase()).toEqual(
    expect.arrayContaining([
      'hengfu_database_synchronous_standbys 0',
      'hengfu_database_synchronous_commit 0',
    ]),
  );
});

it('leaves a database that is away to whatever needs it', async () => {
  expect(await warningsOn(1)).toEqual([]);
  const metrics = new Metrics();
  observeDatabase(metrics, () => readDatabaseState('postgres://127.0.0.1:1/none'));
  expect(await metrics.text()).not.toMatch(/^hengfu_database_/m);
});
