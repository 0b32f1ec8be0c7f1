import { isZone } from '@hengfu/contract/profile';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { keepRealPasswords } from '../../testing/quick-argon2.ts';
import { SoftPasskey } from '../../testing/soft-passkey.ts';
import { type TestMerchant, TestProduct, testPassword } from '../../testing/test-product.ts';
import { until } from '../../testing/until.ts';
import type { Answer, Visitor } from '../../testing/visitor.ts';
import { waitingForLocks } from '../../testing/waiting-for-locks.ts';

let product: TestProduct;
let merchant: TestMerchant;
let users = 0;

keepRealPasswords();
beforeAll(async () => {
  product = await TestProduct.start(inject('ownerUrl'));
  merchant = await product.merchant('profiles');
});
afterAll(() => product.close());

/** A new user, signed in. */
async function person(): Promise<{ visitor: Visitor; email: string }> {
  const email = `user${++users}@profiles.test`;
  const user = { email, name: 'U', password: testPassword, roles: ['MERCHANT_ADMIN'] as const };
  await product.admin().createUser(merchant.id, user);
  const visitor = product.visitor();
  await visitor.signIn(email, testPassword);
  return { visitor, email };
}

const fields = ({ status, json }: Answer) => [status, Object.keys(json.errors ?? {})];
const profile = '/api/user/profile-information';
const password = '/api/user/password';
const confirm = '/api/user/confirm-password';
const status = '/api/user/confirmed-password-status';

describe('the profile', () => {
  it('saves a trimmed name and a trimmed, lower-cased email', async () => {
    const { visitor } = await person();
    await visitor.post(confirm, { password: testPassword });
    const answer = await visitor.send('PUT', profile, { name: ' 陈 Ann ', email: ' New.Ann@Profiles.TEST ' });
    expect([answer.status, answer.json]).toEqual([200, '']);
    const { data } = (await visitor.get('/api/merchant/user')).json;
    expect([data.name, data.email]).toEqual(['陈 Ann', 'new.ann@profiles.test']);
  });

  it.each<[string, object, string[]]>([
    ['no fields', {}, ['email', 'name']],
    ['an empty name', { name: '  ', email: 'a@b.test' }, ['name']],
    ['a long name', { name: 'x'.repeat(256), email: 'a@b.test' }, ['name']],
    ['an invalid email address', { name: 'A', email: 'a.b.test' }, ['email']],
    ['an unknown zone', { name: 'A', email: 'a@b.test', zone: 'Mars/Olympus' }, ['zone']],
    ['an offset as a zone', { name: 'A', email: 'a@b.test', zone: '+08:00' }, ['zone']],
    ['an unknown language', { name: 'A', email: 'a@b.test', language: 'fr' }, ['language']],
  ])('refuses %s', async (_name, body, wrong) => {
    const { visitor } = await person();
    const answer = await visitor.send('PUT', profile, body);
    expect([answer.status, Object.keys(answer.json.errors).sort()]).toEqual([422, wrong]);
  });

  it('saves a zone and a language, keeps them if absent, and resets them if empty', async () => {
    const { visitor, email } = await person();
    const settings = async () => {
      const { zone, language } = (await visitor.get('/api/merchant/user')).json.data;
      return [zone, language];
    };
    expect(await settings()).toEqual(['Asia/Shanghai', null]);
    const save = (more: object) => visitor.send('PUT', profile, { name: 'U', email, ...more });
    expect((await save({ zone: 'Asia/Ho_Chi_Minh', language: 'vi' })).status).toBe(200);
    expect(await settings()).toEqual(['Asia/Ho_Chi_Minh', 'vi']);
    await save({});
    expect(await settings()).toEqual(['Asia/Ho_Chi_Minh', 'vi']);
    await save({ zone: '', language: '' });
    expect(await settings()).toEqual(['Asia/Shanghai', null]);
  });

  it('accepts only zones that the database knows, so that no page that groups by day fails', async () => {
    const abbreviations =
      'ACT AET AGT ART AST BET BST CAT CNT CST CTT EAT ECT EST HST IET IST JST MIT MST NET NST PLT PNT PRT PST SST VST';
    const dropped = ['US/Pacific-New', 'Canada/East-Saskatchewan', 'SystemV/AST4', 'Factory', 'localtime'];
    const names = [...abbreviations.split(' '), ...dropped, ...Intl.supportedValuesOf('timeZone')];
    const { rows } = await product.services.database.asSystem((tx) =>
      sql<{ name: string }>`
        select name from unnest(${names.filter(isZone)}::text[]) name
        where lower(name) not in (select lower(name) from pg_timezone_names)`.execute(tx.query),
    );
    expect(rows).toEqual([]);
    expect(['UTC', 'GMT', 'Asia/Kolkata', 'asia/calcutta', 'Etc/GMT-14'].filter(isZone)).toHaveLength(5);
    const { visitor, email } = await person();
    for (const zone of ['AET', 'IST', 'US/Pacific-New']) {
      const saved = await visitor.send('PUT', profile, { name: 'U', email, zone });
      const schedule = {
        list: 'payouts',
        filters: {},
        columns: [],
        format: 'csv',
        language: 'en',
        every: 'daily',
      };
      const made = await visitor.post('/api/merchant/export-schedules', { ...schedule, name: 'S', zone });
      expect([zone, saved.status, made.status]).toEqual([zone, 422, 422]);
    }
    expect((await visitor.get('/api/merchant/status')).status).toBe(200);
  });

  it('refuses an email that is taken, in any case', async () => {
    const { email } = await person();
    const { visitor, email: own } = await person();
    const change = () => visitor.send('PUT', profile, { name: 'A', email: email.toUpperCase() });
    // Without the password, a call does not even tell who has an account.
    expect((await change()).status).toBe(423);
    await visitor.post(confirm, { password: testPassword });
    const session = visitor.cookies.get('hengfu_session');
    expect(fields(await change())).toEqual([422, ['email']]);
    expect(visitor.cookies.get('hengfu_session')).toBe(session);
    expect((await visitor.get('/api/merchant/user')).json.data).toMatchObject({ name: 'U', email: own });
  });
});

