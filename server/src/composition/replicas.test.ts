import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { SnapshotOptions } from '#db/snapshots.ts';
import { type OwnCluster, startOwnCluster, urlOfPorts } from '../testing/own-cluster.ts';
import { startSilentServer } from '../testing/silent-server.ts';
import { type Standby, startStandby } from '../testing/standby.ts';
import { testKey } from '../testing/test-database.ts';
import { until } from '../testing/until.ts';
import { type Databases, databaseSettings, openDatabases } from './databases.ts';

let cluster: OwnCluster;
let one: Standby;
let two: Standby;

beforeAll(async () => {
  cluster = await startOwnCluster();
  [one, two] = [
    await startStandby(cluster.dataDir, { name: 'one' }),
    await startStandby(cluster.dataDir, { name: 'two' }),
  ];
}, 120_000);
afterAll(async () => {
  await one?.stop();
  await two?.stop();
  await cluster?.remove();
});

/** Opens the databases with a primary at one of some ports, and replicas. Collects the replicas that failed. */
async function open(hosts: readonly number[], replicas: readonly number[]) {
  const failed: unknown[] = [];
  const log = { warn: (facts: { replica?: string }) => void failed.push(facts.replica) } as never;
  const config = {
    appKey: Buffer.from(testKey, 'hex'),
    pooler: undefined,
    replicaUrls: replicas.map((port) => urlOfPorts(cluster.ownerUrl, [port])),
  };
  const settings = await databaseSettings(config, urlOfPorts(cluster.ownerUrl, hosts));
  const databases = openDatabases(settings, 4, log);
  return { ...databases, failed };
}

const portRead = async (tx: Parameters<Parameters<Databases['snapshots']['ofMerchant']>[1]>[0]) => {
  const { rows } = await sql<{ port: string }>`select current_setting('port') as port`.execute(tx.query);
  return Number(rows[0]?.port);
};
/** Returns the port of the server that a snapshot was read from. */
const source = ({ snapshots }: Databases, options?: SnapshotOptions) =>
  snapshots.ofMerchant(1n, portRead, options);

/** Writes something, so that a paused replica lags. */
const write = ({ database }: Databases) =>
  database.asSystem((tx) => sql`select pg_logical_emit_message(true, 'test', 'x')`.execute(tx.query));

it('reads from the replica that has caught up, without waiting for one that has not', async () => {
  const databases = await open([cluster.port], [one.port, two.port]);
  for (const [paused, current] of [
    [one, two],
    [two, one],
  ] as const) {
    await paused.pauseReplay(true);
    await write(databases);
    await current.catchUp();
    const begunAt = performance.now();
    expect(await source(databases)).toBe(current.port);
    expect(performance.now() - begunAt).toBeLessThan(1000);
    await paused.pauseReplay(false);
  }
  expect(databases.failed).toEqual([]);
  await databases.close();
});

it('reads what cannot wait from the primary while all replicas lag, and from a replica afterwards', async () => {
  const databases = await open([cluster.port], [one.port, two.port]);
  await one.pauseReplay(true);
  await two.pauseReplay(true);
  await write(databases);
  const begunAt = performance.now();
  expect(await source(databases, { isUrgent: true })).toBe(cluster.port);
  expect(performance.now() - begunAt).toBeLessThan(1000);
  await one.pauseReplay(false);
  await two.pauseReplay(false);
  await one.catchUp();
  expect([one.port, two.port]).toContain(await source(databases, { isUrgent: true }));
  await databases.close();
});

it('reads lists of the past from a replica, and lists that still grow from the primary', async () => {
  const databases = await open([cluster.port], [one.port, two.port]);
  await one.catchUp();
  const listEnding = (endsAt?: Date) => databases.snapshots.ofList(1n, endsAt?.toISOString(), portRead);
  expect([one.port, two.port]).toContain(await listEnding(new Date(Date.now() - 600_000)));
  expect(await listEnding(new Date(Date.now() - 60_000))).toBe(cluster.port);
  expect(await listEnding()).toBe(cluster.port);
  await databases.close();
});

it('avoids a replica that never answers, and waits for it only once', async () => {
  const silent = await startSilentServer();
  const silentPort = Number(new URL(silent.url).port);
  const databases = await open([cluster.port], [silentPort, one.port]);
  await one.pauseReplay(true);
  await write(databases);
  const urgent = async () => {
    const begunAt = performance.now();
    expect(await source(databases, { isUrgent: true })).toBe(cluster.port);
    return performance.now() - begunAt;
  };
  expect(await urgent()).toBeLessThan(4000);
  expect(databases.failed).toEqual([`127.0.0.1:${silentPort}`]);
  expect(await urgent()).toBeLessThan(500);
  await one.pauseReplay(false);
  await databases.close();
  await silent.close();
});

it('uses the promoted server as the primary, and no replica of the old timeline, however far ahead', async () => {
  const hosts = [cluster.port, one.port];
  const replicas = [cluster.port, one.port, two.port];
  const databases = await open(hosts, replicas);
  // The first standby loses its connection and misses what the second one still gets.
  await one.ask(`alter system set primary_conninfo = ''`);
  await one.ask('select pg_reload_conf()');
  await until(
    () => one.onPrimary<string>('select count(*) from pg_stat_replication'),
    (count) => count === '1',
  );
  await one.onPrimary(`select pg_logical_emit_message(false, 'test', repeat('x', 1000000), true)`);
  await two.catchUp();
  await cluster.stop();
  await one.promote();
  await until(
    () =>
      write(databases).then(
        () => true,
        () => false,
      ),
    Boolean,
  );
  const [written, ahead] = [
    await one.ask<string>('select pg_current_wal_lsn()::text'),
    await two.ask<string>('select pg_last_wal_replay_lsn()::text'),
  ];
  expect(await one.ask(`select '${ahead}'::pg_lsn > '${written}'::pg_lsn`)).toBe(true);
  expect(await source(databases, { isUrgent: true })).toBe(one.port);
  expect(await source(databases)).toBe(one.port);
  await databases.close();
  // The old leader comes back as a standby of the new one, and is a replica at once.
  const rejoined = await startStandby(cluster.dataDir, { from: one, port: cluster.port });
  const again = await open(hosts, replicas);
  await write(again);
  await rejoined.catchUp();
  expect(await source(again)).toBe(cluster.port);
  await again.close();
  await rejoined.stop();
}, 60_000);
