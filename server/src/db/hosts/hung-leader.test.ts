import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { FaultyNetwork } from '../../testing/faulty-network.ts';
import { type OwnCluster, startOwnCluster, urlOfPorts } from '../../testing/own-cluster.ts';
import { type Standby, startStandby } from '../../testing/standby.ts';
import { until } from '../../testing/until.ts';
import { ChangeFeed } from '../change-feed.ts';
import { Database } from '../database.ts';
import { urlAs } from '../login.ts';
import { asOwner } from '../owner.ts';
import { isDatabaseAway, openPool } from '../pool.ts';

let cluster: OwnCluster;
let network: FaultyNetwork;
let standby: Standby;

beforeAll(async () => {
  cluster = await startOwnCluster();
  network = await FaultyNetwork.open(cluster.port);
  standby = await startStandby(cluster.dataDir);
}, 120_000);
afterAll(async () => {
  await standby?.stop();
  await network?.close();
  await cluster?.remove();
});

it('a leader that hangs with calls in flight is left for the promoted standby', async () => {
  const ownerUrl = urlOfPorts(cluster.ownerUrl, [network.port, standby.port]);
  const url = urlAs(ownerUrl, cluster.login);
  const pool = openPool(url, { max: 3, applicationName: 'hung', onError: () => {} });
  const feed = new ChangeFeed({ send: async () => {}, listenUrl: url, onError: () => {} });
  const changed = new Promise<void>((resolve) => {
    feed.subscribe(1n, () => resolve());
  });
  await feed.start();
  const database = new Database(pool, { prepares: true });
  const port = () =>
    database.asSystem(async (tx) => {
      const { rows } = await sql<{ port: string }>`select current_setting('port') as port`.execute(tx.query);
      return Number(rows[0]?.port);
    });
  // All three connections lead to the leader.
  expect(await Promise.all([port(), port(), port()])).toEqual(Array(3).fill(cluster.port));
  network.condition = { kind: 'forgetfulHole' };
  const begunAt = performance.now();
  const inFlight = port().catch((error: unknown) => error);
  await standby.promote();
  const promotedMs = performance.now() - begunAt;
  expect(await asOwner(ownerUrl, (owner) => owner.query('show port'))).toMatchObject({
    rows: [{ port: String(standby.port) }],
  });
  // A new connection does not wait for the hung host.
  expect(performance.now() - begunAt - promotedMs).toBeLessThan(1000);
  expect(isDatabaseAway(await inFlight)).toBe(true);
  expect(await until(() => port().catch(() => 0), Boolean)).toBe(standby.port);
  expect(performance.now() - begunAt).toBeLessThan(16_000);
  // The listening connection moves as well, and makes open screens reload.
  await changed;
  await feed.close();
  await pool.end();
}, 60_000);
