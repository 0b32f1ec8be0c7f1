import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, it } from 'vitest';
import { EventStream } from '../../testing/event-stream.ts';
import { keepRealPasswords } from '../../testing/quick-argon2.ts';
import { SoftPasskey } from '../../testing/soft-passkey.ts';
import { type TestMerchant, TestProduct, testPassword } from '../../testing/test-product.ts';
import { codeOf } from '../../testing/totp.ts';
import type { Visitor } from '../../testing/visitor.ts';
import { UserService } from '../merchants/users.service.ts';

let product: TestProduct;
let first: TestMerchant;
let second: TestMerchant;
let email: string;
let count = 0;

keepRealPasswords();
beforeAll(async () => {
  product = await TestProduct.start(inject('ownerUrl'), { bank: true });
});
afterAll(async () => {
  expect(await product.deadlocks()).toBe(0);
  await product.close();
});
beforeEach(async () => {
  count++;
  first = await product.merchant(`first${count}`);
  second = await product.merchant(`second${count}`);
  await product.person(first, 'MERCHANT_ADMIN', 'both');
  email = `both@${first.code}.test`;
  await run(sql`insert into membership (merchant_id, user_id, roles)
    select ${second.id}, id, '{MERCHANT_ADMIN}' from app_user where email = ${email}`);
});

const run = <T>(statement: ReturnType<typeof sql<T>>) =>
  product.services.database.asSystem((tx) => statement.execute(tx.query));

const list = '/api/merchant/workplaces';
const user = '/api/merchant/user';
/** Chooses or switches; the page that opens afterwards is of that merchant. */
async function choose(visitor: Visitor, { code }: Pick<TestMerchant, 'code'>) {
  const reply = await visitor.post('/api/merchant/session/merchant', { merchant: code });
  if (reply.status === 204) visitor.merchant = code;
  return reply;
}

/** Another tab of the same browser, whose page was rendered for a merchant. */
function tabOf(browser: Visitor, { code }: Pick<TestMerchant, 'code'>): Visitor {
  const tab = product.visitor();
  for (const [name, value] of browser.cookies) tab.cookies.set(name, value);
  tab.merchant = code;
  return tab;
}

const confirm = (visitor: Visitor) => visitor.post('/api/user/confirm-password', { password: testPassword });

async function signedIn(): Promise<Visitor> {
  const visitor = product.visitor();
  expect((await visitor.signIn(email, testPassword)).json).toEqual({ two_factor: false });
  return visitor;
}

/** Signs in and chooses a merchant. */
async function working(merchant: TestMerchant): Promise<Visitor> {
  const visitor = await signedIn();
  expect((await choose(visitor, merchant)).status).toBe(204);
  return visitor;
}

const merchantOf = async (visitor: Visitor) => (await visitor.get(user)).json.data?.merchant.code;
const suspendAt = (merchant: TestMerchant) =>
  run(sql`update membership set disabled_at = now() where merchant_id = ${merchant.id}
    and user_id = (select id from app_user where email = ${email})`);
const requireFactor = (merchant: TestMerchant) => product.admin().requireTwoFactor(merchant.id, true);
/** The actions that a merchant's audit trail has of the person, oldest first. */
async function auditedAt(merchant: TestMerchant): Promise<string[]> {
  const { rows } = await run(sql<{ action: string }>`select action from audit
    where merchant_id = ${merchant.id} and actor = (select 'user:' || id from app_user where email = ${email})
    order by id`);
  return rows.map(({ action }) => action);
}

