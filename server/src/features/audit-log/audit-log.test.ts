import { auditActions } from '@hengfu/contract/audit-log';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { type TestMerchant, TestProduct, testPassword } from '../../testing/test-product.ts';
import type { Visitor } from '../../testing/visitor.ts';

let product: TestProduct;
let merchant: TestMerchant;
let admin: Visitor;
let stranger: Visitor;

const path = '/api/merchant/audit-log';
const browser = { 'user-agent': 'TestBrowser/1.0' };

beforeAll(async () => {
  product = await TestProduct.start(inject('ownerUrl'));
  merchant = await product.merchant('logged');
  admin = await product.person(merchant);
  stranger = await product.person(await product.merchant('elsewhere'));
  await product.fund(merchant, '100.00');
  await admin.post('/api/user/confirm-password', { password: testPassword });
  await admin.send('PUT', '/api/merchant/ip-address', { addresses: '127.0.0.1\n203.0.113.7' }, browser);
  await merchant.program.post('/openapi/v1/payouts', {
    out_trade_no: 'p',
    currency: 'CNY',
    channel: 'CN_BANK',
    amount: '1.00',
    payee: '王芳',
    payeeAccount: '123456789012',
    bank: 'ICBC',
    bankName: 'ICBC',
  });
});
afterAll(() => product.close());

const place = { language: 'en', zone: 'Asia/Shanghai' };

const read = async (query = '', visitor = admin) => (await visitor.get(`${path}${query}`)).json;

it('says who did what, with which role, from where and in which browser, and what it changed', async () => {
  const { data } = await read('?action=ip_address_set&person=merchant_admin@logged.test');
  expect(data).toMatchObject([
    {
      action: 'ip_address_set',
      actorKind: 'person',
      actorEmail: 'merchant_admin@logged.test',
      actorRoles: ['MERCHANT_ADMIN'],
      address: '127.0.0.1',
      userAgent: 'TestBrowser/1.0',
      changes: [{ field: 'blocks', before: '127.0.0.1/32', after: '127.0.0.1/32, 203.0.113.7/32' }],
    },
  ]);
  expect((await admin.get(`${path}/${data[0].entry_no}`)).json.data).toEqual(data[0]);
});

it('lists the calls of programs and the acts of our staff, whose names stay inside', async () => {
  const { data, total } = await read();
  expect(total).toEqual({ count: data.length, exact: true });
  expect(data.find(({ action }: { action: string }) => action === 'payout_create')).toMatchObject({
    actorKind: 'program',
    actorEmail: null,
    changes: expect.arrayContaining([{ field: 'amount', before: null, after: '1.00 CNY' }]),
  });
  expect(data.find(({ action }: { action: string }) => action === 'user_create')).toMatchObject({
    actorKind: 'staff',
    actor: null,
  });
  const numbers = data.map(({ entry_no }: { entry_no: string }) => BigInt(entry_no));
  expect(numbers).toEqual(numbers.toSorted((a: bigint, b: bigint) => (a > b ? -1 : 1)));
});

