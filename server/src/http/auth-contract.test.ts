import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { type TestMerchant, TestProduct, testPassword } from '../testing/test-product.ts';
import { codeOf, earlierCodeOf } from '../testing/totp.ts';
import type { Answer, Visitor } from '../testing/visitor.ts';

/**
 * The calls for signing in and account security, row by row: what each accepts, returns and rejects. Behavior
 * that takes several calls to show (codes accepted once, sessions that end) is tested with the features.
 */

let product: TestProduct;
let merchant: TestMerchant;
let users = 0;

beforeAll(async () => {
  product = await TestProduct.start(inject('ownerUrl'));
  merchant = await product.merchant('contract');
});
afterAll(() => product.close());

/** A caller and its credentials. */
interface Actor {
  visitor: Visitor;
  email: string;
  /** Secret of the authenticator app, Base32. */
  secret: string;
  codes: string[];
}
type ActorName = keyof typeof actors;

async function newUser(): Promise<Actor> {
  const email = `user${++users}@contract.test`;
  const user = { email, name: 'U', password: testPassword, roles: ['MERCHANT_ADMIN'] as const };
  await product.admin().createUser(merchant.id, user);
  return { visitor: product.visitor(), email, secret: '', codes: [] };
}

const confirm = (visitor: Visitor) => visitor.post('/api/user/confirm-password', { password: testPassword });

const actors = {
  /** No cookies at all. */
  stranger: newUser,
  /** Has a visitor's cookies. */
  guest: async () => {
    const actor = await newUser();
    await actor.visitor.get('/api/csrf-cookie');
    return actor;
  },
  /** Signed in. */
  user: async () => {
    const actor = await newUser();
    await actor.visitor.signIn(actor.email, testPassword);
    return actor;
  },
  /** Signed in, with the password confirmed. */
  confirmed: async () => {
    const actor = await actors.user();
    await confirm(actor.visitor);
    return actor;
  },
  /** The same, with a secret that is not yet confirmed by a code. */
  binding: async () => {
    const actor = await actors.confirmed();
    await actor.visitor.post('/api/user/two-factor-authentication', {});
    actor.secret = (await actor.visitor.get('/api/user/two-factor-secret-key')).json.secretKey;
    actor.codes = (await actor.visitor.get('/api/user/two-factor-recovery-codes')).json;
    return actor;
  },
  /** The same, with the second factor on. */
  bound: async () => {
    const actor = await actors.binding();
    const code = await earlierCodeOf(actor.secret);
    await actor.visitor.post('/api/user/confirmed-two-factor-authentication', { code });
    return actor;
  },
  /** The same person in another browser, past the password but not the second factor. */
  pending: async () => {
    const actor = await actors.bound();
    actor.visitor = product.visitor();
    await actor.visitor.signIn(actor.email, testPassword);
    return actor;
  },
};

/** One row of the contract: the caller, the request and the expected reply. */
interface Row {
  as: ActorName;
  body?: unknown | ((actor: Actor) => unknown);
  /** Path and query, if not the call's own. */
  path?: string;
  headers?: Record<string, string>;
  status: number;
  /** The whole body of the reply. */
  json?: unknown;
  /** The names under `errors`. */
  fields?: string[];
  code?: string;
  message?: string | RegExp;
  /** Calls made before, whose replies don't matter. */
  first?: (actor: Actor) => Promise<unknown>;
  after?: (answer: Answer, actor: Actor) => unknown;
}

const unauthenticated = { status: 401, code: 'unauthenticated', message: 'Unauthenticated.' };
const mismatch = { status: 419, code: 'csrf_mismatch', message: 'CSRF token mismatch.' };
const unconfirmed = {
  status: 423,
  code: 'password_confirmation_required',
  message: 'Password confirmation required.',
};
/** Rows of any protected write: what it rejects before it reads its input. */
const writes = (rows: Record<string, Row> = {}): Record<string, Row> => ({
  'no token': { as: 'user', headers: { 'x-xsrf-token': '' }, ...mismatch },
  'a guest': { as: 'guest', ...unauthenticated },
  'a guest without token': { as: 'stranger', ...mismatch },
  'too large, without token': {
    as: 'stranger',
    body: 'x'.repeat(300_000),
    status: 413,
    code: 'payload_too_large',
  },
  ...rows,
});
const managed = (rows: Record<string, Row>) =>
  writes({ 'an unconfirmed password': { as: 'user', body: { code: '' }, ...unconfirmed }, ...rows });
