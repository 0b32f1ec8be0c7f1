import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, it } from 'vitest';
import { lockAfterFailures } from '#http/session.rules.ts';
import { EventStream } from '../../testing/event-stream.ts';
import { keepRealPasswords } from '../../testing/quick-argon2.ts';
import { TestProduct } from '../../testing/test-product.ts';
import { TestStaff } from '../../testing/test-staff.ts';
import { codeOf, earlierCodeOf } from '../../testing/totp.ts';
import type { Visitor } from '../../testing/visitor.ts';
import { deleteEndedStaffSessions } from './staff-sessions.sql.ts';

let product: TestProduct;
/** Outside demo mode: the second factor is mandatory. */
let staff: TestStaff;

keepRealPasswords();
beforeAll(async () => {
  product = await TestProduct.start(inject('ownerUrl'));
  const env = { DEMO: '0', STAFF_URL: 'http://staff.localhost', APP_URL: 'http://console.test' };
  staff = await TestStaff.start(product, { env });
});
beforeEach(() => run(sql`delete from staff_throttle`));
afterAll(async () => {
  await staff.close();
  await product.close();
});

const run = <T>(statement: ReturnType<typeof sql<T>>) =>
  staff.runtime.database.asSystem((tx) => statement.execute(tx.query));
const actions = async () => {
  const { rows } = await product.services.database.asSystem((tx) =>
    sql<{
      action: string;
      actor: string;
    }>`select action, actor from audit where action like 'staff.%' order by id`.execute(tx.query),
  );
  return rows.map(({ action, actor }) => `${action} by ${actor.replace(/\d+/, 'n')}`);
};

/** Signs in for the first time, and binds an authenticator app with the previous code; returns its secret. */
async function bind(visitor: Visitor, name: string, password: string): Promise<string> {
  const { json } = await staff.signIn(visitor, name, password);
  expect(json).toEqual({ level: 'binding' });
  const { secretKey } = (await visitor.post('/api/staff/two-factor')).json.data;
  const { status } = await visitor.post('/api/staff/two-factor/confirmation', {
    code: await earlierCodeOf(secretKey),
  });
  expect(status).toBe(204);
  return secretKey;
}

it('outside demo mode, the API is described to nobody', async () => {
  for (const path of [
    '/api/staff/docs',
    '/api/staff/docs/staff.json',
    '/api/staff/docs/assets/swagger-ui.css',
  ])
    expect([path, (await staff.visitor().get(path)).status]).toEqual([path, 404]);
});

