import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { keepRealPasswords } from '../../testing/quick-argon2.ts';
import { SoftPasskey } from '../../testing/soft-passkey.ts';
import { type TestMerchant, TestProduct, testPassword } from '../../testing/test-product.ts';
import { codeOf, earlierCodeOf } from '../../testing/totp.ts';
import { until } from '../../testing/until.ts';
import type { Answer, Visitor } from '../../testing/visitor.ts';
import { waitingForLocks } from '../../testing/waiting-for-locks.ts';

let product: TestProduct;
let merchant: TestMerchant;
let users = 0;

keepRealPasswords();
beforeAll(async () => {
  product = await TestProduct.start(inject('ownerUrl'));
  merchant = await product.merchant('factors');
});
afterAll(() => product.close());

const manage = '/api/user/two-factor-authentication';
const confirmed = '/api/user/confirmed-two-factor-authentication';
const challenge = '/api/two-factor-challenge';

/** A new user, signed in, with the password confirmed. */
async function person(): Promise<{ visitor: Visitor; email: string }> {
  const email = `user${++users}@factors.test`;
  const user = { email, name: 'U', password: testPassword, roles: ['MERCHANT_ADMIN'] as const };
  await product.admin().createUser(merchant.id, user);
  const visitor = product.visitor();
  await visitor.signIn(email, testPassword);
  await visitor.post('/api/user/confirm-password', { password: testPassword });
  return { visitor, email };
}

const secretOf = async (visitor: Visitor): Promise<string> =>
  (await visitor.get('/api/user/two-factor-secret-key')).json.secretKey;
const codesOf = async (visitor: Visitor): Promise<string[]> =>
  (await visitor.get('/api/user/two-factor-recovery-codes')).json;

/** The same with the second factor on. `secret` is the authenticator app's. */
async function personWithFactor(): Promise<{ visitor: Visitor; email: string; secret: string }> {
  const { visitor, email } = await person();
  await visitor.post(manage, {});
  const secret = await secretOf(visitor);
  // Uses the previous step, and leaves the current one for the next sign-in.
  expect((await visitor.post(confirmed, { code: await earlierCodeOf(secret) })).status).toBe(200);
  return { visitor, email, secret };
}

/** A visitor who has entered the right password and still has to pass the second factor. */
async function afterPassword(email: string): Promise<Visitor> {
  const visitor = product.visitor();
  const answer = await visitor.signIn(email, testPassword);
  expect([answer.status, answer.json]).toEqual([200, { two_factor: true }]);
  return visitor;
}

const change = (statement: ReturnType<typeof sql>) =>
  product.services.database.asSystem((tx) => statement.execute(tx.query));
const fields = ({ status, json }: Answer) => [status, Object.keys(json.errors ?? {})];

