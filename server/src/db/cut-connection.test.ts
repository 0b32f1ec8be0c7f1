import { sql } from 'kysely';
import type pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, it } from 'vitest';
import { type Cut, CuttingNetwork } from '../testing/cutting-network.ts';
import { cloneDatabase, type TestDatabase, testKey } from '../testing/test-database.ts';
import { until } from '../testing/until.ts';
import { Database, type Tx } from './database.ts';
import { ensureLogin, urlAs } from './login.ts';
import { asOwner } from './owner.ts';
import { isDatabaseAway, openPool } from './pool.ts';

const everything = Number.POSITIVE_INFINITY;
const oneStatement = { oneStatement: true };

let testDatabase: TestDatabase;
let network: CuttingNetwork;
let pool: pg.Pool;
let database: Database;
let lastMarker = 0;

beforeAll(async () => {
  testDatabase = await cloneDatabase(inject('ownerUrl'));
  network = await CuttingNetwork.open(Number(new URL(testDatabase.ownerUrl).port));
  await asOwner(testDatabase.ownerUrl, (owner) =>
    owner.query('create table kept (marker text); grant select, insert on kept to hengfu_system'),
  );
  const login = await ensureLogin(testDatabase.ownerUrl, Buffer.from(testKey, 'hex'));
  pool = openPool(urlAs(network.urlOf(testDatabase.ownerUrl), login), {
    max: 1,
    applicationName: 'cut',
    onError: () => {},
  });
  database = new Database(pool, { prepares: true });
});
afterAll(async () => {
  await pool.end();
  await network.close();
  await testDatabase.drop();
});
// A new connection prepares its statements first; every test is of one that has.
beforeEach(async () => {
  await alone('prepare');
  await several('prepare');
});

const insert = (tx: Tx, marker: string) =>
  sql<{ marker: string }>`insert into kept values (${marker}) returning marker`.execute(tx.prepared);
const alone = (marker: string) => database.asSystem((tx) => insert(tx, marker), oneStatement);
const announced = (marker: string) =>
  database.asSystem((tx) => insert(tx, marker), { ...oneStatement, onExecuted: () => {} });
const several = (marker: string) =>
  database.asSystem(async (tx) => {
    await insert(tx, marker);
    return sql`select 'end', ${marker}::text`.execute(tx.prepared);
  });

/** Counts the rows of a marker once its transaction has ended, on a connection that is never cut. */
const countOf = (marker: string) =>
  asOwner(testDatabase.ownerUrl, async (owner) => {
    await until(
      async () =>
        (
          await owner.query(
            `select from pg_stat_activity where datname = current_database() and state like '%in transaction%'`,
          )
        ).rowCount,
      (open) => open === 0,
    );
    return (await owner.query('select from kept where marker = $1', [marker])).rowCount;
  });

/** Returns the messages of one side of a transaction, none of them cut. */
async function messagesOf(run: (marker: string) => Promise<unknown>, side: Cut['side']): Promise<string> {
  const marker = `whole ${++lastMarker}`;
  network.cutOnce({ marker, side, after: everything });
  await run(marker);
  return network.passed;
}

/** Runs a transaction whose connection is cut; returns how it ended. */
async function runCut(
  run: (marker: string) => Promise<unknown>,
  cut: Omit<Cut, 'marker'>,
): Promise<{ error: unknown; count: number | null }> {
  const marker = `cut ${++lastMarker}.`;
  const cuts = network.cuts;
  network.cutOnce({ marker, ...cut });
  const error = await run(marker).then(
    () => 'success',
    (fault: unknown) => fault,
  );
  expect(network.cuts).toBe(cuts + 1);
  return { error, count: await countOf(marker) };
}

describe.each([
  { name: 'a transaction of one statement', run: alone, requests: /^BEBDES$/, replies: /^2DC2TDCZ$/ },
  {
    name: 'a transaction of one statement whose execution is reported',
    run: announced,
    requests: /^BEBDEHS$/,
    replies: /^2DC2TDCZ$/,
  },
  {
    name: 'a transaction of several statements',
    run: several,
    requests: /^QBDESBDESQ$/,
    replies: /^C+Z2TDCZ2TDCZCZ$/,
  },
])('$name', ({ run, requests, replies }) => {
  it.each([
    { end: 'closed', isReset: false, isWithin: false },
    { end: 'closed within a message', isReset: false, isWithin: true },
    { end: 'reset', isReset: true, isWithin: false },
  ])('fails wherever its replies are cut off, and is done once: $end', async ({ isReset, isWithin }) => {
    const messages = await messagesOf(run, 'reply');
    expect(messages).toMatch(replies);
    const isOne = run !== several;
    for (let after = 0; after < messages.length; after++) {
      const { error, count } = await runCut(run, { side: 'reply', after, isReset, isWithin });
      expect({ after, error, isAway: isDatabaseAway(error) }).toMatchObject({ isAway: true });
      // PostgreSQL had committed when the last statement was answered.
      const isLast = isOne || after >= messages.lastIndexOf('C');
      expect({ after, count }).toEqual({ after, count: isLast ? 1 : 0 });
      await run('after the cut');
      await run('and again');
      expect(pool.totalCount).toBe(1);
    }
  });

  it('fails wherever its requests are cut off, and leaves nothing', async () => {
    const messages = await messagesOf(run, 'request');
    expect(messages).toMatch(requests);
    for (let after = 0; after < messages.length; after++) {
      const { error, count } = await runCut(run, { side: 'request', after });
      expect({ after, error, isAway: isDatabaseAway(error) }).toMatchObject({ isAway: true });
      expect({ after, count }).toEqual({ after, count: 0 });
      await run('after the cut');
      expect(pool.totalCount).toBe(1);
    }
  });
});

it('throws a statement’s own error if the connection is cut right after it, and goes on', async () => {
  const failing = (marker: string) =>
    database.asSystem(
      (tx) => sql`select 1 / length(${marker}::text) - ${'x'}::int`.execute(tx.prepared),
      oneStatement,
    );
  // It is prepared by the first.
  await expect(failing('prepare')).rejects.toThrow('invalid input syntax');
  network.cutOnce({ marker: 'failing', side: 'reply', after: everything });
  await expect(failing('failing')).rejects.toThrow('invalid input syntax');
  const messages = network.passed;
  const after = messages.indexOf('E') + 1;
  expect(messages.slice(after)).toBe('Z');
  const { error } = await runCut(failing, { side: 'reply', after });
  expect(String(error)).toContain('invalid input syntax');
  await alone('after the cut');
  expect(pool.totalCount).toBe(1);
});