describe('the sign-in email', () => {
  it('changes only with the confirmed password; name, zone and language need none', async () => {
    const { visitor, email } = await person();
    const session = visitor.cookies.get('hengfu_session');
    const save = (more: object) => visitor.send('PUT', profile, { name: 'U', email, ...more });
    for (const more of [{ name: 'V' }, { zone: 'UTC' }, { language: 'vi' }, { email: email.toUpperCase() }])
      expect([more, (await save(more)).status]).toEqual([more, 200]);
    expect(visitor.cookies.get('hengfu_session')).toBe(session);
    const answer = await save({ name: 'W', email: `new-${email}` });
    expect([answer.status, answer.json.code]).toEqual([423, 'password_confirmation_required']);
    expect((await visitor.get('/api/merchant/user')).json.data).toMatchObject({ name: 'U', email });
    await visitor.post(confirm, { password: testPassword });
    expect((await save({ email: `new-${email}` })).status).toBe(200);
    expect((await product.visitor().signIn(email, testPassword)).status).toBe(422);
    expect((await product.visitor().signIn(`new-${email}`, testPassword)).status).toBe(200);
  });

  it('ends all other sessions and pending sign-ins when changed; this one continues under a new id', async () => {
    const { visitor, email } = await person();
    const other = product.visitor();
    await other.signIn(email, testPassword);
    await visitor.post(confirm, { password: testPassword });
    const before = visitor.cookies.get('hengfu_session') ?? '';
    expect((await visitor.send('PUT', profile, { name: 'U', email: `new-${email}` })).status).toBe(200);
    expect(visitor.cookies.get('hengfu_session')).not.toBe(before);
    expect((await visitor.get('/api/merchant/user')).status).toBe(200);
    expect((await other.get('/api/merchant/user')).status).toBe(401);
    const thief = product.visitor();
    thief.cookies.set('hengfu_session', before);
    expect((await thief.get('/api/merchant/user')).status).toBe(401);
  });

  it('is announced to its owner at every merchant, and in the audit trail under a name of its own', async () => {
    const { visitor, email } = await person();
    const other = await product.merchant(`other${users}`);
    await product.services.database.asSystem((tx) =>
      sql`insert into membership (merchant_id, user_id, roles)
        select ${other.id}, id, '{MERCHANT_ADMIN}' from app_user where email = ${email}`.execute(tx.query),
    );
    visitor.merchant = merchant.code;
    await visitor.post(confirm, { password: testPassword });
    const to = `new-${email}`;
    expect((await visitor.send('PUT', profile, { name: 'U', email: to })).status).toBe(200);
    const events = (await visitor.get('/api/merchant/security-events')).json.data;
    expect(events[0]).toMatchObject({ action: 'email_change', address: '127.0.0.1' });
    for (const { code } of [merchant, other]) {
      const owner = product.visitor();
      await owner.signIn(to, testPassword);
      await owner.post('/api/merchant/session/merchant', { merchant: code });
      owner.merchant = code;
      expect((await owner.get('/api/merchant/notices')).json.data).toContainEqual(
        expect.objectContaining({
          kind: 'accessChanged',
          access: expect.objectContaining({ change: 'email_change', address: '127.0.0.1' }),
        }),
      );
    }
    const { rows } = await product.services.database.asSystem((tx) =>
      sql<{ before: object; after: object }>`
        select before, after from audit where action = 'email.change' and after ->> 'email' = ${to}`.execute(
        tx.query,
      ),
    );
    expect(rows).toMatchObject([{ before: { email }, after: { email: to } }]);
  });

  it('does not come back with a new name that was saved while it changed', async () => {
    const { visitor, email } = await person();
    const to = `new-${email}`;
    let saving: Promise<Answer> | undefined;
    await product.services.database.asSystem(async (tx) => {
      await sql`update app_user set email = ${to} where email = ${email}`.execute(tx.query);
      saving = visitor.send('PUT', profile, { name: 'Old', email });
      await until(
        () => waitingForLocks(product.ownerUrl),
        (waiting) => waiting === 1,
      );
    });
    expect((await saving)?.status).toBe(423);
    expect((await visitor.get('/api/merchant/user')).json.data).toMatchObject({ name: 'U', email: to });
  });
});