const managedReads = (rows: Record<string, Row>): Record<string, Row> => ({
  'a guest': { as: 'guest', ...unauthenticated },
  'an unconfirmed password': { as: 'user', ...unconfirmed },
  ...rows,
});
const right = ({ email }: Actor) => ({ email, password: testPassword });
const newPassword = (more: object = {}) => ({
  current_password: testPassword,
  password: 'Other-pass-2026',
  password_confirmation: 'Other-pass-2026',
  ...more,
});
const sessionIdOf = (actor: Actor) => actor.visitor.cookies.get('hengfu_session');

const contract: Record<string, Record<string, Row>> = {
  'GET /api/csrf-cookie': {
    anyone: {
      as: 'stranger',
      status: 204,
      json: '',
      after: ({ headers }) => expect(headers.getSetCookie()).toHaveLength(2),
    },
  },
  'POST /api/login': {
    'without a second factor': {
      as: 'guest',
      body: right,
      status: 200,
      json: { two_factor: false },
      // Session id, XSRF token and device cookie.
      after: ({ headers }) => expect(headers.getSetCookie()).toHaveLength(3),
    },
    'with a second factor': {
      as: 'bound',
      first: async (actor) => {
        actor.visitor = product.visitor();
        await actor.visitor.get('/api/csrf-cookie');
      },
      body: right,
      status: 200,
      json: { two_factor: true },
      after: async (_answer, { visitor }) =>
        expect((await visitor.get('/api/merchant/user')).status).toBe(401),
    },
    'an email with capitals and spaces': {
      as: 'guest',
      body: ({ email }: Actor) => ({ email: ` ${email.toUpperCase()} `, password: testPassword }),
      status: 200,
    },
    'a password is not trimmed': {
      as: 'guest',
      body: ({ email }: Actor) => ({ email, password: ` ${testPassword} ` }),
      status: 422,
      fields: ['email'],
    },
    'no email': { as: 'guest', body: { password: 'x' }, status: 422, fields: ['email'] },
    'no password': { as: 'guest', body: { email: 'a@b.test' }, status: 422, fields: ['password'] },
    nothing: {
      as: 'guest',
      body: {},
      status: 422,
      fields: ['email', 'password'],
      message: 'Please enter email address. (and 1 more error)',
    },
    'empty fields count as absent': {
      as: 'guest',
      body: { email: ' ', password: '' },
      status: 422,
      fields: ['email', 'password'],
    },
    'a wrong password': {
      as: 'guest',
      body: ({ email }: Actor) => ({ email, password: 'wrong' }),
      status: 422,
      fields: ['email'],
      message: 'These credentials do not match our records.',
    },
    'an unknown email': {
      as: 'guest',
      body: { email: 'nobody@contract.test', password: 'wrong' },
      status: 422,
      fields: ['email'],
      message: 'These credentials do not match our records.',
    },
    'the requested language': {
      as: 'guest',
      body: ({ email }: Actor) => ({ email, password: 'wrong' }),
      headers: { 'accept-language': 'vi' },
      status: 422,
      message: /^(?!These)/,
    },
    'too many tries, before the fields are validated': {
      as: 'guest',
      first: ({ visitor, email }) =>
        Promise.all(Array.from({ length: 5 }, () => visitor.post('/api/login', { email, password: 'x' }))),
      body: ({ email }: Actor) => ({ email }),
      status: 429,
      code: 'too_many_attempts',
      after: ({ headers, json }) => {
        expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
        expect(headers.get('x-ratelimit-limit')).toBe('5');
        expect(headers.get('x-ratelimit-remaining')).toBe('0');
        expect(json.message).toMatch(/in \d+ (seconds?|minutes?)\.$/);
      },
    },
    'no token, before the tries are counted': { as: 'stranger', body: right, ...mismatch },
    'already signed in': { as: 'user', body: right, status: 409, code: 'already_signed_in' },
  },
  'POST /api/two-factor-challenge': {
    'a right code': {
      as: 'pending',
      body: ({ secret }: Actor) => ({ code: codeOf(secret) }),
      status: 204,
      json: '',
    },
    'a recovery code': {
      as: 'pending',
      body: ({ codes }: Actor) => ({ recovery_code: codes[0] }),
      status: 204,
    },
    'a wrong code and a right recovery code': {
      as: 'pending',
      body: ({ codes }: Actor) => ({ code: '000000', recovery_code: codes[0] }),
      status: 204,
    },
    'a wrong code': { as: 'pending', body: { code: '000000' }, status: 422, fields: ['code'] },
    'no code': { as: 'pending', body: {}, status: 422, fields: ['code'] },
    'a code used before': {
      as: 'pending',
      body: ({ secret }: Actor) => ({ code: codeOf(secret, -1) }),
      status: 422,
      fields: ['code'],
    },
    'an expired code': {
      as: 'pending',
      body: ({ secret }: Actor) => ({ code: codeOf(secret, -3) }),
      status: 422,
      fields: ['code'],
    },
    'a wrong recovery code': {
      as: 'pending',
      body: { recovery_code: 'no' },
      status: 422,
      fields: ['recovery_code'],
    },
    'no pending sign-in': { as: 'guest', body: { code: '000000' }, status: 422, fields: ['code'] },
    'no pending sign-in, a recovery code': {
      as: 'guest',
      body: { recovery_code: 'no' },
      status: 422,
      fields: ['recovery_code'],
    },
    'too many tries': {
      as: 'pending',
      first: ({ visitor }) =>
        Promise.all(
          Array.from({ length: 5 }, () => visitor.post('/api/two-factor-challenge', { code: '000000' })),
        ),
      body: ({ secret }: Actor) => ({ code: codeOf(secret) }),
      status: 429,
      code: 'too_many_attempts',
      after: ({ headers }) => expect(Number(headers.get('retry-after'))).toBeGreaterThan(0),
    },
    'no token': { as: 'pending', headers: { 'x-xsrf-token': '' }, ...mismatch },
  },
  'POST /api/logout': writes({
    'a user': {
      as: 'user',
      status: 204,
      json: '',
      after: async ({ headers }, { visitor }) => {
        const names = headers.getSetCookie().map((line) => line.split('=', 1)[0]);
        expect(names).toEqual(['hengfu_session', 'XSRF-TOKEN', 'language', 'hengfu_device']);
        expect((await visitor.get('/api/merchant/user')).status).toBe(401);
      },
    },
  }),
  'PUT /api/user/profile-information': writes({
    'name and email': {
      as: 'user',
      body: ({ email }: Actor) => ({ name: ' N ', email }),
      status: 200,
      json: '',
    },
    nothing: { as: 'user', body: {}, status: 422, fields: ['email', 'name'] },
    'too long': {
      as: 'user',
      body: { name: 'x'.repeat(256), email: `${'x'.repeat(256)}@b.test` },
      status: 422,
      fields: ['email', 'name'],
    },
    'another email': {
      as: 'user',
      body: ({ email }: Actor) => ({ name: 'N', email: `new-${email}` }),
      ...unconfirmed,
    },
    'another email, with the password confirmed': {
      as: 'confirmed',
      body: ({ email }: Actor) => ({ name: 'N', email: `new-${email}` }),
      status: 200,
      json: '',
    },
    'an email in use': {
      as: 'confirmed',
      body: () => ({ name: 'N', email: 'USER1@contract.test' }),
      status: 422,
      fields: ['email'],
    },
  }),
  'PUT /api/user/password': writes({
    'a new password': {
      as: 'user',
      body: newPassword(),
      status: 200,
      json: '',
      after: async (_answer, actor) =>
        expect((await actor.visitor.get('/api/merchant/user')).status).toBe(200),
    },
    'in the query': {
      as: 'user',
      path: `/api/user/password?${new URLSearchParams(newPassword())}`,
      status: 200,
      json: '',
    },
    'a wrong current password': {
      as: 'user',
      body: newPassword({ current_password: 'wrong' }),
      status: 422,
      fields: ['current_password'],
    },
    'a different confirmation': {
      as: 'user',
      body: newPassword({ password_confirmation: 'x' }),
      status: 422,
      fields: ['password'],
      message: 'Confirm password does not match password.',
    },
    'no confirmation': {
      as: 'user',
      body: newPassword({ password_confirmation: undefined }),
      status: 422,
      fields: ['password_confirmation'],
    },
    'seven characters': {
      as: 'user',
      body: newPassword({ password: 'Sh0rt-7', password_confirmation: 'Sh0rt-7' }),
      status: 422,
      fields: ['password'],
    },
    '257 characters': {
      as: 'user',
      body: newPassword({ password: 'x'.repeat(257), password_confirmation: 'x'.repeat(257) }),
      status: 422,
      fields: ['password'],
    },
    'the current password again': {
      as: 'user',
      body: newPassword({ password: testPassword, password_confirmation: testPassword }),
      status: 422,
      fields: ['password'],
    },
    'a common password': {
      as: 'user',
      body: newPassword({ password: 'Password1', password_confirmation: 'Password1' }),
      status: 422,
      fields: ['password'],
    },
  }),
  'POST /api/user/confirm-password': writes({
    'the right password': {
      as: 'user',
      first: async (actor) => actor.visitor.cookies.set('before', sessionIdOf(actor) ?? ''),
      body: { password: testPassword },
      status: 201,
      json: '',
      after: (_answer, actor) => expect(sessionIdOf(actor)).not.toBe(actor.visitor.cookies.get('before')),
    },
    'a wrong password': { as: 'user', body: { password: 'wrong' }, status: 422, fields: ['password'] },
    'no password': { as: 'user', body: {}, status: 422, fields: ['password'] },
    'too many tries': {
      as: 'user',
      first: ({ visitor }) =>
        Promise.all(
          Array.from({ length: 5 }, () => visitor.post('/api/user/confirm-password', { password: 'x' })),
        ),
      body: { password: testPassword },
      status: 429,
      code: 'too_many_attempts',
    },
  }),
  'GET /api/user/confirmed-password-status': {
    'a guest': { as: 'guest', ...unauthenticated },
    'not confirmed': {
      as: 'user',
      status: 200,
      json: { confirmed: false },
      after: ({ headers }) => expect(headers.get('x-retry-after')).toBeNull(),
    },
    confirmed: { as: 'confirmed', status: 200, json: { confirmed: true } },
    'with a limit in seconds': {
      as: 'confirmed',
      path: '/api/user/confirmed-password-status?seconds=0',
      status: 200,
      json: { confirmed: false },
      after: async (_answer, { visitor }) =>
        expect((await visitor.get('/api/user/two-factor-recovery-codes')).status).toBe(200),
    },
  },
  'POST /api/user/two-factor-authentication': managed({
    off: {
      as: 'confirmed',
      body: {},
      status: 200,
      json: '',
      after: async (_answer, { visitor }) =>
        expect((await visitor.get('/api/user/two-factor-recovery-codes')).json).toHaveLength(8),
    },
    'forced while on': {
      as: 'bound',
      body: { force: true },
      status: 200,
      json: '',
      after: async (_answer, { visitor }) =>
        expect((await visitor.get('/api/merchant/user')).json.data.twoFactor).toBe('off'),
    },
  }),
  'POST /api/user/confirmed-two-factor-authentication': managed({
    'a right code': {
      as: 'binding',
      body: ({ secret }: Actor) => ({ code: codeOf(secret) }),
      status: 200,
      json: '',
    },
    'no secret': { as: 'confirmed', body: { code: '123456' }, status: 422, fields: ['code'] },
    empty: { as: 'binding', body: { code: ' ' }, status: 422, fields: ['code'] },
    wrong: { as: 'binding', body: { code: '000000' }, status: 422, fields: ['code'] },
    'used before': {
      as: 'bound',
      body: ({ secret }: Actor) => ({ code: codeOf(secret, -1) }),
      status: 422,
      fields: ['code'],
    },
  }),
  'DELETE /api/user/two-factor-authentication': managed({
    on: {
      as: 'bound',
      status: 200,
      json: '',
      after: async (_answer, { visitor }) => {
        expect((await visitor.get('/api/merchant/user')).json.data.twoFactor).toBe('off');
        expect((await visitor.get('/api/user/two-factor-recovery-codes')).json).toEqual([]);
      },
    },
    'already off': { as: 'confirmed', status: 200, json: '' },
  }),
  'GET /api/user/two-factor-qr-code': managedReads({
    'a secret': {
      as: 'binding',
      status: 200,
      after: ({ json }) => {
        expect(json.svg).toMatch(/^<svg /);
        const url = new URL(json.url);
        expect([url.protocol, url.host || url.pathname.split('/')[2]]).toEqual(['otpauth:', 'totp']);
        expect(Object.fromEntries(url.searchParams)).toMatchObject({
          algorithm: 'SHA1',
          digits: '6',
          period: '30',
        });
      },
    },
    none: { as: 'confirmed', status: 200, json: [] },
  }),
  'GET /api/user/two-factor-secret-key': managedReads({
    'a secret': {
      as: 'binding',
      status: 200,
      after: ({ json }) => expect(json).toEqual({ secretKey: expect.stringMatching(/^[A-Z2-7]{32}$/) }),
    },
    none: { as: 'confirmed', status: 404, code: 'not_found' },
  }),
  'GET /api/user/two-factor-recovery-codes': managedReads({
    'a secret': {
      as: 'binding',
      status: 200,
      after: ({ json }) => {
        expect(json).toHaveLength(8);
        for (const code of json) expect(code).toMatch(/^[A-Za-z0-9]{10}-[A-Za-z0-9]{10}$/);
      },
    },
    none: { as: 'confirmed', status: 200, json: [] },
  }),
  'POST /api/user/two-factor-recovery-codes': managed({
    renewed: {
      as: 'binding',
      status: 200,
      json: '',
      after: async (_answer, { visitor, codes }) => {
        const after: string[] = (await visitor.get('/api/user/two-factor-recovery-codes')).json;
        expect(after).toHaveLength(8);
        expect(after.filter((code) => codes.includes(code))).toEqual([]);
      },
    },
  }),
};