describe('the second factor', () => {
  it('goes from off to pending to on, and off again', async () => {
    const { visitor, email } = await person();
    expect((await visitor.get('/api/user/two-factor-qr-code')).json).toEqual([]);
    expect((await visitor.get('/api/user/two-factor-secret-key')).status).toBe(404);
    expect(await codesOf(visitor)).toEqual([]);
    expect(fields(await visitor.post(confirmed, { code: '123456' }))).toEqual([422, ['code']]);

    const enabled = await visitor.post(manage, {});
    expect([enabled.status, enabled.json]).toEqual([200, '']);
    const { svg, url } = (await visitor.get('/api/user/two-factor-qr-code')).json;
    expect(svg).toMatch(/^<svg /);
    const secret = await secretOf(visitor);
    const uri = new URL(url);
    expect([uri.protocol, uri.searchParams.get('secret'), uri.searchParams.get('digits')]).toEqual([
      'otpauth:',
      secret,
      '6',
    ]);
    expect(decodeURIComponent(uri.pathname)).toContain(email);
    const codes = await codesOf(visitor);
    expect(codes).toHaveLength(8);
    expect(codes.every((code) => /^[A-Za-z0-9]{10}-[A-Za-z0-9]{10}$/.test(code))).toBe(true);
    // Pending: signing in is not challenged, and enabling again changes nothing.
    expect((await product.visitor().signIn(email, testPassword)).json).toEqual({ two_factor: false });
    await visitor.post(manage, {});
    expect(await secretOf(visitor)).toBe(secret);

    expect(fields(await visitor.post(confirmed, { code: '' }))).toEqual([422, ['code']]);
    expect(fields(await visitor.post(confirmed, { code: '000000' }))).toEqual([422, ['code']]);
    const on = await visitor.post(confirmed, { code: codeOf(secret) });
    expect([on.status, on.json]).toEqual([200, '']);
    expect((await visitor.get('/api/merchant/user')).json.data.twoFactor).toBe('on');
    // The secret is the app's from now on: a stolen session can't copy it.
    expect((await visitor.get('/api/user/two-factor-qr-code')).json).toEqual([]);
    expect((await visitor.get('/api/user/two-factor-secret-key')).status).toBe(404);
    expect((await product.visitor().signIn(email, testPassword)).json).toEqual({ two_factor: true });

    for (let time = 0; time < 2; time++) expect((await visitor.send('DELETE', manage)).status).toBe(200);
    expect((await visitor.get('/api/merchant/user')).json.data.twoFactor).toBe('off');
    expect(await codesOf(visitor)).toEqual([]);
  });

  it('refuses a first code of the wrong length without counting an attempt', async () => {
    const { visitor } = await person();
    await visitor.post(manage, {});
    const code = await earlierCodeOf(await secretOf(visitor));
    for (let time = 0; time < 7; time++)
      expect((await visitor.post(confirmed, { code: '12345' })).json.errors).toEqual({
        code: ['The verification code length is 6 digits.'],
      });
    expect((await visitor.post(confirmed, { code })).status).toBe(200);
  });

  it('needs a first code again when it is forcibly replaced', async () => {
    const { visitor, email, secret } = await personWithFactor();
    await visitor.post(manage, { force: true });
    expect(await secretOf(visitor)).not.toBe(secret);
    expect((await product.visitor().signIn(email, testPassword)).json).toEqual({ two_factor: false });
  });

  it('renews all recovery codes, without returning them', async () => {
    const { visitor } = await personWithFactor();
    const before = await codesOf(visitor);
    const answer = await visitor.post('/api/user/two-factor-recovery-codes', {});
    expect([answer.status, answer.json]).toEqual([200, '']);
    const after = await codesOf(visitor);
    expect(after).toHaveLength(8);
    expect(after.filter((code) => before.includes(code))).toEqual([]);
  });

  it('is stored encrypted', async () => {
    const { email, secret } = await personWithFactor();
    const { rows } = await product.services.database.asSystem((tx) =>
      sql<{ row: string }>`select app_user::text as row from app_user where email = ${email}`.execute(
        tx.query,
      ),
    );
    expect(rows[0]?.row).toContain(email);
    expect(rows[0]?.row).not.toContain(secret);
    expect(rows[0]?.row).not.toContain(Buffer.from(secret).toString('hex'));
  });
});

