import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { type OwnCluster, startOwnCluster, urlOfPorts } from '../../testing/own-cluster.ts';
import { startSilentServer } from '../../testing/silent-server.ts';
import { type Standby, startStandby } from '../../testing/standby.ts';
import { until } from '../../testing/until.ts';
import { UnconfirmedCommitError } from '../connection.ts';
import { Database } from '../database.ts';
import { urlAs } from '../login.ts';
import { asOwner } from '../owner.ts';
import { isDatabaseAway, openPool } from '../pool.ts';
import { ReadOnlyServerError } from './host-client.ts';
import { NoWritableHostError } from './writable-host.ts';

let cluster: OwnCluster;
let standby: Standby;

beforeAll(async () => {
  cluster = await startOwnCluster();
  await asOwner(cluster.ownerUrl, (owner) =>
    owner.query(
      'create table kept (number integer primary key); grant select, insert on kept to hengfu_system',
    ),
  );
  standby = await startStandby(cluster.dataDir, { name: 'one' });
}, 120_000);
afterAll(async () => {
  await standby?.stop();
  await cluster?.remove();
});

const urlOf = (...ports: number[]) => urlOfPorts(cluster.ownerUrl, ports);
const portOf = (url: string) =>
  asOwner(url, async (client) => {
    const { rows } = await client.query<{ port: string }>(`select current_setting('port') as port`);
    return Number(rows[0]?.port);
  });

/** Opens a database over some ports; `keep` records a number in a transaction of its own. */
function open(ports: readonly number[], isPooled = false) {
  const pool = openPool(urlAs(urlOf(...ports), cluster.login), {
    max: 3,
    applicationName: 'failover',
    isPooled,
    onError: () => {},
  });
  const database = new Database(pool, { prepares: true, isPooled });
  return {
    pool,
    database,
    keep: (number: number) =>
      database.asSystem((tx) => sql`insert into kept values (${number})`.execute(tx.query), {
        oneStatement: true,
      }),
    count: () =>
      database.asSystem(async (tx) => {
        const { rows } = await sql<{ count: number }>`select count(*)::integer as count from kept`.execute(
          tx.query,
        );
        return rows[0]?.count;
      }),
  };
}

/** Runs statements one by one as the superuser of the primary. */
async function onPrimary(...statements: string[]): Promise<void> {
  for (const statement of statements) await standby.onPrimary(statement);
}

const faultOf = (work: Promise<unknown>) =>
  work.then(
    () => undefined,
    (error: unknown) => error,
  );

it('finds the host that accepts writes, wherever it is named', async () => {
  expect(await portOf(urlOf(cluster.port, standby.port))).toBe(cluster.port);
  expect(await portOf(urlOf(standby.port, cluster.port))).toBe(cluster.port);
});

it('is not delayed by a host that accepts connections and never answers', async () => {
  const silent = await startSilentServer();
  const begunAt = performance.now();
  expect(await portOf(urlOf(Number(new URL(silent.url).port), 1, cluster.port))).toBe(cluster.port);
  expect(performance.now() - begunAt).toBeLessThan(1000);
  await silent.close();
});

it('fails within two seconds if no host accepts writes, and says why for each', async () => {
  const silent = await startSilentServer();
  const silentPort = Number(new URL(silent.url).port);
  const begunAt = performance.now();
  const error = await faultOf(portOf(urlOf(standby.port, 1, silentPort)));
  expect(performance.now() - begunAt).toBeLessThan(2500);
  expect(error).toBeInstanceOf(NoWritableHostError);
  expect(isDatabaseAway(error)).toBe(true);
  const { message } = error as Error;
  expect(message).toContain(`127.0.0.1:${standby.port}: it is a standby`);
  expect(message).toContain('127.0.0.1:1: connect ECONNREFUSED');
  expect(message).toContain(`127.0.0.1:${silentPort}: timeout expired`);
  await silent.close();
});

it('reports a wrong password instead of searching on', async () => {
  const url = urlAs(urlOf(standby.port, cluster.port), { name: 'hengfu_owner', password: 'wrong' });
  expect(await faultOf(portOf(url))).toMatchObject({ code: '28P01' });
});

it('refuses a single host that is a standby', async () => {
  const { pool, count } = open([standby.port]);
  const error = await faultOf(count());
  expect(error).toBeInstanceOf(ReadOnlyServerError);
  expect(isDatabaseAway(error)).toBe(true);
  await pool.end();
});

it.each([
  ['by what it reports', false],
  ['by asking, as behind a pooler', true],
])(
  'leaves a leader that is fenced off, before it reads or writes anything there: %s',
  async (_how, isPooled) => {
    const { pool, keep, count } = open([cluster.port, standby.port], isPooled);
    const before = (await count()) ?? 0;
    const fence = async (state: string) => {
      await onPrimary(`alter system set default_transaction_read_only = ${state}`, 'select pg_reload_conf()');
      // Once new sessions see it, the existing ones will before their next statement.
      await until(
        () => standby.onPrimary<string>('show default_transaction_read_only'),
        (seen) => seen === state,
      );
    };
    await fence('on');
    const error = await faultOf(count());
    expect(error).toBeInstanceOf(Error);
    expect(isDatabaseAway(error)).toBe(true);
    expect(isDatabaseAway(await faultOf(keep(2)))).toBe(true);
    await fence('off');
    await keep(isPooled ? 3 : 4);
    expect(await count()).toBe(before + 1);
    await pool.end();
  },
);