describe('after sign-in, a person of several merchants', () => {
  it('chooses one first, and can do nothing else but sign out', async () => {
    const visitor = await signedIn();
    for (const path of [user, '/api/merchant/dashboard', '/api/merchant/payouts', '/api/merchant/events']) {
      const { status, json } = await visitor.get(path);
      expect([path, status, json.code]).toEqual([path, 403, 'merchant_choice_required']);
    }
    expect((await visitor.get(list)).json.data).toEqual([
      {
        code: first.code,
        name: `Shop ${first.code}`,
        isCurrent: false,
        isLastUsed: false,
        isAvailable: true,
      },
      {
        code: second.code,
        name: `Shop ${second.code}`,
        isCurrent: false,
        isLastUsed: false,
        isAvailable: true,
      },
    ]);
    const before = visitor.cookies.get('hengfu_session');
    expect((await choose(visitor, second)).status).toBe(204);
    expect(visitor.cookies.get('hengfu_session')).not.toBe(before);
    expect((await visitor.get(user)).json.data).toMatchObject({
      merchant: { code: second.code },
      hasOtherMerchants: true,
    });
    expect([await auditedAt(second), (await auditedAt(first)).slice(1)]).toEqual([['session.sign_in'], []]);
    const other = await signedIn();
    expect((await other.post('/api/logout', {})).status).toBe(204);
    expect((await auditedAt(first)).slice(1)).toEqual([]);
  });

  it('is offered the last used one first', async () => {
    await working(second);
    const codes = ({ json }: { json: { data: { code: string }[] } }) => json.data.map(({ code }) => code);
    expect(codes(await (await signedIn()).get(list))).toEqual([second.code, first.code]);
    await working(first);
    expect(codes(await (await signedIn()).get(list))).toEqual([first.code, second.code]);
  });

  it('is not asked if only one of them is open to the person, and sees the other one as unavailable', async () => {
    await suspendAt(first);
    const visitor = await signedIn();
    expect(await merchantOf(visitor)).toBe(second.code);
    expect((await visitor.get(list)).json.data).toMatchObject([
      { code: first.code, isAvailable: false },
      { code: second.code, isAvailable: true, isCurrent: true },
    ]);
    const refused = await choose(visitor, first);
    expect([refused.status, refused.json.code]).toEqual([403, 'forbidden']);
    await run(sql`update membership set removed_at = now() where merchant_id = ${first.id}
      and disabled_at is not null`);
    expect((await choose(visitor, first)).json.code).toBe('not_found');
  });

  it('does not learn whether another merchant exists', async () => {
    const foreign = await product.merchant(`foreign${count}`);
    const visitor = await signedIn();
    for (const code of [foreign.code, 'no-such-merchant'])
      expect((await choose(visitor, { code })).json).toMatchObject({ code: 'not_found' });
  });

  it('passes the second factor before the choice', async () => {
    const before = await working(first);
    await confirm(before);
    const key = new SoftPasskey(product.url);
    expect((await key.bind(before)).json.code).toBeUndefined();
    const visitor = product.visitor();
    expect((await visitor.signIn(email, testPassword)).json).toEqual({ two_factor: true });
    expect((await visitor.get(list)).status).toBe(401);
    expect((await key.pass(visitor)).status).toBe(204);
    expect((await visitor.get(user)).json.code).toBe('merchant_choice_required');
    expect((await choose(visitor, second)).status).toBe(204);
    expect((await visitor.get(user)).json.data).toMatchObject({ twoFactor: 'on' });
  });

  it('gets a notice of an unknown browser at both', async () => {
    await run(sql`insert into sign_in_origin (user_id, kind, value)
      select id, 'browser', 'another' from app_user where email = ${email}`);
    await run(sql`delete from sign_in_origin where value <> 'another'`);
    const visitor = await working(first);
    const kinds = async () =>
      (await visitor.get('/api/merchant/notices')).json.data.map(({ kind }: { kind: string }) => kind);
    expect(await kinds()).toEqual(['signInNew']);
    await choose(visitor, second);
    expect(await kinds()).toEqual(['signInNew']);
  });
});

