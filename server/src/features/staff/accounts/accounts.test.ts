import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { asOwner } from '#db/owner.ts';
import { keepRealPasswords } from '../../../testing/quick-argon2.ts';
import { TestProduct } from '../../../testing/test-product.ts';
import { TestStaff } from '../../../testing/test-staff.ts';
import type { Visitor } from '../../../testing/visitor.ts';
import type { AccountChange } from './account-requests.ts';

const path = '/api/staff/accounts';
const reason = 'She starts on Monday.';

let product: TestProduct;
let staff: TestStaff;
let asker: Visitor;
let approver: Visitor;

keepRealPasswords();
beforeAll(async () => {
  product = await TestProduct.start(inject('ownerUrl'));
  staff = await TestStaff.start(product);
  asker = await staff.member('asker', 'ADMIN');
  approver = await staff.member('approver', 'ADMIN');
});
afterAll(async () => {
  await staff.close();
  await product.close();
});

const find = async (name: string, by = asker) =>
  (await by.get(path)).json.data.find(({ email }: { email: string }) => email === `${name}@staff.test`);
const idOf = async (name: string) => (await find(name)).id;
const approve = (request: string, by = approver) => by.post(`/api/staff/requests/${request}/approve`, {});

/** Asks for something; returns the request's ID. */
async function ask(url: string, body: object, by = asker): Promise<string> {
  const { status, json } = await by.post(url, { ...body, reason });
  expect([json.code, status]).toEqual([undefined, 201]);
  return json.data.request;
}

/** Asks for a new account, and has it approved; returns its ID. */
async function create(name: string, roles: string): Promise<string> {
  const request = await ask(path, { email: `${name}@staff.test`, name, roles });
  expect((await approve(request)).status).toBe(200);
  return idOf(name);
}

const part = async (id: string, by: Visitor) => {
  const { status, json } = await by.post(`${path}/${id}/password-part`);
  return status === 200 ? json.data : status;
};

describe('a new account', () => {
  it('is added once a second person agrees; each of the two hands over one part of the password', async () => {
    const request = await ask(path, { email: 'Ann@staff.test', name: 'ann', roles: 'SUPPORT,REVIEWER' });
    expect(await find('ann')).toBeUndefined();
    expect((await approve(request, asker)).json.code).toBe('own_request');
    expect(await find('ann')).toBeUndefined();
    const { json } = await approve(request);
    expect(json.data).toMatchObject({ state: 'approved', subject: 'ann@staff.test' });
    // No reply but that of the one call has a part of the password.
    expect(JSON.stringify(json)).not.toMatch(/[a-z2-9]{5}-[a-z2-9]{5}/);
    const { id, roles, part: own } = await find('ann');
    expect([roles, own, (await find('ann', approver)).part]).toEqual([
      ['SUPPORT', 'REVIEWER'],
      'first',
      'second',
    ]);
    const stranger = await staff.member('stranger', 'ADMIN');
    expect(await part(id, stranger)).toBe(404);
    const first = await part(id, asker);
    const second = await part(id, approver);
    expect([first.part, second.part]).toEqual(['first', 'second']);
    for (const each of [asker, approver]) expect(await part(id, each)).toBe(404);
    for (const password of [first.text, second.text, `${second.text}-${first.text}`])
      expect((await staff.signIn(staff.visitor(), 'ann', password)).status).toBe(422);
    expect((await staff.signIn(staff.visitor(), 'ann', `${first.text}-${second.text}`)).status).toBe(200);
  });

  it('keeps no part in the audit trail or in the request', async () => {
    const id = await create('bea', 'SUPPORT');
    const parts = [(await part(id, asker)).text, (await part(id, approver)).text];
    const { rows } = await staff.runtime.database.asSystem((tx) =>
      sql<{ text: string }>`select concat_ws(' ', before, after) as text from staff_audit
        union all select concat_ws(' ', change, facts) from staff_request`.execute(tx.query),
    );
    for (const text of parts) expect(rows.filter((row) => row.text.includes(text))).toEqual([]);
  });

  it('cannot have the email of another one, an unknown role, or none', async () => {
    const given = { email: 'new@staff.test', name: 'new', roles: 'SUPPORT', reason };
    for (const body of [
      { ...given, email: 'asker@staff.test' },
      { ...given, roles: 'ROOT' },
      { ...given, roles: '' },
      { ...given, reason: ' ' },
      { ...given, password: 'mine' },
    ])
      expect((await asker.post(path, body)).status).toBe(422);
  });

  it('is asked for once at a time, and not approved if somebody has taken the email meanwhile', async () => {
    const body = { email: 'cleo@staff.test', name: 'cleo', roles: 'SUPPORT' };
    const request = await ask(path, body);
    expect((await asker.post(path, { ...body, reason })).json.code).toBe('request_waiting');
    await staff.add('cleo', 'SUPPORT');
    expect((await approve(request)).status).toBe(422);
  });

  it('its parts are gone after a day', async () => {
    const id = await create('dana', 'SUPPORT');
    await asOwner(product.ownerUrl, (client) =>
      client.query(`update staff_handover set expires_at = now() - interval '1 second' where part = 'first'`),
    );
    expect([(await find('dana')).part, await part(id, asker)]).toEqual([null, 404]);
    await Promise.all(staff.runtime.modules.map(({ sweep }) => sweep?.()));
    const { rows } = await staff.runtime.database.asSystem((tx) =>
      sql<{ part: string }>`select part from staff_handover where staff_id = ${id}::bigint`.execute(tx.query),
    );
    expect(rows).toEqual([{ part: 'second' }]);
  });
});