describe('the login password', () => {
  const next = 'Another-pass-2026';
  const change = { current_password: testPassword, password: next, password_confirmation: next };

  it('can be changed: this session continues under a new id, all others end', async () => {
    const { visitor, email } = await person();
    const other = product.visitor();
    await other.signIn(email, testPassword);
    const stolen = visitor.cookies.get('hengfu_session') ?? '';
    const answer = await visitor.send('PUT', password, change);
    expect([answer.status, answer.json]).toEqual([200, '']);
    expect(visitor.cookies.get('hengfu_session')).not.toBe(stolen);
    expect((await visitor.get('/api/merchant/user')).status).toBe(200);
    expect((await other.get('/api/merchant/user')).status).toBe(401);
    const thief = product.visitor();
    thief.cookies.set('hengfu_session', stolen);
    expect((await thief.get('/api/merchant/user')).status).toBe(401);
    expect((await product.visitor().signIn(email, testPassword)).status).toBe(422);
    expect((await product.visitor().signIn(email, next)).status).toBe(200);
  });

  it('ends pending sign-ins with the old one when changed, and notifies its owner', async () => {
    const { visitor, email } = await person();
    await visitor.post('/api/user/confirm-password', { password: testPassword });
    const passkey = new SoftPasskey(product.url);
    await passkey.bind(visitor);
    const thief = product.visitor();
    expect((await thief.signIn(email, testPassword)).json).toEqual({ two_factor: true });
    expect((await visitor.send('PUT', password, change)).status).toBe(200);
    const [code] = (await visitor.get('/api/user/two-factor-recovery-codes')).json;
    const passed = await thief.post('/api/two-factor-challenge', { recovery_code: code });
    expect([passed.status, Object.keys(passed.json.errors)]).toEqual([422, ['recovery_code']]);
    const [notice] = (await visitor.get('/api/merchant/notices')).json.data;
    expect(notice).toMatchObject({
      kind: 'accessChanged',
      access: { change: 'password_change', address: '127.0.0.1' },
    });
  });

  it('may be sent in the query, and the body takes precedence', async () => {
    const { visitor, email } = await person();
    const query = new URLSearchParams({ ...change, current_password: 'wrong' });
    const answer = await visitor.send('PUT', `${password}?${query}`, { current_password: testPassword });
    expect(answer.status).toBe(200);
    expect((await product.visitor().signIn(email, next)).status).toBe(200);
  });

  it.each<[string, object, string]>([
    ['a wrong current one', { ...change, current_password: 'wrong' }, 'current_password'],
    ['no current one', { ...change, current_password: undefined }, 'current_password'],
    ['a short one', { ...change, password: 'Short-1', password_confirmation: 'Short-1' }, 'password'],
    [
      'one of 257 characters',
      { ...change, password: 'x9'.repeat(129), password_confirmation: 'x9'.repeat(129) },
      'password',
    ],
    ['one without a confirmation', { ...change, password_confirmation: undefined }, 'password_confirmation'],
    ['one with an empty confirmation', { ...change, password_confirmation: '' }, 'password_confirmation'],
    ['one with a different confirmation', { ...change, password_confirmation: `${next} ` }, 'password'],
    [
      'the current one',
      { ...change, password: testPassword, password_confirmation: testPassword },
      'password',
    ],
    [
      'a common one',
      { ...change, password: 'Password123', password_confirmation: 'Password123' },
      'password',
    ],
  ])('refuses %s and changes nothing', async (_name, body, field) => {
    const { visitor, email } = await person();
    expect(fields(await visitor.send('PUT', password, body))).toEqual([422, [field]]);
    expect((await product.visitor().signIn(email, testPassword)).status).toBe(200);
  });
});

