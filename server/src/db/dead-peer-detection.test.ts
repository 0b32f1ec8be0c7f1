import { sql } from 'kysely';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { FaultyNetwork } from '../testing/faulty-network.ts';
import { cloneDatabase, type TestDatabase, testKey } from '../testing/test-database.ts';
import { until } from '../testing/until.ts';
import { ChangeFeed, notifyStatement } from './change-feed.ts';
import { Database, type Tx } from './database.ts';
import { ensureLogin, urlAs } from './login.ts';
import { asOwner } from './owner.ts';
import { isDatabaseAway, openPool } from './pool.ts';

let testDatabase: TestDatabase;
let network: FaultyNetwork;

beforeAll(async () => {
  testDatabase = await cloneDatabase(inject('ownerUrl'));
  network = await FaultyNetwork.open(Number(new URL(testDatabase.ownerUrl).port));
});
afterAll(async () => {
  await network.close();
  await testDatabase.drop();
});

const poolOver = (url: string) =>
  openPool(url, { max: 2, applicationName: 'silence', onError: () => undefined });
const timeoutMs = 40_000;

it(
  'fails a call whose reply the network drops within 16 s, and serves the next one',
  async () => {
    const login = await ensureLogin(testDatabase.ownerUrl, Buffer.from(testKey, 'hex'));
    const pool = poolOver(urlAs(network.urlOf(testDatabase.ownerUrl), login));
    const database = new Database(pool, { prepares: true });
    const ask = () =>
      database.asSystem(
        async (tx) => (await sql<{ one: number }>`select 1 as one`.execute(tx.query)).rows[0]?.one,
      );
    expect(await ask()).toBe(1);
    network.condition = { kind: 'forgetfulHole' };
    const startedAt = performance.now();
    const error = await ask().catch((fault: unknown) => fault);
    expect(isDatabaseAway(error)).toBe(true);
    expect(performance.now() - startedAt).toBeLessThan(16_000);
    network.condition = { kind: 'clear' };
    expect(await ask()).toBe(1);
    await pool.end();
  },
  timeoutMs,
);

it(
  'waits for a statement that the database is working on',
  async () => {
    const pool = poolOver(network.urlOf(testDatabase.ownerUrl));
    expect((await pool.query('select pg_sleep(9), 2 as two')).rows[0]?.two).toBe(2);
    await pool.end();
  },
  timeoutMs,
);

it(
  'reconnects the change feed if its connection goes silent',
  async () => {
    const received: string[] = [];
    const feed = new ChangeFeed({
      send: (channel, text) =>
        asOwner(testDatabase.ownerUrl, (client) => client.query(notifyStatement, [channel, text])),
      listenUrl: network.urlOf(testDatabase.ownerUrl),
      onError: () => undefined,
    });
    await feed.start();
    feed.subscribe(1n, (changes) => received.push(...changes));
    network.condition = { kind: 'forgetfulHole' };
    network.condition = { kind: 'clear' };
    feed.changed(1n, ['payouts']);
    await until(
      async () => received,
      (changes) => changes.includes('payouts'),
      timeoutMs,
    );
    await feed.close();
  },
  timeoutMs,
);

it(
  'ends a statement that takes longer than its timeout, unless the transaction has lifted it or it is one of many',
  async () => {
    const login = await ensureLogin(testDatabase.ownerUrl, Buffer.from(testKey, 'hex'));
    const pool = openPool(urlAs(testDatabase.ownerUrl, login), {
      max: 3,
      applicationName: 'late',
      onError: () => undefined,
      answerTimeoutMs: 5000,
    });
    const database = new Database(pool, { prepares: true });
    const sleep = (tx: Tx, seconds: number) => sql`select pg_sleep(${seconds})`.execute(tx.query);
    const slow = (tx: Tx) => sleep(tx, 9);
    const [late, patient, many] = await Promise.allSettled([
      database.asSystem(slow),
      database.asSystem(async (tx) => {
        await tx.disableTimeouts();
        await slow(tx);
      }),
      database.asSystem((tx) => Promise.all([1, 2, 3, 4].map(() => sleep(tx, 2.2)))),
    ]);
    expect(late).toMatchObject({
      reason: { code: 'ETIMEDOUT', message: expect.stringContaining('in time') },
    });
    expect(isDatabaseAway((late as PromiseRejectedResult).reason)).toBe(true);
    expect([patient.status, many.status]).toEqual(['fulfilled', 'fulfilled']);
    await pool.end();
  },
  timeoutMs,
);
