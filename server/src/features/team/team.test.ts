import { covers, grantOf, perms, type Role, roles } from '@hengfu/contract/permissions';
import { invitationsPerHour } from '@hengfu/contract/team';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, it } from 'vitest';
import { type TestMerchant, TestProduct, testPassword } from '../../testing/test-product.ts';
import { codeOf } from '../../testing/totp.ts';
import type { Visitor } from '../../testing/visitor.ts';
import { operatorActor } from './team.actor.ts';

let product: TestProduct;
let merchant: TestMerchant;
let owner: Visitor;
let admin: Visitor;
let count = 0;
const newPassword = 'Quiet-river-2026';

beforeAll(async () => {
  product = await TestProduct.start(inject('ownerUrl'));
});
afterAll(() => product.close());
beforeEach(async () => {
  merchant = await product.merchant(`team${count++}`);
  owner = await confirmed(await product.person(merchant, 'ROOT', 'owner'));
  admin = await confirmed(await product.person(merchant, 'MERCHANT_ADMIN', 'admin'));
});

async function confirmed(visitor: Visitor): Promise<Visitor> {
  await visitor.post('/api/user/confirm-password', { password: testPassword });
  return visitor;
}

const path = '/api/merchant/team';
const emailOf = (name: string) => `${name}@${merchant.code}.test`;
const tokenOf = (url: string) => url.slice(url.lastIndexOf('/') + 1);
const teamOf = async (visitor: Visitor) => (await visitor.get(path)).json.data;
const memberOf = async (name: string) =>
  (await teamOf(owner)).members.find(({ email }: { email: string }) => email === emailOf(name));
const memberPath = async (name: string) => `${path}/members/${(await memberOf(name)).id}`;

/** Invites somebody and returns the token of the link. */
async function invited(by: Visitor, name: string, given: readonly Role[]): Promise<string> {
  const { status, json } = await by.post(`${path}/invitations`, { email: emailOf(name), roles: given });
  expect([status, json.code]).toEqual([201, undefined]);
  return tokenOf(json.data.url);
}

const joining = { name: 'New', password: newPassword, password_confirmation: newPassword };
const accept = (visitor: Visitor, token: string, given: object = joining) =>
  visitor.post(`/api/invitations/${token}/acceptance`, given);

async function joined(name: string, given: readonly Role[]): Promise<Visitor> {
  const visitor = product.visitor();
  await visitor.get('/api/csrf-cookie');
  const { status, json } = await accept(visitor, await invited(owner, name, given));
  expect([status, json]).toEqual([200, { signed_in: true }]);
  return visitor;
}

/** The audited actions of the merchant's team, oldest first, with what they recorded. */
async function audited(): Promise<[string, string | null, unknown][]> {
  const { rows } = await product.services.database.asSystem((tx) =>
    sql<{ action: string; actor: string; after: unknown }>`
      select action, actor, after from audit where merchant_id = ${merchant.id}
      and (action like 'invitation.%' or action like 'team.%' or action like 'user.%') and actor not like 'operator:%'
      order by id`.execute(tx.query),
  );
  return rows.map(({ action, actor, after }) => [action, actor === 'nobody' ? null : 'person', after]);
}