describe('switching', () => {
  it('gives the session a new id, drops the password confirmation, and is recorded at the target', async () => {
    const visitor = await working(first);
    await confirm(visitor);
    const old = tabOf(visitor, first);
    expect((await visitor.get('/api/merchant/sessions')).json.data).toHaveLength(2);
    expect((await choose(visitor, second)).status).toBe(204);
    expect(await merchantOf(visitor)).toBe(second.code);
    expect((await old.get(user)).status).toBe(401);
    expect((await visitor.get('/api/user/confirmed-password-status')).json).toEqual({ confirmed: false });
    expect(await auditedAt(second)).toEqual(['session.switch']);
    expect((await visitor.get('/api/merchant/sessions')).json.data).toHaveLength(2);
    const events = (await visitor.get('/api/merchant/security-events')).json.data;
    expect(events).toMatchObject([{ action: 'session_switch' }]);
    const entries = (await visitor.get('/api/merchant/audit-log?action=session_switch')).json.data;
    expect(entries).toMatchObject([{ action: 'session_switch', actorEmail: email }]);
  });

  it('to where the session is already changes nothing', async () => {
    const visitor = await working(first);
    const id = visitor.cookies.get('hengfu_session');
    expect((await choose(visitor, first)).status).toBe(204);
    expect(visitor.cookies.get('hengfu_session')).toBe(id);
    expect((await auditedAt(first)).slice(1)).toEqual(['session.sign_in']);
  });

  it('ends the event stream of the former merchant, and a stream that names it is refused', async () => {
    const visitor = await working(first);
    const stream = await EventStream.open(product.url, visitor, `?merchant=${first.code}`);
    await choose(visitor, second);
    await stream.ended();
    const refused = await visitor.get(`/api/merchant/events?merchant=${first.code}`);
    expect([refused.status, refused.json.code]).toEqual([409, 'merchant_switched']);
    const own = await EventStream.open(product.url, visitor, `?merchant=${second.code}`);
    await own.cancel();
  });

  it('is possible once among twenty at the same time', async () => {
    const visitor = await working(first);
    const tabs = Array.from({ length: 20 }, () => tabOf(visitor, first));
    const replies = await Promise.all(tabs.map((tab) => choose(tab, second)));
    expect(replies.filter(({ status }) => status === 204)).toHaveLength(1);
    expect(replies.every(({ status }) => [204, 401, 409, 419].includes(status))).toBe(true);
  });

  it('to a suspended merchant is refused, and the session goes on', async () => {
    const visitor = await working(first);
    await run(sql`update merchant set suspended_at = now(), suspension_reason = 'a test', suspended_by = 'test'
      where id = ${second.id}`);
    expect((await visitor.get(list)).json.data).toMatchObject([
      { isAvailable: true },
      { isAvailable: false },
    ]);
    const refused = await choose(visitor, second);
    expect([refused.status, refused.json.code]).toEqual([403, 'merchant_suspended']);
    expect(await merchantOf(visitor)).toBe(first.code);
  });

  it('to a merchant that requires a second factor opens nothing there before one is bound with the code', async () => {
    await requireFactor(second);
    const visitor = await working(first);
    expect((await visitor.get('/api/merchant/dashboard')).status).toBe(200);
    await choose(visitor, second);
    expect((await visitor.get('/api/merchant/dashboard')).json.code).toBe('two_factor_required');
    const { json } = await visitor.get('/api/merchant/two-factor-secret-key');
    expect(json.isEnrolmentCodeNeeded).toBe(true);
    const path = '/api/merchant/confirmed-two-factor-authentication';
    const code = codeOf(json.secretKey);
    expect((await visitor.post(path, { code })).status).toBe(422);
    const enrolment = await new UserService(product.services.database, 'operator:test').makeEnrolmentCode(
      email,
    );
    expect((await visitor.post(path, { code, enrolment_code: enrolment })).status).toBe(200);
    expect((await visitor.get('/api/merchant/dashboard')).status).toBe(200);
    expect((await choose(visitor, first)).status).toBe(204);
    expect((await visitor.get(user)).json.data.twoFactor).toBe('on');
  });

  it('does not lead around the enrollment code: a first factor is not bound at the merchant that needs none', async () => {
    await requireFactor(second);
    const visitor = await working(first);
    await confirm(visitor);
    for (const path of ['/api/user/two-factor-authentication', '/api/merchant/passkeys/options']) {
      const { status, json } = await visitor.post(path, {});
      expect([path, status, json.code]).toEqual([path, 409, 'enrolment_elsewhere']);
    }
  });

  const suspend = {
    'the merchant': () =>
      run(sql`update merchant set suspended_at = now(), suspension_reason = 'a test', suspended_by = 'test'
        where id = ${second.id}`),
    'the membership': () => suspendAt(second),
  };
  it.each(Object.keys(suspend) as (keyof typeof suspend)[])(
    'that requires a factor is impossible while %s is suspended, so the code binds it at the other merchant',
    async (party) => {
      await requireFactor(second);
      const visitor = await working(first);
      await suspend[party]();
      await confirm(visitor);
      for (const path of ['/api/user/two-factor-authentication', '/api/merchant/passkeys/options'])
        expect([path, (await visitor.post(path, {})).json.code]).toEqual([path, 'enrolment_elsewhere']);
      const { json } = await visitor.get('/api/merchant/two-factor-secret-key');
      expect(json.isEnrolmentCodeNeeded).toBe(true);
      const finish = (shown: object) =>
        visitor.post('/api/merchant/confirmed-two-factor-authentication', {
          code: codeOf(json.secretKey),
          ...shown,
        });
      // The password alone binds nothing, by either call.
      expect(
        (
          await visitor.post('/api/user/confirmed-two-factor-authentication', {
            code: codeOf(json.secretKey),
          })
        ).json.code,
      ).toBe('enrolment_elsewhere');
      expect((await finish({})).json.errors).toHaveProperty('enrolment_code');
      expect((await finish({ enrolment_code: 'AAAA-BBBB-CCCC' })).json.errors).toHaveProperty(
        'enrolment_code',
      );
      expect((await visitor.get(user)).json.data.twoFactor).toBe('off');
      const users = new UserService(product.services.database, 'operator:test');
      const bound = await finish({ enrolment_code: await users.makeEnrolmentCode(email) });
      expect([bound.status, bound.json.recoveryCodes?.length]).toEqual([200, 8]);
      expect((await visitor.get(user)).json.data.twoFactor).toBe('on');
      expect((await visitor.get('/api/merchant/two-factor-secret-key')).json.code).toBe('conflict');
    },
  );

  it('needs no enrollment code if none of them requires a factor', async () => {
    const visitor = await working(first);
    expect((await visitor.get('/api/merchant/two-factor-secret-key')).json.code).toBe('conflict');
    await confirm(visitor);
    expect((await visitor.post('/api/user/two-factor-authentication', {})).status).toBe(200);
  });
});

