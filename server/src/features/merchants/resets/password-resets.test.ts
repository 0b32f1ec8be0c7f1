import { Readable } from 'node:stream';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, inject, it, vi } from 'vitest';
import { Refusal } from '#domain/refusal.ts';
import { refusalText } from '../../../operator/refusal-text.ts';
import { runOperator } from '../../../testing/operator-run.ts';
import { keepRealPasswords } from '../../../testing/quick-argon2.ts';
import { SoftPasskey } from '../../../testing/soft-passkey.ts';
import { testKey } from '../../../testing/test-database.ts';
import { type TestMerchant, TestProduct, testPassword } from '../../../testing/test-product.ts';
import { TestStaff } from '../../../testing/test-staff.ts';
import { until } from '../../../testing/until.ts';
import type { Answer, Visitor } from '../../../testing/visitor.ts';
import { waitingForLocks } from '../../../testing/waiting-for-locks.ts';
import { operatorActor } from '../../team/team.actor.ts';
import { UserService } from '../users.service.ts';

let product: TestProduct;
let merchant: TestMerchant;
let users: UserService;
let count = 0;

const fresh = 'Fresh-pass-2026';
const paying = '/api/merchant/payment-password';
const paymentPassword = { payment_password: '888888', payment_password_confirmation: '888888' };

keepRealPasswords();
beforeAll(async () => {
  product = await TestProduct.start(inject('ownerUrl'), { bank: true });
  vi.stubEnv('DATABASE_URL', product.ownerUrl);
  vi.stubEnv('APP_KEY', testKey);
  vi.stubEnv('DATA_DIR', product.dataDirectory);
  vi.stubEnv('USER', 'test');
  merchant = await product.merchant('forgetful');
  users = new UserService(product.services.database, 'operator:test');
});
afterAll(async () => {
  vi.unstubAllEnvs();
  expect(await product.deadlocks()).toBe(0);
  await product.close();
});

async function rowsOf<T>(statement: ReturnType<typeof sql<T>>): Promise<T[]> {
  const { rows } = await product.services.database.asSystem((tx) => statement.execute(tx.query));
  return rows;
}

/** Adds somebody who has a payment password, signed in with the login password confirmed. */
async function person(at = merchant): Promise<{ email: string; userId: bigint; visitor: Visitor }> {
  const name = `person${++count}`;
  const visitor = await product.person(at, 'MERCHANT_ADMIN', name);
  await confirm(visitor);
  expect((await visitor.send('PUT', paying, paymentPassword)).status).toBe(200);
  const email = `${name}@${at.code}.test`;
  const { userId } = await users.personOf(email);
  return { email, userId, visitor };
}

const confirm = (visitor: Visitor, password = testPassword) =>
  visitor.post('/api/user/confirm-password', { password });
const joins = ({ id }: TestMerchant, userId: bigint) =>
  rowsOf(
    sql`insert into membership (merchant_id, user_id, roles) values (${id}, ${userId}, '{MERCHANT_ADMIN}')`,
  );
const isSignedIn = async (visitor: Visitor) => (await visitor.get('/api/merchant/user')).status === 200;

async function signIn(email: string, password: string, more = {}): Promise<[Answer, Visitor]> {
  const visitor = product.visitor();
  await visitor.get('/api/csrf-cookie');
  return [await visitor.post('/api/login', { email, password, ...more }), visitor];
}