describe('an invitation', () => {
  it('makes a member, who is signed in at once, and works once', async () => {
    const token = await invited(owner, 'clerk', ['FINANCE']);
    const visitor = product.visitor();
    await visitor.get('/api/csrf-cookie');
    const shown = await visitor.get(`/api/invitations/${token}`);
    expect(shown.json.data).toMatchObject({
      email: emailOf('clerk'),
      roles: ['FINANCE'],
      invitedBy: 'ROOT',
      hasAccount: false,
    });
    expect((await accept(visitor, token)).json).toEqual({ signed_in: true });
    const { data } = (await visitor.get('/api/merchant/user')).json;
    expect(data).toMatchObject({ email: emailOf('clerk'), name: 'New', roles: ['FINANCE'] });
    expect(await memberOf('clerk')).toMatchObject({
      state: 'active',
      roles: ['FINANCE'],
      hasTwoFactor: false,
    });
    expect((await memberOf('clerk')).lastSignInAt).not.toBeNull();
    expect((await teamOf(owner)).invitations).toEqual([]);
    const again = product.visitor();
    await again.get('/api/csrf-cookie');
    const second = await accept(again, token);
    expect([second.status, second.json.code]).toEqual([410, 'link_used']);
    expect((await again.get(`/api/invitations/${token}`)).json.code).toBe('link_used');
    expect(await audited()).toEqual([
      ['invitation.create', 'person', { roles: ['FINANCE'] }],
      ['user.join', 'person', { roles: ['FINANCE'] }],
      ['invitation.refused', null, { reason: 'link_used' }],
    ]);
    const fresh = product.visitor();
    await fresh.signIn(emailOf('clerk'), newPassword);
    expect((await fresh.get('/api/merchant/user')).status).toBe(200);
  });

  it('used by twenty at once makes one member', async () => {
    const token = await invited(owner, 'raced', ['SUPPORT']);
    const visitors = await Promise.all(
      Array.from({ length: 20 }, async () => {
        const visitor = product.visitor();
        await visitor.get('/api/csrf-cookie');
        return visitor;
      }),
    );
    const replies = await Promise.all(visitors.map((visitor) => accept(visitor, token)));
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(replies.every(({ status }) => [200, 409, 410, 429].includes(status))).toBe(true);
    const { members } = await teamOf(owner);
    expect(members.filter(({ email }: { email: string }) => email === emailOf('raced'))).toHaveLength(1);
  });

  it('expires, is renewed with a new link, and is revoked', async () => {
    const token = await invited(owner, 'late', ['SUPPORT']);
    await product.services.database.asSystem((tx) =>
      sql`update invitation set expires_at = now() - interval '1 millisecond' where merchant_id = ${merchant.id}`.execute(
        tx.query,
      ),
    );
    const visitor = product.visitor();
    await visitor.get('/api/csrf-cookie');
    expect((await accept(visitor, token)).json.code).toBe('link_expired');
    const [{ id, isExpired }] = (await teamOf(owner)).invitations;
    expect(isExpired).toBe(true);
    const renewed = await owner.post(`${path}/invitations/${id}/link`, {});
    expect(renewed.json.data).toMatchObject({ id, isExpired: false });
    expect((await accept(visitor, token)).json.code).toBe('not_found');
    expect((await owner.send('DELETE', `${path}/invitations/${id}`)).status).toBe(204);
    expect((await accept(visitor, tokenOf(renewed.json.data.url))).json.code).toBe('link_revoked');
    expect((await teamOf(owner)).invitations).toEqual([]);
  });

  it('of somebody who is a member or invited already is refused in its field', async () => {
    const ask = (name: string) =>
      owner.post(`${path}/invitations`, { email: emailOf(name), roles: ['SUPPORT'] });
    expect((await ask('admin')).json.errors.email).toEqual(['This person is already a member of the team.']);
    await invited(owner, 'twice', ['SUPPORT']);
    const again = await ask('twice');
    expect([again.status, Object.keys(again.json.errors)]).toEqual([422, ['email']]);
  });

  it('that an operator makes again gets a new link, and other roles if they are named', async () => {
    const by = operatorActor('operator:test', merchant.id);
    const again = (roles: readonly Role[]) =>
      product.services.invitations.inviteAgain(by, emailOf('lost'), roles);
    const first = await again(['SUPPORT']);
    const second = await again(['SUPPORT']);
    expect(second.invitation.id).toBe(first.invitation.id);
    expect(tokenOf(second.url)).not.toBe(tokenOf(first.url));
    const third = await again(['FINANCE', 'SUPPORT']);
    const { invitations } = await teamOf(owner);
    const open = invitations.filter(({ email }: { email: string }) => email === emailOf('lost'));
    expect(open).toMatchObject([{ id: String(third.invitation.id), roles: ['FINANCE', 'SUPPORT'] }]);
    for (const { url } of [first, second])
      expect((await accept(product.visitor(), tokenOf(url))).status).toBeGreaterThanOrEqual(400);
  });

  it('to unknown roles, or to none, is refused', async () => {
    const ask = (given: unknown) => owner.post(`${path}/invitations`, { email: emailOf('x'), roles: given });
    for (const given of [[], ['GOD'], 'ROOT', ['ROOT', 'GOD'], undefined, [null], { 0: 'ROOT' }])
      expect((await ask(given)).status).toBe(422);
    expect((await teamOf(owner)).invitations).toEqual([]);
  });

  it('with a link that is invented, altered or of another merchant is not found', async () => {
    const token = await invited(owner, 'real', ['SUPPORT']);
    const [mine = '', secret = ''] = token.split('~');
    const other = await product.merchant(`other${count}`);
    const visitor = product.visitor();
    await visitor.get('/api/csrf-cookie');
    for (const wrong of [
      `${other.id.toString(36)}~${secret}`,
      `${mine}~${secret.slice(1)}`,
      `${mine}~`,
      `zzzzzzzzzzzzz~${secret}`,
      'constructor~x',
      '~',
      '%00',
      '-1~x',
    ]) {
      expect((await accept(visitor, wrong)).status).toBe(404);
      expect((await visitor.get(`/api/invitations/${wrong}`)).status).toBe(404);
    }
  });

  it('asks a new account for a name and a good password, and an existing one for its own', async () => {
    const token = await invited(owner, 'picky', ['SUPPORT']);
    const visitor = product.visitor();
    await visitor.get('/api/csrf-cookie');
    const faults = async (given: object) =>
      Object.keys((await accept(visitor, token, given)).json.errors ?? {});
    expect(await faults({ password: newPassword })).toEqual(['name']);
    expect(await faults({ ...joining, name: ' ' })).toEqual(['name']);
    expect(await faults({ ...joining, password: 'short', password_confirmation: 'short' })).toEqual([
      'password',
    ]);
    expect(await faults({ ...joining, password_confirmation: 'other' })).toEqual(['password']);
    const common = 'Password123';
    expect(await faults({ ...joining, password: common, password_confirmation: common })).toEqual([
      'password',
    ]);
    expect((await accept(visitor, token)).status).toBe(200);
  });

  /** Somebody who works for another merchant, with the link of an invitation to this one. */
  async function accountant(): Promise<{
    other: TestMerchant;
    email: string;
    token: string;
    atOther: Visitor;
  }> {
    const other = await product.merchant(`else${count}`);
    const atOther = await product.person(other, 'MERCHANT_VIEWER', 'accountant');
    const email = `accountant@${other.code}.test`;
    const { json } = await owner.post(`${path}/invitations`, { email, roles: ['FINANCE'] });
    return { other, email, token: tokenOf(json.data.url), atOther };
  }

  it('of an account that works elsewhere makes it a member of both, with its own password only', async () => {
    const { other, email, token, atOther } = await accountant();
    const visitor = product.visitor();
    await visitor.get('/api/csrf-cookie');
    expect((await visitor.get(`/api/invitations/${token}`)).json.data.hasAccount).toBe(true);
    expect((await accept(visitor, token, { password: 'wrong' })).status).toBe(422);
    expect((await accept(visitor, token, { password: testPassword })).json).toEqual({ signed_in: true });
    const { data } = (await visitor.get('/api/merchant/user')).json;
    expect(data).toMatchObject({
      roles: ['FINANCE'],
      merchant: { code: merchant.code },
      hasOtherMerchants: true,
    });
    const still = (await atOther.get('/api/merchant/user')).json.data;
    expect(still).toMatchObject({ roles: ['MERCHANT_VIEWER'], merchant: { code: other.code } });
    const fresh = product.visitor();
    await fresh.signIn(email, testPassword);
    const codes = (await fresh.get('/api/merchant/workplaces')).json.data.map(
      ({ code }: { code: string }) => code,
    );
    expect(codes.sort()).toEqual([merchant.code, other.code].sort());
  });

  it('accepted in the person’s own session leaves it where it is, and lets it bind what the new merchant requires', async () => {
    const { token, atOther } = await accountant();
    await product.admin().requireTwoFactor(merchant.id, true);
    expect((await accept(atOther, token, { password: testPassword })).json).toEqual({ signed_in: false });
    expect((await atOther.get('/api/merchant/user')).json.data.twoFactor).toBe('off');
    const move = await atOther.post(
      '/api/merchant/session/merchant',
      { merchant: merchant.code },
      { 'x-merchant': `else${count}` },
    );
    expect(move.status).toBe(204);
    const { json } = await atOther.get('/api/merchant/two-factor-secret-key');
    expect(json.isEnrolmentCodeNeeded).toBe(false);
  });

  it('does not replace the enrollment code of another merchant: whoever sent the link knows it', async () => {
    const { other, token } = await accountant();
    await product.admin().requireTwoFactor(other.id, true);
    const thief = product.visitor();
    await thief.get('/api/csrf-cookie');
    expect((await accept(thief, token, { password: testPassword })).json).toEqual({ signed_in: true });
    thief.merchant = merchant.code;
    await confirmed(thief);
    for (const call of ['/api/user/two-factor-authentication', '/api/merchant/passkeys/options'])
      expect((await thief.post(call, {})).json.code).toBe('enrolment_elsewhere');
    await thief.post('/api/merchant/session/merchant', { merchant: other.code });
    thief.merchant = other.code;
    const { json } = await thief.get('/api/merchant/two-factor-secret-key');
    expect(json.isEnrolmentCodeNeeded).toBe(true);
  });

  it('of a former member needs the account’s password, whose failures count as at sign-in', async () => {
    await joined('former', ['SUPPORT']);
    await owner.send('DELETE', await memberPath('former'));
    const token = await invited(owner, 'former', ['SUPPORT']);
    const visitor = product.visitor();
    await visitor.get('/api/csrf-cookie');
    for (let attempt = 0; attempt < 5; attempt++)
      expect((await accept(visitor, token, { password: 'wrong' })).status).toBe(422);
    const sixth = await accept(visitor, token, { password: newPassword });
    expect([sixth.status, sixth.json.code]).toEqual([429, 'too_many_attempts']);
    const login = await visitor.post('/api/login', { email: emailOf('former'), password: newPassword });
    expect(login.status).toBe(429);
    await product.services.database.asSystem((tx) => sql`delete from sign_in_throttle`.execute(tx.query));
  });

  it('no longer works once its inviter is blocked by the service, or may not give its roles', async () => {
    const token = await invited(admin, 'lured', ['FINANCE']);
    const id = (await memberOf('admin')).id;
    const set = (change: string) =>
      product.services.database.asSystem((tx) => sql.raw(change).execute(tx.query));
    await set(`update app_user set disabled_at = now() where id = ${id}`);
    const visitor = product.visitor();
    await visitor.get('/api/csrf-cookie');
    expect((await accept(visitor, token)).json.code).toBe('link_revoked');
    await set(`update app_user set disabled_at = null where id = ${id}`);
    await set(`update membership set roles = '{SUPPORT}' where user_id = ${id}`);
    expect((await accept(visitor, token)).json.code).toBe('link_revoked');
    expect(await memberOf('lured')).toBeUndefined();
  });

  it('leaves a few audit rows when its dead link is used again and again', async () => {
    const token = await invited(owner, 'noisy', ['SUPPORT']);
    const [{ id }] = (await teamOf(owner)).invitations;
    await owner.send('DELETE', `${path}/invitations/${id}`);
    const visitor = product.visitor();
    await visitor.get('/api/csrf-cookie');
    for (let use = 0; use < 12; use++) expect((await accept(visitor, token)).status).toBe(410);
    expect((await audited()).filter(([action]) => action === 'invitation.refused')).toHaveLength(5);
  });

  it('of a person who has left another merchant makes a member of this one', async () => {
    const other = await product.merchant(`left${count}`);
    const boss = await confirmed(await product.person(other, 'ROOT', 'owner'));
    await product.person(other, 'MERCHANT_VIEWER', 'mover');
    const email = `mover@${other.code}.test`;
    const theirs = (await boss.get(path)).json.data.members;
    const { id } = theirs.find((member: { email: string }) => member.email === email);
    expect((await boss.send('DELETE', `${path}/members/${id}`)).status).toBe(204);
    const { json } = await owner.post(`${path}/invitations`, { email, roles: ['FINANCE'] });
    const visitor = product.visitor();
    await visitor.get('/api/csrf-cookie');
    const reply = await accept(visitor, tokenOf(json.data.url), { password: testPassword });
    expect([reply.status, reply.json]).toEqual([200, { signed_in: true }]);
    expect((await visitor.get('/api/merchant/user')).json.data).toMatchObject({
      merchant: { code: merchant.code },
      roles: ['FINANCE'],
    });
  });

  it('opens nothing for somebody who is signed in as another person', async () => {
    const token = await invited(owner, 'mixed', ['SUPPORT']);
    const { status, json } = await accept(admin, token);
    expect([status, json.code]).toEqual([409, 'already_signed_in']);
    expect((await teamOf(owner)).invitations).toHaveLength(1);
  });

  it('binds the second factor without an enrollment code where the merchant requires one', async () => {
    const token = await invited(owner, 'bound', ['FINANCE']);
    await product.admin().requireTwoFactor(merchant.id, true);
    const visitor = product.visitor();
    await visitor.get('/api/csrf-cookie');
    await accept(visitor, token);
    expect((await visitor.get('/api/merchant/payouts')).json.code).toBe('two_factor_required');
    const begun = await visitor.get('/api/merchant/two-factor-secret-key');
    expect(begun.json.isEnrolmentCodeNeeded).toBe(false);
    const code = codeOf(begun.json.secretKey, 0);
    const bound = await visitor.post('/api/merchant/confirmed-two-factor-authentication', { code });
    expect(bound.status).toBe(200);
    expect((await visitor.get('/api/merchant/payouts')).status).toBe(200);
  });

  it('spares only its own session the enrollment code, and a former member gets a new one', async () => {
    const token = await invited(owner, 'closed', ['FINANCE']);
    await product.admin().requireTwoFactor(merchant.id, true);
    const first = product.visitor();
    await first.get('/api/csrf-cookie');
    await accept(first, token);
    const later = product.visitor();
    await later.signIn(emailOf('closed'), newPassword);
    const secret = '/api/merchant/two-factor-secret-key';
    expect((await later.get(secret)).json.isEnrolmentCodeNeeded).toBe(true);
    const code = codeOf((await later.get(secret)).json.secretKey, 0);
    const bound = await later.post('/api/merchant/confirmed-two-factor-authentication', { code });
    expect(bound.status).toBe(422);
    await product.admin().requireTwoFactor(merchant.id, false);
    await owner.send('DELETE', await memberPath('closed'));
    const again = await invited(owner, 'closed', ['FINANCE']);
    await product.admin().requireTwoFactor(merchant.id, true);
    const back = product.visitor();
    await back.get('/api/csrf-cookie');
    expect((await accept(back, again, { password: newPassword })).json).toEqual({ signed_in: true });
    expect((await back.get(secret)).json.isEnrolmentCodeNeeded).toBe(false);
  });

  it('is limited in number, for each merchant and hour', async () => {
    await invited(owner, 'one', ['SUPPORT']);
    await product.services.database.asSystem((tx) =>
      sql`update sign_in_throttle set failures = ${invitationsPerHour}`.execute(tx.query),
    );
    const { status, json } = await owner.post(`${path}/invitations`, {
      email: emailOf('two'),
      roles: ['SUPPORT'],
    });
    expect([status, json.code]).toEqual([429, 'too_many_attempts']);
    await product.services.database.asSystem((tx) => sql`delete from sign_in_throttle`.execute(tx.query));
  });

  it('counts against that limit only if a link was made', async () => {
    await invited(owner, 'one', ['SUPPORT']);
    await product.services.database.asSystem((tx) =>
      sql`update sign_in_throttle set failures = ${invitationsPerHour - 1}`.execute(tx.query),
    );
    for (let round = 0; round < 3; round++) {
      expect((await admin.post(`${path}/invitations/99999/link`, {})).status).toBe(404);
      expect((await admin.post(`${path}/invitations`, { email: emailOf('x'), roles: ['ROOT'] })).status).toBe(
        403,
      );
      expect(
        (await admin.post(`${path}/invitations`, { email: emailOf('one'), roles: ['FINANCE'] })).status,
      ).toBe(422);
    }
    await invited(owner, 'two', ['SUPPORT']);
    const beyond = await owner.post(`${path}/invitations`, { email: emailOf('three'), roles: ['SUPPORT'] });
    expect(beyond.status).toBe(429);
    await product.services.database.asSystem((tx) => sql`delete from sign_in_throttle`.execute(tx.query));
  });

  it('to an address that a member has taken since makes nobody a member twice, and gets no new link', async () => {
    const token = await invited(owner, 'later', ['ROOT']);
    await product.services.database.asSystem((tx) =>
      sql`update app_user set email = ${emailOf('later')} where email = ${emailOf('admin')}`.execute(
        tx.query,
      ),
    );
    const [{ id }] = (await teamOf(owner)).invitations;
    expect((await owner.post(`${path}/invitations/${id}/link`, {})).json.errors).toEqual({
      email: ['This person is already a member of the team.'],
    });
    const visitor = product.visitor();
    await visitor.get('/api/csrf-cookie');
    expect((await accept(visitor, token, { password: testPassword })).json.code).toBe('link_used');
    expect((await memberOf('later')).roles).toEqual(['MERCHANT_ADMIN']);
  });
});

