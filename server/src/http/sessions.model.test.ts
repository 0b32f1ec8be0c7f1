import { reaches } from '@hengfu/contract/authentication';
import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { UserService } from '../features/merchants/users.service.ts';
import { isFullRun } from '../testing/full-run.ts';
import { type Place, SessionModel } from '../testing/session-model.ts';
import { type TestMerchant, TestProduct, testPassword } from '../testing/test-product.ts';
import { codeOf } from '../testing/totp.ts';
import type { Visitor } from '../testing/visitor.ts';

/** The owner, and two others who know the password. */
const browsers = 3;
const manage = '/api/user/two-factor-authentication';
const first = '/api/merchant/two-factor-secret-key';

let product: TestProduct;
let merchants: Record<'free' | 'strict' | 'second', TestMerchant>;
let staff: UserService;
let people = 0;

beforeAll(async () => {
  product = await TestProduct.start(inject('ownerUrl'));
  merchants = {
    free: await product.merchant('model-free'),
    strict: await product.merchant('model-strict'),
    second: await product.merchant('model-second'),
  };
  await product.admin().requireTwoFactor(merchants.strict.id, true);
  staff = new UserService(product.services.database, 'operator:test');
});
afterAll(() => product.close());

const change = (statement: ReturnType<typeof sql>) =>
  product.services.database.asSystem((tx) => statement.execute(tx.query));

/** The person under test, as seen from outside the server. */
interface Real {
  email: string;
  password: string;
  visitors: Visitor[];
  /** Secret of the app that is bound. */
  secret: string;
  /** Secret of the app that each browser is binding. */
  pending: string[];
  codes: string[];
  enrolmentCode: string;
}

async function begin(model: SessionModel): Promise<Real> {
  const merchant = model.isRequired ? merchants.strict : merchants.free;
  const email = `model${++people}@sessions.test`;
  const user = { email, name: 'M', password: testPassword, roles: ['MERCHANT_ADMIN'] as const };
  const enrolmentCode = (await product.admin().createUser(merchant.id, user)) ?? '';
  model.hasEnrolmentCode = enrolmentCode !== '';
  if (model.hasSecond)
    await change(sql`insert into membership (merchant_id, user_id, roles)
      select ${merchants.second.id}, id, '{MERCHANT_ADMIN}' from app_user where email = ${email}`);
  const visitors = Array.from({ length: browsers }, () => product.visitor());
  await Promise.all(visitors.map((visitor) => visitor.get('/api/csrf-cookie')));
  return { email, password: testPassword, visitors, secret: '', pending: [], codes: [], enrolmentCode };
}

/** Resets throttles and used codes, which other tests cover: here every right code counts. */
const resetThrottles = async ({ email }: Real) => {
  await change(sql`delete from sign_in_throttle`);
  await change(sql`delete from sign_in_address`);
  await change(sql`update app_user set two_factor_last_step = null where email = ${email}`);
};

/** The code of one of the person's merchants. */
function codeAt(model: SessionModel, place: Place): string {
  if (place === 'second') return merchants.second.code;
  return (model.isRequired ? merchants.strict : merchants.free).code;
}

/** Chooses a merchant or switches to it. */
async function enter(model: SessionModel, real: Real, browser: number, place: Place): Promise<void> {
  const level = model.level(browser);
  const visitor = visitorOf(real, browser);
  const merchant = codeAt(model, place);
  const { status } = await visitor.post('/api/merchant/session/merchant', { merchant });
  if (level === undefined) return expect(status).toBe(401);
  if (level === 'password') return expect(status).toBe(403);
  if (place === 'second' && !model.hasSecond) return expect(status).toBe(404);
  expect(status).toBe(204);
  visitor.merchant = merchant;
  model.choose(browser, place);
}

/** An action in one browser: checks the server's reply against the model, and updates the model. */
type Step = (model: SessionModel, real: Real, browser: number) => Promise<void>;

/** Returns the status that rejects a write which needs a confirmed password; undefined if it is allowed. */
function refusalOf(model: SessionModel, browser: number): number | undefined {
  const level = model.level(browser);
  if (level === undefined) return 401;
  if (!reaches(level, 'complete')) return 403;
  return model.open(browser)?.isConfirmed ? undefined : 423;
}

/** Returns the status that rejects a first binding which another merchant's code would have to allow. */
const elsewhere = (model: SessionModel, browser: number): number | undefined =>
  model.needsCodeElsewhere(browser) ? 409 : undefined;

const visitorOf = ({ visitors }: Real, browser: number): Visitor => visitors[browser] as Visitor;

