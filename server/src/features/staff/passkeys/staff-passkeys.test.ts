import { quotas } from '@hengfu/contract/quotas';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, inject, it } from 'vitest';
import { keepRealPasswords } from '../../../testing/quick-argon2.ts';
import { SoftPasskey } from '../../../testing/soft-passkey.ts';
import { TestProduct } from '../../../testing/test-product.ts';
import { TestStaff } from '../../../testing/test-staff.ts';
import { codeOf, earlierCodeOf } from '../../../testing/totp.ts';
import type { Visitor } from '../../../testing/visitor.ts';

const site = 'http://staff.localhost';
let product: TestProduct;
let staff: TestStaff;

keepRealPasswords();
beforeAll(async () => {
  product = await TestProduct.start(inject('ownerUrl'));
  const env = { DEMO: '0', STAFF_URL: site, APP_URL: 'http://console.test' };
  staff = await TestStaff.start(product, { env });
});
beforeEach(() => run(sql`delete from staff_throttle`));
afterAll(async () => {
  await staff.close();
  await product.close();
});

const run = <T>(statement: ReturnType<typeof sql<T>>) =>
  staff.runtime.database.asSystem((tx) => statement.execute(tx.query));
/** Lets the code of the app that was used last be used again. */
const forgetStep = () => run(sql`update staff_user set factor_step = 0`);

interface Person {
  visitor: Visitor;
  password: string;
  code: () => Promise<{ code: string }>;
}

/** Adds somebody, and signs in for the first time, which binds an app. */
async function person(name: string): Promise<Person> {
  const password = await staff.add(name, 'ADMIN');
  const visitor = staff.visitor();
  await staff.signIn(visitor, name, password);
  const { secretKey } = (await visitor.post('/api/staff/two-factor')).json.data;
  const code = await earlierCodeOf(secretKey);
  await visitor.post('/api/staff/two-factor/confirmation', { code });
  const fresh = async () => {
    await forgetStep();
    return { code: codeOf(secretKey) };
  };
  return { visitor, password, code: fresh };
}

const challenge = '/api/staff/two-factor-challenge';
const user = async (visitor: Visitor) => (await visitor.get('/api/staff/user')).json.data;
const list = async (visitor: Visitor) => (await visitor.get('/api/staff/passkeys')).json.data;
/** Gives the password in a new browser; the second factor is missing. */
async function begin(name: string, password: string): Promise<Visitor> {
  const visitor = staff.visitor();
  expect((await staff.signIn(visitor, name, password)).json).toEqual({ level: 'password' });
  return visitor;
}

it('is bound with a proof of the app, ends other sessions, and then completes a sign-in', async () => {
  const { visitor, password, code } = await person('ann');
  const other = await begin('ann', password);
  expect((await other.post(challenge, await code())).status).toBe(204);
  const key = new SoftPasskey(site);
  for (const proof of [{}, { code: '' }, { code: '000000' }]) {
    const { status, json } = await key.bindToStaff(visitor, proof);
    expect([status, Object.keys(json.errors)]).toEqual([422, ['code']]);
  }
  const before = visitor.cookies.get('hengfu_staff_session');
  expect((await key.bindToStaff(visitor, await code(), 'Laptop')).status).toBe(204);
  expect(visitor.cookies.get('hengfu_staff_session')).not.toBe(before);
  expect(await user(visitor)).toMatchObject({ level: 'complete', hasFactor: true, hasPasskey: true });
  expect((await other.get('/api/staff/user')).status).toBe(401);
  expect(await list(visitor)).toMatchObject([{ name: 'Laptop', lastUsedAt: null }]);

  const again = await begin('ann', password);
  expect((await again.get('/api/staff/passkeys')).json.code).toBe('two_factor_challenge_required');
  expect((await again.post('/api/staff/passkeys/options', {})).status).toBe(403);
  expect((await again.post(challenge, await key.shownToStaff(again))).status).toBe(204);
  expect(await user(again)).toMatchObject({ level: 'complete' });
  expect((await list(again))[0].lastUsedAt).not.toBeNull();
  const { rows: people } = await run(
    sql<{ id: bigint }>`select id from staff_user where email = 'ann@staff.test'`,
  );
  const { rows } = await product.services.database.asSystem((tx) =>
    sql<{ actions: string[] }>`select array_agg(action order by id) as actions from audit
      where actor = ${`staff:${people[0]?.id}`}`.execute(tx.query),
  );
  expect(rows[0]?.actions.slice(-3)).toEqual(['staff.sign_in', 'staff.add_passkey', 'staff.sign_in']);
});