describe('confirming the password', () => {
  it('allows sensitive calls for 900 seconds, under a new session id', async () => {
    const { visitor, email } = await person();
    const codes = '/api/user/two-factor-recovery-codes';
    expect((await visitor.get(codes)).status).toBe(423);
    expect((await visitor.get(status)).json).toEqual({ confirmed: false });
    const before = visitor.cookies.get('hengfu_session');
    const answer = await visitor.post(confirm, { password: testPassword });
    expect([answer.status, answer.json]).toEqual([201, '']);
    expect(visitor.cookies.get('hengfu_session')).not.toBe(before);
    expect((await visitor.get(codes)).status).toBe(200);

    await age(email, 60);
    const confirmed = await visitor.get(status);
    expect(confirmed.json).toEqual({ confirmed: true });
    expect(Number(confirmed.headers.get('x-retry-after'))).toBeGreaterThanOrEqual(60);
    // `seconds` affects this reply only, not the check of sensitive calls.
    expect((await visitor.get(`${status}?seconds=30`)).json).toEqual({ confirmed: false });
    expect((await visitor.get(codes)).status).toBe(200);
    await age(email, 840);
    expect((await visitor.get(status)).json).toEqual({ confirmed: false });
    expect((await visitor.get(codes)).status).toBe(423);
  });

  it('applies to this session only', async () => {
    const { visitor, email } = await person();
    const other = product.visitor();
    await other.signIn(email, testPassword);
    await visitor.post(confirm, { password: testPassword });
    expect((await other.get(status)).json).toEqual({ confirmed: false });
  });

  it.each([[{}], [{ password: '' }], [{ password: 'wrong' }]])('refuses %j', async (body) => {
    const { visitor } = await person();
    expect(fields(await visitor.post(confirm, body))).toEqual([422, ['password']]);
  });

  it('is refused after five wrong attempts a minute, even concurrent ones', async () => {
    const { visitor } = await person();
    const answers = await Promise.all(
      Array.from({ length: 9 }, () => visitor.post(confirm, { password: 'wrong' })),
    );
    expect(answers.filter((answer) => answer.status === 422)).toHaveLength(5);
    expect(answers.filter((answer) => answer.status === 429)).toHaveLength(4);
  });

  it('renews the session id once in five concurrent calls', async () => {
    const { visitor } = await person();
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => visitor.post(confirm, { password: testPassword })),
    );
    expect(answers.filter((answer) => answer.status === 201)).toHaveLength(1);
    expect(answers.every((answer) => [201, 401].includes(answer.status))).toBe(true);
    expect((await visitor.get('/api/merchant/user')).status).toBe(200);
    const { rows } = await product.services.database.asSystem((tx) =>
      sql<{ count: bigint }>`select count(*) from session s join app_user u on u.id = s.user_id
        where u.email = ${`user${users}@profiles.test`}`.execute(tx.query),
    );
    expect(rows[0]?.count).toBe(1n);
  });

  /** Moves the password confirmation of a user's sessions into the past. */
  async function age(email: string, seconds: number): Promise<void> {
    await product.services.database.asSystem((tx) =>
      sql`update session set password_confirmed_at = password_confirmed_at - ${seconds} * interval '1 second'
        from app_user u where u.id = session.user_id and u.email = ${email}`.execute(tx.query),
    );
  }
});

describe('open sessions', () => {
  it('are listed, and end one by one or all but this one', async () => {
    const { visitor, email } = await person();
    const others = [product.visitor(), product.visitor(), product.visitor()] as const;
    for (const other of others) await other.signIn(email, testPassword);
    await visitor.post(confirm, { password: testPassword });
    const list = async () => (await visitor.get('/api/merchant/sessions')).json.data;
    const found = await list();
    expect(found.map((one: { isCurrent: boolean }) => one.isCurrent).filter(Boolean)).toHaveLength(1);
    expect(found).toHaveLength(4);
    expect(found[0]).toMatchObject({ address: '127.0.0.1' });
    const mine = found.find((one: { isCurrent: boolean }) => one.isCurrent).id;
    const theirs = found.find((one: { isCurrent: boolean }) => !one.isCurrent).id;
    expect((await visitor.send('DELETE', `/api/merchant/sessions/${theirs}`)).status).toBe(204);
    expect((await visitor.send('DELETE', `/api/merchant/sessions/${theirs}`)).status).toBe(404);
    expect((await visitor.send('DELETE', `/api/merchant/sessions/${mine}`)).status).toBe(404);
    expect(await list()).toHaveLength(3);
    const alive = await Promise.all(
      others.map(async (other) => (await other.get('/api/merchant/user')).status),
    );
    expect(alive.toSorted()).toEqual([200, 200, 401]);
    expect((await visitor.send('DELETE', '/api/merchant/sessions')).status).toBe(204);
    expect(await list()).toHaveLength(1);
  });

  it('leave an audit trail that their owner can read', async () => {
    const { visitor } = await person();
    await visitor.post(confirm, { password: testPassword });
    const { data } = (await visitor.get('/api/merchant/security-events')).json;
    expect(data.map((event: { action: string }) => event.action)).toEqual([
      'password_confirm',
      'session_sign_in',
    ]);
  });
});
