import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { FaultyNetwork } from '../testing/faulty-network.ts';
import { cloneDatabase, type TestDatabase, testKey } from '../testing/test-database.ts';
import { until } from '../testing/until.ts';
import { ChangeFeed, notifyStatement } from './change-feed.ts';
import { Database, type Tx } from './database.ts';
import { ensureLogin, urlAs } from './login.ts';
import { asOwner } from './owner.ts';
import { isDatabaseAway, openPool } from './pool.ts';

let place: TestDatabase;
let network: FaultyNetwork;

beforeAll(async () => {
  place = await cloneDatabase(inject('ownerUrl'));
  network = await FaultyNetwork.open(Number(new URL(place.ownerUrl).port));
});
afterAll(async () => {
  await network.close();
  await place.drop();
});

const poolOver = (url: string) =>
  openPool(url, { max: 2, applicationName: 'silence', onError: () => undefined });
const longest = 40_000;

it(
  'a call whose answer the network swallows is refused within 16 s, and the next one is served',
  async () => {
    const login = await ensureLogin(place.ownerUrl, Buffer.from(testKey, 'hex'));
    const pool = poolOver(urlAs(network.urlOf(place.ownerUrl), login));
    const database = new Database(pool, { prepares: true });
    const ask = () =>
      database.asSystem(
        async (tx) => (await sql<{ one: number }>`select 1 as one`.execute(tx.query)).rows[0]?.one,
      );
    expect(await ask()).toBe(1);
    network.weather = { kind: 'forgetfulHole' };
    const begunAt = performance.now();
    const error = await ask().catch((fault: unknown) => fault);
    expect(isDatabaseAway(error)).toBe(true);
    expect(performance.now() - begunAt).toBeLessThan(16_000);
    network.weather = { kind: 'clear' };
    expect(await ask()).toBe(1);
    await pool.end();
  },
  longest,
);

it(
  'a statement that the database is at work on is waited for',
  async () => {
    const pool = poolOver(network.urlOf(place.ownerUrl));
    expect((await pool.query('select pg_sleep(9), 2 as two')).rows[0]?.two).toBe(2);
    await pool.end();
  },
  longest,
);

it(
  'a screen’s connection that hears nothing any more is laid anew',
  async () => {
    const heard: string[] = [];
    const feed = new ChangeFeed({
      send: (channel, text) =>
        asOwner(place.ownerUrl, (client) => client.query(notifyStatement, [channel, text])),
      listenUrl: network.urlOf(place.ownerUrl),
      onError: () => undefined,
    });
    await feed.start();
    feed.subscribe(1n, (changes) => heard.push(...changes));
    network.weather = { kind: 'forgetfulHole' };
    network.weather = { kind: 'clear' };
    feed.changed(1n, ['payouts']);
    await until(
      async () => heard,
      (changes) => changes.includes('payouts'),
      longest,
    );
    await feed.close();
  },
  longest,
);

it('a statement of a transaction that takes its time is waited for as long as it takes', async () => {
  const login = await ensureLogin(place.ownerUrl, Buffer.from(testKey, 'hex'));
  const connectionString = urlAs(place.ownerUrl, login);
  const pool = new pg.Pool({ connectionString, max: 1, query_timeout: 300, pipeline: true });
  const database = new Database(pool, { prepares: true });
  const slow = (tx: Tx) => sql`select pg_sleep(1)`.execute(tx.query);
  await database.asSystem(async (tx) => {
    await tx.takeTime();
    await slow(tx);
  });
  await pool.end();
});
