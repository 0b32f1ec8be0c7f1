import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, inject, it, vi } from 'vitest';
import { asOwner } from '#db/owner.ts';
import { runOperator } from '../../testing/operator-run.ts';
import { testKey } from '../../testing/test-database.ts';
import { type TestMerchant, TestProduct } from '../../testing/test-product.ts';
import { TestStaff } from '../../testing/test-staff.ts';
import type { Visitor } from '../../testing/visitor.ts';
import { MerchantService } from '../merchants/merchants.service.ts';

let product: TestProduct;
let staff: TestStaff;
let admin: Visitor;
let support: Visitor;
let finance: Visitor;
let from: TestMerchant;
let to: TestMerchant;

beforeAll(async () => {
  product = await TestProduct.start(inject('ownerUrl'));
  vi.stubEnv('DATABASE_URL', product.ownerUrl);
  vi.stubEnv('APP_KEY', testKey);
  vi.stubEnv('DATA_DIR', product.dataDirectory);
  vi.stubEnv('USER', 'test');
  from = await product.merchant('from');
  to = await product.merchant('to');
  await product.fund(from, '900.00');
  staff = await TestStaff.start(product);
});
afterAll(async () => {
  vi.unstubAllEnvs();
  expect(await product.violations()).toEqual([]);
  await staff.close();
  await product.close();
});

const operator = async (...args: string[]) => JSON.parse((await runOperator(...args, '--json')).text);
const requests = '/api/staff/requests';
const mine = ['--merchant', 'from'] as const;

async function rowsOf<T>(statement: ReturnType<typeof sql<T>>): Promise<T[]> {
  const { rows } = await product.services.database.asSystem((tx) => statement.execute(tx.query));
  return rows;
}
const keysOf = (code: string) =>
  rowsOf(sql<{ id: string }>`select key_id as id from access_key where key_id like ${`ak_${code}_%`}`);

it('acts at once while nobody works in the back office', async () => {
  const { id } = await operator('access-key', 'add', ...mine);
  expect(await keysOf('from')).toEqual([{ id }]);
});

it('a key is added with a name, scopes, addresses and an expiry of its own', async () => {
  const limits = ['--name', ' Reports ', '--scope', 'read', '--scope', 'balance', '--allow', '192.0.2.7'];
  const { id } = await operator(
    'access-key',
    'add',
    '--merchant',
    'to',
    ...limits,
    '--expires',
    '2031-01-31T09:00:00+08:00',
  );
  const added = sql`
    select name, scopes, allowed_addresses::text[] as addresses, ends_at as "endsAt" from access_key where key_id = ${id}`;
  expect(await rowsOf(added)).toEqual([
    {
      name: 'Reports',
      scopes: ['balance', 'read'],
      addresses: ['192.0.2.7/32'],
      endsAt: new Date('2031-01-31T01:00:00Z'),
    },
  ]);
  for (const wrong of [
    ['--scope', 'money'],
    ['--expires', '2020-01-01T00:00:00Z'],
    ['--allow', 'everywhere'],
    ['--name', ' '],
  ])
    await expect(operator('access-key', 'add', '--merchant', 'to', ...wrong)).rejects.toThrow();
  expect(await keysOf('to')).toEqual([{ id }]);
});

