import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { block } from '#domain/throttle.sql.ts';
import { tries } from '#domain/throttle-keys.ts';
import { type TestMerchant, TestProduct, testPassword } from '../../../testing/test-product.ts';
import { TestStaff } from '../../../testing/test-staff.ts';
import type { Visitor } from '../../../testing/visitor.ts';

const path = '/api/staff/merchants';

let product: TestProduct;
let staff: TestStaff;
let shop: TestMerchant;
let other: TestMerchant;
let owner: Visitor;
let admin: Visitor;
let finance: Visitor;
let support: Visitor;
let reviewer: Visitor;

beforeAll(async () => {
  product = await TestProduct.start(inject('ownerUrl'), { bank: true, worker: true });
  staff = await TestStaff.start(product);
  shop = await product.merchant('shop');
  other = await product.merchant('other', 'VND', 'Asia/Ho_Chi_Minh');
  owner = await product.person(shop, 'ROOT', 'owner');
  admin = await staff.member('admin', 'ADMIN');
  finance = await staff.member('finance', 'FINANCE');
  support = await staff.member('support', 'SUPPORT');
  reviewer = await staff.member('reviewer', 'REVIEWER');
});
afterAll(async () => {
  expect(await product.violations()).toEqual([]);
  expect(await product.deadlocks()).toBe(0);
  await staff.close();
  await product.close();
});

const form = (code: string, more: object = {}) => ({
  code,
  name: `Shop ${code}`,
  currency: 'CNY',
  zone: 'Asia/Shanghai',
  cutOff: '02:30',
  email: `owner@${code}.test`,
  ...more,
});

const personOf = async (code: string, name: string) =>
  (await admin.get(`${path}/${code}/people`)).json.data.people.find(
    ({ email }: { email: string }) => email === `${name}@${code}.test`,
  );
const isSignedIn = async (visitor: Visitor) => (await visitor.get('/api/merchant/user')).status === 200;

async function auditOf(code: string): Promise<object[]> {
  const { rows } = await product.services.database.asSystem((tx) =>
    sql<object>`select a.actor ~ '^staff:[0-9]+$' as "isStaff", a.roles, a.action, a.request_id is not null as "hasRequest"
      from audit a join merchant m on m.id = a.merchant_id
      where m.code = ${code} and a.actor like 'staff:%' order by a.id`.execute(tx.query),
  );
  return rows;
}

describe('the list of merchants', () => {
  it('finds by code and name, state, mode and currency, for every role', async () => {
    for (const member of [admin, finance, support, reviewer]) {
      const { json } = await member.get(path);
      expect(json.data.merchants.map(({ code }: { code: string }) => code)).toEqual(['other', 'shop']);
    }
    const find = async (query: string) =>
      (await admin.get(`${path}?${query}`)).json.data.merchants.map(({ code }: { code: string }) => code);
    expect(await find('search=OTHE')).toEqual(['other']);
    expect(await find('search=test%20SH')).toEqual([]);
    // No pattern: only the letters themselves.
    expect(await find('search=%25')).toEqual([]);
    expect(await find('currency=VND')).toEqual(['other']);
    expect(await find('mode=test')).toEqual([]);
    expect(await find('state=suspended')).toEqual([]);
    expect(await find('after=other')).toEqual(['shop']);
    expect((await admin.get(`${path}?sort=name`)).status).toBe(422);
  });

  it('continues after its last code', async () => {
    const { database } = product.services;
    await database.asSystem((tx) =>
      sql`insert into merchant (code, name, home_currency, zone, next_settlement_at)
        select 'many-' || lpad(n::text, 3, '0'), 'Many', 'USD', 'UTC', now() + interval '1 day' from generate_series(1, 120) n`.execute(
        tx.query,
      ),
    );
    const codes: string[] = [];
    let next: string | null = '';
    do {
      const { json } = await admin.get(`${path}?search=many${next && `&after=${next}`}`);
      codes.push(...json.data.merchants.map(({ code }: { code: string }) => code));
      next = json.data.next;
    } while (next);
    expect(codes.length).toBe(120);
    expect(new Set(codes).size).toBe(120);
    expect(codes).toEqual(codes.toSorted());
  });
});