describe('the challenge', () => {
  it('opens a session under a new id with a code', async () => {
    const { email, secret } = await personWithFactor();
    const visitor = await afterPassword(email);
    expect((await visitor.get('/api/merchant/user')).status).toBe(401);
    const before = visitor.cookies.get('hengfu_session');
    expect((await visitor.post(challenge, { code: codeOf(secret) })).status).toBe(204);
    expect(visitor.cookies.get('hengfu_session')).not.toBe(before);
    expect((await visitor.get('/api/merchant/user')).json.data.email).toBe(email);
    // The pending sign-in is gone: the old id is useless.
    expect(fields(await visitor.post(challenge, { code: codeOf(secret, 1) }))).toEqual([422, ['code']]);
  });

  it('accepts a recovery code once, and replaces it with a new one', async () => {
    const { visitor: owner, email } = await personWithFactor();
    const codes = await codesOf(owner);
    const [code = ''] = codes;
    const visitor = await afterPassword(email);
    expect((await visitor.post(challenge, { recovery_code: ` ${code.toLowerCase()} ` })).status).toBe(204);
    const left = await codesOf(owner);
    expect(left).toHaveLength(8);
    expect(left.filter((each) => !codes.includes(each))).toHaveLength(1);
    const again = await afterPassword(email);
    expect(fields(await again.post(challenge, { recovery_code: code }))).toEqual([422, ['recovery_code']]);
  });

  const refused: [string, object, string][] = [
    ['a wrong code', { code: '000000' }, 'code'],
    ['no code', {}, 'code'],
    ['an empty code', { code: '  ' }, 'code'],
    ['a code of letters', { code: 'abcdef' }, 'code'],
    ['full-width digits', { code: '１２３４５６' }, 'code'],
    ['a wrong recovery code', { recovery_code: 'nonsense' }, 'recovery_code'],
    ['both, both wrong', { recovery_code: 'nonsense', code: '000000' }, 'recovery_code'],
  ];
  it.each(refused)(
    'refuses %s, alike with and without a pending sign-in, which stays pending',
    async (_name, body, field) => {
      const { email, secret } = await personWithFactor();
      const visitor = await afterPassword(email);
      const stranger = product.visitor();
      await stranger.get('/api/csrf-cookie');
      const [waiting, none] = [await visitor.post(challenge, body), await stranger.post(challenge, body)];
      expect(fields(waiting)).toEqual([422, [field]]);
      if (none.status !== 429) expect(none.json.errors).toEqual(waiting.json.errors);
      expect((await visitor.post(challenge, { code: codeOf(secret) })).status).toBe(204);
    },
  );

  it('checks the code if the recovery code sent with it is wrong', async () => {
    const { email, secret } = await personWithFactor();
    const visitor = await afterPassword(email);
    const both = { recovery_code: 'nonsense', code: codeOf(secret) };
    expect((await visitor.post(challenge, both)).status).toBe(204);
  });

  it('accepts a code once in twenty concurrent attempts', async () => {
    const { email, secret } = await personWithFactor();
    const visitors = await Promise.all(Array.from({ length: 4 }, () => afterPassword(email)));
    const code = codeOf(secret);
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) => (visitors[index % 4] as Visitor).post(challenge, { code })),
    );
    expect(answers.filter(({ status }) => status === 204)).toHaveLength(1);
    expect(answers.every(({ status }) => [204, 422, 429].includes(status))).toBe(true);
  });

  it('accepts a recovery code once in twenty concurrent attempts', async () => {
    const { visitor: owner, email } = await personWithFactor();
    const [code = ''] = await codesOf(owner);
    const visitors = await Promise.all(Array.from({ length: 4 }, () => afterPassword(email)));
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        (visitors[index % 4] as Visitor).post(challenge, { recovery_code: code }),
      ),
    );
    expect(answers.filter(({ status }) => status === 204)).toHaveLength(1);
    expect(await codesOf(owner)).toHaveLength(8);
  });

  it.each([
    ['12345', 'The verification code length is 6 digits.'],
    ['1234567', 'The verification code length is 6 digits.'],
    ['12345a', 'The verification code length is 6 digits.'],
    ['', 'Please enter the Google verification code.'],
  ])('refuses %j as no code, without counting an attempt', async (code, message) => {
    const { email, secret } = await personWithFactor();
    const visitor = await afterPassword(email);
    for (let time = 0; time < 7; time++) {
      const { status, json } = await visitor.post(challenge, { code });
      expect([status, json.errors]).toEqual([422, { code: [message] }]);
    }
    expect((await visitor.post(challenge, { code: codeOf(secret) })).status).toBe(204);
  });

  it('refuses a sixth attempt within a minute, and says for how long', async () => {
    const { email } = await personWithFactor();
    const visitor = await afterPassword(email);
    for (let time = 0; time < 5; time++)
      expect((await visitor.post(challenge, { code: '000000' })).status).toBe(422);
    const { status, json, headers } = await visitor.post(challenge, { code: '000000' });
    expect([status, json.code]).toEqual([429, 'too_many_attempts']);
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
    expect([headers.get('x-ratelimit-limit'), headers.get('x-ratelimit-remaining')]).toEqual(['5', '0']);
  });
});