it('is refused with another origin, a used challenge, an old counter, and by whom it does not belong to', async () => {
  const [bea, cleo] = [await person('bea'), await person('cleo')];
  const key = new SoftPasskey(site);
  const foreign = new SoftPasskey('http://console.test');
  const wrong = await foreign.bindToStaff(bea.visitor, await bea.code());
  expect([wrong.status, Object.keys(wrong.json.errors)]).toEqual([422, ['credential']]);
  key.signCount = 5;
  await key.bindToStaff(bea.visitor, await bea.code());
  // A credential belongs to one person.
  expect((await key.bindToStaff(cleo.visitor, await cleo.code())).json.code).toBe('conflict');

  const visitor = await begin('bea', bea.password);
  const refused = async (body: object) => {
    const { status, json } = await visitor.post(challenge, body);
    expect([status, json.code, Object.keys(json.errors ?? {})]).toEqual([
      422,
      'validation_failed',
      ['passkey'],
    ]);
    await run(sql`delete from staff_throttle`);
  };
  const shown = await key.shownToStaff(visitor);
  key.origin = 'http://console.test';
  await refused(await key.shownToStaff(visitor));
  key.origin = site;
  // The challenge was replaced.
  await refused(shown);
  key.signCount = 0;
  await refused(await key.shownToStaff(visitor));
  key.signCount = 10;
  const stolen = await begin('cleo', cleo.password);
  const theirs = await key.shownToStaff(visitor);
  expect((await stolen.post(challenge, theirs)).status).toBe(422);
  const answers = await Promise.all(Array.from({ length: 4 }, () => visitor.post(challenge, theirs)));
  expect(answers.filter(({ status }) => status === 204)).toHaveLength(1);
});

it('approves a request instead of a code, once for each challenge', async () => {
  const [dan, eve] = [await person('dan'), await person('eve')];
  const key = new SoftPasskey(site);
  await key.bindToStaff(eve.visitor, await eve.code());
  const ask = async (value: string) =>
    (
      await dan.visitor.send('PUT', '/api/staff/contact', {
        kind: 'email',
        value,
        reason: 'a new mailbox',
      })
    ).json.data.request;
  const [first, second] = [await ask('a@b.test'), await ask('b@b.test')];
  const approve = (request: string, body: object) =>
    eve.visitor.post(`/api/staff/requests/${request}/approve`, body);
  expect((await approve(first, {})).json.errors).toHaveProperty('code');
  const shown = await key.shownToStaff(eve.visitor);
  expect((await approve(first, shown)).status).toBe(200);
  expect((await approve(second, shown)).json.errors).toHaveProperty('passkey');
});

it('is removed with a proof, and by a reset, which two people agree to', async () => {
  const { visitor, code } = await person('fay');
  const [one, two] = [new SoftPasskey(site), new SoftPasskey(site)];
  await one.bindToStaff(visitor, await code(), 'one');
  // A passkey proves the factor for the next one.
  expect((await two.bindToStaff(visitor, await one.shownToStaff(visitor), 'two')).status).toBe(204);
  const [first] = await list(visitor);
  const remove = (proof: object, by = visitor) => by.post(`/api/staff/passkeys/${first.id}/remove`, proof);
  expect((await remove({})).status).toBe(422);
  const other = await person('gus');
  expect((await remove(await other.code(), other.visitor)).json.code).toBe('not_found');
  expect((await remove(await code())).status).toBe(204);
  expect((await list(visitor)).map(({ name }: { name: string }) => name)).toEqual(['two']);
  await staff.runtime.accounts.resetFactor('fay@staff.test', 'operator:test');
  const { rows } = await run(sql`
    select from staff_passkey where staff_id = (select id from staff_user where email = 'fay@staff.test')`);
  expect(rows).toEqual([]);
});

it('counts wrong ones, and limits how many a person has, also at once', async () => {
  const { visitor, code } = await person('hal');
  const key = new SoftPasskey(site);
  await key.bindToStaff(visitor, await code());
  await run(sql`insert into staff_passkey (staff_id, credential_id, public_key, sign_count, transports, name)
    select staff_id, credential_id || n, public_key, 0, transports, name from staff_passkey, generate_series(2, ${quotas.passkeysOfUser}::integer) n
    where staff_id = (select id from staff_user where email = 'hal@staff.test')`);
  expect((await new SoftPasskey(site).bindToStaff(visitor, await code())).json.code).toBe('quota_reached');
  key.origin = 'http://console.test';
  const wrong = async () =>
    (await new SoftPasskey(site).bindToStaff(visitor, await key.shownToStaff(visitor))).json.code;
  const codes = [];
  for (let each = 0; each < 6; each++) codes.push(await wrong());
  expect(codes.slice(0, 2)).toEqual(['validation_failed', 'validation_failed']);
  expect(codes.at(-1)).toBe('too_many_attempts');
});