describe('somebody who has forgotten the passwords', () => {
  it('signs in with the new one only, and sets a payment password anew, with the login password confirmed', async () => {
    const { email, userId, visitor } = await person();
    await users.resetPassword(email.toUpperCase(), userId, fresh);
    expect(await isSignedIn(visitor)).toBe(false);
    expect((await signIn(email, testPassword))[0].status).toBe(422);
    const [answer, again] = await signIn(email, fresh);
    expect(answer.json).toEqual({ two_factor: false });
    expect((await again.get(paying)).json.data).toEqual({ isSet: false, lockedSeconds: 0 });
    expect((await again.send('PUT', paying, paymentPassword)).status).toBe(423);
    expect((await confirm(again, testPassword)).status).toBe(422);
    await confirm(again, fresh);
    expect((await again.send('PUT', paying, paymentPassword)).status).toBe(200);
  });

  it('keeps the second factor, which comes before the new payment password, too; a pending sign-in ends', async () => {
    const { email, userId, visitor } = await person();
    const passkey = new SoftPasskey(product.url);
    await passkey.bind(visitor);
    const [, thief] = await signIn(email, testPassword);
    const asked = async () => (await thief.post('/api/two-factor-challenge/options', {})).json.data.passkey;
    expect(await asked()).not.toBeNull();
    await users.resetPassword(email, userId, fresh);
    expect(await asked()).toBeNull();
    const [answer, owner] = await signIn(email, fresh);
    expect(answer.json).toEqual({ two_factor: true });
    expect((await owner.send('PUT', paying, paymentPassword)).status).toBe(401);
    expect((await passkey.pass(owner)).status).toBe(204);
    await confirm(owner, fresh);
    expect((await owner.send('PUT', paying, paymentPassword)).status).toBe(200);
  });

  it('is free of locks and unlock codes', async () => {
    const { email, userId, visitor } = await person();
    const wrong = { ...paymentPassword, current_payment_password: 'wrong!' };
    for (let time = 0; time < 6; time++) await visitor.send('PUT', paying, wrong);
    expect((await visitor.get(paying)).json.data.lockedSeconds).toBeGreaterThan(0);
    const unlock_code = await users.makeUnlockCode(email);
    await users.resetPassword(email, userId, fresh);
    const [refused] = await signIn(email, fresh, { unlock_code });
    expect([refused.status, Object.keys(refused.json.errors)]).toEqual([422, ['unlock_code']]);
    const [, again] = await signIn(email, fresh);
    expect((await again.get(paying)).json.data).toEqual({ isSet: false, lockedSeconds: 0 });
  });

  it('reads of it, and so do the managers of every merchant; the audit trails have no password', async () => {
    const other = await product.merchant(`second${count}`);
    const { email, userId } = await person();
    await joins(other, userId);
    const managers = [await product.person(merchant, 'ROOT', `boss${count}`), await product.person(other)];
    await users.resetPassword(email, userId, fresh);
    for (const manager of managers)
      expect((await manager.get('/api/merchant/notices')).json.data).toContainEqual(
        expect.objectContaining({ kind: 'passwordReset', subject: email }),
      );
    for (const { code } of [merchant, other]) {
      const [, again] = await signIn(email, fresh);
      expect((await again.post('/api/merchant/session/merchant', { merchant: code })).status).toBe(204);
      again.merchant = code;
      expect((await again.get('/api/merchant/notices')).json.data).toContainEqual(
        expect.objectContaining({
          kind: 'accessChanged',
          access: { change: 'user_reset_password', address: null, userAgent: null },
        }),
      );
      expect((await again.get('/api/merchant/security-events')).json.data).toContainEqual(
        expect.objectContaining({ action: 'user_reset_password' }),
      );
    }
    for (const { id } of [merchant, other])
      expect(
        await rowsOf(sql`select actor, before, after from audit
          where action = 'user.reset_password' and subject = ${`user:${userId}`} and merchant_id = ${id}`),
      ).toEqual([{ actor: 'operator:test', before: null, after: null }]);
  });

  it('stays suspended', async () => {
    const { email, userId } = await person();
    await runOperator('user', 'suspend', '--email', email, '--reason', 'stolen laptop');
    await users.resetPassword(email, userId, fresh);
    expect((await signIn(email, fresh))[0].status).toBe(422);
    await runOperator('user', 'reactivate', '--email', email, '--reason', 'called');
    expect((await signIn(email, fresh))[0].status).toBe(200);
  });

  it('is signed out of test mode, too', async () => {
    const live = await product.merchant('tested');
    const { email, userId, visitor } = await person(live);
    visitor.merchant = live.code;
    expect((await visitor.send('PUT', '/api/merchant/test-mode', { isOn: true })).status).toBe(204);
    visitor.merchant = (await product.services.testMode.open(live.id)).code;
    expect(await isSignedIn(visitor)).toBe(true);
    await users.resetPassword(email, userId, fresh);
    expect(await isSignedIn(visitor)).toBe(false);
  });

  it('must still work for a merchant, and be the person with the email', async () => {
    const { email, userId } = await person();
    const reset = (id: bigint) => users.resetPassword(email, id, fresh);
    await expect(reset(userId + 1n)).rejects.toMatchObject({ code: 'approval_changed' });
    await product.services.team.remove(operatorActor('operator:test', merchant.id), userId);
    await expect(users.personOf(email)).rejects.toMatchObject({ code: 'not_found' });
    await expect(reset(userId)).rejects.toMatchObject({ code: 'not_found' });
  });
});