describe('filters', () => {
  it('find what one person did, by the email address in any case', async () => {
    const { data } = await read('?person=Merchant_Admin@Logged.test');
    expect(data.length).toBeGreaterThan(1);
    expect(new Set(data.map(({ actorEmail }: { actorEmail: string }) => actorEmail))).toEqual(
      new Set(['merchant_admin@logged.test']),
    );
    expect((await read('?person=nobody@logged.test')).data).toEqual([]);
    expect((await read('?person=merchant_admin@elsewhere.test')).data).toEqual([]);
  });

  it('find all that happened to one object', async () => {
    const made = (await read('?action=payout_create')).data[0];
    const { data } = await read(`?subject=${made.subject}`);
    expect(data.map(({ entry_no }: { entry_no: string }) => entry_no)).toContain(made.entry_no);
  });

  it('find what happened to a person, by the email address that the entry shows', async () => {
    await product.services.database.asSystem((tx) =>
      sql`
        insert into audit (merchant_id, actor, action, subject)
        select ${merchant.id}, 'operator:test', 'user.unlock', 'user:' || id from app_user
        where email = 'merchant_admin@logged.test'`.execute(tx.query),
    );
    const { data } = await read('?subject=Merchant_Admin@logged.test');
    expect(data.map(({ action }: { action: string }) => action)).toEqual(
      expect.arrayContaining(['user_unlock', 'user_create', 'session_sign_in']),
    );
    expect(data.find(({ action }: { action: string }) => action === 'user_unlock').subject).toBe(
      'merchant_admin@logged.test',
    );
  });

  it('find many actions at once, which can be counted and exported, too', async () => {
    const action = auditActions.join(',');
    const all = await read(`?action=${action}`);
    expect(all.total).toEqual((await read()).total);
    const filters = { action };
    expect((await admin.post('/api/merchant/totals', { list: 'auditLog', filters })).status).toBe(200);
    const made = await admin.post('/api/merchant/exports', {
      list: 'auditLog',
      format: 'csv',
      columns: ['at', 'actorKind', 'action', 'changes'],
      ...place,
      filters,
    });
    expect(made.status).toBe(201);
  });

  it('find several actions, and a time', async () => {
    const { data } = await read('?action=ip_address_set,payout_create');
    expect(data.map(({ action }: { action: string }) => action)).toEqual([
      'payout_create',
      'ip_address_set',
      // Our staff's, when the merchant was made.
      'ip_address_set',
    ]);
    expect((await read('?createdFrom=2999-01-01T00:00:00Z')).data).toEqual([]);
    expect((await admin.get(`${path}?action=rm_rf`)).status).toBe(422);
  });
});

describe('nobody reads', () => {
  it('the log of another merchant', async () => {
    const own = (await read()).data.map(({ entry_no }: { entry_no: string }) => entry_no);
    const theirs = (await read('', stranger)).data.map(({ entry_no }: { entry_no: string }) => entry_no);
    expect(theirs.length).toBeGreaterThan(0);
    expect(own.filter((number: string) => theirs.includes(number))).toEqual([]);
    const [entry] = (await read()).data;
    expect((await stranger.get(`${path}/${entry.entry_no}`)).status).toBe(404);
  });

  it('what concerns the service and no merchant', async () => {
    const { rows } = await product.services.database.asSystem((tx) =>
      sql<{ id: bigint }>`
        insert into audit (merchant_id, actor, action) values (0, 'operator:x', 'rate.set') returning id`.execute(
        tx.query,
      ),
    );
    expect((await admin.get(`${path}/${rows[0]?.id}`)).status).toBe(404);
  });

  it.each(['0', '-1', '1e3', '9'.repeat(19), 'x'])('an entry %s', async (entryNo) => {
    expect((await admin.get(`${path}/${entryNo}`)).status).toBe(404);
  });

  it('anything without the permission', async () => {
    const viewer = await product.person(merchant, 'MERCHANT_VIEWER');
    expect((await viewer.get(path)).status).toBe(403);
    for (const [call, body] of [
      ['totals', { list: 'auditLog' }],
      ['exports', { list: 'auditLog', format: 'csv', columns: ['at', 'action'], ...place }],
    ] as const)
      expect((await viewer.post(`/api/merchant/${call}`, body)).status).toBe(403);
  });
});

it('answers twenty of its widest calls at once, and refuses a longer filter', async () => {
  const widest = `${path}?action=${auditActions.join(',')}&limit=200`;
  const answers = await Promise.all(Array.from({ length: 20 }, () => admin.get(widest)));
  expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 200));
  expect((await admin.get(`${path}?subject=${'x'.repeat(129)}`)).status).toBe(422);
  expect((await admin.get(`${path}?cursor=${'x'.repeat(201)}`)).status).toBe(422);
});

it('records the roles with which somebody signs in', async () => {
  const { data } = await read('?action=session_sign_in&person=merchant_admin@logged.test');
  expect(data[0]).toMatchObject({ actorRoles: ['MERCHANT_ADMIN'], subject: null });
});

it('hides an action that this version does not know', async () => {
  const before = (await read()).total.count;
  await product.services.database.asSystem((tx) =>
    sql`insert into audit (merchant_id, actor, action) values (${merchant.id}, 'user:1', 'future.action')`.execute(
      tx.query,
    ),
  );
  expect((await read()).total.count).toBe(before);
});