describe('a merchant in the back office', () => {
  it('shows facts, balances, people, keys without secrets, and terms', async () => {
    await product.fund(shop, '100.00');
    const { data } = (await reviewer.get(`${path}/shop`)).json;
    expect(data).toMatchObject({
      code: 'shop',
      currency: 'CNY',
      state: 'active',
      zone: 'Asia/Shanghai',
      suspension: null,
    });
    const sum = data.balances.reduce(
      (total: number, { balance }: { balance: string }) => total + Number(balance),
      0,
    );
    expect(sum).toBeCloseTo(0, 6);
    expect(data.balances[0]).toMatchObject({ kind: 'available', currency: 'CNY' });
    expect(Number(data.balances[0].balance)).toBeGreaterThan(0);

    const { people, invitations } = (await reviewer.get(`${path}/shop/people`)).json.data;
    expect(people).toMatchObject([
      { email: 'owner@shop.test', roles: ['ROOT'], state: 'active', hasTwoFactor: false },
    ]);
    expect(people[0].lastSignInAt).not.toBeNull();
    expect(invitations).toEqual([]);

    const access = (await reviewer.get(`${path}/shop/access`)).json.data;
    expect(access.keys).toMatchObject([
      {
        name: null,
        scopes: ['collections', 'refunds', 'payouts', 'balance', 'read'],
        state: 'active',
        note: null,
        until: null,
      },
    ]);
    expect(Object.keys(access.keys[0]).sort()).toEqual([
      'createdAt',
      'keyId',
      'name',
      'note',
      'scopes',
      'state',
      'until',
    ]);
    expect(access.whitelist.length).toBeGreaterThan(0);

    const before = (await reviewer.get(`${path}/shop/terms`)).json.data;
    await product.admin().setTerms(shop.id, {
      channel: 'CN_BANK',
      collectionRatePpm: 4500,
      collectionFixedMinor: 25n,
      payoutRatePpm: 1000,
      payoutFixedMinor: 0n,
    });
    const after = (await reviewer.get(`${path}/shop/terms`)).json.data;
    expect(after.channels.length).toBe(before.channels.length + 1);
    expect(after.channels[0]).toMatchObject({
      channel: 'CN_BANK',
      isInForce: true,
      collectionRate: '0.45',
      collectionFixed: '0.25',
      payoutRate: '0.1',
    });
    expect(after.channels.filter(({ isInForce }: { isInForce: boolean }) => isInForce).length).toBe(1);
    expect(after.settlement).toMatchObject({ cutOff: '00:00', zone: 'Asia/Shanghai' });
  });

  it('is not found under an unknown code, by any of the calls', async () => {
    for (const part of ['', '/people', '/access', '/terms', '/notes', '/actions'])
      expect((await admin.get(`${path}/nobody${part}`)).status, part).toBe(404);
    for (const [part, body] of [
      ['/notes', { text: 'x' }],
      ['/suspension', { reason: 'x' }],
      ['/owner-invitation', { email: 'a@b.test' }],
      ['/people/1/unlock', {}],
      ['/people/1/sign-out', {}],
    ] as const)
      expect((await admin.post(`${path}/nobody${part}`, body)).status, part).toBe(404);
  });

  it('keeps notes with who wrote them, and lets nobody change one', async () => {
    for (const text of ['', '   ', 'x'.repeat(2001), 5])
      expect((await support.post(`${path}/shop/notes`, { text })).status).toBe(422);
    expect((await support.post(`${path}/shop/notes`, { text: ' called by phone ' })).status).toBe(204);
    await reviewer.post(`${path}/shop/notes`, { text: '<b>second</b>' });
    expect((await finance.get(`${path}/shop/notes`)).json.data).toMatchObject([
      { text: '<b>second</b>', by: 'reviewer' },
      { text: 'called by phone', by: 'support' },
    ]);
    expect((await finance.get(`${path}/other/notes`)).json.data).toEqual([]);
    const { database } = staff.runtime;
    for (const change of [sql`update merchant_note set text = 'x'`, sql`delete from merchant_note`])
      await expect(database.asMerchant(shop.id, (tx) => change.execute(tx.query))).rejects.toThrow(
        'permission denied',
      );
  });
});

