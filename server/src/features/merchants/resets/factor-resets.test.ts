import { sql } from 'kysely';
import { afterAll, beforeAll, expect, inject, it, vi } from 'vitest';
import { runOperator } from '../../../testing/operator-run.ts';
import { SoftPasskey } from '../../../testing/soft-passkey.ts';
import { testKey } from '../../../testing/test-database.ts';
import { type TestMerchant, TestProduct, testPassword } from '../../../testing/test-product.ts';
import { TestStaff } from '../../../testing/test-staff.ts';
import { codeOf } from '../../../testing/totp.ts';
import type { Visitor } from '../../../testing/visitor.ts';
import { operatorActor } from '../../team/team.actor.ts';

let product: TestProduct;
let staff: TestStaff;
let merchant: TestMerchant;
let asker: Visitor;
let approver: Visitor;
let owner: Visitor;
let count = 0;

beforeAll(async () => {
  product = await TestProduct.start(inject('ownerUrl'));
  vi.stubEnv('DATABASE_URL', product.ownerUrl);
  vi.stubEnv('APP_KEY', testKey);
  vi.stubEnv('DATA_DIR', product.dataDirectory);
  vi.stubEnv('USER', 'test');
  staff = await TestStaff.start(product);
  merchant = await product.merchant('lost');
  owner = await product.person(merchant, 'ROOT');
  asker = await staff.member('asker', 'SUPPORT');
  approver = await staff.member('approver', 'SUPPORT');
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await staff.close();
  await product.close();
});

async function rowsOf<T>(statement: ReturnType<typeof sql<T>>): Promise<T[]> {
  const { rows } = await product.services.database.asSystem((tx) => statement.execute(tx.query));
  return rows;
}

/** Adds somebody who has bound a passkey, to a merchant that requires a second factor from then on. */
async function withFactor(): Promise<{ email: string; calls: string; visitor: Visitor }> {
  await product.admin().requireTwoFactor(merchant.id, false);
  const name = `person${++count}`;
  const visitor = await product.person(merchant, 'MERCHANT_ADMIN', name);
  await visitor.post('/api/user/confirm-password', { password: testPassword });
  await new SoftPasskey(product.url).bind(visitor);
  await product.admin().requireTwoFactor(merchant.id, true);
  const email = `${name}@lost.test`;
  const [row] = await rowsOf(sql<{ id: bigint }>`select id from app_user where email = ${email}`);
  return { email, visitor, calls: `/api/staff/merchants/lost/people/${row?.id}` };
}

const requests = '/api/staff/requests';
const ask = async (calls: string) =>
  String((await asker.post(`${calls}/factor-reset`, { reason: 'lost phone' })).json.data?.request);
const agree = (id: string) => approver.post(`${requests}/${id}/approve`, {});
const hasFactor = async (email: string) =>
  (await rowsOf(sql`select from passkey k join app_user u on u.id = k.user_id where u.email = ${email}`))
    .length > 0;

it('two people reset a second factor; the one who approves hands over the code, and the merchant reads of it', async () => {
  const { email, visitor, calls } = await withFactor();
  const id = await ask(calls);
  expect((await asker.post(`${requests}/${id}/approve`, {})).json.code).toBe('own_request');
  expect(await hasFactor(email)).toBe(true);
  expect((await agree(id)).status).toBe(200);
  expect(await hasFactor(email)).toBe(false);
  expect((await visitor.get('/api/merchant/user')).status).toBe(401);

  const listed = async (who: Visitor) =>
    (await who.get('/api/staff/merchants/lost/people')).json.data.people.find(
      (person: { email: string }) => person.email === email,
    ).hasCode;
  expect([await listed(asker), await listed(approver)]).toEqual([false, true]);
  expect((await asker.post(`${calls}/enrolment-code`)).status).toBe(404);
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => approver.post(`${calls}/enrolment-code`)),
  );
  const shown = answers.filter(({ status }) => status === 200);
  expect(shown).toHaveLength(1);
  const code: string = shown[0]?.json.data.code;
  expect(await listed(approver)).toBe(false);

  // The code binds a new second factor.
  const again = product.visitor();
  await again.signIn(email, testPassword);
  await again.post('/api/user/confirm-password', { password: testPassword });
  const { secretKey } = (await again.get('/api/merchant/two-factor-secret-key')).json;
  const bind = (enrolment_code: string) =>
    again.post('/api/merchant/confirmed-two-factor-authentication', {
      code: codeOf(secretKey),
      enrolment_code,
    });
  expect((await bind('AAAA-AAAA-AAAA-AAAA-AAAA')).status).toBe(422);
  expect((await bind(code)).status).toBe(200);

  const [audited] = await rowsOf(sql<{ before: object; after: object; actor: string }>`
    select before, after, actor from audit where action = 'user.reset_two_factor' and merchant_id = ${merchant.id} order by id desc limit 1`);
  expect(audited).toMatchObject({
    before: { hasFactor: true },
    after: { hasFactor: false },
    actor: /^staff:/,
  });
  const stored = await rowsOf(sql<{ text: string }>`select concat(before, after) as text from audit`);
  expect(stored.map(({ text }) => text).join()).not.toContain(code);
  await product.admin().requireTwoFactor(merchant.id, false);
  const { json } = await owner.get('/api/merchant/notices');
  expect(json.data).toContainEqual(expect.objectContaining({ kind: 'factorReset', subject: email }));
});

it('a reset that nobody needs any more cannot be approved, and nobody resets people of another merchant', async () => {
  const { email, calls } = await withFactor();
  const id = await ask(calls);
  const found = await product.services.team.find(merchant.id, email);
  await rowsOf(sql`delete from passkey where user_id = ${found}`);
  expect((await agree(id)).json.code).toBe('approval_changed');
  expect((await asker.post(`${calls}/factor-reset`, { reason: 'x' })).json.code).toBe('conflict');
  await product.merchant('elsewhere');
  const foreign = calls.replace('/lost/', '/elsewhere/');
  expect((await asker.post(`${foreign}/factor-reset`, { reason: 'x' })).status).toBe(404);
  expect((await approver.post(`${foreign}/enrolment-code`)).status).toBe(404);
});

it('somebody who left the merchant between the two is left alone', async () => {
  const { email, calls } = await withFactor();
  const id = await ask(calls);
  const { team } = product.services;
  await team.remove(operatorActor('operator:test', merchant.id), await team.find(merchant.id, email));
  expect((await agree(id)).json.code).toBe('approval_changed');
  expect(await hasFactor(email)).toBe(true);
});

it('the command asks as people do; with --break-glass it resets at once and prints the code', async () => {
  const { email } = await withFactor();
  const run = async (...more: string[]) =>
    JSON.parse((await runOperator('user', 'reset-two-factor', '--email', email, ...more, '--json')).text);
  expect(await run()).toMatchObject({ request: expect.any(String) });
  expect(await hasFactor(email)).toBe(true);
  expect(await run('--break-glass', 'nobody is awake')).toMatchObject({
    enrolmentCode: expect.stringMatching(/^[A-Z0-9-]{24}$/),
  });
  expect(await hasFactor(email)).toBe(false);
  const { json } = await asker.get('/api/staff/alerts');
  expect(json.data[0]).toMatchObject({ kind: 'factorReset', subject: email });
});