describe('at the same time', () => {
  it('no sign-in with the old password outlives the reset', async () => {
    const { email, userId } = await person();
    const signingIn = Array.from({ length: 8 }, () => signIn(email, testPassword));
    await Promise.race(signingIn);
    await users.resetPassword(email, userId, fresh);
    for (const [, visitor] of await Promise.all(signingIn)) expect(await isSignedIn(visitor)).toBe(false);
  });

  it('a session that the reset ends does not set the payment password', async () => {
    const name = `person${++count}`;
    const visitor = await product.person(merchant, 'MERCHANT_ADMIN', name);
    const email = `${name}@${merchant.code}.test`;
    await confirm(visitor);
    let setting: Promise<Answer> | undefined;
    await product.services.database.asSystem(async (tx) => {
      await sql`select from app_user where email = ${email} for update`.execute(tx.query);
      setting = visitor.send('PUT', paying, paymentPassword);
      await until(
        () => waitingForLocks(product.ownerUrl),
        (waiting) => waiting === 1,
      );
      await sql`delete from session using app_user u where u.id = user_id and u.email = ${email}`.execute(
        tx.query,
      );
    });
    expect((await setting)?.status).toBe(401);
    const [, again] = await signIn(email, testPassword);
    expect((await again.get(paying)).json.data.isSet).toBe(false);
  });
});