describe('support for people of a merchant', () => {
  it('unlocks an account', async () => {
    await product.person(shop, 'FINANCE', 'locked');
    const visitor = product.visitor();
    let last = await visitor.signIn('locked@shop.test', 'wrong');
    for (let tries = 0; tries < 60 && last.status !== 429; tries++)
      last = await visitor.signIn('locked@shop.test', 'wrong');
    expect(last.status).toBe(429);
    // Those are too many within a minute. Too many in a row lock the account for longer.
    await product.services.database.asSystem((tx) => block(tx, tries.account('locked@shop.test'), 3600));
    const { id, isLocked } = await personOf('shop', 'locked');
    expect([isLocked, (await personOf('shop', 'owner')).isLocked]).toEqual([true, false]);
    for (const member of [finance, reviewer])
      expect((await member.post(`${path}/shop/people/${id}/unlock`)).status).toBe(403);
    expect((await support.post(`${path}/shop/people/${id}/unlock`)).status).toBe(204);
    expect((await personOf('shop', 'locked')).isLocked).toBe(false);
    // The counters of an address and an email are apart from the lock of the account.
    const { rows } = await product.services.database.asSystem((tx) =>
      sql<object>`select actor ~ '^staff:' as "isStaff", action from audit where subject = ${`user:${id}`}
        and action like 'user.%' order by id desc limit 1`.execute(tx.query),
    );
    expect(rows).toEqual([{ isStaff: true, action: 'user.unlock' }]);
    // Each time gives somebody a few more guesses.
    for (const status of [204, 204, 429])
      expect((await support.post(`${path}/shop/people/${id}/unlock`)).status).toBe(status);
  });

  it('signs a person out everywhere, and nobody else', async () => {
    const victim = await product.person(shop, 'SUPPORT', 'leaver');
    const { id } = await personOf('shop', 'leaver');
    expect((await support.post(`${path}/shop/people/${id}/sign-out`)).status).toBe(204);
    expect(await isSignedIn(victim)).toBe(false);
    expect(await isSignedIn(owner)).toBe(true);
    const [latest] = (await reviewer.get(`${path}/shop/actions`)).json.data;
    expect(latest).toMatchObject({ by: 'support', action: 'user_sign_out', subject: 'leaver@shop.test' });
  });

  it('does nothing to people of another merchant', async () => {
    const stranger = await product.person(other, 'ROOT', 'stranger');
    const { id } = await personOf('other', 'stranger');
    expect((await support.post(`${path}/shop/people/${id}/sign-out`)).status).toBe(404);
    expect((await support.post(`${path}/shop/people/${id}/unlock`)).status).toBe(404);
    for (const wrong of ['0', '-1', 'x', '9'.repeat(19)])
      expect((await support.post(`${path}/shop/people/${wrong}/unlock`)).status, wrong).toBe(404);
    expect(await isSignedIn(stranger)).toBe(true);
    // The database role could not do it either.
    const ended = await staff.runtime.database.asMerchant(shop.id, (tx) =>
      sql`delete from session where user_id = ${BigInt(id)}`.execute(tx.query),
    );
    expect(ended.numAffectedRows).toBe(0n);
  });
});

