import { type Perm, perms, type RoleCode } from '@hengfu/contract/permissions';
import { quotas } from '@hengfu/contract/quotas';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, it } from 'vitest';
import { type TestMerchant, TestProduct, testPassword } from '../../../testing/test-product.ts';
import type { Visitor } from '../../../testing/visitor.ts';

const path = '/api/merchant/team';
const guestPassword = 'Quiet-river-2026';
let product: TestProduct;
let merchant: TestMerchant;
let owner: Visitor;
let count = 0;

beforeAll(async () => {
  product = await TestProduct.start(inject('ownerUrl'));
});
beforeEach(async () => {
  merchant = await product.merchant(`roles${++count}`);
  owner = await confirmed(await product.person(merchant, 'ROOT', 'owner'));
});
afterAll(async () => {
  expect(await product.deadlocks()).toBe(0);
  await product.close();
});

async function confirmed(visitor: Visitor): Promise<Visitor> {
  await visitor.post('/api/user/confirm-password', { password: testPassword });
  return visitor;
}

const outcome = ({ status, json }: { status: number; json: { code?: string } }) => [status, json.code];
const textOf = (name: string, granted: readonly Perm[], description = '') => ({
  name,
  description,
  perms: granted,
});

/** Makes a role, and returns its code. */
async function made(name: string, granted: readonly Perm[], by = owner): Promise<RoleCode> {
  const { status, json } = await by.post(`${path}/roles`, textOf(name, granted));
  expect(status).toBe(201);
  return json.data.code;
}

/** Adds a member who holds a role, and further ones. */
async function member(
  name: string,
  role: RoleCode,
  ...more: RoleCode[]
): Promise<{ visitor: Visitor; id: string }> {
  const visitor = await confirmed(await product.person(merchant, role, name));
  const { id } = (await visitor.get('/api/merchant/user')).json.data;
  if (more.length > 0) await product.services.team.setRoles(asOperator(), BigInt(id), [role, ...more]);
  return { visitor, id };
}

const asOperator = () => ({
  merchantId: merchant.id,
  userId: null,
  assertMayGive: async () => undefined,
  audit: async () => undefined,
});

const permsOfUser = async (visitor: Visitor) => (await visitor.get('/api/merchant/user')).json.data.perms;

async function roleOf(code: RoleCode) {
  const { roles } = (await owner.get(path)).json.data;
  return roles.find((role: { code: string }) => role.code === code);
}

/** Changes a role, having seen it as it is now. */
async function change(by: Visitor, code: RoleCode, name: string, granted: readonly Perm[]) {
  const { version } = await roleOf(code);
  return by.send('PUT', `${path}/roles/${code}`, { ...textOf(name, granted), version });
}