describe('the command', () => {
  let staff: TestStaff;
  let admin: Visitor;
  beforeAll(async () => {
    staff = await TestStaff.start(product);
    admin = await staff.member('ann', 'ADMIN');
  });
  afterAll(() => staff.close());

  /** Runs the command with a password on standard input. */
  async function reset(email: string, password = fresh, ...more: string[]) {
    const input = vi.spyOn(process, 'stdin', 'get');
    input.mockReturnValue(Readable.from([`${password}\n`]) as typeof process.stdin);
    try {
      const { text } = await runOperator('user', 'reset-password', '--email', email, ...more, '--json');
      return JSON.parse(text);
    } finally {
      input.mockRestore();
    }
  }
  const requests = '/api/staff/requests';
  const storedRequests = () =>
    staff.runtime.database.asSystem(async (tx) => {
      const all = sql<{
        text: string;
      }>`select concat(change, facts, reason) as text from staff_request order by id`;
      return (await all.execute(tx.query)).rows;
    });
  const agree = async (request: string) =>
    expect((await admin.post(`${requests}/${request}/approve`, {})).status).toBe(200);

  it('asks first, and acts once when somebody has agreed, with the password that is given then', async () => {
    const { email, visitor } = await person();
    const { request } = await reset(email, 'Another-pass-2026');
    const { json } = await admin.get(`${requests}/${request}`);
    expect(json.data).toMatchObject({
      kind: 'merchantAccess',
      facts: [
        { name: 'command', before: null, after: 'user reset-password' },
        { name: 'person', before: null, after: email },
        { name: 'merchants', before: null, after: 'forgetful' },
      ],
    });
    await agree(request);
    expect(await isSignedIn(visitor)).toBe(true);
    // The person cannot void the permit.
    await visitor.send('PUT', '/api/user/profile-information', { name: 'Renamed', email });
    expect(await reset(email)).toMatchObject({ email, done: expect.stringContaining('was signed out') });
    expect(await isSignedIn(visitor)).toBe(false);
    expect((await signIn(email, fresh))[0].status).toBe(200);
    expect((await reset(email, 'Third-pass-2026')).request).toEqual(expect.any(String));
    expect((await signIn(email, fresh))[0].status).toBe(200);
    const audited = await rowsOf(sql<{ text: string }>`select concat(before, after) as text from audit`);
    const stored = [...audited, ...(await storedRequests())].map(({ text }) => text).join();
    expect(stored).toContain('user reset-password');
    expect(stored).not.toMatch(/(Another|Fresh|Third)-pass|argon2/);
  });

  it.each([
    ['too common', 'password123', /too common/],
    ['the name of the account', 'forgetful-boss', /too common/],
    ['too short', 'Ab-2026', /8 to 256 characters/],
  ])('refuses a password that is %s before it asks', async (_name, password, why) => {
    const before = await storedRequests();
    await expect(reset('forgetful-boss@forgetful.test', password)).rejects.toThrow(why);
    expect(await storedRequests()).toEqual(before);
  });

  it('acts at once with --break-glass, which alerts everybody', async () => {
    const { email } = await person();
    expect(await reset(email, fresh, '--break-glass', 'nobody is awake')).toMatchObject({ email });
    expect((await signIn(email, fresh))[0].status).toBe(200);
    expect((await admin.get('/api/staff/alerts')).json.data).toContainEqual(
      expect.objectContaining({ kind: 'merchantAccess', reason: 'nobody is awake' }),
    );
  });

  it('asks anew if the person has joined another merchant, and refuses one who has left', async () => {
    const { email, userId } = await person();
    await agree((await reset(email)).request);
    const other = await product.merchant(`joined${count}`);
    await joins(other, userId);
    const { request } = await reset(email);
    expect((await admin.get(`${requests}/${request}`)).json.data.facts).toContainEqual({
      name: 'merchants',
      before: null,
      after: `forgetful, ${other.code}`,
    });
    await agree(request);
    for (const { id } of [merchant, other])
      await product.services.team.remove(operatorActor('operator:test', id), userId);
    await expect(reset(email)).rejects.toMatchObject({ code: 'not_found' });
  });

  it('names the present email of somebody who has changed it, as the other commands for a person do', async () => {
    const { email, visitor } = await person();
    const taken = email.replace('person', 'taken');
    const changeEmail = (by: Visitor, to: string) =>
      by.send('PUT', '/api/user/profile-information', { name: 'U', email: to });
    expect((await changeEmail(visitor, taken)).status).toBe(200);
    const refused = async (running: Promise<unknown>) => {
      const error = await running.catch((thrown: unknown) => thrown);
      return error instanceof Refusal ? refusalText(error) : expect.fail('no refusal');
    };
    const command = (name: string, ...more: string[]) => runOperator('user', name, '--email', email, ...more);
    for (const run of [
      () => reset(email),
      () => command('suspend', '--reason', 'stolen laptop'),
      () => command('sign-out'),
      () => command('reset-two-factor'),
    ])
      expect(await refused(run())).toContain(`${email} now signs in as ${taken}.`);
    // Of two who had it, neither is named.
    const second = await person();
    await changeEmail(second.visitor, email);
    expect((await signIn(email, testPassword))[0].status).toBe(200);
    await changeEmail(second.visitor, second.email);
    expect(await refused(command('sign-out'))).toBe('No record has that name or number. (not_found)');
  });
});