describe('a change of an account', () => {
  it('of roles ends the sessions, and applies at once', async () => {
    const member = await staff.member('erin', 'SUPPORT');
    const id = await idOf('erin');
    const request = await ask(`${path}/${id}/roles`, { roles: 'FINANCE' });
    expect((await member.get('/api/staff/user')).status).toBe(200);
    await approve(request);
    expect((await member.get('/api/staff/user')).status).toBe(401);
    expect((await find('erin')).roles).toEqual(['FINANCE']);
    const { rows } = (await asker.get('/api/staff/audit-trail?action=staff.roles')).json.data;
    expect(rows[0]).toMatchObject({
      actorName: 'approver',
      subjectName: 'erin@staff.test',
      changes: [{ field: 'roles', before: 'SUPPORT', after: 'FINANCE' }],
    });
  });

  it('disables, enables and resets', async () => {
    const member = await staff.member('finn', 'SUPPORT');
    const id = await idOf('finn');
    await approve(await ask(`${path}/${id}/access`, { change: 'disable' }));
    expect((await member.get('/api/staff/user')).status).toBe(401);
    expect((await find('finn')).disabledAt).not.toBeNull();
    expect((await asker.post(`${path}/${id}/access`, { change: 'disable', reason })).json).toMatchObject({
      code: 'account_disabled',
      message: 'This account is disabled already. Nothing was changed.',
    });
    await approve(await ask(`${path}/${id}/access`, { change: 'enable' }));
    expect((await asker.post(`${path}/${id}/access`, { change: 'enable', reason })).json).toMatchObject({
      code: 'account_active',
      message: 'This account is active already. Nothing was changed.',
    });
    expect((await asker.post(`${path}/${id}/roles`, { roles: 'SUPPORT', reason })).json.code).toBe(
      'roles_unchanged',
    );
    await approve(await ask(`${path}/${id}/access`, { change: 'reset' }));
    const password = `${(await part(id, asker)).text}-${(await part(id, approver)).text}`;
    expect((await staff.signIn(staff.visitor(), 'finn', password)).status).toBe(200);
  });

  it('of the own account is neither asked for nor approved', async () => {
    const own = await idOf('asker');
    for (const [url, body] of [
      [`${path}/${own}/roles`, { roles: 'SUPPORT', reason }],
      [`${path}/${own}/access`, { change: 'reset', reason }],
    ] as const)
      expect((await asker.post(url, body)).json.code).toBe('forbidden');
    // Somebody else asks, and the person concerned would approve.
    const request = await ask(`${path}/${await idOf('approver')}/access`, { change: 'reset' });
    expect((await approve(request)).json.code).toBe('forbidden');
    expect((await approver.get('/api/staff/user')).status).toBe(200);
  });

  it('is not made if the roles have changed since it was asked for', async () => {
    await staff.add('gina', 'SUPPORT');
    const id = await idOf('gina');
    const request = await ask(`${path}/${id}/access`, { change: 'disable' });
    const grant = staff.runtime.services.accountRequests.ask(
      { what: 'roles', email: 'gina@staff.test', roles: ['ADMIN'] },
      'operator:test',
      '',
      { breakGlass: 'needed at once' },
    );
    expect(await grant).toBeUndefined();
    expect((await approve(request)).json.code).toBe('approval_changed');
    expect((await find('gina')).disabledAt).toBeNull();
  });

  it('leaves one administrator at least who can do something, even if two are taken away at once', async () => {
    const elsewhere = await TestProduct.start(inject('ownerUrl'));
    const other = await TestStaff.start(elsewhere);
    for (const name of ['first', 'second']) await other.member(name, 'ADMIN');
    // Nobody has ever signed in with this one.
    await other.add('unused', 'ADMIN');
    const { accountRequests } = other.runtime.services;
    const change = (asked: AccountChange) =>
      accountRequests.ask(asked, 'operator:test', '', { breakGlass: 'test' });
    const disable = (name: string) => change({ what: 'disable', email: `${name}@staff.test` });
    const outcomes = await Promise.allSettled([disable('first'), disable('second')]);
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    const left = outcomes[0]?.status === 'rejected' ? 'first' : 'second';
    await expect(disable(left)).rejects.toMatchObject({ code: 'last_admin' });
    await expect(
      change({ what: 'roles', email: `${left}@staff.test`, roles: ['SUPPORT'] }),
    ).rejects.toMatchObject({ code: 'last_admin' });
    await disable('unused');
    // Everybody was alerted of all five, and reads which ones were refused.
    const alerts = await asOwner(elsewhere.ownerUrl, async (client) => {
      const { rows } = await client.query(`select r.alert_id is not null as "isRefused" from staff_alert a
        left join staff_alert_refused r on r.alert_id = a.id order by 1`);
      return rows.map(({ isRefused }) => isRefused);
    });
    expect(alerts).toEqual([false, false, true, true, true]);
    await other.close();
    await elsewhere.close();
  });

  it('without a second factor, an administrator does not count where one is required', async () => {
    const elsewhere = await TestProduct.start(inject('ownerUrl'));
    const strict = await TestStaff.start(elsewhere, {
      env: { DEMO: '0', APP_URL: 'http://console.test', STAFF_URL: 'http://office.localhost' },
    });
    for (const name of ['bound', 'unbound']) await strict.add(name, 'ADMIN');
    await asOwner(elsewhere.ownerUrl, async (client) => {
      await client.query('update staff_user set signed_in_at = now()');
      await client.query(`update staff_user set factor_secret = 'x' where name = 'bound'`);
    });
    const disable = (name: string) =>
      strict.runtime.services.accountRequests.ask(
        { what: 'disable', email: `${name}@staff.test` },
        'operator:test',
        '',
        { breakGlass: 'test' },
      );
    await expect(disable('bound')).rejects.toMatchObject({ code: 'last_admin' });
    await disable('unbound');
    await strict.close();
    await elsewhere.close();
  });

  it('never has a name that looks like an operator’s', async () => {
    for (const name of ['operator:root', 'Operator：root', 'a\nb', 'job:x']) {
      const body = { email: 'imitator@staff.test', name, roles: 'SUPPORT', reason };
      expect((await asker.post(path, body)).json.errors).toHaveProperty('name');
      await expect(staff.add(name, 'SUPPORT')).rejects.toMatchObject({ code: 'validation_failed' });
    }
  });

  it('needs the permission, and an account', async () => {
    for (const role of ['REVIEWER', 'FINANCE', 'SUPPORT'] as const) {
      const visitor = await staff.member(`other-${role.toLowerCase()}`, role);
      const id = await idOf('asker');
      for (const [url, body] of [
        [path, { email: 'x@staff.test', name: 'x', roles: 'ADMIN', reason }],
        [`${path}/${id}/roles`, { roles: 'ADMIN', reason }],
        [`${path}/${id}/access`, { change: 'disable', reason }],
        [`${path}/${id}/password-part`, undefined],
      ] as const)
        expect([role, url, (await visitor.post(url, body)).status]).toEqual([role, url, 403]);
      expect((await visitor.get(path)).status).toBe(403);
    }
    expect((await asker.post(`${path}/999999/roles`, { roles: 'ADMIN', reason })).status).toBe(404);
    expect(await part('999999', asker)).toBe(404);
  });
});

it('an operator acts alone only with a reason, which alerts everybody, and then gets the whole password', async () => {
  const { accountRequests } = staff.runtime.services;
  const person = { email: 'hugo@staff.test', name: 'hugo', roles: ['SUPPORT'] } as const;
  const request = await accountRequests.ask({ what: 'create', ...person }, 'operator:ann', '');
  expect(request).toBeDefined();
  await approve(String(request));
  const [first] = await accountRequests.takeParts(person.email, 'operator:ann');
  expect(first?.part).toBe('first');
  const alone = { ...person, email: 'ida@staff.test', name: 'ida' };
  expect(
    await accountRequests.ask({ what: 'create', ...alone }, 'operator:ann', '', {
      breakGlass: 'night shift',
    }),
  ).toBeUndefined();
  const parts = await accountRequests.takeParts(alone.email, 'operator:ann');
  expect(parts).toHaveLength(2);
  const password = parts.map(({ text }) => text).join('-');
  expect((await staff.signIn(staff.visitor(), 'ida', password)).status).toBe(200);
  const alerts = (await approver.get('/api/staff/alerts')).json.data;
  expect(alerts).toContainEqual(
    expect.objectContaining({ kind: 'staffAccount', subject: alone.email, reason: 'night shift' }),
  );
});