describe('a page of another merchant', () => {
  it('cannot do or read anything once its person has switched in another tab', async () => {
    const visitor = await working(first);
    const tab = tabOf(visitor, first);
    await choose(visitor, second);
    // The browser has one set of cookies: the tab sends those that the switch has set.
    for (const [name, value] of visitor.cookies) tab.cookies.set(name, value);
    for (const path of [user, '/api/merchant/dashboard', '/api/merchant/payouts', list]) {
      const { status, json } = await tab.get(path);
      expect([path, status, json.code]).toEqual([path, 409, 'merchant_switched']);
    }
    const view = { list: 'collections', name: 'Mine', filters: {}, columns: [] };
    expect((await tab.post('/api/merchant/saved-views', view)).json.code).toBe('merchant_switched');
    expect((await choose(tab, first)).json.code).toBe('merchant_switched');
    // Neither does a page that names none: nobody knows what it shows.
    tab.merchant = undefined;
    expect((await tab.post('/api/merchant/saved-views', view)).json.code).toBe('merchant_switched');
    expect((await tab.get(`${user}?merchant=${first.code}`)).json.code).toBe('merchant_switched');
    expect(await merchantOf(visitor)).toBe(second.code);
    expect((await visitor.get('/api/merchant/saved-views')).json.data).toEqual([]);
  });

  const order = {
    channel: 'CN_BANK',
    amount: '10.00',
    payee: '王芳',
    payeeAccount: '6222021234567890128',
    bank: 'ICBC',
    bankName: '中国工商银行',
    branchName: '北京朝阳支行',
    payment_password: '888888',
  };
  const pay = (tab: Visitor, key: string, amount = order.amount) =>
    tab.post('/api/merchant/payouts', { ...order, amount }, { 'idempotency-key': key });
  const payoutsOf = async (merchant: TestMerchant) =>
    (await run(sql<{ trade_no: string }>`select trade_no from payout where merchant_id = ${merchant.id}`))
      .rows;

  /** A browser with the page of the first merchant; both merchants have funds. */
  async function payer(): Promise<Visitor> {
    for (const merchant of [first, second]) await product.fund(merchant, '1000.00');
    const visitor = await working(first);
    await confirm(visitor);
    const set = { payment_password: '888888', payment_password_confirmation: '888888' };
    await visitor.send('PUT', '/api/merchant/payment-password', set);
    return visitor;
  }

  it('never pays from the merchant that the session works for now, and uses up no idempotency key', async () => {
    const tab = await payer();
    const other = tabOf(tab, first);
    await choose(other, second);
    for (const [name, value] of other.cookies) tab.cookies.set(name, value);
    const { data: before } = (await other.get('/api/merchant/account')).json;
    for (let attempt = 0; attempt < 2; attempt++) {
      const { status, json } = await pay(tab, 'stale');
      expect([status, json.code]).toEqual([409, 'merchant_switched']);
      expect(Object.keys(json)).not.toContain('trade_no');
    }
    expect([await payoutsOf(first), await payoutsOf(second)]).toEqual([[], []]);
    expect((await other.get('/api/merchant/account')).json.data).toEqual(before);
    const { rows } = await run(sql`select from idempotent_reply where merchant_id in (${second.id})`);
    expect(rows).toHaveLength(0);
    expect((await pay(other, 'stale')).status).toBe(201);
    expect(await payoutsOf(second)).toHaveLength(1);
  });

  it('pays from its own merchant or not at all while its person switches', async () => {
    const tab = await payer();
    const other = tabOf(tab, first);
    const paying = Array.from({ length: 10 }, (_, index) =>
      pay(tabOf(tab, first), `race-${index}`, `1.0${index}`),
    );
    const replies = await Promise.all([choose(other, second), ...paying]);
    const paid = replies.slice(1).filter(({ status }) => status === 201);
    expect(await payoutsOf(first)).toHaveLength(paid.length);
    expect(await payoutsOf(second)).toEqual([]);
  });

  it('can still sign out', async () => {
    const visitor = await working(first);
    await choose(visitor, second);
    visitor.merchant = first.code;
    expect((await visitor.post('/api/logout', {})).status).toBe(204);
    expect((await visitor.get(user)).status).toBe(401);
  });

  it('of a person with one merchant need not be named, but must be right', async () => {
    const visitor = await product.person(first, 'MERCHANT_ADMIN', 'single');
    expect((await visitor.post('/api/user/confirm-password', { password: testPassword })).status).toBe(201);
    visitor.merchant = second.code;
    expect((await visitor.get(user)).status).toBe(409);
  });
});

it('saved views and their names are kept per merchant', async () => {
  const visitor = await working(first);
  const view = { list: 'collections', name: 'Mine', filters: {}, columns: [] };
  expect((await visitor.post('/api/merchant/saved-views', view)).status).toBe(201);
  await choose(visitor, second);
  expect((await visitor.get('/api/merchant/saved-views')).json.data).toEqual([]);
  await choose(visitor, first);
  expect((await visitor.get('/api/merchant/saved-views')).json.data).toMatchObject([{ name: 'Mine' }]);
});

it('suspending the membership at one merchant leaves the session at the other one', async () => {
  const atFirst = await working(first);
  const atSecond = await working(second);
  const owner = await product.person(first, 'ROOT', 'owner');
  await owner.post('/api/user/confirm-password', { password: testPassword });
  const { members } = (await owner.get('/api/merchant/team')).json.data;
  const { id } = members.find((member: { email: string }) => member.email === email);
  expect((await owner.post(`/api/merchant/team/members/${id}/suspension`, {})).status).toBe(204);
  expect((await atFirst.get(user)).status).toBe(401);
  expect(await merchantOf(atSecond)).toBe(second.code);
});
