import { availableParallelism } from 'node:os';
import { type RawBuilder, sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, it } from 'vitest';
import { block, countForLock, countTry, deleteExpiredTries } from '#domain/throttle.sql.ts';
import { throttleKey } from '#domain/throttle-keys.ts';
import { countTriedAccount } from '#domain/tried-accounts.sql.ts';
import { slowAfterFailures, triedAccountLimits } from '#http/session.rules.ts';
import { wideSignInLimits } from '../../testing/sign-in-limits.ts';
import { TestProduct, testPassword } from '../../testing/test-product.ts';
import type { Answer, Visitor } from '../../testing/visitor.ts';

const office = '198.51.100.1';
const { caller: limit, site: siteLimit, pauseSeconds } = triedAccountLimits;

let product: TestProduct;
beforeAll(async () => {
  product = await TestProduct.start(inject('ownerUrl'), {
    signInLimits: wideSignInLimits,
    env: { TRUST_PROXY: '127.0.0.1' },
  });
  const merchant = await product.merchant('guess');
  for (const name of ['ann', 'bob']) {
    const user = { email: emailOf(name), name, password: testPassword };
    await product.admin().createUser(merchant.id, { ...user, roles: ['MERCHANT_ADMIN'] });
  }
});
beforeEach(async () => {
  await run(sql`delete from sign_in_throttle`);
  await run(sql`delete from sign_in_address`);
});
afterAll(() => product.close());

const emailOf = (name: string | number) => `${name}@guess.test`;
const run = <T>(statement: RawBuilder<T>) =>
  product.services.database.asSystem((tx) => statement.execute(tx.query));

/** Signs in from an address; with a browser's cookies where one is given. */
async function signIn(
  name: string | number,
  { from = office, password = 'wrong', browser = product.visitor() }: Options = {},
): Promise<Answer> {
  const headers = { 'x-forwarded-for': from };
  await browser.get('/api/csrf-cookie', headers);
  return browser.post('/api/login', { email: emailOf(name), password }, headers);
}
interface Options {
  from?: string;
  password?: string;
  browser?: Visitor;
}

/** Tries a wrong password with as many accounts as an address may. */
async function spray(from = office): Promise<void> {
  for (let name = 0; name < limit; name++) expect((await signIn(name, { from })).status).toBe(422);
}

/** Counts accounts at once, without judging a password; answers how many were heard. */
async function heardOf(names: readonly number[], addressOf: (name: number) => string): Promise<number> {
  const { database } = product.services;
  const tries = names.map((name) =>
    countTriedAccount(database, addressOf(name), emailOf(name), triedAccountLimits),
  );
  const results = await Promise.allSettled(tries);
  for (const result of results)
    if (result.status === 'rejected') expect(result.reason).toMatchObject({ code: 'too_many_attempts' });
  return results.filter(({ status }) => status === 'fulfilled').length;
}
const range = (from: number, count: number) => Array.from({ length: count }, (_, index) => from + index);

describe('one account tried from many addresses', () => {
  it('has no more passwords judged at once than one after the other', async () => {
    const answers = await Promise.all(
      range(1, 60).map((host) => signIn('ann', { from: `203.0.113.${host}`, password: `wrong-${host}` })),
    );
    const judged = answers.filter(({ status }) => status === 422).length;
    expect(judged).toBeGreaterThanOrEqual(slowAfterFailures);
    // Besides those that are hashed and answered while the last of them is counted.
    expect(judged).toBeLessThanOrEqual(slowAfterFailures + 4 * availableParallelism());
    // The right one is not told from the others.
    expect((await signIn('ann', { from: '203.0.113.99', password: testPassword })).status).toBe(429);
  });
});