for (const [call, rows] of Object.entries(contract)) {
  describe(call, () => {
    const [method = '', ownPath = ''] = call.split(' ');
    it.each(Object.entries(rows))('%s', async (_name, row) => {
      const actor = await actors[row.as]();
      await row.first?.(actor);
      const given = typeof row.body === 'function' ? row.body(actor) : row.body;
      const body = method === 'GET' ? undefined : (given ?? {});
      const answer = await actor.visitor.send(method, row.path ?? ownPath, body, row.headers);
      expect(answer.status, JSON.stringify(answer.json)).toBe(row.status);
      if ('json' in row) expect(answer.json).toEqual(row.json);
      if (row.fields) expect(Object.keys(answer.json.errors).sort()).toEqual(row.fields);
      if (row.status >= 400) {
        expect(answer.json.code).toBe(row.code ?? 'validation_failed');
        expect(answer.json.request_id).toMatch(/^[\w-]{8,}$/);
        if (row.message instanceof RegExp) expect(answer.json.message).toMatch(row.message);
        else if (row.message) expect(answer.json.message).toBe(row.message);
        if (row.status === 419) expect(answer.headers.getSetCookie()).toEqual([]);
      }
      await row.after?.(answer, actor);
    });
  });
}

describe('the XSRF token', () => {
  it.each<[string, (token: string) => { headers: Record<string, string>; body: object }]>([
    ['X-XSRF-TOKEN', (token) => ({ headers: { 'x-xsrf-token': token }, body: {} })],
    ['X-CSRF-TOKEN', (token) => ({ headers: { 'x-csrf-token': token }, body: {} })],
    ['_token', (token) => ({ headers: {}, body: { _token: token } })],
  ])('is accepted as %s', async (_name, carried) => {
    const { visitor, email } = await actors.guest();
    const token = visitor.cookies.get('XSRF-TOKEN') ?? '';
    const { headers, body } = carried(token);
    const response = await fetch(`${product.url}/api/login`, {
      method: 'POST',
      headers: {
        cookie: `hengfu_session=${visitor.cookies.get('hengfu_session')}`,
        'content-type': 'application/json',
        ...headers,
      },
      body: JSON.stringify({ email, password: testPassword, ...body }),
    });
    expect([response.status, await response.json()]).toEqual([200, { two_factor: false }]);
  });
});