describe('a new merchant', () => {
  it('is created with an invitation for its owner, who then works without our staff', async () => {
    for (const member of [finance, support, reviewer])
      expect((await member.post(path, form('acme'))).json.code).toBe('forbidden');
    const { status, json } = await admin.post(path, form('acme', { name: ' Acme ' }));
    expect(status).toBe(201);
    expect(json.data).toMatchObject({ code: 'acme', invitation: { email: 'owner@acme.test' } });
    expect(await auditOf('acme')).toEqual([
      { isStaff: true, roles: ['ADMIN'], action: 'merchant.create', hasRequest: true },
      { isStaff: true, roles: ['ADMIN'], action: 'invitation.create', hasRequest: true },
    ]);
    const { data } = (await admin.get(`${path}/acme/terms`)).json;
    expect(data).toMatchObject({ channels: [], withdrawals: [], settlement: { cutOff: '02:30' } });
    const { invitations } = (await admin.get(`${path}/acme/people`)).json.data;
    expect(invitations).toMatchObject([{ email: 'owner@acme.test', roles: ['ROOT'] }]);

    // A new link replaces the first one.
    const renewed = await admin.post(`${path}/acme/owner-invitation`, { email: 'owner@acme.test' });
    expect(renewed.status).toBe(200);
    const tokenOf = (url: string) => url.split('/invitation/')[1] ?? '';
    const visitor = product.visitor();
    await visitor.get('/api/csrf-cookie');
    expect((await visitor.get(`/api/invitations/${tokenOf(json.data.invitation.url)}`)).status).toBe(404);
    const token = tokenOf(renewed.json.data.url);
    expect((await visitor.get(`/api/invitations/${token}`)).json.data).toMatchObject({ merchant: 'Acme' });
    const joined = await visitor.post(`/api/invitations/${token}/acceptance`, {
      name: 'Owner',
      password: testPassword,
      password_confirmation: testPassword,
    });
    expect(joined.status).toBeLessThan(300);
    expect((await admin.get(`${path}/acme/people`)).json.data).toMatchObject({
      people: [{ email: 'owner@acme.test', roles: ['ROOT'] }],
      invitations: [],
    });
    // From now on, our staff invite nobody.
    for (const email of ['owner@acme.test', 'thief@evil.test'])
      expect((await admin.post(`${path}/acme/owner-invitation`, { email })).json.code).toBe('conflict');
    const forged = staff.runtime.database.asMerchant(shop.id, (tx) =>
      sql`insert into invitation (merchant_id, email, roles, token_hash, expires_at)
        values (${shop.id}, 'thief@evil.test', array['ROOT'], sha256('x'), now() + interval '1 day')`.execute(
        tx.query,
      ),
    );
    await expect(forged).rejects.toThrow('row-level security');
  });

  it('is invited again with the same email only', async () => {
    await admin.post(path, form('lonely'));
    const wrong = await admin.post(`${path}/lonely/owner-invitation`, { email: 'somebody@else.test' });
    expect([wrong.status, wrong.json.code]).toEqual([409, 'conflict']);
    for (const member of [finance, support, reviewer])
      expect(
        (await member.post(`${path}/lonely/owner-invitation`, { email: 'owner@lonely.test' })).status,
      ).toBe(403);
  });

  it('is created once if two people send the same code', async () => {
    const answers = await Promise.all([1, 2, 3].map(() => admin.post(path, form('twice'))));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409]);
    expect((await admin.get(`${path}/twice/people`)).json.data.invitations.length).toBe(1);
  });

  it('is refused with faults, and nothing is created', async () => {
    for (const wrong of [
      { code: 'X' },
      { code: '1shop' },
      { code: 'a'.repeat(33) },
      { name: ' ' },
      { name: 'x'.repeat(101) },
      { currency: 'USDT' },
      { zone: 'IST' },
      { zone: "Asia/Shanghai'; drop table merchant" },
      { cutOff: '24:00' },
      { email: 'nobody' },
      { mode: 'test' },
      { suspended: true },
    ])
      expect([wrong, (await admin.post(path, form('faulty', wrong))).status]).toEqual([wrong, 422]);
    expect((await admin.post(path, form('faulty', { name: 'x'.repeat(20_000) }))).status).toBe(413);
    expect((await admin.get(`${path}/faulty`)).status).toBe(404);
  });
});

describe('the suspension of a merchant in the back office', () => {
  it('is at once, says who and why, and lets arriving money in', async () => {
    const begun = await other.program.create('order', { channel: 'VN_NAPAS' });
    const person = await product.person(other, 'FINANCE', 'cashier');
    for (const member of [support, reviewer])
      expect((await member.post(`${path}/other/suspension`, { reason: 'x' })).status).toBe(403);
    for (const reason of ['', ' ', 'x'.repeat(301)])
      expect((await finance.post(`${path}/other/suspension`, { reason })).status).toBe(422);
    const answers = await Promise.all(
      [finance, admin].map((member) => member.post(`${path}/other/suspension`, { reason: 'owner called' })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([204, 409]);
    expect(await isSignedIn(person)).toBe(false);
    const { data } = (await support.get(`${path}/other`)).json;
    expect(data).toMatchObject({ state: 'suspended', suspension: { reason: 'owner called' } });
    expect(['finance', 'admin']).toContain(data.suspension.by);
    expect((await support.get(`${path}?state=suspended`)).json.data.merchants).toMatchObject([
      { code: 'other' },
    ]);
    expect(begun).toBeDefined();
    const again = await finance.post(`${path}/other/suspension`, { reason: 'again' });
    expect([again.status, again.json.code]).toEqual([409, 'conflict']);
    expect(await auditOf('other')).toMatchObject([
      { isStaff: true, action: 'merchant.suspend', hasRequest: true },
    ]);
    const [latest] = (await support.get(`${path}/other/actions`)).json.data;
    expect(latest).toMatchObject({ action: 'merchant_suspend', reason: 'owner called' });
    // Frozen or not: support still reads it, and signs people out.
    const { id } = await personOf('other', 'cashier');
    expect((await support.post(`${path}/other/people/${id}/sign-out`)).status).toBe(204);
  });
});