describe('the sign-in of our staff', () => {
  it('binds an app first, and then asks for a code each time', async () => {
    const password = await staff.add('first', 'ADMIN');
    const visitor = staff.visitor();
    await staff.signIn(visitor, 'first', password);
    expect((await visitor.get('/api/staff/waiting')).json.code).toBe('two_factor_required');
    const planted = visitor.cookies.get('hengfu_staff_session');
    const secret = await bind(visitor, 'first', password);
    expect(visitor.cookies.get('hengfu_staff_session')).not.toBe(planted);
    expect((await visitor.get('/api/staff/user')).json.data).toMatchObject({
      level: 'complete',
      hasFactor: true,
    });
    expect((await visitor.post('/api/staff/two-factor')).json.code).toBe('conflict');

    const again = staff.visitor();
    expect((await staff.signIn(again, 'first', password)).json).toEqual({ level: 'password' });
    // A password alone must not even reveal whose it is.
    expect((await again.get('/api/staff/user')).json.code).toBe('two_factor_challenge_required');
    expect((await again.post('/api/staff/two-factor')).json.code).toBe('two_factor_challenge_required');
    const code = codeOf(secret);
    expect((await again.post('/api/staff/two-factor-challenge', { code: '000000' })).status).toBe(422);
    expect((await again.post('/api/staff/two-factor-challenge', { code })).status).toBe(204);
    expect((await again.get('/api/staff/waiting')).status).toBe(200);
    // A code works once.
    const third = staff.visitor();
    await staff.signIn(third, 'first', password);
    expect((await third.post('/api/staff/two-factor-challenge', { code })).status).toBe(422);
    expect(await actions()).toEqual([
      'staff.four_eyes_from by job:staff.start',
      'staff.create by operator:test',
      'staff.bind_factor by staff:n',
      'staff.sign_in by staff:n',
    ]);
  });

  it('lets one of two sessions bind the first app, and ends the other', async () => {
    const password = await staff.add('race', 'SUPPORT');
    const [one, other] = [staff.visitor(), staff.visitor()];
    await staff.signIn(other, 'race', password);
    const { secretKey } = (await other.post('/api/staff/two-factor')).json.data;
    await bind(one, 'race', password);
    const late = await other.post('/api/staff/two-factor/confirmation', { code: codeOf(secretKey) });
    expect(late.status).toBe(401);
  });

  it('answers a wrong password and an unknown email alike, and locks after failures in a row', async () => {
    const password = await staff.add('locked', 'REVIEWER');
    const wrong = await staff.signIn(staff.visitor(), 'locked', 'wrong');
    const unknown = await staff.signIn(staff.visitor(), 'nobody', 'wrong');
    expect([unknown.status, unknown.json.errors]).toEqual([wrong.status, wrong.json.errors]);
    // The counts in a row are those that are kept for a day.
    const inRow = sql`expires_at > now() + interval '2 hours'`;
    await run(sql`update staff_throttle set failures = ${lockAfterFailures - 1} where ${inRow}`);
    await staff.signIn(staff.visitor(), 'locked', 'wrong');
    const refused = await staff.signIn(staff.visitor(), 'locked', password);
    expect([refused.status, refused.json.code]).toEqual([429, 'too_many_attempts']);
    expect(await actions()).toContain('staff.lock by nobody');
  });

  it('starts counting over after a lock, so that a failure now and then cannot keep it', async () => {
    const password = await staff.add('trickle', 'REVIEWER');
    const inRow = sql`expires_at > now() + interval '2 hours'`;
    const lock = async () => {
      await staff.signIn(staff.visitor(), 'trickle', 'wrong');
      await run(sql`update staff_throttle set failures = ${lockAfterFailures - 1} where ${inRow}`);
      await staff.signIn(staff.visitor(), 'trickle', 'wrong');
      expect((await staff.signIn(staff.visitor(), 'trickle', password)).status).toBe(429);
    };
    await lock();
    await run(sql`update staff_throttle set blocked_until = now() where blocked_until is not null`);
    expect((await staff.signIn(staff.visitor(), 'trickle', 'wrong')).status).toBe(422);
    expect((await staff.signIn(staff.visitor(), 'trickle', password)).status).toBe(200);

    await run(sql`delete from staff_throttle`);
    await lock();
    await staff.runtime.accounts.unlock('trickle@staff.test', 'operator:test');
    expect((await staff.signIn(staff.visitor(), 'trickle', password)).status).toBe(200);
    expect((await actions()).at(-1)).toBe('staff.unlock by operator:test');
    await expect(staff.runtime.accounts.unlock('nobody@staff.test', 'operator:test')).rejects.toThrow();
  });

  it('lets twenty sign-ins of an address fail in an hour; those that succeed do not count', async () => {
    const password = await staff.add('office', 'REVIEWER');
    for (let count = 0; count <= lockAfterFailures; count++)
      expect((await staff.signIn(staff.visitor(), 'office', password)).status).toBe(200);
    for (let count = 0; count < lockAfterFailures; count++)
      expect((await staff.signIn(staff.visitor(), `unknown${count}`, 'wrong')).status).toBe(422);
    expect((await staff.signIn(staff.visitor(), 'office', password)).status).toBe(429);
  });

  it('checks five passwords a minute for an account, however many arrive at once', async () => {
    await staff.add('flood', 'REVIEWER');
    const answers = await Promise.all(
      Array.from({ length: 12 }, () => staff.signIn(staff.visitor(), 'flood', 'wrong')),
    );
    expect(answers.filter(({ status }) => status === 422)).toHaveLength(5);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(7);
  });

  it('checks five codes a minute, however many arrive at once', async () => {
    const password = await staff.add('codes', 'ADMIN');
    await bind(staff.visitor(), 'codes', password);
    const visitor = staff.visitor();
    await staff.signIn(visitor, 'codes', password);
    const answers = await Promise.all(
      Array.from({ length: 9 }, () => visitor.post('/api/staff/two-factor-challenge', { code: '123456' })),
    );
    expect(answers.filter(({ status }) => status === 422)).toHaveLength(5);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(4);
  });

  it('records that wrong codes have locked an account', async () => {
    const password = await staff.add('guessed', 'ADMIN');
    await bind(staff.visitor(), 'guessed', password);
    const visitor = staff.visitor();
    await staff.signIn(visitor, 'guessed', password);
    const guess = () => visitor.post('/api/staff/two-factor-challenge', { code: '123456' });
    await guess();
    const inRow = sql`expires_at > now() + interval '2 hours'`;
    await run(sql`update staff_throttle set failures = ${lockAfterFailures - 1} where ${inRow}`);
    expect((await actions()).at(-1)).not.toBe('staff.lock by nobody');
    await guess();
    expect((await actions()).at(-1)).toBe('staff.lock by nobody');
    expect((await guess()).status).toBe(429);
  });

  it('ends the session that the browser had, also that of somebody else', async () => {
    const first = staff.visitor();
    await bind(first, 'before', await staff.add('before', 'ADMIN'));
    const kept = staff.visitor();
    for (const [name, value] of first.cookies) kept.cookies.set(name, value);
    expect((await kept.get('/api/staff/user')).status).toBe(200);
    const live = await EventStream.open(staff.url, kept, '', '/api/staff/events');
    await staff.signIn(first, 'after', await staff.add('after', 'ADMIN'));
    await live.ended();
    expect((await kept.get('/api/staff/user')).status).toBe(401);
    expect((await actions()).at(-1)).toBe('staff.end_session by staff:n');
  });
});