describe('once somebody could agree', () => {
  beforeAll(async () => {
    admin = await staff.member('ann', 'ADMIN');
    support = await staff.member('sue', 'SUPPORT');
    finance = await staff.member('fin', 'FINANCE');
  });

  it('a command only asks, and acts once when it is run again after somebody with the permission agrees', async () => {
    const before = await keysOf('from');
    const { request } = await operator('access-key', 'add', ...mine);
    // Asking for the same again names the same request.
    expect((await operator('access-key', 'add', ...mine)).request).toBe(request);
    expect((await support.post(`${requests}/${request}/approve`, {})).status).toBe(403);
    expect((await admin.post(`${requests}/${request}/approve`, {})).status).toBe(200);
    expect(await keysOf('from')).toEqual(before);
    const { id } = await operator('access-key', 'add', ...mine);
    expect(await keysOf('from')).toContainEqual({ id });
    // The permit is used up.
    expect((await operator('access-key', 'add', ...mine)).request).toEqual(expect.any(String));
    expect(await keysOf('from')).toHaveLength(before.length + 1);
  });

  it('a permit is for exactly what was asked, and for the operator who asked', async () => {
    const set = (...addresses: string[]) =>
      operator(
        'ip-address',
        'set',
        ...mine,
        '--confirm-closed',
        ...addresses.flatMap((each) => ['--allow', each]),
      );
    const { request } = await set('192.0.2.1');
    expect((await admin.post(`${requests}/${request}/approve`, {})).status).toBe(200);
    const other = (await set('192.0.2.2')).request;
    expect(other).not.toBe(request);
    await admin.post(`${requests}/${other}/refuse`, { reason: 'no' });
    vi.stubEnv('USER', 'mallory');
    expect((await set('192.0.2.1')).request).toEqual(expect.any(String));
    vi.stubEnv('USER', 'test');
    expect(await set('192.0.2.1')).toMatchObject({ allow: ['192.0.2.1/32'] });
    // The list has changed meanwhile, so the earlier answer says nothing about a further change.
    const { json } = await admin.get(`${requests}?state=waiting`);
    await Promise.all(json.data.map(({ id }: { id: string }) => admin.post(`${requests}/${id}/approve`, {})));
    vi.stubEnv('USER', 'mallory');
    expect((await set('192.0.2.1')).request).toEqual(expect.any(String));
    vi.stubEnv('USER', 'test');
  });

  it('a permit expires, and twenty commands at once use it once', async () => {
    const { operatorPermits } = staff.runtime.services;
    const question = {
      kind: 'merchantAccess',
      merchantId: from.id,
      subject: 'twenty',
      change: { facts: [] },
      facts: [],
      reason: '',
    } as const;
    const obtain = () => operatorPermits.obtain(question, 'operator:test').catch(() => 'refused');
    const agree = async () => {
      const id = await obtain();
      expect((await admin.post(`${requests}/${id}/approve`, {})).status).toBe(200);
    };
    await agree();
    const answers = await Promise.all(Array.from({ length: 20 }, obtain));
    expect(answers.filter((answer) => answer === undefined)).toHaveLength(1);
    const waiting = answers.find((answer) => typeof answer === 'bigint');
    expect((await admin.post(`${requests}/${waiting}/approve`, {})).status).toBe(200);
    await asOwner(product.ownerUrl, (client) => client.query('update staff_permit set expires_at = now()'));
    expect(await obtain()).toEqual(expect.any(BigInt));
  });

  it('a transfer takes two people, whatever its amount; finance agrees', async () => {
    const transfer = () =>
      operator(
        ...['transfer', '--from', 'from', '--to', 'to', '--amount', '1.00'],
        ...['--key', 'two people', '--note', 'why'],
      );
    const { request } = await transfer();
    const { json } = await finance.get(`${requests}/${request}`);
    expect(json.data).toMatchObject({ kind: 'fundsTransfer', reason: 'why', requestedBy: 'operator:test' });
    expect(json.data.facts).toContainEqual({ name: 'amount', before: null, after: '1.00 CNY' });
    expect((await finance.post(`${requests}/${request}/approve`, {})).status).toBe(200);
    expect(await transfer()).toMatchObject({ transfer_no: expect.any(String) });
    const moved = await rowsOf(
      sql<{
        amount: bigint;
      }>`select amount_minor as amount from ledger_entry e join ledger_transfer t on t.id = e.transfer_id
        and t.merchant_id = e.merchant_id where e.merchant_id = ${to.id} and t.type = 'funds_transfer_in' and amount_minor > 0`,
    );
    expect(moved).toEqual([{ amount: 100n }]);
  });

  it('roles, invitations, enrollment codes and the end of approval rules need it, too; --break-glass alerts', async () => {
    await product.person(from, 'SUPPORT');
    const [person] = await rowsOf(
      sql<{ email: string }>`select email from app_user where email like '%@from.test' limit 1`,
    );
    const email = ['--email', person?.email ?? ''];
    for (const command of [
      ['user', 'invite', ...mine, '--email', 'new@from.test', '--role', 'MERCHANT_ADMIN'],
      ['user', 'roles', ...mine, ...email, '--role', 'MERCHANT_ADMIN'],
      ['user', 'enrolment-code', ...email],
      ['approval', 'rules-clear', ...mine],
      ['approval', 'rule-set', ...mine, '--kind', 'payout', '--from', '1', '--role', 'ROOT'],
    ])
      expect([command, (await operator(...command)).request]).toEqual([command, expect.any(String)]);
    const invited = ['user', 'invite', ...mine, '--email', 'now@from.test', '--role', 'MERCHANT_VIEWER'];
    await operator(...invited, '--break-glass', 'the owner waits');
    const { json } = await support.get('/api/staff/alerts');
    expect(json.data).toContainEqual(
      expect.objectContaining({ kind: 'merchantAccess', reason: 'the owner waits', actor: 'operator:test' }),
    );
  });

  it('the second person reads the people of approval rules by their email addresses', async () => {
    const ruled = await product.merchant('ruled');
    await product.person(ruled, 'MERCHANT_ADMIN', 'boss');
    const people = await rowsOf(
      sql<{ id: string }>`select id::text from app_user where email = 'boss@ruled.test'`,
    );
    const rule = { kind: 'team', amountMinor: '0', approvers: 1 } as const;
    await product.services.approvalRules.setFor(ruled.id, 'operator:test', {
      rules: [{ ...rule, roles: [], people: people.map(({ id }) => id) }],
      days: 7,
    });
    const { request } = await operator('approval', 'rules-clear', '--merchant', 'ruled');
    expect((await admin.get(`${requests}/${request}`)).json.data.facts).toContainEqual({
      name: 'rules',
      before: 'team 1 × boss@ruled.test',
      after: null,
    });
    expect((await runOperator('approval', 'rules', '--merchant', 'ruled')).text).toContain('boss@ruled.test');
  });

  it('permissions of a role, the end of the two-factor rule, and the reactivation of a person need it, too; they show the permissions', async () => {
    const role = ['--merchant', 'from', '--name', 'Desk'] as const;
    const asked = (await operator('role', 'create', ...role, '--perm', 'collections.read')).request;
    expect((await admin.post(`${requests}/${asked}/approve`, {})).status).toBe(200);
    const { code } = await operator('role', 'create', ...role, '--perm', 'collections.read');
    const change = ['role', 'change', ...role, '--code', code, '--perm', 'payouts.create'] as const;
    const { request } = await operator(...change);
    const { json } = await admin.get(`${requests}/${request}`);
    expect(json.data).toMatchObject({ kind: 'merchantAccess' });
    expect(json.data.facts).toContainEqual({
      name: 'permissions',
      before: 'collections.read',
      after: expect.stringContaining('payouts.create'),
    });
    const permsNow = async () =>
      rowsOf(sql<{ perms: string[] }>`select perms from own_role where code = ${code}`);
    expect(await permsNow()).toEqual([{ perms: ['collections.read'] }]);
    expect((await admin.post(`${requests}/${request}/approve`, {})).status).toBe(200);
    await operator(...change);
    expect((await permsNow())[0]?.perms).toContain('payouts.create');

    await product.person(from, 'SUPPORT', 'desk');
    const people = await rowsOf(
      sql<{ email: string }>`select email from app_user where email = 'desk@from.test'`,
    );
    const email = people[0]?.email ?? '';
    const given = (await operator('user', 'roles', ...mine, '--email', email, '--role', code)).request;
    expect((await admin.get(`${requests}/${given}`)).json.data.facts).toContainEqual({
      name: 'roles',
      before: 'SUPPORT',
      after: expect.stringMatching(new RegExp(`${code} \\(.*payouts.create`)),
    });

    await operator('user', 'suspend', '--email', email, '--reason', 'stolen laptop');
    for (const command of [
      ['merchant', 'two-factor', 'free', ...mine],
      ['user', 'reactivate', '--email', email, '--reason', 'called'],
    ])
      expect([command, (await operator(...command)).request]).toEqual([command, expect.any(String)]);
    const [person] = await rowsOf(
      sql<{ at: Date | null }>`select disabled_at as at from app_user where email = ${email}`,
    );
    expect(person?.at).not.toBeNull();
  });

  it('the second person reads all of the note of a transfer and its key; a longer note is refused', async () => {
    const transfer = (note: string) =>
      operator(
        ...['transfer', '--from', 'from', '--to', 'to', '--amount', '2.00', '--key', 'first'],
        ...['--note', note],
      );
    const note = 'n'.repeat(300);
    const { request } = await transfer(note);
    const { json } = await finance.get(`${requests}/${request}`);
    expect(json.data).toMatchObject({ reason: note });
    expect(json.data.facts).toContainEqual({ name: 'idempotencyKey', before: null, after: 'first' });
    await expect(transfer(`${note}n`)).rejects.toThrow();
  });

  it('a transfer that is repeated under its key moves nothing and asks nobody', async () => {
    const transfer = (amount: string) =>
      operator('transfer', '--from', 'to', '--to', 'from', '--amount', amount, '--key', 'monthly');
    const { request } = await transfer('0.30');
    expect((await finance.post(`${requests}/${request}/approve`, {})).status).toBe(200);
    const first = await transfer('0.30');
    expect(first).toMatchObject({ transfer_no: expect.stringMatching(/^F/) });
    expect(await transfer('0.30')).toMatchObject({ transfer_no: first.transfer_no });
    await expect(transfer('0.40')).rejects.toMatchObject({ code: 'idempotency_key_reused' });
    const { data } = (await finance.get(`${requests}?state=waiting`)).json;
    expect(data.filter(({ subject }: { subject: string }) => subject === 'to from')).toEqual([]);
  });

  it('a list of addresses that the merchant changes while the command runs stays', async () => {
    const { database, secrets } = product.services;
    const merchants = new MerchantService(database, secrets, 'operator:test');
    const asSeen = await merchants.allowedAddresses(from.id);
    await merchants.setAllowedAddresses(from.id, ['192.0.2.77/32'], { confirmClosed: true });
    await expect(
      merchants.setAllowedAddresses(from.id, ['192.0.2.88/32'], { confirmClosed: true, asSeen }),
    ).rejects.toMatchObject({ code: 'approval_changed' });
    expect(await merchants.allowedAddresses(from.id)).toEqual(['192.0.2.77/32']);
  });

  it('what was carried out is in the audit trail', async () => {
    const rows = await rowsOf(
      sql<{ actor: string; subject: string }>`
        select actor, subject from audit where action = 'staff_request.carry_out' and subject = 'from to'`,
    );
    expect(rows).toEqual([{ actor: 'operator:test', subject: 'from to' }]);
  });

  it('with --break-glass, says of a command that was refused that it was, once for each', async () => {
    const transfer = (amount: string) => [
      'transfer',
      ...['--from', 'from', '--to', 'to', '--amount', amount, '--key', `alone ${amount}`, '--note', 'a test'],
      ...['--break-glass', `alone ${amount}`],
    ];
    for (const amount of ['70000.00', '80000.00'])
      await expect(operator(...transfer(amount))).rejects.toMatchObject({ code: 'insufficient_funds' });
    await operator(...transfer('1.50'));
    const { data } = (await support.get('/api/staff/alerts')).json;
    const found = data.filter(({ reason }: { reason: string }) => reason.startsWith('alone '));
    expect(
      Object.fromEntries(
        found.map(({ reason, isRefused }: { reason: string; isRefused: boolean }) => [reason, isRefused]),
      ),
    ).toEqual({ 'alone 70000.00': true, 'alone 80000.00': true, 'alone 1.50': false });
    const trail = await rowsOf(
      sql<{ actor: string; after: { refusal: string } }>`
        select actor, after from audit where action = 'staff_request.alone_refused' order by id`,
    );
    expect(trail.map(({ actor, after }) => [actor, after.refusal])).toEqual(
      Array(2).fill(['operator:test', 'insufficient_funds']),
    );
  });
});