const waiting = `from pg_stat_activity where wait_event = 'SyncRep'`;

/**
 * Writes until a commit waits for the synchronous standby; returns its outcome to come. A change of the setting reaches the
 * server after a moment, so the first commits may not wait.
 */
async function beginToWait(keep: (number: number) => Promise<unknown>, from: number) {
  for (let number = from; ; number++) {
    let isDone = false;
    const fault = faultOf(keep(number)).finally(() => {
      isDone = true;
    });
    const isWaiting = async () => (await standby.onPrimary<string>(`select count(*) ${waiting}`)) === '1';
    await until(isWaiting, (found) => found || isDone);
    if (!isDone) return { number, fault };
  }
}

it('does not report a commit as done whose wait for the standby was cut short', async () => {
  const { pool, database, keep } = open([cluster.port, standby.port]);
  await onPrimary(`alter system set synchronous_standby_names = 'missing'`, 'select pg_reload_conf()');
  const canceled = await beginToWait(keep, 100);
  await onPrimary(`select pg_cancel_backend(pid) ${waiting}`);
  expect(await canceled.fault).toBeInstanceOf(UnconfirmedCommitError);
  expect(isDatabaseAway(await canceled.fault)).toBe(true);
  const ended = await beginToWait(keep, 200);
  await onPrimary(`select pg_terminate_backend(pid) ${waiting}`);
  expect(isDatabaseAway(await ended.fault)).toBe(true);
  // Both are on the primary all the same: a repeated call finds them by its idempotency key.
  const kept = await database.asSystem((tx) =>
    sql`select from kept where number in (${canceled.number}, ${ended.number})`.execute(tx.query),
  );
  expect(kept.rows).toHaveLength(2);
  await onPrimary(`alter system set synchronous_standby_names = 'one'`, 'select pg_reload_conf()');
  await keep(300);
  await pool.end();
});

it('waits for a synchronous standby longer than dead-peer detection waits for a sign of life', async () => {
  const { pool, keep } = open([cluster.port, standby.port]);
  await onPrimary(`alter system set synchronous_standby_names = 'missing'`, 'select pg_reload_conf()');
  const begunAt = performance.now();
  const { fault } = await beginToWait(keep, 400);
  await until(
    async () => performance.now() - begunAt,
    (elapsedMs) => elapsedMs > 9000,
  );
  await onPrimary(`alter system set synchronous_standby_names = 'one'`, 'select pg_reload_conf()');
  expect(await fault).toBe(undefined);
  await pool.end();
}, 30_000);

it('moves to the promoted standby and loses nothing that it has acknowledged', async () => {
  const { pool, keep, count } = open([cluster.port, standby.port]);
  const before = (await count()) ?? 0;
  let acknowledged = 0;
  let isOver = false;
  const unexpected: unknown[] = [];
  const writing = Array.from({ length: 3 }, async (_, writer) => {
    for (let number = 1000 * (writer + 1); !isOver; number++) {
      const fault = await faultOf(keep(number));
      if (fault === undefined) acknowledged++;
      else if (!isDatabaseAway(fault)) unexpected.push(fault);
      // Gives the next attempt a moment, as a client would.
      if (fault !== undefined) await new Promise((resolve) => setTimeout(resolve, 20));
    }
  });
  await until(
    async () => acknowledged,
    (writes) => writes > 50,
  );
  await cluster.stop();
  await standby.promote();
  // It has taken the setting over, and has no standby of its own to confirm its commits.
  await standby.ask(`alter system set synchronous_standby_names = ''`);
  await standby.ask('select pg_reload_conf()');
  const atPromotion = acknowledged;
  await until(
    async () => acknowledged,
    (writes) => writes > atPromotion + 50,
  );
  isOver = true;
  await Promise.all(writing);
  expect(unexpected).toEqual([]);
  expect(await count()).toBeGreaterThanOrEqual(before + acknowledged);
  expect(await portOf(urlOf(cluster.port, standby.port))).toBe(standby.port);
  await pool.end();
}, 60_000);

it('never returns to the old leader, even if it comes back as one', async () => {
  await cluster.restart();
  expect(await faultOf(portOf(urlOf(cluster.port)))).toBe(undefined);
  for (let attempt = 0; attempt < 10; attempt++)
    expect(await portOf(urlOf(cluster.port, standby.port))).toBe(standby.port);
  // A new process has seen no timeline: it may find two leaders, and takes the newer one, wherever it is named.
  for (const ports of [
    [cluster.port, standby.port],
    [standby.port, cluster.port],
  ]) {
    const hosts = ports.map((port) => urlOf(port));
    for (let attempt = 0; attempt < 10; attempt++) {
      vi.resetModules();
      const fresh = await import('./writable-host.ts');
      expect(new URL(await fresh.findWritable(hosts)).port).toBe(String(standby.port));
    }
  }
  await cluster.stop();
  const rejoined = await startStandby(cluster.dataDir, { from: standby, port: cluster.port, name: 'two' });
  expect(await portOf(urlOf(cluster.port, standby.port))).toBe(standby.port);
  const { pool, keep } = open([cluster.port]);
  expect(await faultOf(keep(9000))).toBeInstanceOf(ReadOnlyServerError);
  await pool.end();
  await rejoined.stop();
}, 60_000);