describe('a member', () => {
  it('has other permissions from the next call on, and other invitations', async () => {
    const clerk = await joined('clerk', ['MERCHANT_ADMIN']);
    await clerk.post('/api/user/confirm-password', { password: newPassword });
    await invited(clerk, 'friend', ['FINANCE']);
    expect((await clerk.get('/api/merchant/audit-log')).status).toBe(200);
    expect(
      (await owner.send('PUT', `${await memberPath('clerk')}/roles`, { roles: ['FINANCE'] })).status,
    ).toBe(200);
    expect((await clerk.get('/api/merchant/audit-log')).json.code).toBe('forbidden');
    expect((await clerk.get('/api/merchant/payouts')).status).toBe(200);
    expect((await teamOf(owner)).invitations).toEqual([]);
    expect(
      (await owner.send('PUT', `${await memberPath('clerk')}/roles`, { roles: ['FINANCE'] })).status,
    ).toBe(200);
    expect((await audited()).slice(-2)).toEqual([
      ['invitation.revoke', 'person', null],
      ['user.roles', 'person', { roles: ['FINANCE'] }],
    ]);
  });

  it('keeps roles that somebody else has changed since they were shown', async () => {
    await joined('clerk', ['SUPPORT']);
    const target = `${await memberPath('clerk')}/roles`;
    expect((await owner.send('PUT', target, { roles: ['FINANCE'], from: ['SUPPORT'] })).status).toBe(200);
    const stale = await owner.send('PUT', target, { roles: ['MERCHANT_VIEWER'], from: ['SUPPORT'] });
    expect([stale.status, stale.json.code]).toEqual([409, 'conflict']);
    expect((await memberOf('clerk')).roles).toEqual(['FINANCE']);
  });

  it('blocked by the service is not reactivated by the team', async () => {
    await joined('clerk', ['SUPPORT']);
    const { id } = await memberOf('clerk');
    await product.services.database.asSystem((tx) =>
      sql`update app_user set disabled_at = now() where id = ${id}::bigint`.execute(tx.query),
    );
    expect((await owner.send('DELETE', `${path}/members/${id}/suspension`)).status).toBe(200);
    expect((await memberOf('clerk')).state).toBe('blocked');
    expect((await audited()).some(([action]) => action === 'user.reactivate')).toBe(false);
  });

  it('who is suspended has no session left, cannot sign in, and comes back', async () => {
    const clerk = await joined('clerk', ['SUPPORT']);
    expect((await owner.post(`${await memberPath('clerk')}/suspension`, {})).status).toBe(204);
    expect((await clerk.get('/api/merchant/user')).status).toBe(401);
    const back = product.visitor();
    await back.signIn(emailOf('clerk'), newPassword);
    expect((await back.get('/api/merchant/user')).status).toBe(401);
    expect((await memberOf('clerk')).state).toBe('suspended');
    expect((await owner.send('DELETE', `${await memberPath('clerk')}/suspension`)).status).toBe(200);
    await back.signIn(emailOf('clerk'), newPassword);
    expect((await back.get('/api/merchant/user')).status).toBe(200);
  });

  it('who is removed leaves the team, and can be invited again', async () => {
    const clerk = await joined('clerk', ['SUPPORT']);
    expect((await owner.send('DELETE', await memberPath('clerk'))).status).toBe(204);
    expect(await memberOf('clerk')).toBeUndefined();
    expect((await clerk.get('/api/merchant/user')).status).toBe(401);
    const token = await invited(owner, 'clerk', ['FINANCE']);
    const visitor = product.visitor();
    await visitor.get('/api/csrf-cookie');
    expect((await accept(visitor, token, { password: newPassword })).json).toEqual({ signed_in: true });
    expect((await clerk.get('/api/merchant/user')).status).toBe(401);
    expect(await memberOf('clerk')).toMatchObject({ state: 'active', roles: ['FINANCE'] });
  });

  it('changes neither the own membership nor one that holds more', async () => {
    const attempts = async (visitor: Visitor, name: string) => {
      const target = await memberPath(name);
      return [
        await visitor.send('PUT', `${target}/roles`, { roles: ['SUPPORT'] }),
        await visitor.post(`${target}/suspension`, {}),
        await visitor.send('DELETE', `${target}/suspension`),
        await visitor.send('DELETE', target),
      ].map(({ status, json }) => `${status} ${json.code}`);
    };
    expect(new Set(await attempts(admin, 'owner'))).toEqual(new Set(['403 roles_exceed']));
    expect(new Set(await attempts(admin, 'admin'))).toEqual(new Set(['409 own_membership']));
    expect(new Set(await attempts(owner, 'owner'))).toEqual(new Set(['409 own_membership']));
    const promoted = await admin.send('PUT', `${await memberPath('admin')}/roles`, { roles: ['ROOT'] });
    expect(promoted.json.code).toBe('own_membership');
    const invitation = await admin.post(`${path}/invitations`, { email: emailOf('me'), roles: ['ROOT'] });
    expect([invitation.status, invitation.json.code]).toEqual([403, 'roles_exceed']);
    expect(await memberOf('owner')).toMatchObject({ state: 'active', roles: ['ROOT'] });
    expect(await memberOf('admin')).toMatchObject({ state: 'active', roles: ['MERCHANT_ADMIN'] });
    const refused = (await audited()).filter(([action]) => action === 'team.refused');
    expect(refused).toHaveLength(14);
    expect(refused.at(-1)?.[2]).toEqual({
      attempt: 'invitation.create',
      reason: 'roles_exceed',
      roles: ['ROOT'],
    });
  });

  it('fills the records with no more than some of many refused attempts', async () => {
    const target = `${await memberPath('owner')}/roles`;
    const replies = await Promise.all(
      Array.from({ length: 30 }, () => admin.send('PUT', target, { roles: ['SUPPORT'] })),
    );
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([403]));
    expect((await audited()).filter(([action]) => action === 'team.refused')).toHaveLength(20);
  });

  it('cannot take an owner’s invitation over', async () => {
    await invited(owner, 'second', ['ROOT']);
    const [{ id }] = (await teamOf(admin)).invitations;
    expect((await admin.post(`${path}/invitations/${id}/link`, {})).json.code).toBe('roles_exceed');
    expect((await admin.send('DELETE', `${path}/invitations/${id}`)).json.code).toBe('roles_exceed');
    expect((await teamOf(owner)).invitations).toHaveLength(1);
  });

  it('of two owners who suspend each other at once, one is left', async () => {
    await joined('second', ['ROOT']);
    const second = product.visitor();
    await second.signIn(emailOf('second'), newPassword);
    await second.post('/api/user/confirm-password', { password: newPassword });
    const [one, other] = [await memberPath('second'), await memberPath('owner')];
    const replies = await Promise.all([
      owner.post(`${one}/suspension`, {}),
      second.post(`${other}/suspension`, {}),
    ]);
    expect(replies.map(({ status }) => status).sort()).toEqual([204, 401]);
    const { members } = await teamOf(admin);
    const owners = members.filter((member: { roles: string[] }) => member.roles.includes('ROOT'));
    expect(owners.filter((member: { state: string }) => member.state === 'active')).toHaveLength(1);
  });

  it('of another merchant, or an invented one, is not found', async () => {
    const other = await product.merchant(`far${count}`);
    const stranger = await confirmed(await product.person(other, 'ROOT', 'owner'));
    for (const target of [await memberPath('admin'), `${path}/members/999999999999`]) {
      expect((await stranger.send('PUT', `${target}/roles`, { roles: ['ROOT'] })).status).toBe(404);
      expect((await stranger.post(`${target}/suspension`, {})).status).toBe(404);
      expect((await stranger.send('DELETE', target)).status).toBe(404);
    }
    await invited(owner, 'mine', ['SUPPORT']);
    const [{ id }] = (await teamOf(owner)).invitations;
    expect((await stranger.post(`${path}/invitations/${id}/link`, {})).status).toBe(404);
    expect((await stranger.send('DELETE', `${path}/invitations/${id}`)).status).toBe(404);
  });
});

