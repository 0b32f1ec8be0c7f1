import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { keepRealPasswords } from '../../testing/quick-argon2.ts';
import { SoftPasskey } from '../../testing/soft-passkey.ts';
import { type TestMerchant, TestProduct, testPassword } from '../../testing/test-product.ts';
import type { Answer, Visitor } from '../../testing/visitor.ts';
import { UserService } from './users.service.ts';

let product: TestProduct;
let merchant: TestMerchant;
let operator: UserService;
let users = 0;

keepRealPasswords();
beforeAll(async () => {
  product = await TestProduct.start(inject('ownerUrl'));
  merchant = await product.merchant('helped');
  operator = new UserService(product.services.database, 'operator:test');
});
afterAll(() => product.close());

async function newUser(): Promise<string> {
  const email = `user${++users}@helped.test`;
  const user = { email, name: 'U', password: testPassword, roles: ['MERCHANT_ADMIN'] as const };
  await product.admin().createUser(merchant.id, user);
  return email;
}

const change = (statement: ReturnType<typeof sql>) =>
  product.services.database.asSystem((tx) => statement.execute(tx.query));

/** Locks an account, as twenty wrong passwords from many addresses would. */
async function lock(email: string): Promise<void> {
  const service = product.services.session;
  const request = { id: 'r', address: '203.0.113.9', userAgent: undefined, language: 'en' } as const;
  const wrong = { email, password: 'wrong', remember: false, unlockCode: undefined, knows: undefined };
  for (let time = 0; time < 20; time++) {
    // From the tenth failure on, each attempt waits half a minute.
    await change(sql`update sign_in_throttle set blocked_until = now() where blocked_until is not null`);
    await service.signIn(wrong, 'x'.repeat(43), request).catch(() => {});
  }
}

async function signIn(
  email: string,
  extra: object = {},
  password = testPassword,
): Promise<[Answer, Visitor]> {
  const visitor = product.visitor();
  await visitor.get('/api/csrf-cookie');
  return [await visitor.post('/api/login', { email, password, ...extra }), visitor];
}

describe('a locked account', () => {
  it('reports the remaining lock time and can be unlocked by an operator', async () => {
    const email = await newUser();
    await lock(email);
    const [locked] = await signIn(email);
    expect([locked.status, locked.json.code]).toEqual([429, 'too_many_attempts']);
    const wait = Number(locked.headers.get('retry-after'));
    expect(wait).toBeGreaterThan(29 * 60);
    expect(locked.json.message).toContain('30 minutes');
    await operator.unlock(email.toUpperCase());
    const [open, visitor] = await signIn(email);
    expect(open.status).toBe(200);
    const events = (await visitor.get('/api/merchant/security-events')).json.data;
    expect(events.map(({ action }: { action: string }) => action).sort()).toEqual([
      'session_lock',
      'session_sign_in',
      'user_unlock',
    ]);
  });

  it('accepts an operator’s unlock code once, while others keep guessing', async () => {
    const email = await newUser();
    await lock(email);
    const unlock_code = await operator.makeUnlockCode(email);
    const [wrongCode] = await signIn(email, { unlock_code: 'AAAA-AAAA-AAAA-AAAA-AAAA' });
    expect([wrongCode.status, Object.keys(wrongCode.json.errors)]).toEqual([422, ['unlock_code']]);
    const [wrongPassword] = await signIn(email, { unlock_code }, 'wrong');
    expect([wrongPassword.status, Object.keys(wrongPassword.json.errors)]).toEqual([422, ['email']]);
    const typed = ` ${unlock_code.toLowerCase().replaceAll('-', ' ')} `;
    const [open] = await signIn(email, { unlock_code: typed });
    expect(open.status).toBe(200);
    const [again] = await signIn(email, { unlock_code });
    expect([again.status, Object.keys(again.json.errors)]).toEqual([422, ['unlock_code']]);
  });

  it('accepts one of twenty concurrent sign-ins with the same code', async () => {
    const email = await newUser();
    const unlock_code = await operator.makeUnlockCode(email);
    const answers = await Promise.all(Array.from({ length: 20 }, () => signIn(email, { unlock_code })));
    expect(answers.filter(([{ status }]) => status === 200)).toHaveLength(1);
  });

  it('checks at most five passwords per unlock code, even concurrently', async () => {
    const email = await newUser();
    await lock(email);
    const first = await operator.makeUnlockCode(email);
    const guesses = await Promise.all(
      Array.from({ length: 12 }, () => signIn(email, { unlock_code: first }, 'wrong')),
    );
    const checked = guesses.filter(([{ json }]) => json.errors?.email !== undefined);
    expect(checked).toHaveLength(5);
    const [late] = await signIn(email, { unlock_code: first });
    expect(late.status).not.toBe(200);
    expect(late.json.errors?.email).toBeUndefined();
    await change(sql`delete from sign_in_throttle`);
    await lock(email);
    expect((await signIn(email, { unlock_code: first }))[0].json.errors).toHaveProperty('unlock_code');
    const second = await operator.makeUnlockCode(email);
    for (let wrong = 0; wrong < 4; wrong++) await signIn(email, { unlock_code: second }, 'wrong');
    expect((await signIn(email, { unlock_code: second }))[0].status).toBe(200);
  });

  it('rejects a code after half an hour, or once a newer one was issued', async () => {
    const email = await newUser();
    const first = await operator.makeUnlockCode(email);
    const second = await operator.makeUnlockCode(email);
    expect((await signIn(email, { unlock_code: first }))[0].status).toBe(422);
    await change(sql`update unlock_code set expires_at = now()`);
    expect((await signIn(email, { unlock_code: second }))[0].status).toBe(422);
  });
});

describe('a user who has lost the second factor', () => {
  it('signs in with the password alone after a reset, which ends all sessions', async () => {
    const email = await newUser();
    const [, visitor] = await signIn(email);
    await visitor.post('/api/user/confirm-password', { password: testPassword });
    await new SoftPasskey(product.url).bind(visitor);
    await visitor.post('/api/user/two-factor-authentication', {});
    expect((await signIn(email))[0].json).toEqual({ two_factor: true });
    await operator.resetTwoFactor(email);
    expect((await visitor.get('/api/merchant/user')).status).toBe(401);
    const [answer, again] = await signIn(email);
    expect(answer.json).toEqual({ two_factor: false });
    expect((await again.get('/api/merchant/user')).json.data).toMatchObject({
      twoFactor: 'off',
      factors: [],
    });
    await again.post('/api/user/confirm-password', { password: testPassword });
    expect((await again.get('/api/user/two-factor-recovery-codes')).json).toEqual([]);
  });
});

it('ends a user’s sessions on an operator’s command and audits every step', async () => {
  const email = await newUser();
  const [, visitor] = await signIn(email);
  await operator.signOut(email);
  expect((await visitor.get('/api/merchant/user')).status).toBe(401);
  await expect(operator.unlock('nobody@helped.test')).rejects.toMatchObject({ code: 'not_found' });
  const { rows } = await change(
    sql`select distinct action, subject like 'user:%' as named from audit where actor = 'operator:test' and action in
      ('user.unlock', 'user.unlock_code', 'user.reset_two_factor', 'user.sign_out') order by action`,
  );
  expect(rows).toEqual(
    ['user.reset_two_factor', 'user.sign_out', 'user.unlock', 'user.unlock_code'].map((action) => ({
      action,
      named: true,
    })),
  );
});
