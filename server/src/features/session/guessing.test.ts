import { availableParallelism } from 'node:os';
import { type RawBuilder, sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, it } from 'vitest';
import { refreshStatistics } from '#db/owner.ts';
import { block, countForLock, countTry, deleteExpiredTries } from '#domain/throttle.sql.ts';
import { throttleKey } from '#domain/throttle-keys.ts';
import { countTriedAccount } from '#domain/tried-accounts.sql.ts';
import { slowAfterFailures, triedAccountLimits } from '#http/session.rules.ts';
import { keepRealPasswords } from '../../testing/quick-argon2.ts';
import { TestProduct, testPassword } from '../../testing/test-product.ts';
import type { Answer, Visitor } from '../../testing/visitor.ts';

const office = '198.51.100.1';
const { caller: limit, site: siteLimit, pauseSeconds } = triedAccountLimits;

let product: TestProduct;
keepRealPasswords();
beforeAll(async () => {
  product = await TestProduct.start(inject('ownerUrl'), {
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

/** Signs in from an address, with a browser's cookies if one is given. */
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

/** Tries a wrong password with as many accounts as one address may. */
async function spray(from = office): Promise<void> {
  for (let name = 0; name < limit; name++) expect((await signIn(name, { from })).status).toBe(422);
}

/**
 * Counts concurrent attempts for several accounts, without checking a password; returns how many were
 * allowed.
 */
async function countAllowed(names: readonly number[], addressOf: (name: number) => string): Promise<number> {
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
  it('has no more passwords checked concurrently than one after the other', async () => {
    const answers = await Promise.all(
      range(1, 60).map((host) => signIn('ann', { from: `203.0.113.${host}`, password: `wrong-${host}` })),
    );
    const checked = answers.filter(({ status }) => status === 422).length;
    expect(checked).toBeGreaterThanOrEqual(slowAfterFailures);
    // Plus those that are hashed and answered while the last failure is being counted.
    expect(checked).toBeLessThanOrEqual(slowAfterFailures + 4 * availableParallelism());
    // The right password has the same reply.
    expect((await signIn('ann', { from: '203.0.113.99', password: testPassword })).status).toBe(429);
  });
});

describe('one password tried with many accounts from one address', () => {
  it('is checked for a limited number of accounts an hour, whether they exist or not', async () => {
    await spray();
    const { status, json, headers } = await signIn('ann');
    expect([status, json.code]).toEqual([429, 'too_many_attempts']);
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
    expect(headers.get('x-ratelimit-limit')).toBe(String(limit));
    // Not even the right password is checked.
    expect((await signIn('bob', { password: testPassword })).status).toBe(429);
    expect((await signIn('ann', { from: '198.51.100.2' })).status).toBe(422);
  });

  it('is still checked for the accounts that were tried already', async () => {
    await spray();
    expect((await signIn(0)).status).toBe(422);
  });

  it('is counted before it is checked, so concurrency does not raise the limit', async () => {
    expect(await countAllowed(range(0, 60), () => office)).toBe(limit);
    const twice = [...range(100, 10), ...range(100, 10)];
    expect(await countAllowed(twice, () => '198.51.100.3')).toBe(20);
    expect(await countAllowed(range(200, 60), () => '198.51.100.3')).toBe(limit - 10);
    expect(await product.deadlocks()).toBe(0);
  });

  it('is checked once per pause after that, even with concurrent attempts', async () => {
    await countAllowed(range(0, limit), () => office);
    expect(await countAllowed(range(600, 10), () => office)).toBe(0);
    await run(sql`update sign_in_address set blocked_until = now()`);
    expect(await countAllowed(range(700, 10), () => office)).toBe(1);
    const { rows } = await run(
      sql<{
        wait: number;
      }>`select extract(epoch from blocked_until - now())::float as wait from sign_in_address`,
    );
    expect(rows[0]?.wait).toBeGreaterThan(pauseSeconds - 30);
  });

  it('is counted from zero after an hour', async () => {
    await countAllowed(range(0, limit + 5), () => office);
    await run(sql`update sign_in_address set window_started_at = window_started_at - interval '1 hour'`);
    expect(await countAllowed(range(800, 60), () => office)).toBe(limit);
  });

  it('is counted per IPv6 /64 and per /48', async () => {
    expect(await countAllowed(range(0, 60), (name) => `2001:db8:1:1::${name}`)).toBe(limit);
    expect(await countAllowed(range(100, 300), (name) => `2001:db8:1:${name}::1`)).toBe(siteLimit - limit);
    expect(await countAllowed(range(500, 10), (name) => `2001:db8:2:${name}::1`)).toBe(10);
    // Attempts that the /48 limit refused are not counted for their networks.
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
  it('counts no failures for users who sign in, even after a typo', async () => {
    await signIn('ann');
    expect((await signIn('ann', { password: testPassword })).status).toBe(200);
    expect((await signIn('bob', { password: testPassword })).status).toBe(200);
    const { rows } = await run(
      sql<{ most: number }>`select cardinality(accounts) as most from sign_in_address`,
    );
    expect(rows).toEqual([{ most: 0 }]);
  });

  it('stays open to known browsers, for their own accounts only', async () => {
    const browser = product.visitor();
    expect((await signIn('ann', { password: testPassword, browser })).status).toBe(200);
    browser.cookies.delete('hengfu_session');
    await spray();
    expect((await signIn('bob', { password: testPassword, browser })).status).toBe(429);
    expect((await signIn('ann', { password: testPassword })).status).toBe(429);
    expect((await signIn('ann', { password: testPassword, browser })).status).toBe(200);
  });

  it('does not lock out a known browser after wrong passwords for its account', async () => {
    const browser = product.visitor();
    await signIn('ann', { password: testPassword, browser });
    browser.cookies.delete('hengfu_session');
    for (let time = 0; time < 6; time++) await signIn('ann');
    expect((await signIn('ann', { password: testPassword })).status).toBe(429);
    expect((await signIn('ann', { password: testPassword, browser })).status).toBe(200);
  });
});

describe('a cookie of a known browser', () => {
  it('allows five attempts a minute for its own account, and no extra ones for others', async () => {
    const stolen = product.visitor();
    await signIn('ann', { password: testPassword, browser: stolen });
    stolen.cookies.delete('hengfu_session');
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

describe('attempt counters', () => {
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

  it('are swept once they have expired, and not before', async () => {
    const { database } = product.services;
    await database.asSystem(async (tx) => {
      await countTry(tx, key('a minute'), 60);
      await countTry(tx, key('in a row'), null);
      await countTry(tx, key('locked'), 60);
      await block(tx, key('locked'), 30 * 60);
    });
    await countForLock(database, key('payment password'), { limit: 1, lockSeconds: 900 });
    await countAllowed([1], () => office);
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

  it('live longer after each consecutive failure', async () => {
    const { database } = product.services;
    const fail = () => database.asSystem((tx) => countTry(tx, key('in a row'), null));
    await fail();
    await minutes(23 * 60);
    await fail();
    await minutes(2 * 60);
    await sweep();
    expect((await fail()).failures).toBe(3);
  });

  it('are swept in batches by the recurring job, through an index, although statistics say that there are none', async () => {
    const addExpired = () =>
      run(sql`
        insert into sign_in_throttle (key, failures, window_started_at, expires_at)
        select sha256(n::text::bytea), 1, now(), now() - interval '1 second' from generate_series(1, 12000) n`);
    await addExpired();
    await run(sql`delete from sign_in_throttle`);
    await refreshStatistics(product.ownerUrl);
    await addExpired();
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

  it('are keyed by hashes of one length, however long the email', async () => {
    await signIn('x'.repeat(200));
    await signIn('y');
    expect([...new Set((await keys()).map(({ length }) => length))]).toEqual([32]);
  });

  it('for made-up emails are limited by what one address may try', async () => {
    await spray();
    const before = (await keys()).length;
    for (let name = 900; name < 920; name++) expect((await signIn(name)).status).toBe(429);
    expect((await keys()).length).toBeLessThanOrEqual(before + 1);
  });
});