const finish = '/api/merchant/confirmed-two-factor-authentication';

/** A user of a merchant that requires a second factor, signed in with the password alone. */
async function strictPerson() {
  const strict = await product.merchant(`strict-${++users}`);
  await product.admin().requireTwoFactor(strict.id, true);
  const email = `strict${users}@factors.test`;
  const user = { email, name: 'S', password: testPassword, roles: ['MERCHANT_ADMIN'] as const };
  const enrolmentCode = (await product.admin().createUser(strict.id, user)) ?? '';
  const visitor = product.visitor();
  await visitor.signIn(email, testPassword);
  return { visitor, email, enrolmentCode };
}

describe('a user whose merchant requires a second factor', () => {
  it('has to bind one before anything else opens', async () => {
    const { visitor, enrolmentCode } = await strictPerson();
    expect((await visitor.get('/api/merchant/user')).json.data.twoFactor).toBe('required');
    const closed = await visitor.get('/api/merchant/dashboard');
    expect([closed.status, closed.json.code]).toEqual([403, 'two_factor_required']);

    const first = (await visitor.get('/api/merchant/two-factor-secret-key')).json;
    expect((await visitor.get('/api/merchant/two-factor-secret-key')).json).toEqual(first);
    expect(first.isEnrolmentCodeNeeded).toBe(true);
    const enrolment_code = ` ${enrolmentCode.toLowerCase()} `;
    expect(fields(await visitor.post(finish, { code: '000000', enrolment_code }))).toEqual([422, ['code']]);
    const code = codeOf(first.secretKey);
    for (const wrong of [{ code }, { code, enrolment_code: 'AAAA-AAAA-AAAA-AAAA-AAAA' }])
      expect(fields(await visitor.post(finish, wrong))).toEqual([422, ['enrolment_code']]);
    // Only the binding makes this browser a known one.
    expect(visitor.cookies.has('hengfu_device')).toBe(false);
    const bound = await visitor.post(finish, { code, enrolment_code });
    expect(visitor.cookies.has('hengfu_device')).toBe(true);
    expect([bound.status, bound.json.recoveryCodes.length]).toEqual([200, 8]);
    expect((await visitor.get('/api/merchant/dashboard')).status).toBe(200);
    for (const again of [
      await visitor.get('/api/merchant/two-factor-secret-key'),
      await visitor.post(finish, { code: codeOf(first.secretKey, 1) }),
    ])
      expect([again.status, again.json.code]).toEqual([409, 'conflict']);
  });

  it('needs the enrollment code: a stolen password binds nothing', async () => {
    const { email, enrolmentCode } = await strictPerson();
    const attacker = product.visitor();
    await attacker.signIn(email, testPassword);
    const { secretKey } = (await attacker.get('/api/merchant/two-factor-secret-key')).json;
    const code = codeOf(secretKey);
    for (const enrolment_code of [undefined, '', 'AAAA-AAAA-AAAA-AAAA-AAAA'])
      expect(fields(await attacker.post(finish, { code, enrolment_code }))).toEqual([
        422,
        ['enrolment_code'],
      ]);
    await change(sql`update enrolment_code set expires_at = now()`);
    const late = await attacker.post(finish, { code, enrolment_code: enrolmentCode });
    expect(fields(late)).toEqual([422, ['enrolment_code']]);
    expect((await attacker.get('/api/merchant/user')).json.data.twoFactor).toBe('required');
  });

  it('binds once in twenty concurrent attempts', async () => {
    const { visitor, enrolmentCode: enrolment_code } = await strictPerson();
    const { secretKey } = (await visitor.get('/api/merchant/two-factor-secret-key')).json;
    const session = visitor.cookies.get('hengfu_session') ?? '';
    const token = visitor.cookies.get('XSRF-TOKEN') ?? '';
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => {
        const browser = product.visitor();
        browser.cookies.set('hengfu_session', session).set('XSRF-TOKEN', token);
        return browser.post(finish, { code: codeOf(secretKey), enrolment_code });
      }),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.every(({ status }) => [200, 401, 422, 429].includes(status))).toBe(true);
  });

  it('can bind again without the enrollment code in the session that turned two-factor off', async () => {
    const { visitor, enrolmentCode: enrolment_code, email } = await strictPerson();
    const { secretKey } = (await visitor.get('/api/merchant/two-factor-secret-key')).json;
    await visitor.post(finish, { code: await earlierCodeOf(secretKey), enrolment_code });
    await visitor.post('/api/user/confirm-password', { password: testPassword });
    expect((await visitor.send('DELETE', manage)).status).toBe(200);
    const attacker = product.visitor();
    await attacker.signIn(email, testPassword);
    expect((await attacker.get('/api/merchant/two-factor-secret-key')).json.isEnrolmentCodeNeeded).toBe(true);
    const again = (await visitor.get('/api/merchant/two-factor-secret-key')).json;
    expect(again.isEnrolmentCodeNeeded).toBe(false);
    expect((await visitor.post(finish, { code: codeOf(again.secretKey) })).status).toBe(200);
    expect((await attacker.get('/api/merchant/user')).status).toBe(401);
  });
});