describe('one password tried with many accounts from one address', () => {
  it('is judged for so many accounts an hour, then refused, whether the accounts exist or not', async () => {
    await spray();
    const { status, json, headers } = await signIn('ann');
    expect([status, json.code]).toEqual([429, 'too_many_attempts']);
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
    expect(headers.get('x-ratelimit-limit')).toBe(String(limit));
    // The right password is not looked at either.
    expect((await signIn('bob', { password: testPassword })).status).toBe(429);
    expect((await signIn('ann', { from: '198.51.100.2' })).status).toBe(422);
  });

  it('goes on being judged for the accounts that were tried already', async () => {
    await spray();
    expect((await signIn(0)).status).toBe(422);
  });

  it('is counted before it is judged: at once it is heard as often as one after the other', async () => {
    expect(await heardOf(range(0, 60), () => office)).toBe(limit);
    const twice = [...range(100, 10), ...range(100, 10)];
    expect(await heardOf(twice, () => '198.51.100.3')).toBe(20);
    expect(await heardOf(range(200, 60), () => '198.51.100.3')).toBe(limit - 10);
    expect(await product.deadlocks()).toBe(0);
  });

  it('is heard once each pause from then on, also at once', async () => {
    await heardOf(range(0, limit), () => office);
    expect(await heardOf(range(600, 10), () => office)).toBe(0);
    await run(sql`update sign_in_address set blocked_until = now()`);
    expect(await heardOf(range(700, 10), () => office)).toBe(1);
    const { rows } = await run(
      sql<{
        wait: number;
      }>`select extract(epoch from blocked_until - now())::float as wait from sign_in_address`,
    );
    expect(rows[0]?.wait).toBeGreaterThan(pauseSeconds - 30);
  });

  it('is counted anew after an hour', async () => {
    await heardOf(range(0, limit + 5), () => office);
    await run(sql`update sign_in_address set window_started_at = window_started_at - interval '1 hour'`);
    expect(await heardOf(range(800, 60), () => office)).toBe(limit);
  });

  it('is counted for a whole /64 of IPv6, and for a /48', async () => {
    expect(await heardOf(range(0, 60), (name) => `2001:db8:1:1::${name}`)).toBe(limit);
    expect(await heardOf(range(100, 300), (name) => `2001:db8:1:${name}::1`)).toBe(siteLimit - limit);
    expect(await heardOf(range(500, 10), (name) => `2001:db8:2:${name}::1`)).toBe(10);
    // What the /48 refused does not stand in the counts of its networks.
    const { rows } = await run(
      sql<{
        most: number;
      }>`select count(*)::integer as most from sign_in_address where cardinality(accounts) > 0`,
    );
    expect(rows[0]?.most).toBe(2 + (siteLimit - limit) + 1 + 10);
    expect(await product.deadlocks()).toBe(0);
  });
});

describe('an office behind one address', () => {
  it('is not counted for those who come in, mistyping now and then', async () => {
    await signIn('ann');
    expect((await signIn('ann', { password: testPassword })).status).toBe(200);
    expect((await signIn('bob', { password: testPassword })).status).toBe(200);
    const { rows } = await run(
      sql<{ most: number }>`select cardinality(accounts) as most from sign_in_address`,
    );
    expect(rows).toEqual([{ most: 0 }]);
  });

  it('is open to browsers that have come in before, for their own accounts only', async () => {
    const browser = product.visitor();
    expect((await signIn('ann', { password: testPassword, browser })).status).toBe(200);
    await browser.post('/api/logout');
    await spray();
    expect((await signIn('bob', { password: testPassword, browser })).status).toBe(429);
    expect((await signIn('ann', { password: testPassword })).status).toBe(429);
    expect((await signIn('ann', { password: testPassword, browser })).status).toBe(200);
  });

  it('does not shut out a known browser by wrong passwords for its account', async () => {
    const browser = product.visitor();
    await signIn('ann', { password: testPassword, browser });
    await browser.post('/api/logout');
    for (let time = 0; time < 6; time++) await signIn('ann');
    expect((await signIn('ann', { password: testPassword })).status).toBe(429);
    expect((await signIn('ann', { password: testPassword, browser })).status).toBe(200);
  });
});