const steps: Record<string, Step> = {
  signIn: async (model, real, browser) => {
    const level = model.level(browser);
    const visitor = visitorOf(real, browser);
    const { status, json } = await visitor.post('/api/login', { email: real.email, password: real.password });
    if (level !== undefined && level !== 'password') return expect(status).toBe(409);
    if (model.isSuspended) return expect(status).toBe(422);
    expect([status, json]).toEqual([200, { two_factor: model.hasApp }]);
    visitor.merchant = undefined;
    model.signIn(browser);
  },

  enterFirst: (model, real, browser) => enter(model, real, browser, 'first'),

  enterSecond: (model, real, browser) => enter(model, real, browser, 'second'),

  signInWrong: async (model, real, browser) => {
    const level = model.level(browser);
    const { status } = await visitorOf(real, browser).post('/api/login', {
      email: real.email,
      password: 'not the password',
    });
    expect(status).toBe(level === undefined || level === 'password' ? 422 : 409);
  },

  passByCode: async (model, real, browser) => {
    const isRight = model.hasApp && (model.isWaiting(browser) || model.level(browser) === 'password');
    const code = codeOf(real.secret || 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP');
    const { status } = await visitorOf(real, browser).post('/api/two-factor-challenge', { code });
    expect(status).toBe(isRight ? 204 : 422);
    if (isRight) model.pass(browser);
  },

  passByRecoveryCode: async (model, real, browser) => {
    const [code] = real.codes;
    const isRight = code !== undefined && model.isWaiting(browser);
    const body = { recovery_code: code ?? 'none' };
    const { status } = await visitorOf(real, browser).post('/api/two-factor-challenge', body);
    expect(status).toBe(isRight ? 204 : 422);
    if (!isRight) return;
    real.codes.shift();
    model.pass(browser);
  },

  confirmPassword: async (model, real, browser) => {
    const level = model.level(browser);
    const { status } = await visitorOf(real, browser).post('/api/user/confirm-password', {
      password: real.password,
    });
    if (level === undefined) return expect(status).toBe(401);
    if (!reaches(level, 'complete')) return expect(status).toBe(403);
    expect(status).toBe(201);
    const session = model.open(browser);
    if (session) session.isConfirmed = true;
  },

  beginBinding: async (model, real, browser) => {
    const visitor = visitorOf(real, browser);
    if (model.level(browser) === 'bound') {
      const { status, json } = await visitor.get(first);
      expect(status).toBe(200);
      real.pending[browser] = json.secretKey;
    } else {
      const refusal = refusalOf(model, browser) ?? elsewhere(model, browser);
      expect((await visitor.post(manage, {})).status).toBe(refusal ?? 200);
      if (refusal !== undefined || model.hasApp) return;
      real.pending[browser] = (await visitor.get('/api/user/two-factor-secret-key')).json.secretKey;
    }
    const session = model.open(browser);
    if (session) session.isBinding = true;
    // No other browser is binding the same secret.
    const others = real.pending.filter((_, other) => other !== browser && model.open(other)?.isBinding);
    expect(others).not.toContain(real.pending[browser]);
  },

  finishBinding: async (model, real, browser) => {
    const visitor = visitorOf(real, browser);
    const session = model.open(browser);
    const pending = real.pending[browser] ?? 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP';
    const body = { code: codeOf(pending) };
    if (model.level(browser) === 'bound') {
      const needsCode = !session?.hasPassed;
      const path = '/api/merchant/confirmed-two-factor-authentication';
      const without = needsCode && (await visitor.post(path, body));
      if (without)
        expect([without.status, Object.keys(without.json.errors)]).toEqual([422, ['enrolment_code']]);
      const answer = await visitor.post(path, { ...body, enrolment_code: real.enrolmentCode });
      const isRight = session?.isBinding && (!needsCode || model.hasEnrolmentCode);
      expect(answer.status).toBe(isRight ? 200 : 422);
      if (!isRight) return;
      if (needsCode) model.hasEnrolmentCode = false;
      real.codes = answer.json.recoveryCodes;
    } else {
      const refusal = refusalOf(model, browser) ?? elsewhere(model, browser);
      const { status } = await visitor.post('/api/user/confirmed-two-factor-authentication', body);
      expect(status).toBe(refusal ?? (session?.isBinding ? 200 : 422));
      if (refusal !== undefined || !session?.isBinding) return;
      real.codes = (await visitor.get('/api/user/two-factor-recovery-codes')).json;
    }
    real.secret = pending;
    model.turnOn(browser);
  },

  abortBinding: async (model, real, browser) => {
    await change(sql`
      update two_factor_binding set created_at = created_at - interval '15 minutes'
      where user_id = (select id from app_user where email = ${real.email})`);
    for (const [index] of model.browsers.entries()) {
      const session = model.open(index);
      if (session) session.isBinding = false;
    }
    expect(model.open(browser)?.isBinding ?? false).toBe(false);
  },

  turnOff: async (model, real, browser) => {
    const refusal = refusalOf(model, browser);
    const { status } = await visitorOf(real, browser).send('DELETE', manage);
    expect(status).toBe(refusal ?? 200);
    if (refusal !== undefined) return;
    for (const [index] of model.browsers.entries()) {
      const session = model.open(index);
      if (session) session.isBinding = false;
    }
    if (!model.hasApp) return;
    real.codes = [];
    model.turnOff(browser);
  },

  renewCodes: async (model, real, browser) => {
    const refusal = refusalOf(model, browser);
    const session = model.open(browser);
    const visitor = visitorOf(real, browser);
    const { status } = await visitor.post('/api/user/two-factor-recovery-codes', {});
    const hasCodes = model.hasApp || session?.isBinding;
    expect(status).toBe(refusal ?? (hasCodes ? 200 : 404));
    if (refusal !== undefined || !model.hasApp) return;
    model.keepOnly(browser);
    real.codes = (await visitor.get('/api/user/two-factor-recovery-codes')).json;
  },

  changePassword: async (model, real, browser) => {
    const level = model.level(browser);
    const password = `Model-pass-${Math.random()}`;
    const { status } = await visitorOf(real, browser).send('PUT', '/api/user/password', {
      current_password: real.password,
      password,
      password_confirmation: password,
    });
    if (level === undefined) return expect(status).toBe(401);
    if (!reaches(level, 'complete')) return expect(status).toBe(403);
    expect(status).toBe(200);
    real.password = password;
    model.keepOnly(browser);
  },

  signOut: async (model, real, browser) => {
    const { status } = await visitorOf(real, browser).post('/api/logout', {});
    expect(status).toBe(model.open(browser) ? 204 : 401);
    if (!model.open(browser)) return;
    model.browsers[browser] = { kind: 'nobody' };
    // All cookies are gone; the sign-in page gets a new token.
    await visitorOf(real, browser).get('/api/csrf-cookie');
  },

  resetByStaff: async (model, real) => {
    const code = await staff.resetTwoFactor(real.email);
    expect(code !== undefined).toBe(model.isRequired);
    model.hasApp = false;
    model.hasEnrolmentCode = code !== undefined;
    real.enrolmentCode = code ?? '';
    real.codes = [];
    model.endAll();
  },

  suspend: async (model, real) => {
    model.isSuspended = !model.isSuspended;
    await change(sql`
      update app_user set disabled_at = ${model.isSuspended ? sql`now()` : null} where email = ${real.email}`);
    await staff.signOut(real.email);
    model.endAll();
  },
};

/** Checks that every browser may do exactly what the model says. */
async function expectMatch(model: SessionModel, real: Real): Promise<void> {
  for (const [browser, visitor] of real.visitors.entries()) {
    const level = model.level(browser);
    const user = await visitor.get('/api/merchant/user');
    const dashboard = await visitor.get('/api/merchant/dashboard');
    const codes = await visitor.get('/api/user/two-factor-recovery-codes');
    const expected =
      level === undefined
        ? [401, 401, 401]
        : level === 'password' || level === 'person'
          ? [403, 403, 403]
          : level === 'bound'
            ? [200, 403, 403]
            : [200, 200, model.open(browser)?.isConfirmed ? 200 : 423];
    expect([user.status, dashboard.status, codes.status], `browser ${browser}`).toEqual(expected);
  }
}

const names = Object.keys(steps);
const step = fc.record({ name: fc.constantFrom(...names), browser: fc.nat({ max: browsers - 1 }) });

/** Openings that reach interesting states: by chance alone, a binding takes four right steps in a row. */
const opening = fc.constantFrom<string[]>(
  [],
  ['signIn'],
  ['signIn', 'confirmPassword', 'beginBinding'],
  ['signIn', 'confirmPassword', 'beginBinding', 'finishBinding'],
  ['signIn', 'beginBinding', 'finishBinding'],
  ['signIn', 'enterFirst'],
  ['signIn', 'enterFirst', 'beginBinding', 'enterSecond', 'confirmPassword', 'finishBinding'],
  ['signIn', 'enterSecond', 'confirmPassword', 'beginBinding', 'finishBinding', 'enterFirst'],
);

it('no session exceeds the level it has passed, in whatever order events happen', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.boolean(),
      fc.boolean(),
      fc.array(fc.record({ names: opening, browser: fc.nat({ max: browsers - 1 }) }), { maxLength: 2 }),
      fc.array(step, { maxLength: 14 }),
      async (isRequired, hasSecond, openings, rest) => {
        const model = new SessionModel(browsers);
        model.isRequired = isRequired;
        model.hasSecond = hasSecond;
        const real = await begin(model);
        const all = [
          ...openings.flatMap(({ names, browser }) => names.map((name) => ({ name, browser }))),
          ...rest,
        ];
        for (const { name, browser } of all) {
          await resetThrottles(real);
          await steps[name]?.(model, real, browser);
          await expectMatch(model, real);
        }
      },
    ),
    { numRuns: Number(process.env.SESSION_RUNS ?? (isFullRun ? 60 : 20)), timeout: 60_000 },
  );
}, 600_000);

it('the model ends other sessions when a second factor is turned on', () => {
  const model = new SessionModel(browsers);
  model.signIn(0);
  model.signIn(1);
  model.turnOn(0);
  expect([model.level(0), model.level(1)]).toEqual(['secondFactor', undefined]);
});
