import { reaches } from '@hengfu/contract/authentication';
import type { EndpointShape } from '@hengfu/contract/endpoint';
import { eventsPath } from '@hengfu/contract/events';
import { type Perm, perms, permsOf, type Role, roles, withNeeded } from '@hengfu/contract/permissions';
import { quotas } from '@hengfu/contract/quotas';
import { type RawBuilder, sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { operatorActor } from '../features/team/team.actor.ts';
import { everyEndpoint } from '../testing/endpoints.ts';
import type { ShopProgram } from '../testing/shop-program.ts';
import { SoftPasskey } from '../testing/soft-passkey.ts';
import { type TestMerchant, TestProduct, testPassword } from '../testing/test-product.ts';
import type { Visitor } from '../testing/visitor.ts';

let product: TestProduct;
let stranger: Visitor;
/** The same, with the login password confirmed. */
let confirmedStranger: Visitor;
let powerless: Visitor;
let strangersProgram: ShopProgram;
/** Has no second factor, and does not need one. */
let plain: Visitor;
let unbound: Visitor;
/** Works for two merchants, and has not chosen one. */
let undecided: Visitor;
/** Signed in by password before a second factor was bound to the account. */
let unpassed: Visitor;
/** Values of the path parameters, all belonging to the owner. */
const numbers: Record<string, string> = {};

const endpoints = await everyEndpoint();
const ofPeople = endpoints.filter(({ access }) => access === 'session');

beforeAll(async () => {
  product = await TestProduct.start(inject('ownerUrl'), { bank: true });
  const owner = await product.merchant('owner');
  const secret = await owner.program.create('secret');
  numbers.trade_no = secret.json.trade_no;
  numbers.request_id = secret.headers.get('x-request-id') ?? '';
  numbers.key_id = owner.program.key.id;
  numbers.settlement_no = await batchOf(owner.id);
  numbers.refund_no = await refundOf(owner);
  numbers.payout_no = await payoutOf(owner);
  numbers.ifsc = 'NONE0000000';
  numbers.entry_no = await entryOf(owner);
  numbers.topup_no = await topupOf(owner);
  numbers.withdrawal_no = await withdrawalOf(owner);
  numbers.request_no = await requestOf(owner);
  const other = await product.merchant('stranger');
  confirmedStranger = await product.person(other);
  await confirmedStranger.post('/api/user/confirm-password', { password: testPassword });
  const passkey = new SoftPasskey(product.url);
  await passkey.bind(confirmedStranger);
  stranger = product.visitor();
  await stranger.signIn('merchant_admin@stranger.test', testPassword);
  await passkey.pass(stranger);
  strangersProgram = other.program;
  const admin = await product.person(owner);
  await admin.post('/api/user/confirm-password', { password: testPassword });
  const ownersPasskey = new SoftPasskey(product.url);
  await ownersPasskey.bind(admin);
  numbers.passkey_id = (await admin.get('/api/merchant/passkeys')).json.data[0].id;
  const invited = { email: 'guest@owner.test', roles: ['MERCHANT_VIEWER'] };
  const { json } = await admin.post('/api/merchant/team/invitations', invited);
  numbers.invitation = json.data.id;
  numbers.member_id = (await admin.get('/api/merchant/team')).json.data.members[0].id;
  const role = { name: 'Clerk', description: '', perms: ['collections.read'] };
  const link = { title: 'Course', amount: '1.00' };
  numbers.link_no = (await admin.post('/api/merchant/payment-links', link)).json.data.link_no;
  numbers.role = (await admin.post('/api/merchant/team/roles', role)).json.data.code;
  const endpoint = { url: 'https://shop.test/hook' };
  await ownersPasskey.show(admin);
  numbers.endpoint_id = (await admin.post('/api/merchant/callback-endpoints', endpoint)).json.data.id;
  numbers.callback_id = await callbackOf(owner);
  plain = await product.person(await product.merchant('plain'));
  numbers.session_id = (await admin.get('/api/merchant/sessions')).json.data[0].id;
  const strict = await product.merchant('strict');
  unbound = await product.person(strict);
  await change(sql`update merchant set requires_two_factor = true where id = ${strict.id}`);
  unpassed = await product.person(await product.merchant('unpassed'));
  await change(sql`
    update app_user set two_factor_secret = '\\x00', two_factor_confirmed_at = now()
    where email = 'merchant_admin@unpassed.test'`);
  const both = await product.merchant('both');
  await product.person(both);
  await change(sql`insert into membership (merchant_id, user_id, roles)
    select ${other.id}, id, '{MERCHANT_ADMIN}' from app_user where email = 'merchant_admin@both.test'`);
  undecided = product.visitor();
  await undecided.signIn('merchant_admin@both.test', testPassword);
  powerless = await product.person(owner, 'MERCHANT_VIEWER');
  await removePerms('merchant_viewer@owner.test');
});
afterAll(() => product.close());

/** Settles one paid order of a merchant; returns the number of the settlement. */
async function batchOf(merchantId: bigint): Promise<string> {
  await paidOrder(merchantId, 'paid');
  const [batch] = await product.services.settlements.runNow(merchantId, new Date(Date.now() + 1000));
  return batch ?? '';
}

/** Refunds a paid order; returns the number of the refund. */
async function refundOf(owner: TestMerchant): Promise<string> {
  const tradeNo = await paidOrder(owner.id, 'given back');
  const body = { out_refund_no: 'back', trade_no: tradeNo };
  return (await owner.program.post('/openapi/v1/refunds', body)).json.refund_no;
}

async function paidOrder(merchantId: bigint, outTradeNo: string): Promise<string> {
  const { services } = product;
  const home = { merchantId, code: 'owner', name: 'Owner', currency: 'CNY', zone: 'UTC' } as const;
  const order = await services.collections.create(home, {
    out_trade_no: outTradeNo,
    amount: '10.00',
    currency: 'CNY',
    channel: 'CN_BANK',
  });
  const report = {
    reference: order.tradeNo,
    status: 'paid',
    bankReference: 'b',
    amountMinor: 1000n,
    currency: 'CNY',
    reason: null,
  } as const;
  await services.collections.report(report);
  return order.tradeNo;
}

async function payoutOf(owner: TestMerchant): Promise<string> {
  await product.fund(owner, '100.00');
  const { json } = await owner.program.post('/openapi/v1/payouts', payoutBody('p', '1.00'));
  return json.trade_no;
}

const payoutBody = (out_trade_no: string, amount: string) => ({
  out_trade_no,
  currency: 'CNY',
  channel: 'CN_BANK',
  amount,
  payee: '王芳',
  payeeAccount: '123456789012',
  bank: 'ICBC',
  bankName: 'ICBC',
});

/** Returns the number of a request for approval of the owner's next payout. */
async function requestOf({ id, program }: TestMerchant): Promise<string> {
  const rule = {
    kind: 'payout' as const,
    amountMinor: '0',
    approvers: 1,
    roles: ['ROOT' as const],
    people: [],
  };
  await product
    .admin()
    .createUser(id, { email: 'root@owner.test', name: 'Root', password: testPassword, roles: ['ROOT'] });
  await product.services.approvalRules.setFor(id, 'operator:test', { rules: [rule], days: 7 });
  const { json } = await program.post('/openapi/v1/payouts', payoutBody('asked', '2.00'));
  const { rows } = await product.services.database.asSystem((tx) =>
    sql<{
      number: string;
    }>`select request_no as number from approval_request where subject_no = ${json.trade_no}`.execute(
      tx.query,
    ),
  );
  return rows[0]?.number ?? '';
}

/** Returns the ID of a callback of the owner. */
async function callbackOf({ id }: TestMerchant): Promise<string> {
  const { rows } = await product.services.database.asSystem((tx) =>
    sql<{ id: string }>`
      insert into callback_message (merchant_id, subject_kind, subject_no, event, url, body)
      values (${id}, 'payout', 'P1', 'payout.processed', 'https://shop.test/', '{}') returning id`.execute(
      tx.query,
    ),
  );
  return rows[0]?.id ?? '';
}

/** Inserts a withdrawal directly, since only its owner matters here. */
async function withdrawalOf({ id }: TestMerchant): Promise<string> {
  await change(sql`
    insert into withdrawal (merchant_id, trade_no, request_hash, usdt_minor, fee_usdt_minor, currency, amount_minor,
      fee_minor, usdt_rate, network, address, created_by)
    values (${id}, 'W1', '', 1, 0, 'CNY', 1, 0, 7, 'TRC20', 'T', 'user:1')`);
  return 'W1';
}

/** Returns the number of an entry in the owner's audit log. */
async function entryOf({ id }: TestMerchant): Promise<string> {
  const { rows } = await product.services.database.asSystem((tx) =>
    sql<{ id: bigint }>`select min(id) as id from audit where merchant_id = ${id}`.execute(tx.query),
  );
  return String(rows[0]?.id);
}

async function topupOf({ id }: TestMerchant): Promise<string> {
  await change(sql`
    insert into topup (merchant_id, trade_no, usdt_minor, currency, amount_minor, usdt_rate, network, address,
      transaction_id, created_by)
    values (${id}, 'T1', 1, 'CNY', 1, 7, 'TRC20', 'T', 't', 'user:1')`);
  return 'T1';
}

function change(statement: RawBuilder<unknown>): Promise<unknown> {
  return product.services.database.asSystem((tx) => statement.execute(tx.query));
}

/** Removes every permission of a user by assigning a role that the contract does not know. */
async function removePerms(email: string): Promise<void> {
  await change(
    sql`update membership set roles = '{NOBODY}' where user_id = (select id from app_user where email = ${email})`,
  );
}

/** Returns the parameter values for a path. All kinds of orders name their parameter `trade_no`. */
const numbersOf = (path: string): Record<string, string> => {
  if (path.includes('/payouts/')) return { ...numbers, trade_no: numbers.payout_no ?? '' };
  if (path.includes('/invitations/')) return { ...numbers, id: numbers.invitation ?? '' };
  if (path.includes('/topups/')) return { ...numbers, trade_no: numbers.topup_no ?? '' };
  return path.includes('/withdrawals/') ? { ...numbers, trade_no: numbers.withdrawal_no ?? '' } : numbers;
};
const pathOf = (path: string) =>
  path.replace(/:(\w+)/g, (_, name: string) => numbersOf(path)[name] ?? 'none');

/** Bodies that are valid, where an empty one is not: the number is looked for after the body has been checked. */
const bodies: Record<string, object> = {
  '/api/merchant/collections/:trade_no/refunds': { amount: '1.00', reason: 'r', payment_password: 'p' },
  '/api/merchant/team/members/:member_id/roles': { roles: ['MERCHANT_VIEWER'] },
  '/api/merchant/team/roles/:role': { name: 'Clerk', perms: ['collections.read'], version: 1 },
  '/api/merchant/payment-links/:link_no': { title: 'Course', amount: '1.00' },
  '/api/merchant/payment-links/:link_no/is-on': { isOn: false },
  '/api/merchant/callback-endpoints/:endpoint_id': { url: 'https://shop.test/new' },
  '/api/merchant/callback-endpoints/:endpoint_id/state': { state: 'off' },
  '/api/merchant/callback-endpoints/:endpoint_id/secret': { overlapHours: 0 },
  '/api/merchant/access-keys/:key_id': { name: 'Website', scopes: ['read'] },
  '/api/merchant/access-keys/:key_id/is-on': { isOn: false },
  '/api/merchant/access-keys/:key_id/successor': { overlapHours: 0 },
  '/api/merchant/approvals/:request_no/approval': { seen: [], payment_password: 'p', code: '123456' },
  '/api/merchant/approvals/:request_no/refusal': { reason: 'r' },
};

const ask = (visitor: Visitor, { method, path }: EndpointShape) =>
  visitor.send(method, pathOf(path), method === 'GET' ? undefined : (bodies[path] ?? {}));

describe('every call of the console', () => {
  it.each(ofPeople.map((endpoint) => [`${endpoint.method} ${endpoint.path}`, endpoint] as const))(
    '%s rejects anonymous callers',
    async (_name, endpoint) => {
      const visitor = product.visitor();
      await visitor.get('/api/csrf-cookie');
      const { status, json } = await ask(visitor, endpoint);
      expect([status, json.code]).toEqual([401, 'unauthenticated']);
    },
  );

  it.each(
    ofPeople
      .filter(({ perm }) => perm)
      .map((endpoint) => [`${endpoint.method} ${endpoint.path}`, endpoint] as const),
  )('%s rejects a user without its permission', async (_name, endpoint) => {
    const { status, json } = await ask(powerless, endpoint);
    expect([status, json.code]).toEqual([403, 'forbidden']);
  });

  it.each(
    ofPeople
      .filter(({ params }) => params)
      .map((endpoint) => [`${endpoint.method} ${endpoint.path}`, endpoint] as const),
  )('%s returns 404 for another merchant’s number', async (_name, endpoint) => {
    const theirs = await ask(confirmedStranger, endpoint);
    expect([theirs.status, theirs.json.code]).toEqual([404, 'not_found']);
  });

  it.each(
    ofPeople
      .filter(({ level }) => reaches(level ?? 'complete', 'complete'))
      .map((endpoint) => [`${endpoint.method} ${endpoint.path}`, endpoint] as const),
  )('%s rejects a user who must bind a second factor first', async (_name, endpoint) => {
    const { status, json } = await ask(unbound, endpoint);
    expect([status, json.code]).toEqual([403, 'two_factor_required']);
  });

  it.each(
    ofPeople
      .filter(({ level }) => level === 'secondFactor')
      .map((endpoint) => [`${endpoint.method} ${endpoint.path}`, endpoint] as const),
  )('%s rejects a user without a second factor', async (_name, endpoint) => {
    const { status, json } = await ask(plain, endpoint);
    expect([status, json.code]).toEqual([403, 'two_factor_required']);
    expect(json.message).toBe('Please bind and enable two-factor authentication first');
  });

  it.each(
    ofPeople
      .filter(({ isPasswordConfirmed }) => isPasswordConfirmed)
      .map((endpoint) => [`${endpoint.method} ${endpoint.path}`, endpoint] as const),
  )('%s requires a confirmed password', async (_name, endpoint) => {
    const { status, json } = await ask(stranger, endpoint);
    expect([status, json.code]).toEqual([423, 'password_confirmation_required']);
    expect(json.message).toBe('Password confirmation required.');
  });

  it.each(
    ofPeople
      .filter(({ level }) => level !== 'password')
      .map((endpoint) => [`${endpoint.method} ${endpoint.path}`, endpoint] as const),
  )('%s rejects a session that has not passed the second factor', async (_name, endpoint) => {
    const { status, json } = await ask(unpassed, endpoint);
    expect([status, json.code]).toEqual([403, 'two_factor_challenge_required']);
  });

  it.each(
    ofPeople
      .filter(({ level }) => reaches(level ?? 'complete', 'bound'))
      .map((endpoint) => [`${endpoint.method} ${endpoint.path}`, endpoint] as const),
  )('%s rejects a person who has to choose a merchant first', async (_name, endpoint) => {
    const { status, json } = await ask(undecided, endpoint);
    expect([status, json.code]).toEqual([403, 'merchant_choice_required']);
  });

  it.each(
    ofPeople
      .filter(({ level }) => level !== 'password')
      .map((endpoint) => [`${endpoint.method} ${endpoint.path}`, endpoint] as const),
  )('%s rejects a page of another merchant', async (_name, endpoint) => {
    const page = product.visitor();
    for (const [name, value] of confirmedStranger.cookies) page.cookies.set(name, value);
    page.merchant = 'owner';
    const { status, json } = await ask(page, endpoint);
    expect([status, json.code]).toEqual([409, 'merchant_switched']);
  });

  it('only the choice, the list of merchants and sign-out are open to a person who has to choose', () => {
    const open = ofPeople.filter(({ level }) => level !== undefined && !reaches(level, 'bound'));
    expect(open.map(({ path }) => path).sort()).toEqual([
      '/api/logout',
      '/api/merchant/session/merchant',
      '/api/merchant/workplaces',
    ]);
  });

  it('the event stream rejects all of them', async () => {
    expect((await product.visitor().get(eventsPath)).status).toBe(401);
    expect((await unbound.get(eventsPath)).json.code).toBe('two_factor_required');
    expect((await unpassed.get(eventsPath)).json.code).toBe('two_factor_challenge_required');
    expect((await undecided.get(eventsPath)).json.code).toBe('merchant_choice_required');
    const { status, json } = await stranger.get(`${eventsPath}?merchant=owner`);
    expect([status, json.code]).toEqual([409, 'merchant_switched']);
  });

  it('only sign-out accepts a session that has not passed the second factor', () => {
    const open = ofPeople.filter(({ level }) => level === 'password').map(({ path }) => path);
    expect(open).toEqual(['/api/logout']);
  });
});

describe('every call of the Open API', () => {
  it.each(
    endpoints
      .filter(({ access }) => access === 'signed')
      .map((endpoint) => [`${endpoint.method} ${endpoint.path}`, endpoint] as const),
  )('%s rejects unsigned calls', async (_name, endpoint) => {
    const { status, json } = await ask(stranger, endpoint);
    expect([status, json.code]).toEqual([401, 'signature_missing']);
  });

  it.each(
    endpoints
      .filter(({ access, params }) => access === 'signed' && params)
      .map((endpoint) => [`${endpoint.method} ${endpoint.path}`, endpoint] as const),
  )('%s returns 404 for another merchant’s number', async (_name, { method, path }) => {
    const { status, json } = await strangersProgram.send(method, pathOf(path), undefined, {});
    expect([status, json.code]).toEqual([404, 'not_found']);
  });
});

describe('every call of the console × every role', () => {
  const people = new Map<Role, Visitor>();
  beforeAll(async () => {
    const matrix = await product.merchant('matrix');
    for (const role of roles) people.set(role, await product.person(matrix, role));
  });

  const cells = ofPeople
    .filter(({ perm, method }) => perm && method === 'GET')
    .flatMap((endpoint) => roles.map((role) => ({ endpoint, role })));

  it.each(cells.map((cell) => [`${cell.endpoint.path} for ${cell.role}`, cell] as const))(
    '%s is decided by the table of permissions alone',
    async (_name, { endpoint, role }) => {
      const { status, json } = await ask(people.get(role) as Visitor, endpoint);
      const isPermitted = permsOf([role]).some((perm) => perm === endpoint.perm);
      expect(status === 403 && json.code === 'forbidden').toBe(!isPermitted);
      expect(status).not.toBe(401);
      expect(status).toBeLessThan(500);
    },
  );

  it.each(
    ofPeople
      .filter(({ perm, method }) => perm && method !== 'GET')
      .flatMap((endpoint) => roles.map((role) => ({ endpoint, role })))
      .filter(({ endpoint, role }) => !permsOf([role]).some((perm) => perm === endpoint.perm))
      .map((cell) => [`${cell.endpoint.method} ${cell.endpoint.path} for ${cell.role}`, cell] as const),
  )('%s is refused', async (_name, { endpoint, role }) => {
    const { status, json } = await ask(people.get(role) as Visitor, endpoint);
    expect([status, json.code]).toEqual([403, 'forbidden']);
  });
});

describe('every call of the console × a role of the merchant’s own for every permission', () => {
  const people = new Map<Perm, Visitor>();
  beforeAll(async () => {
    const merchants: TestMerchant[] = [];
    for (const [index, perm] of perms.entries()) {
      const place = Math.floor(index / quotas.ownRolesOfMerchant);
      merchants[place] ??= await product.merchant(`own${place}`);
      const merchant = merchants[place];
      const input = { name: perm, description: '', perms: withNeeded([perm]) };
      const { code } = await product.services.ownRoles.create(
        operatorActor('operator:test', merchant.id),
        input,
      );
      people.set(perm, await product.person(merchant, code, `own${index}`));
    }
  });

  it.each(
    ofPeople
      .filter(({ perm, method }) => perm && method === 'GET')
      .map((endpoint) => [endpoint.path, endpoint] as const),
  )('%s is open to exactly those roles that grant its permission', async (_name, endpoint) => {
    const open: Perm[] = [];
    for (const [perm, visitor] of people) {
      const { status, json } = await ask(visitor, endpoint);
      expect(status).not.toBe(401);
      expect(status).toBeLessThan(500);
      if (!(status === 403 && json.code === 'forbidden')) open.push(perm);
    }
    expect(open).toEqual(perms.filter((perm) => withNeeded([perm]).some((held) => held === endpoint.perm)));
  });

  it.each(
    ofPeople
      .filter(({ perm, method }) => perm && method !== 'GET')
      .map((endpoint) => [`${endpoint.method} ${endpoint.path}`, endpoint] as const),
  )('%s is refused to all other roles', async (_name, endpoint) => {
    for (const [perm, visitor] of people) {
      if (withNeeded([perm]).some((held) => held === endpoint.perm)) continue;
      const { status, json } = await ask(visitor, endpoint);
      expect([perm, status, json.code]).toEqual([perm, 403, 'forbidden']);
    }
  });
});

it('the viewer role grants only read permissions', () => {
  expect(permsOf(['MERCHANT_VIEWER']).every((perm) => perm.endsWith('.read'))).toBe(true);
});

it('covers the calls of every feature', () => {
  const paths = endpoints.map(({ path }) => path);
  expect(paths).toContain('/api/merchant/contact');
  expect(endpoints.length).toBeGreaterThan(18);
});
