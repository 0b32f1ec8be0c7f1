import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import type { Tx } from '#db/database.ts';
import { keepRealPasswords } from '../../testing/quick-argon2.ts';
import { type TestMerchant, TestProduct, testPassword } from '../../testing/test-product.ts';
import { until } from '../../testing/until.ts';
import type { Answer, Visitor } from '../../testing/visitor.ts';
import { waitingForLocks } from '../../testing/waiting-for-locks.ts';

let product: TestProduct;
let merchant: TestMerchant;

keepRealPasswords();
beforeAll(async () => {
  product = await TestProduct.start(inject('ownerUrl'));
  merchant = await product.merchant('people');
  await product.admin().createUser(merchant.id, {
    email: 'Ann@People.test',
    name: 'Ann',
    password: testPassword,
    roles: ['MERCHANT_ADMIN'],
  });
});
afterAll(() => product.close());

const email = 'ann@people.test';

describe('signing in', () => {
  it('opens a session under a new id, with roles, perms and merchant', async () => {
    const visitor = product.visitor();
    await visitor.get('/api/csrf-cookie');
    const before = visitor.cookies.get('hengfu_session');
    const answer = await visitor.post('/api/login', { email: ' ANN@people.test ', password: testPassword });
    expect([answer.status, answer.json]).toEqual([200, { two_factor: false }]);
    expect(visitor.cookies.get('hengfu_session')).not.toBe(before);
    const { json } = await visitor.get('/api/merchant/user');
    expect(json.data).toMatchObject({
      email,
      roles: ['MERCHANT_ADMIN'],
      merchant: { code: 'people', currency: 'CNY' },
    });
  });

  it('accepts forms as well as JSON', async () => {
    for (const type of ['application/x-www-form-urlencoded', 'multipart/form-data; boundary=b']) {
      const visitor = product.visitor();
      await visitor.get('/api/csrf-cookie');
      const body = type.startsWith('multipart')
        ? `--b\r\ncontent-disposition: form-data; name="email"\r\n\r\n${email}\r\n--b\r\ncontent-disposition: form-data; name="password"\r\n\r\n${testPassword}\r\n--b--\r\n`
        : new URLSearchParams({ email, password: testPassword }).toString();
      const answer = await visitor.post('/api/login', body, { 'content-type': type });
      expect([type, answer.status]).toEqual([type, 200]);
    }
  });

  it('gives the same reply to a wrong password and an unknown email', async () => {
    const wrong = await product.visitor().signIn(email, 'wrong');
    const unknown = await product.visitor().signIn('nobody@people.test', 'wrong');
    expect(wrong.status).toBe(422);
    expect(wrong.json.errors.email).toHaveLength(1);
    expect({ ...wrong.json, request_id: '' }).toEqual({ ...unknown.json, request_id: '' });
  });

  it('reports each missing field', async () => {
    const visitor = product.visitor();
    await visitor.get('/api/csrf-cookie');
    const { status, json } = await visitor.post('/api/login', { email: '' });
    expect(status).toBe(422);
    expect(Object.keys(json.errors).sort()).toEqual(['email', 'password']);
    expect(json.message).toMatch(/\(and 1 more error\)$/);
  });

  it('returns 409 to a user who is already signed in', async () => {
    const visitor = product.visitor();
    await visitor.signIn(email, testPassword);
    const again = await visitor.post('/api/login', { email, password: testPassword });
    expect([again.status, again.json.code]).toEqual([409, 'already_signed_in']);
  });

  it('returns 429 after five failures a minute, even concurrent ones', async () => {
    const visitor = product.visitor();
    await visitor.get('/api/csrf-cookie');
    const tries = Array.from({ length: 12 }, () =>
      visitor.post('/api/login', { email: 'flood@people.test', password: 'x' }),
    );
    const statuses = (await Promise.all(tries)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 422)).toHaveLength(5);
    expect(statuses.filter((status) => status === 429)).toHaveLength(7);
    const last = await visitor.post('/api/login', { email: 'flood@people.test', password: 'x' });
    expect(last.json.code).toBe('too_many_attempts');
    expect(Number(last.headers.get('retry-after'))).toBeGreaterThan(0);
  });
});

describe('the XSRF token', () => {
  it('is required for every write and belongs to one session', async () => {
    const one = product.visitor();
    const other = product.visitor();
    await one.signIn(email, testPassword);
    await other.signIn(email, testPassword);
    for (const token of ['', 'nonsense', other.cookies.get('XSRF-TOKEN') ?? '']) {
      const answer = await one.post('/api/logout', undefined, { 'x-xsrf-token': token });
      expect([answer.status, answer.json.code, answer.json.message]).toEqual([
        419,
        'csrf_mismatch',
        'CSRF token mismatch.',
      ]);
      expect(answer.headers.getSetCookie()).toEqual([]);
    }
    expect((await one.get('/api/merchant/user')).status).toBe(200);
  });
});

describe('signing out', () => {
  it('clears every cookie; the next call for a token issues new ones', async () => {
    const visitor = product.visitor();
    await visitor.signIn(email, testPassword);
    visitor.cookies.set('language', 'vi');
    const { headers } = await visitor.post('/api/logout');
    const cleared = headers
      .getSetCookie()
      .map((line) => /^([^=]+)=;.*Expires=Thu, 01 Jan 1970/.exec(line)?.[1]);
    expect(cleared.toSorted()).toEqual([...visitor.cookies.keys()].toSorted());
    expect(visitor.cookies.get('XSRF-TOKEN')).toBe('');
    expect((await visitor.signIn(email, testPassword)).status).toBe(200);
  });

  it('ends the session at once', async () => {
    const visitor = product.visitor();
    await visitor.signIn(email, testPassword);
    const stolen = product.visitor();
    for (const [name, value] of visitor.cookies) stolen.cookies.set(name, value);
    expect((await visitor.post('/api/logout')).status).toBe(204);
    for (const browser of [visitor, stolen]) {
      const { status, json } = await browser.get('/api/merchant/user');
      expect([status, json.code, json.message]).toEqual([401, 'unauthenticated', 'Unauthenticated.']);
    }
  });
});