describe('a cookie of a known browser', () => {
  it('is worth no more than five tries a minute for its own account, and none for others', async () => {
    const stolen = product.visitor();
    await signIn('ann', { password: testPassword, browser: stolen });
    await stolen.post('/api/logout');
    const statuses: number[] = [];
    for (let time = 0; time < 7; time++) {
      const from = `198.51.100.${10 + time}`;
      statuses.push((await signIn('ann', { browser: stolen, from })).status);
    }
    expect(statuses).toEqual([422, 422, 422, 422, 422, 429, 429]);
    const others: number[] = [];
    for (let name = 0; name < limit + 2; name++)
      others.push((await signIn(name, { browser: stolen, from: '198.51.100.50' })).status);
    expect(others).toEqual([...Array(limit).fill(422), 429, 429]);
  });
});

describe('counts of tries', () => {
  const { minutes, keys } = {
    minutes: (count: number) =>
      Promise.all(
        ['sign_in_throttle', 'sign_in_address'].map((table) =>
          run(sql`update ${sql.table(table)} set expires_at = expires_at - ${count} * interval '1 minute',
            blocked_until = blocked_until - ${count} * interval '1 minute'`),
        ),
      ),
    keys: async () =>
      (
        await run(sql<{ key: Buffer }>`
          select key from sign_in_throttle union all select key from sign_in_address`)
      ).rows.map(({ key }) => key),
  };
  const sweep = () => product.services.database.asSystem(deleteExpiredTries);
  const key = (name: string) => throttleKey('test', name);

  it('are swept once they mean nothing any more, and not before', async () => {
    const { database } = product.services;
    await database.asSystem(async (tx) => {
      await countTry(tx, key('a minute'), 60);
      await countTry(tx, key('in a row'), null);
      await countTry(tx, key('locked'), 60);
      await block(tx, key('locked'), 30 * 60);
    });
    await countForLock(database, key('payment password'), { limit: 1, lockSeconds: 900 });
    await heardOf([1], () => office);
    const left = async (after: number) => {
      await minutes(after);
      await sweep();
      return (await keys()).length;
    };
    expect(await left(0)).toBe(5);
    expect(await left(2)).toBe(4);
    expect(await left(27)).toBe(4);
    expect(await left(2)).toBe(3);
    expect(await left(32)).toBe(2);
    expect(await left(22 * 60 + 50)).toBe(2);
    expect(await left(10)).toBe(0);
  });

  it('are lengthened by each failure in a row', async () => {
    const { database } = product.services;
    const fail = () => database.asSystem((tx) => countTry(tx, key('in a row'), null));
    await fail();
    await minutes(23 * 60);
    await fail();
    await minutes(2 * 60);
    await sweep();
    expect((await fail()).failures).toBe(3);
  });

  it('are swept in batches by the recurring job, along an index', async () => {
    await run(sql`
      insert into sign_in_throttle (key, failures, window_started_at, expires_at)
      select sha256(n::text::bytea), 1, now(), now() - interval '1 second' from generate_series(1, 12000) n`);
    await run(sql`
      insert into sign_in_throttle (key, failures, window_started_at)
      select sha256(n::text::bytea), 1, now() from generate_series(20001, 40000) n`);
    expect(await sweep()).toBe(true);
    await product.services.tasks['sessions.sweep']?.({});
    expect(await keys()).toHaveLength(20_000);
    const { rows } = await run(
      sql<object>`explain select key from sign_in_throttle where expires_at < now() order by expires_at limit 5000`,
    );
    expect(JSON.stringify(rows)).toContain('sign_in_throttle_expiry');
  });

  it('are kept under hashes of one length, however long the email', async () => {
    await signIn('x'.repeat(200));
    await signIn('y');
    expect([...new Set((await keys()).map(({ length }) => length))]).toEqual([32]);
  });

  it('of invented emails are no more than an address may try', async () => {
    await spray();
    const before = (await keys()).length;
    for (let name = 900; name < 920; name++) expect((await signIn(name)).status).toBe(429);
    expect((await keys()).length).toBeLessThanOrEqual(before + 1);
  });
});