describe('a session', () => {
  it('ends when another session binds a second factor', async () => {
    const { visitor: owner, email } = await person();
    const attacker = product.visitor();
    await attacker.signIn(email, testPassword);
    await attacker.post('/api/user/confirm-password', { password: testPassword });
    const before = owner.cookies.get('hengfu_session');
    await owner.post(manage, {});
    const secret = await secretOf(owner);
    expect((await owner.post(confirmed, { code: codeOf(secret) })).status).toBe(200);
    expect(owner.cookies.get('hengfu_session')).not.toBe(before);
    expect((await owner.get('/api/merchant/dashboard')).status).toBe(200);
    for (const path of [
      '/api/merchant/user',
      '/api/merchant/dashboard',
      '/api/user/two-factor-recovery-codes',
    ])
      expect((await attacker.get(path)).status, path).toBe(401);
  });

  it('can neither read nor confirm a secret that another session is binding', async () => {
    const { visitor: owner, email } = await person();
    const attacker = product.visitor();
    await attacker.signIn(email, testPassword);
    await attacker.post('/api/user/confirm-password', { password: testPassword });
    await attacker.post(manage, {});
    const planted = await secretOf(attacker);
    await owner.post(manage, {});
    const secret = await secretOf(owner);
    expect(secret).not.toBe(planted);
    expect(await secretOf(attacker)).toBe(planted);
    expect(await codesOf(owner)).not.toEqual(await codesOf(attacker));
    expect(fields(await owner.post(confirmed, { code: codeOf(planted) }))).toEqual([422, ['code']]);
    expect((await owner.post(confirmed, { code: codeOf(secret) })).status).toBe(200);
    expect((await attacker.post(confirmed, { code: codeOf(planted) })).status).toBe(401);
  });

  it('cannot read recovery codes of a factor that was bound while it waited for the lock', async () => {
    const { visitor: owner, email } = await person();
    const attacker = product.visitor();
    await attacker.signIn(email, testPassword);
    await attacker.post('/api/user/confirm-password', { password: testPassword });
    await owner.post(manage, {});
    const secret = await secretOf(owner);
    const waiting = (many: number) =>
      until(
        () => waitingForLocks(product.ownerUrl),
        (count) => count === many,
      );
    const { binding, reading } = await product.services.database.asSystem(async (tx) => {
      await sql`select from app_user where email = ${email} for update`.execute(tx.query);
      const binding = owner.post(confirmed, { code: codeOf(secret) });
      await waiting(1);
      // Admitted while there was no factor, and queued behind the owner.
      const reading = attacker.get('/api/user/two-factor-recovery-codes');
      await waiting(2);
      return { binding, reading };
    });
    expect((await binding).status).toBe(200);
    const { status, json } = await reading;
    expect([status, json.code]).toEqual([401, 'unauthenticated']);
    expect(await codesOf(owner)).toHaveLength(8);
  });

  it('has fifteen minutes to confirm a secret', async () => {
    const { visitor } = await person();
    await visitor.post(manage, {});
    const secret = await secretOf(visitor);
    await change(sql`update two_factor_binding set created_at = created_at - interval '15 minutes'`);
    expect(fields(await visitor.post(confirmed, { code: codeOf(secret) }))).toEqual([422, ['code']]);
    expect((await visitor.get('/api/user/two-factor-secret-key')).status).toBe(404);
  });

  it('still has to pass a factor that was bound during its sign-in', async () => {
    const { visitor: owner, email, secret } = await personWithFactor();
    const late = product.visitor();
    await late.signIn(email, testPassword);
    const passed = { code: codeOf(secret) };
    expect((await late.post(challenge, passed)).status).toBe(204);
    // As if the password alone had opened it, just before the factor was bound.
    await change(sql`
      update session set second_factor = null, second_factor_at = null
      where user_id = (select id from app_user where email = ${email})`);
    for (const visitor of [owner, late]) {
      const { status, json } = await visitor.get('/api/merchant/user');
      expect([status, json.code]).toEqual([403, 'two_factor_challenge_required']);
    }
    expect(fields(await late.post(challenge, { code: '000000' }))).toEqual([422, ['code']]);
    expect((await late.post(challenge, { code: codeOf(secret, 1) })).status).toBe(204);
    expect((await late.get('/api/merchant/user')).status).toBe(200);
    // The other browser signs in again, which ends its earlier session.
    const left = product.visitor();
    for (const [name, value] of owner.cookies) left.cookies.set(name, value);
    const again = await owner.post('/api/login', { email, password: testPassword });
    expect(again.json).toEqual({ two_factor: true });
    expect((await left.get('/api/merchant/user')).status).toBe(401);
  });

  it('ends, like pending sign-ins, when another session changes a factor; the person is notified', async () => {
    const { visitor: owner, email } = await personWithFactor();
    await owner.post('/api/user/confirm-password', { password: testPassword });
    const codes = await codesOf(owner);
    const passkey = new SoftPasskey(product.url);
    const steps: [string, () => Promise<Answer>][] = [
      ['two_factor_codes_renewed', () => owner.post('/api/user/two-factor-recovery-codes', {})],
      ['passkey_add', () => passkey.bind(owner)],
      [
        'passkey_remove',
        async () => {
          const [{ id }] = (await owner.get('/api/merchant/passkeys')).json.data;
          return owner.send('DELETE', `/api/merchant/passkeys/${id}`);
        },
      ],
      ['two_factor_off', () => owner.post(manage, { force: true })],
    ];
    let recovery = codes;
    for (const [name, make] of steps) {
      await change(sql`delete from sign_in_throttle`);
      const other = await afterPassword(email);
      expect((await other.post(challenge, { recovery_code: recovery[0] })).status, name).toBe(204);
      const waiting = await afterPassword(email);
      const before = owner.cookies.get('hengfu_session');
      expect((await make()).status, name).toBeLessThan(300);
      expect(owner.cookies.get('hengfu_session'), name).not.toBe(before);
      expect((await other.get('/api/merchant/user')).status, name).toBe(401);
      recovery = await codesOf(owner);
      // The sign-in is no longer pending, so that even a right code opens nothing.
      expect((await waiting.post(challenge, { recovery_code: recovery[1] })).status, name).toBe(422);
      const notices = (await owner.get('/api/merchant/notices')).json.data;
      expect(notices[0], name).toMatchObject({ kind: 'accessChanged', access: { change: name } });
    }
  });
});