describe('an operator', () => {
  it('disables and enables a person, whose sessions end at once', async () => {
    const { accounts } = staff.runtime;
    const password = await staff.add('leaves', 'ADMIN');
    const visitor = staff.visitor();
    await bind(visitor, 'leaves', password);
    await accounts.setDisabled('leaves@staff.test', true, 'operator:test');
    expect((await visitor.get('/api/staff/user')).status).toBe(401);
    expect((await staff.signIn(staff.visitor(), 'leaves', password)).status).toBe(422);
    await expect(accounts.setDisabled('leaves@staff.test', true, 'operator:test')).rejects.toThrow();
    await accounts.setDisabled('leaves@staff.test', false, 'operator:test');
    expect((await staff.signIn(staff.visitor(), 'leaves', password)).json).toEqual({ level: 'password' });
  });

  it('resets a lost factor together with the password', async () => {
    const password = await staff.add('lost', 'FINANCE');
    const visitor = staff.visitor();
    await bind(visitor, 'lost', password);
    const next = await staff.runtime.accounts.resetFactor('lost@staff.test', 'operator:test');
    expect((await visitor.get('/api/staff/user')).status).toBe(401);
    expect((await staff.signIn(staff.visitor(), 'lost', password)).status).toBe(422);
    expect((await staff.signIn(staff.visitor(), 'lost', next)).json).toEqual({ level: 'binding' });
  });
});

it('ended sessions and expired counts are deleted in portions, until none is left', async () => {
  await staff.add('swept', 'ADMIN');
  await run(sql`insert into staff_session (id_hash, staff_id, idle_seconds, expires_at)
    select sha256(n::text::bytea), (select min(id) from staff_user), 60, now() - interval '1 day' from generate_series(1, 5) n`);
  await run(sql`insert into staff_throttle (key, failures, window_started_at, expires_at)
    select sha256(n::text::bytea), 1, now(), now() - interval '1 day' from generate_series(1, 3) n`);
  const left = async () => {
    const { rows } = await run(sql<{ sessions: number; counts: number }>`select
      (select count(*)::integer from staff_session where expires_at < now()) as sessions,
      (select count(*)::integer from staff_throttle where expires_at < now()) as counts`);
    return rows[0];
  };
  const portion = () => staff.runtime.database.asSystem((tx) => deleteEndedStaffSessions(tx, 2));
  expect(await portion()).toBe(true);
  expect(await left()).toEqual({ sessions: 3, counts: 1 });
  expect(await portion()).toBe(true);
  expect(await portion()).toBe(false);
  expect(await left()).toEqual({ sessions: 0, counts: 0 });
});

it('a person lists and ends the own sessions only', async () => {
  const password = await staff.add('lists', 'ADMIN');
  const visitor = staff.visitor();
  const secret = await bind(visitor, 'lists', password);
  const other = staff.visitor();
  await staff.signIn(other, 'lists', password);
  await other.post('/api/staff/two-factor-challenge', { code: codeOf(secret) });
  const stranger = staff.visitor();
  await bind(stranger, 'stranger', await staff.add('stranger', 'ADMIN'));
  const { data } = (await visitor.get('/api/staff/sessions')).json;
  expect(data.map(({ isCurrent }: { isCurrent: boolean }) => isCurrent)).toEqual([true, false]);
  expect((await stranger.send('DELETE', `/api/staff/sessions/${data[1].id}`)).status).toBe(404);
  expect((await other.get('/api/staff/user')).status).toBe(200);
  expect((await visitor.send('DELETE', `/api/staff/sessions/${data[1].id}`)).status).toBe(204);
  expect((await other.get('/api/staff/user')).status).toBe(401);
  expect((await visitor.post('/api/staff/logout')).status).toBe(204);
  expect((await visitor.get('/api/staff/user')).status).toBe(401);
});

describe('the accounts of the demo, whose password everybody knows', () => {
  const people = [{ email: 'known@staff.test', name: 'Known', roles: ['ADMIN' as const] }];
  const password = 'known to everybody';

  it('are not added to a database that serves other merchants', async () => {
    const { accounts } = staff.runtime;
    await product.merchant('real');
    await accounts.addDemo(people, { password, merchants: ['demo'] });
    expect((await accounts.list()).map(({ email }) => email)).not.toContain('known@staff.test');
  });

  it('are disabled, and their sessions end, once the database serves something else', async () => {
    const { accounts } = staff.runtime;
    await accounts.addDemo(people, { password, merchants: ['real'] });
    const visitor = staff.visitor();
    await bind(visitor, 'known', password);
    await accounts.endDemo(people);
    expect((await visitor.get('/api/staff/user')).status).toBe(401);
    expect((await staff.signIn(staff.visitor(), 'known', password)).status).toBe(422);
    await accounts.endDemo(people);
  });
});