it('only owners give or take the owner’s role, and nobody gives more than they hold', () => {
  const pairs = roles.flatMap((held) => roles.map((given) => [held, given] as const));
  const covered = pairs
    .filter(([held, given]) => covers(grantOf([held], {}), grantOf([given], {})))
    .map((pair) => pair.join(' > '));
  expect(covered).toEqual([
    ...roles.map((given) => `ROOT > ${given}`),
    ...roles.filter((given) => given !== 'ROOT').map((given) => `MERCHANT_ADMIN > ${given}`),
    'FINANCE > FINANCE',
    'FINANCE > SUPPORT',
    'FINANCE > MERCHANT_VIEWER',
    'APPROVER > APPROVER',
    'APPROVER > MERCHANT_VIEWER',
    'SUPPORT > SUPPORT',
    'DEVELOPER > DEVELOPER',
    'MERCHANT_VIEWER > MERCHANT_VIEWER',
  ]);
  expect(perms).toContain('team.manage');
});

it('somebody sees, finds, retries and schedules exports of no list beyond the own permissions', async () => {
  const support = await joined('support', ['SUPPORT']);
  const order = (list: string, visitor: Visitor) =>
    visitor.post('/api/merchant/exports', { list, format: 'csv', language: 'en', zone: 'UTC', filters: {} });
  const { export_no } = (await order('payouts', owner)).json.data;
  expect((await order('payouts', support)).json.code).toBe('forbidden');
  expect((await order('collections', support)).status).toBe(201);
  const listsOf = async (visitor: Visitor) =>
    (await visitor.get('/api/merchant/exports')).json.data.map(({ list }: { list: string }) => list);
  expect((await listsOf(owner)).sort()).toEqual(['collections', 'payouts']);
  expect(await listsOf(support)).toEqual(['collections']);
  const found = async (visitor: Visitor) =>
    (await visitor.get(`/api/merchant/search?q=${export_no}`)).json.data.length;
  expect([await found(owner), await found(support)]).toEqual([1, 0]);
  const retried = await support.post(`/api/merchant/exports/${export_no}/retry`, {});
  expect(retried.json.code).toBe('forbidden');
  expect((await support.post(`/api/merchant/exports/${export_no}/cancel`, {})).json.code).toBe('forbidden');
  const schedule = (list: string) => ({
    name: list,
    list,
    format: 'csv',
    language: 'en',
    zone: 'UTC',
    filters: {},
    every: 'daily',
  });
  const made = await owner.post('/api/merchant/export-schedules', schedule('payouts'));
  expect(made.status).toBe(201);
  expect((await support.get('/api/merchant/export-schedules')).json.data).toEqual([]);
  const removal = `/api/merchant/export-schedules/${made.json.data.id}`;
  expect((await support.send('DELETE', removal)).json.code).toBe('forbidden');
  expect((await owner.get('/api/merchant/export-schedules')).json.data).toHaveLength(1);
  // A schedule ends with the right to what it exports.
  const runSchedules = async () => {
    await product.services.database.asSystem((tx) =>
      sql`update export_schedule set next_at = now() - interval '1 minute' where merchant_id = ${merchant.id}`.execute(
        tx.query,
      ),
    );
    await product.services.tasks['exports.schedule']?.({});
    return (await listsOf(owner)).length;
  };
  const before = (await listsOf(owner)).length;
  expect(await runSchedules()).toBe(before + 1);
  await product.services.database.asSystem((tx) =>
    sql`update membership set roles = '{SUPPORT}'
      where user_id = (select id from app_user where email = ${emailOf('owner')})`.execute(tx.query),
  );
  const asAdmin = async () => (await listsOf(admin)).length;
  await runSchedules();
  expect(await asAdmin()).toBe(before + 1);
});