describe('a role of the merchant’s own', () => {
  it('grants what was chosen and what that needs, from the next call on, and no more once it is taken', async () => {
    const code = await made('Cashier', ['payouts.create']);
    const needed = ['dashboard.read', 'payouts.read', 'payouts.create', 'paymentPassword.manage'];
    expect((await roleOf(code)).perms).toEqual(needed);
    const { visitor, id } = await member('cashier', 'SUPPORT');
    expect((await visitor.get('/api/merchant/payouts')).status).toBe(403);
    const given = await owner.send('PUT', `${path}/members/${id}/roles`, { roles: [code] });
    expect(given.status).toBe(200);
    expect((await visitor.get('/api/merchant/user')).json.data).toMatchObject({
      roles: [code],
      perms: needed,
    });
    expect((await visitor.get('/api/merchant/payouts')).status).toBe(200);
    expect(outcome(await visitor.get('/api/merchant/collections'))).toEqual([403, 'forbidden']);
    expect((await change(owner, code, 'Cashier', ['collections.read'])).json.data).toEqual({
      request_no: null,
    });
    expect((await visitor.get('/api/merchant/collections')).status).toBe(200);
    expect(outcome(await visitor.get('/api/merchant/payouts'))).toEqual([403, 'forbidden']);
  });

  it('that grants everything still makes nobody an owner', async () => {
    const code = await made('Deputy', perms);
    const { visitor, id } = await member('deputy', code);
    const target = `${path}/members/${(await owner.get('/api/merchant/user')).json.data.id}`;
    expect(outcome(await visitor.send('PUT', `${target}/roles`, { roles: [code] }))).toEqual([
      403,
      'roles_exceed',
    ]);
    const invite = { email: `heir@${merchant.code}.test`, roles: ['ROOT'] };
    expect(outcome(await visitor.post(`${path}/invitations`, invite))).toEqual([403, 'roles_exceed']);
    // The only owner cannot become a deputy, not even by an operator.
    const by = asOperator();
    const ownerId = BigInt((await owner.get('/api/merchant/user')).json.data.id);
    await expect(product.services.team.setRoles(by, ownerId, [code])).rejects.toMatchObject({
      code: 'last_owner',
    });
    expect(id).toBeDefined();
  });

  it('has a name of its own: in any case or width, without invisible characters, and never that of a role of the product', async () => {
    await made('Night shift', ['collections.read']);
    const tryName = async (name: string) =>
      (await owner.post(`${path}/roles`, textOf(name, ['collections.read']))).json;
    for (const name of [
      'night SHIFT',
      'Ｎight shift',
      'Night  shift',
      'Night\u200d shift',
      'Night shift\ufe0f',
    ])
      expect(await tryName(name)).toMatchObject({
        code: 'validation_failed',
        errors: { name: [expect.any(String)] },
      });
    for (const name of ['Owner', 'owner', '所有者', 'Chủ sở hữu', 'ROOT', 'Finance'])
      expect(await tryName(name)).toMatchObject({ code: 'validation_failed' });
    for (const name of ['\u200b', ' ', '\u202e'])
      expect(await tryName(name)).toMatchObject({ code: 'validation_failed' });
    expect((await tryName('\u202eDay\u2066 shift')).data.name).toBe('Day shift');
  });

  it('is made, changed, given and retired only by somebody who holds all of it', async () => {
    const managing = await made('Manager', ['team.manage', 'collections.read']);
    const paying = await made('Payer', ['payouts.create']);
    const { visitor: manager } = await member('manager', managing);
    const refused = [403, 'roles_exceed'];
    const body = textOf('Mine', ['payouts.read']);
    expect(outcome(await manager.post(`${path}/roles`, body))).toEqual(refused);
    const own = await made('Lookout', ['collections.read'], manager);
    expect(outcome(await change(manager, own, 'Lookout', ['collections.read', 'payouts.read']))).toEqual(
      refused,
    );
    // Nor by taking away from a role what the person does not hold.
    expect(outcome(await change(manager, paying, 'Payer', ['collections.read']))).toEqual(refused);
    expect(outcome(await manager.send('DELETE', `${path}/roles/${paying}`, {}))).toEqual(refused);
    const { id } = await member('support', 'SUPPORT');
    expect(outcome(await manager.send('PUT', `${path}/members/${id}/roles`, { roles: [paying] }))).toEqual(
      refused,
    );
    const invite = { email: `friend@${merchant.code}.test`, roles: [paying] };
    expect(outcome(await manager.post(`${path}/invitations`, invite))).toEqual(refused);
    const { visitor: support } = await member('nobody', 'SUPPORT');
    expect(outcome(await support.post(`${path}/roles`, body))).toEqual([403, 'forbidden']);
  });

  it('is not changed by its holder, nor by somebody who could not change its holder', async () => {
    const managing = await made('Manager', ['team.manage', 'collections.read', 'settlements.read']);
    const extra = await made('Extra', ['settlements.read']);
    const { visitor: manager } = await member('manager', managing);
    expect(outcome(await change(manager, managing, 'Manager', ['team.manage', 'collections.read']))).toEqual([
      409,
      'own_membership',
    ]);
    // A new name changes nobody.
    expect(
      (await change(manager, managing, 'Managers', ['team.manage', 'collections.read', 'settlements.read']))
        .status,
    ).toBe(200);
    const { id } = await member('strong', extra, await made('Exporter', ['exports.create']));
    expect(outcome(await change(manager, extra, 'Extra', ['collections.read']))).toEqual([
      403,
      'roles_exceed',
    ]);
    await product.services.team.setRoles(asOperator(), BigInt(id), [extra]);
    expect((await change(manager, extra, 'Extra', ['collections.read'])).status).toBe(200);
  });

  it('keeps what somebody else has changed since it was shown; of two changes at once, one is made', async () => {
    const code = await made('Shared', ['collections.read']);
    const other = await confirmed(await product.person(merchant, 'MERCHANT_ADMIN', 'other'));
    const { version } = await roleOf(code);
    const put = (by: Visitor, granted: Perm[]) =>
      by.send('PUT', `${path}/roles/${code}`, { ...textOf('Shared', granted), version });
    const answers = await Promise.all([put(owner, ['payouts.read']), put(other, ['topups.read'])]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect(outcome(await put(owner, ['withdrawals.read']))).toEqual([409, 'conflict']);
    expect((await roleOf(code)).version).toBe(version + 1);
    // Two roles of one name at once are one role.
    const names = await Promise.all(
      [owner, other].map((by) => by.post(`${path}/roles`, textOf('Twins', ['collections.read']))),
    );
    expect(names.map(({ status }) => status).sort()).toEqual([201, 422]);
  });

  it('is retired only once nobody holds it, and grants nothing from then on', async () => {
    const code = await made('Temporary', ['collections.read']);
    const { visitor, id } = await member('temp', code);
    const invite = { email: `guest@${merchant.code}.test`, roles: [code] };
    const { json } = await owner.post(`${path}/invitations`, invite);
    const retire = () => owner.send('DELETE', `${path}/roles/${code}`, {});
    const inUse = await retire();
    expect(outcome(inUse)).toEqual([409, 'role_in_use']);
    expect(inUse.json.message).toContain('2');
    await owner.send('DELETE', `${path}/invitations/${json.data.id}`, {});
    await owner.send('PUT', `${path}/members/${id}/roles`, { roles: ['SUPPORT'] });
    expect((await retire()).status).toBe(204);
    expect(outcome(await retire())).toEqual([404, 'not_found']);
    expect(outcome(await owner.send('PUT', `${path}/members/${id}/roles`, { roles: [code] }))).toEqual([
      422,
      'validation_failed',
    ]);
    // Its name is free, and another role of that name is another role.
    expect(await made('Temporary', ['payouts.read'])).not.toBe(code);
    await product.services.database.asSystem((tx) =>
      sql`update membership set roles = ${[code]}::text[] where merchant_id = ${merchant.id} and user_id = ${id}`.execute(
        tx.query,
      ),
    );
    expect(await permsOfUser(visitor)).toEqual([]);
    expect(outcome(await visitor.get('/api/merchant/collections'))).toEqual([403, 'forbidden']);
  });

  it('of another merchant is neither found nor given', async () => {
    const code = await made('Ours', ['collections.read']);
    const stranger = await confirmed(
      await product.person(await product.merchant(`roles${++count}`), 'ROOT', 'stranger'),
    );
    const body = { ...textOf('Theirs', ['payouts.read']), version: 1 };
    expect(outcome(await stranger.send('PUT', `${path}/roles/${code}`, body))).toEqual([404, 'not_found']);
    expect(outcome(await stranger.send('DELETE', `${path}/roles/${code}`, {}))).toEqual([404, 'not_found']);
    const invite = { email: 'spy@elsewhere.test', roles: [code] };
    expect(outcome(await stranger.post(`${path}/invitations`, invite))).toEqual([422, 'validation_failed']);
    expect((await stranger.get(path)).json.data.roles).toEqual([]);
  });

  it('is one of twenty at most, and changes are limited by the hour', async () => {
    const { ownRolesOfMerchant } = quotas;
    for (let number = 0; number < ownRolesOfMerchant; number++)
      await made(`Role ${number}`, ['collections.read']);
    const more = await owner.post(`${path}/roles`, textOf('One more', ['collections.read']));
    expect(outcome(more)).toEqual([429, 'quota_reached']);
    const [{ code }] = (await owner.get(path)).json.data.roles;
    const statuses = new Set<number>();
    for (let turn = 0; turn < 45; turn++)
      statuses.add((await change(owner, code, `Name ${turn}`, ['collections.read'])).status);
    expect([...statuses]).toEqual([200, 429]);
  });

  it('is given by an invitation, whose reader sees its name; growing beyond the sender revokes it', async () => {
    const managing = await made('Manager', ['team.manage', 'collections.read']);
    const code = await made('Lookout', ['collections.read']);
    const { visitor: manager } = await member('manager', managing);
    const invite = (name: string) =>
      manager.post(`${path}/invitations`, { email: `${name}@${merchant.code}.test`, roles: [code] });
    const token = ({ json }: { json: { data: { url: string } } }) => json.data.url.split('/').at(-1);
    const [first, second] = [token(await invite('first')), token(await invite('second'))];
    const guest = product.visitor();
    await guest.get('/api/csrf-cookie');
    expect((await guest.get(`/api/invitations/${first}`)).json.data).toMatchObject({
      roles: [code],
      ownRoles: [{ code, name: 'Lookout', description: '' }],
    });
    const account = { name: 'Guest', password: guestPassword, password_confirmation: guestPassword };
    expect((await guest.post(`/api/invitations/${first}/acceptance`, account)).json.signed_in).toBe(true);
    expect(await permsOfUser(guest)).toEqual(['collections.read']);
    expect((await change(owner, code, 'Lookout', ['collections.read', 'payouts.read'])).status).toBe(200);
    expect(await permsOfUser(guest)).toEqual(['collections.read', 'payouts.read']);
    const late = product.visitor();
    await late.get('/api/csrf-cookie');
    expect(outcome(await late.post(`/api/invitations/${second}/acceptance`, account))).toEqual([
      410,
      'link_revoked',
    ]);
  });

  it('taken back from somebody ends the invitations that only it allowed', async () => {
    const managing = await made('Manager', ['team.manage', 'collections.read']);
    const { visitor: manager } = await member('manager', managing);
    const invite = {
      email: `guest@${merchant.code}.test`,
      roles: [await made('Lookout', ['collections.read'])],
    };
    expect((await manager.post(`${path}/invitations`, invite)).status).toBe(201);
    expect((await change(owner, managing, 'Manager', ['collections.read'])).status).toBe(200);
    expect((await owner.get(path)).json.data.invitations).toEqual([]);
  });

  it('is in the audit log by its name, with what it granted before and after', async () => {
    const code = await made('Night shift', ['collections.read']);
    const { visitor, id } = await member('night', 'SUPPORT');
    await owner.send('PUT', `${path}/members/${id}/roles`, { roles: ['SUPPORT', code] });
    await change(owner, code, 'Day shift', ['collections.read', 'payouts.read']);
    await visitor.post('/api/user/confirm-password', { password: testPassword });
    const { data } = (await owner.get('/api/merchant/audit-log?limit=100')).json;
    const of = (action: string) => data.find((row: { action: string }) => row.action === action);
    expect(of('role_create')).toMatchObject({
      subject: 'Night shift',
      changes: expect.arrayContaining([{ field: 'permissions', before: null, after: 'collections.read' }]),
    });
    expect(of('role_change')).toMatchObject({
      subject: 'Night shift',
      changes: [
        { field: 'name', before: 'Night shift', after: 'Day shift' },
        { field: 'permissions', before: null, after: 'payouts.read' },
      ],
    });
    expect(of('user_roles').changes).toEqual([
      { field: 'roles', before: 'SUPPORT', after: 'SUPPORT, Day shift' },
    ]);
    const [confirm] = data.filter(
      (row: { action: string; actorEmail: string }) =>
        row.action === 'password_confirm' && row.actorEmail === `night@${merchant.code}.test`,
    );
    expect(confirm.actorRoles).toEqual(['SUPPORT', 'Day shift']);
  });

  it('leaves refused attempts in the audit log, with its name and what it would have granted', async () => {
    const managing = await made('Manager', ['team.manage']);
    const code = await made('Payer', ['payouts.create']);
    const { visitor: manager } = await member('manager', managing);
    expect((await change(manager, code, 'Mine', ['team.read'])).status).toBe(403);
    const { data } = (await owner.get('/api/merchant/audit-log?action=team_refused')).json;
    expect(data).toMatchObject([
      {
        subject: 'Payer',
        changes: [
          { field: 'reason', after: 'roles_exceed' },
          { field: 'attempt', after: 'role.change' },
          { field: 'permissions', after: 'team.read' },
        ],
      },
    ]);
  });

  it('ends the schedules of those who lose its permissions', async () => {
    const code = await made('Exporter', ['collections.read', 'exports.create']);
    const { visitor } = await member('exporter', code);
    const schedule = { name: 'Daily', list: 'collections', format: 'csv', language: 'en', zone: 'UTC' };
    const body = { ...schedule, filters: {}, every: 'daily' };
    expect((await visitor.post('/api/merchant/export-schedules', body)).status).toBe(201);
    const exportsAfterRun = async () => {
      await product.services.database.asSystem((tx) =>
        sql`update export_schedule set next_at = now() - interval '1 minute' where merchant_id = ${merchant.id}`.execute(
          tx.query,
        ),
      );
      await product.services.tasks['exports.schedule']?.({});
      return (await owner.get('/api/merchant/exports')).json.data.length;
    };
    expect(await exportsAfterRun()).toBe(1);
    expect((await change(owner, code, 'Exporter', ['exports.create'])).status).toBe(200);
    expect(await exportsAfterRun()).toBe(1);
  });
});