describe('a session', () => {
  const change = (statement: ReturnType<typeof sql>) =>
    product.services.database.asSystem((tx) => statement.execute(tx.query));
  const isSignedIn = async (visitor: Visitor) => (await visitor.get('/api/merchant/user')).status === 200;
  const signedIn = async (more: object = {}): Promise<Visitor> => {
    const visitor = product.visitor();
    await visitor.get('/api/csrf-cookie');
    await visitor.post('/api/login', { email, password: testPassword, ...more });
    return visitor;
  };
  /** Moves a timestamp of every session into the past. */
  const age = (column: 'last_seen_at' | 'expires_at', minutes: number) =>
    change(
      sql`update session set ${sql.ref(column)} = ${sql.ref(column)} - ${minutes} * interval '1 minute'`,
    );

  it('ends after half an hour of inactivity, or twelve hours if remembered', async () => {
    const [short, long] = [await signedIn(), await signedIn({ remember: 'on' })];
    await age('last_seen_at', 29);
    expect([await isSignedIn(short), await isSignedIn(long)]).toEqual([true, true]);
    await age('last_seen_at', 31);
    expect([await isSignedIn(short), await isSignedIn(long)]).toEqual([false, true]);
    await age('last_seen_at', 12 * 60);
    expect(await isSignedIn(long)).toBe(false);
  });

  it('ends after twelve hours, even if in use', async () => {
    const visitor = await signedIn({ remember: 'on' });
    await age('expires_at', 12 * 60 - 1);
    expect(await isSignedIn(visitor)).toBe(true);
    await age('expires_at', 2);
    expect(await isSignedIn(visitor)).toBe(false);
  });

  it('is not accepted while its user is disabled or its merchant suspended', async () => {
    const visitor = await signedIn();
    for (const [off, on] of [
      [sql`update app_user set disabled_at = now()`, sql`update app_user set disabled_at = null`],
      [sql`update merchant set suspended_at = now()`, sql`update merchant set suspended_at = null`],
    ] as const) {
      await change(off);
      expect(await isSignedIn(visitor)).toBe(false);
      expect((await product.visitor().signIn(email, testPassword)).status).toBe(422);
      await change(on);
      expect(await isSignedIn(visitor)).toBe(true);
    }
  });

  it('is stored in the database only as a hash of its id', async () => {
    const visitor = await signedIn();
    const { rows } = await change(sql<{ row: string }>`select session::text as row from session`);
    const id = visitor.cookies.get('hengfu_session') ?? '';
    const text = JSON.stringify(rows);
    expect(text).not.toContain(id);
    expect(text).not.toContain(Buffer.from(id).toString('hex'));
  });
});

describe('cookies', () => {
  it('hide the session id from scripts', async () => {
    const { headers } = await product.visitor().get('/api/csrf-cookie');
    const [session, token] = headers.getSetCookie();
    expect(session).toMatch(/^hengfu_session=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax$/);
    expect(token).toMatch(/^XSRF-TOKEN=[\w-]{43}; Path=\/; SameSite=Lax$/);
  });
});

describe('a sign-in whose password has just been checked', () => {
  const newUser = newUsers();

  /** Makes a change while a sign-in waits for the user's row, and returns the reply to the sign-in. */
  async function signInDuring(who: string, change: (tx: Tx) => Promise<unknown>): Promise<Answer> {
    const visitor = product.visitor();
    await visitor.get('/api/csrf-cookie');
    return product.services.database
      .asSystem(async (tx) => {
        await sql`select from app_user where email = ${who} for update`.execute(tx.query);
        const answer = visitor.post('/api/login', { email: who, password: testPassword });
        await until(
          () => waitingForLocks(product.ownerUrl),
          (count) => count > 0,
        );
        await change(tx);
        return { answer };
      })
      .then(({ answer }) => answer);
  }

  it('is refused if the password was changed meanwhile', async () => {
    const who = await newUser();
    const answer = await signInDuring(who, (tx) =>
      sql`update app_user set password_hash = 'another' where email = ${who}`.execute(tx.query),
    );
    expect([answer.status, Object.keys(answer.json.errors)]).toEqual([422, ['email']]);
  });

  it('asks for a second factor that was bound meanwhile', async () => {
    const who = await newUser();
    const answer = await signInDuring(who, (tx) =>
      sql`
        insert into passkey (user_id, credential_id, public_key, sign_count, transports, name)
        select id, 'meanwhile', '', 0, '{}', 'Meanwhile' from app_user where email = ${who}`.execute(
        tx.query,
      ),
    );
    expect([answer.status, answer.json]).toEqual([200, { two_factor: true }]);
  });

  it('is refused if its user was disabled meanwhile', async () => {
    const who = await newUser();
    const answer = await signInDuring(who, (tx) =>
      sql`update app_user set disabled_at = now() where email = ${who}`.execute(tx.query),
    );
    expect(answer.status).toBe(422);
  });
});

/** Returns a function that creates a new user on each call. */
function newUsers(): () => Promise<string> {
  let made = 0;
  return async () => {
    const who = `meanwhile${++made}@people.test`;
    const user = { email: who, name: 'M', password: testPassword, roles: ['MERCHANT_ADMIN'] as const };
    await product.admin().createUser(merchant.id, user);
    return who;
  };
}
