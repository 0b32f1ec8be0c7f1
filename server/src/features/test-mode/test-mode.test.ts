import { testFundsPerHour } from '@hengfu/contract/test-mode';
import { signatureHeader, signCallback, timestampHeader } from '@hengfu/sandbox/signature';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, it } from 'vitest';
import { queueCallback } from '#callbacks/callbacks.ts';
import { asOwner } from '#db/owner.ts';
import { logoPicture } from '#demo/picture.ts';
import { enqueue } from '#jobs/jobs.ts';
import { post, violations } from '#ledger/ledger.ts';
import { EndpointServer } from '../../testing/endpoint-server.ts';
import { ShopProgram } from '../../testing/shop-program.ts';
import { bankSecret, type TestMerchant, TestProduct, testPassword } from '../../testing/test-product.ts';
import { until } from '../../testing/until.ts';
import type { Visitor } from '../../testing/visitor.ts';
import { freshKey } from '../access-key/new-key.ts';
import { SuspensionService } from '../suspension/suspension.service.ts';

let product: TestProduct;
let live: TestMerchant;
let count = 0;

beforeAll(async () => {
  product = await TestProduct.start(inject('ownerUrl'), { bank: true, worker: true });
});
afterAll(async () => {
  expect(await product.violations()).toEqual([]);
  expect(await product.deadlocks()).toBe(0);
  await product.close();
});
beforeEach(async () => {
  live = await product.merchant(`real${++count}`);
});

const run = <T>(statement: ReturnType<typeof sql<T>>) =>
  product.services.database.asSystem((tx) => statement.execute(tx.query));
const user = '/api/merchant/user';
const outcome = ({ status, json }: { status: number; json: { code?: string } }) => [status, json.code];

async function set(visitor: Visitor, isOn: boolean) {
  const reply = await visitor.send('PUT', '/api/merchant/test-mode', { isOn });
  visitor.merchant = undefined;
  visitor.merchant = (await visitor.get(user)).json.data?.merchant.code;
  return reply;
}

/** Signs in at the live merchant, and switches to test mode. */
async function testing(role: Parameters<TestProduct['person']>[1] = 'MERCHANT_ADMIN'): Promise<Visitor> {
  const visitor = await product.person(live, role);
  visitor.merchant = live.code;
  expect((await set(visitor, true)).status).toBe(204);
  return visitor;
}

const confirm = (visitor: Visitor) => visitor.post('/api/user/confirm-password', { password: testPassword });

/** Returns a program of the test merchant. */
async function tester(): Promise<ShopProgram> {
  const { id, code } = await twinOf(live.id);
  const key = { id: `ak_test_${code}`, secret: `sk_${code}` };
  await product.admin().addAccessKey(id, key.id, key.secret);
  return new ShopProgram(product.url, key);
}

async function twinOf(liveId: bigint): Promise<{ id: bigint; code: string }> {
  const { rows } = await run(sql<{ id: bigint; code: string }>`
    select id, code from merchant where live_merchant_id = ${liveId} and retired_at is null`);
  return rows[0] ?? { id: 0n, code: '' };
}

/** Reports an order as paid, signed by the sandbox bank. */
async function reported(reference: string) {
  const timestamp = String(Math.floor(Date.now() / 1000));
  const body = JSON.stringify({
    type: 'collection.paid',
    reference,
    bankId: 'b1',
    amountMinor: '10000',
    currency: 'CNY',
  });
  const answer = await fetch(`${product.url}/api/channels/CN_BANK/callback`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      [timestampHeader]: timestamp,
      [signatureHeader]: signCallback(bankSecret, timestamp, body),
    },
    body,
  });
  return [answer.status, ((await answer.json()) as { code?: string }).code];
}

describe('the switch', () => {
  it('opens a test merchant of the same name once, however many switch at once', async () => {
    const people = await Promise.all(
      (['MERCHANT_ADMIN', 'FINANCE', 'DEVELOPER'] as const).map((role) => product.person(live, role)),
    );
    for (const person of people) person.merchant = live.code;
    expect(
      (await Promise.all(people.map((person) => set(person, true)))).map(({ status }) => status),
    ).toEqual([204, 204, 204]);
    const [admin] = people as [Visitor];
    expect((await admin.get(user)).json.data).toMatchObject({
      merchant: {
        code: `${live.code}-test`,
        name: `Shop ${live.code} (TEST)`,
        mode: 'test',
        currency: 'CNY',
      },
      hasOtherMerchants: false,
    });
    const { rows } = await run(
      sql<{
        count: number;
      }>`select count(*)::integer as count from merchant where live_merchant_id = ${live.id}`,
    );
    expect(rows).toEqual([{ count: 1 }]);
    expect((await set(admin, false)).status).toBe(204);
    expect((await admin.get(user)).json.data.merchant).toMatchObject({ code: live.code, mode: 'live' });
  });

  it('refuses every page of the other mode, and writes that name none', async () => {
    const visitor = await testing();
    visitor.merchant = live.code;
    expect(outcome(await visitor.get('/api/merchant/collections'))).toEqual([409, 'merchant_switched']);
    expect(outcome(await visitor.post('/api/merchant/test-mode/funds', { amount: '1.00' }))).toEqual([
      409,
      'merchant_switched',
    ]);
    visitor.merchant = undefined;
    expect(outcome(await visitor.post('/api/merchant/test-mode/funds', { amount: '1.00' }))).toEqual([
      409,
      'merchant_switched',
    ]);
  });

  it('cannot be made to choose a test merchant by its code, and sign-in ends in live mode', async () => {
    const visitor = await testing();
    const { code } = await twinOf(live.id);
    await set(visitor, false);
    expect(outcome(await visitor.post('/api/merchant/session/merchant', { merchant: code }))).toEqual([
      404,
      'not_found',
    ]);
    const again = product.visitor();
    await again.signIn(`merchant_admin@${live.code}.test`, testPassword);
    expect((await again.get(user)).json.data).toMatchObject({
      merchant: { mode: 'live' },
      hasOtherMerchants: false,
    });
    expect((await again.get('/api/merchant/workplaces')).json.data).toHaveLength(1);
  });
});

describe('orders, funds and keys', () => {
  it('are separate, both ways', async () => {
    const visitor = await testing();
    const program = await tester();
    const tried = (await program.create('same-number')).json.trade_no;
    const real = (await live.program.create('same-number')).json.trade_no;
    expect([typeof tried, typeof real, tried === real]).toEqual(['string', 'string', false]);
    const numbers = async () =>
      (await visitor.get('/api/merchant/collections')).json.data.map(
        (row: { trade_no: string }) => row.trade_no,
      );
    expect(await numbers()).toEqual([tried]);
    await set(visitor, false);
    expect(await numbers()).toEqual([real]);
  });

  it('refuses a key for orders of the other mode, and says so only of its own merchant', async () => {
    await testing();
    const program = await tester();
    const tried = (await program.create('tried')).json.trade_no;
    const real = (await live.program.create('real')).json.trade_no;
    const stranger = await product.merchant(`stranger${count}`);
    const foreign = (await stranger.program.create('foreign')).json.trade_no;
    for (const [by, number, code] of [
      [program, real, 'wrong_mode'],
      [live.program, tried, 'wrong_mode'],
      [live.program, foreign, 'not_found'],
      [program, foreign, 'not_found'],
      [stranger.program, tried, 'not_found'],
    ] as const) {
      expect(outcome(await by.get(`/openapi/v1/collections/${number}`))).toEqual([404, code]);
      expect(outcome(await by.post(`/openapi/v1/collections/${number}/cancel`))).toEqual([404, code]);
    }
    expect(outcome(await program.get('/openapi/v1/collections?out_trade_no=real'))).toEqual([
      404,
      'wrong_mode',
    ]);
    expect(
      outcome(await program.post('/openapi/v1/refunds', { out_refund_no: 'r', trade_no: real })),
    ).toEqual([404, 'wrong_mode']);
  });

  it('has test funds, which no live merchant can get', async () => {
    const visitor = await testing();
    const fund = (amount: string) => visitor.post('/api/merchant/test-mode/funds', { amount });
    for (const amount of ['0', '-1', '1.001', '1e9', '1000000000.01', ''])
      expect([amount, (await fund(amount)).status]).toEqual([amount, 422]);
    expect((await fund('250.00')).status).toBe(204);
    expect((await visitor.get('/api/merchant/account')).json.data).toMatchObject({ available: '250.00' });
    const rows = (await visitor.get('/api/merchant/fund-flow')).json.data;
    expect(rows).toMatchObject([{ type: 'recharge', amount: '250.00', balance: '250.00' }]);
    await run(sql`update sign_in_throttle set failures = ${testFundsPerHour} where expires_at > now()`);
    expect(outcome(await fund('1.00'))).toEqual([429, 'too_many_attempts']);
    await set(visitor, false);
    expect(outcome(await fund('250.00'))).toEqual([403, 'test_mode_only']);
    expect((await visitor.get('/api/merchant/account')).json.data).toMatchObject({ available: '0.00' });
    const forged = product.services.database.asSystemFor(live.id, async (tx) => {
      const entries = [
        { account: 'available', amountMinor: 1n },
        { account: 'adjustments', amountMinor: -1n },
      ] as const;
      await post(tx, { type: 'topup', key: 'test_funds:F1', subjectNo: 'F1', currency: 'CNY', entries });
      throw new Error((await violations(tx)).map(({ rule }) => rule).join());
    });
    await expect(forged).rejects.toThrow('posting_has_topup');
  });

  it('has no cryptocurrency: neither calls nor the database take any', async () => {
    const visitor = await testing();
    for (const path of [
      '/api/merchant/topups',
      '/api/merchant/withdrawals',
      '/api/merchant/withdrawal-terms',
    ])
      expect(outcome(await visitor.get(path))).toEqual([403, 'live_mode_only']);
    const { id } = await twinOf(live.id);
    for (const table of ['topup', 'withdrawal'])
      await expect(run(sql`insert into ${sql.table(table)} (merchant_id) values (${id})`)).rejects.toThrow(
        'a test merchant moves no cryptocurrency',
      );
  });

  it('is served by the sandbox, whatever adapter serves the channel', async () => {
    await testing();
    const program = await tester();
    await expect(run(sql`update channel set test_adapter = 'bank' where code = 'CN_BANK'`)).rejects.toThrow(
      'channel_test_adapter',
    );
    await run(sql`update channel set adapter = 'elsewhere' where code = 'CN_BANK'`);
    try {
      const { json } = await program.create('paid', { channel: 'CN_BANK' });
      const token = String(json.cashierUrl).split('/').at(-1);
      const paid = await product.visitor().post(`/api/cashier/${token}/pay`, { channel: 'CN_BANK' });
      expect([paid.status, paid.json]).toMatchObject([200, {}]);
      // The sandbox's word counts for test orders, and for no real one.
      const real = (await live.program.create('real')).json.trade_no;
      expect(await reported(real)).toEqual([401, 'signature_invalid']);
      expect(await reported(json.trade_no)).toEqual([200, undefined]);
    } finally {
      await run(sql`update channel set adapter = 'sandbox' where code = 'CN_BANK'`);
    }
  });

  it('leaves the sandbox to test mode in production', async () => {
    const visitor = await testing();
    const program = await tester();
    await product.services.testMode.setSandbox(false);
    try {
      expect(outcome(await live.program.create('real', { channel: 'CN_BANK' }))).toEqual([
        409,
        'channel_closed',
      ]);
      expect((await program.create('tried', { channel: 'CN_BANK' })).status).toBe(201);
      expect((await visitor.get('/api/merchant/payout-channels')).json.data).not.toEqual([]);
    } finally {
      await product.services.testMode.setSandbox(true);
    }
  });

  it('refuses keys whose prefix is that of the other mode', async () => {
    await testing();
    const { id } = await twinOf(live.id);
    const admin = product.admin();
    await expect(admin.addAccessKey(id, `ak_${live.code}_x`, 'sk')).rejects.toThrow(
      'prefix of the other mode',
    );
    await expect(admin.addAccessKey(live.id, 'ak_test_x', 'sk')).rejects.toThrow('prefix of the other mode');
    expect(freshKey({ code: 'test', mode: 'live' }).keyId).toMatch(/^ak_live-test_/);
    expect(freshKey({ code: 'shop-test', mode: 'test' }).keyId).toMatch(/^ak_test_/);
  });
});

describe('people, roles and rules', () => {
  it('are those of the live merchant as soon as they change there', async () => {
    const visitor = await testing();
    const email = `merchant_admin@${live.code}.test`;
    const perms = async () => (await visitor.get(user)).json.data.perms;
    expect(await perms()).toContain('payouts.create');
    expect(await perms()).not.toContain('team.manage');
    await run(sql`update membership set roles = '{SUPPORT}' where merchant_id = ${live.id}
      and user_id = (select id from app_user where email = ${email})`);
    expect(await perms()).toEqual(['collections.read', 'exports.read', 'exports.create']);
    await run(sql`insert into approval_rule (merchant_id, kind, amount_minor, approvers, roles, people, created_by)
      values (${live.id}, 'payout', 0, 1, '{APPROVER}', '{}', 'user:1')`);
    const twin = await twinOf(live.id);
    const rules = () =>
      run(
        sql<{
          kind: string;
        }>`select kind from approval_rule where merchant_id = ${twin.id} and ended_at is null`,
      );
    expect((await rules()).rows).toEqual([{ kind: 'payout' }]);
    await run(sql`update approval_rule set ended_at = now() where merchant_id = ${live.id}`);
    expect((await rules()).rows).toEqual([]);
  });

  it('cannot be changed in test mode, by calls or in the database', async () => {
    const visitor = await testing();
    await confirm(visitor);
    const invited = { email: 'someone@else.test', roles: ['MERCHANT_ADMIN'] };
    expect(outcome(await visitor.post('/api/merchant/team/invitations', invited))).toEqual([
      403,
      'live_mode_only',
    ]);
    expect(outcome(await visitor.send('PUT', '/api/user/password', {}))).toEqual([403, 'live_mode_only']);
    const { id } = await twinOf(live.id);
    await expect(run(sql`update membership set roles = '{ROOT}' where merchant_id = ${id}`)).rejects.toThrow(
      'differs from the live merchant',
    );
    const stranger = await product.merchant(`other${count}`);
    await product.person(stranger);
    await expect(
      run(sql`insert into membership (merchant_id, user_id, roles)
        select ${id}, id, '{ROOT}' from app_user where email = ${`merchant_admin@${stranger.code}.test`}`),
    ).rejects.toThrow('differs from the live merchant');
  });

  it('gives people who join later both modes, and those who are removed neither', async () => {
    const visitor = await testing();
    const late = await product.person(live, 'DEVELOPER');
    late.merchant = live.code;
    expect((await set(late, true)).status).toBe(204);
    await set(visitor, false);
    await confirm(visitor);
    const members: { id: string; email: string }[] = (await visitor.get('/api/merchant/team')).json.data
      .members;
    const { id = '' } = members.find(({ email }) => email.startsWith('developer')) ?? {};
    expect((await visitor.send('DELETE', `/api/merchant/team/members/${id}`)).status).toBe(204);
    expect((await late.get(user)).status).toBe(401);
  });

  it('ends with the live merchant’s suspension, and comes back with it', async () => {
    const visitor = await testing();
    const program = await tester();
    const operator = new SuspensionService({
      database: product.services.database,
      actor: 'operator:test',
      onReactivated: product.services.onMerchantReactivated,
    });
    await operator.suspendMerchant(live.id, 'a test');
    expect((await visitor.get(user)).status).toBe(401);
    expect(outcome(await program.create('suspended'))).toEqual([403, 'merchant_suspended']);
    await operator.reactivateMerchant(live.id, 'done');
    expect((await visitor.get(user)).status).toBe(401);
    expect((await program.create('active')).status).toBe(201);
  });
});

describe('a new test merchant', () => {
  const look = async (visitor: Visitor) => (await visitor.get('/api/merchant/checkout')).json.data;
  const setLook = (visitor: Visitor, name: string, color: string | null, logo: string | null) =>
    visitor.send('PUT', '/api/merchant/checkout', { name, color, logo });
  const logo = logoPicture('#0b7a4b', [{ x: 0, y: 0, long: 0.5, short: 0.5, turn: 0 }]).toString('base64');

  it('has the look of the live merchant’s checkout page, and then one of its own', async () => {
    const visitor = await product.person(live);
    visitor.merchant = live.code;
    expect((await setLook(visitor, 'Tea house', '#0b7a4b', logo)).status).toBe(200);
    const liveLook = await look(visitor);
    await set(visitor, true);
    const testLook = await look(visitor);
    expect(testLook).toMatchObject({ name: 'Tea house', color: '#0b7a4b' });
    // Each merchant serves its own copy of the picture.
    expect(testLook.logo).not.toBe(liveLook.logo);
    const [ours, theirs] = await Promise.all(
      [liveLook, testLook].map(async ({ logo: address }) =>
        Buffer.from(await (await fetch(new URL(address, product.url))).arrayBuffer()),
      ),
    );
    expect(ours?.length).toBeGreaterThan(100);
    expect(theirs).toEqual(ours);
    expect((await setLook(visitor, 'Tried out', '#0b7a4b', null)).status).toBe(200);
    expect(await look(visitor)).toMatchObject({ name: 'Tried out', logo: null });
    await set(visitor, false);
    expect(await look(visitor)).toEqual(liveLook);
  });

  it('keeps the look after the test data was wiped', async () => {
    const visitor = await testing();
    await setLook(visitor, 'Tried out', '#0b7a4b', logo);
    await confirm(visitor);
    expect((await visitor.send('DELETE', '/api/merchant/test-mode/data')).status).toBe(204);
    visitor.merchant = (await twinOf(live.id)).code;
    const kept = await look(visitor);
    expect(kept).toMatchObject({ name: 'Tried out', color: '#0b7a4b' });
    expect((await fetch(new URL(kept.logo, product.url))).status).toBe(200);
  });

  it('suggests only first steps that can be done in test mode', async () => {
    const visitor = await testing();
    const { firstSteps } = (await visitor.get('/api/merchant/dashboard/agenda')).json.data;
    expect(firstSteps.map(({ step }: { step: string }) => step)).toEqual(['accessKey', 'whitelist', 'order']);
  });
});

describe('wiping', () => {
  const wipe = (visitor: Visitor) => visitor.send('DELETE', '/api/merchant/test-mode/data');

  it('needs the permission, the password and test mode, and opens an empty merchant for everybody', async () => {
    const visitor = await testing();
    const program = await tester();
    await program.create('old');
    const finance = await testing('FINANCE');
    const before = await twinOf(live.id);
    await confirm(finance);
    expect(outcome(await wipe(finance))).toEqual([403, 'forbidden']);
    await confirm(visitor);
    expect((await wipe(visitor)).status).toBe(204);
    const after = await twinOf(live.id);
    expect([after.code, after.id === before.id]).toEqual([`${live.code}-test-2`, false]);
    expect(outcome(await visitor.get(user))).toEqual([409, 'merchant_switched']);
    visitor.merchant = after.code;
    expect((await visitor.get('/api/merchant/collections')).json.data).toEqual([]);
    expect(outcome(await wipe(visitor))).toEqual([423, 'password_confirmation_required']);
    expect(outcome(await finance.get(user))).toEqual([409, 'merchant_switched']);
    finance.merchant = after.code;
    expect((await finance.get(user)).json.data.merchant.code).toBe(after.code);
    expect((await program.create('new')).status).toBe(401);
    const kept = await run(sql<{ orders: number }>`
      select count(*)::integer as orders from collection where merchant_id = ${before.id}`);
    expect(kept.rows).toEqual([{ orders: 1 }]);
    await set(visitor, false);
    await confirm(visitor);
    expect(outcome(await wipe(visitor))).toEqual([403, 'test_mode_only']);
  });

  it('ends the work of the wiped merchant, also if it is delayed or running', async () => {
    const server = await EndpointServer.start();
    server.status = 500;
    const visitor = await testing();
    await tester();
    const { id } = await twinOf(live.id);
    const jobs = async () => {
      const { rows } = await asOwner(product.ownerUrl, (client) =>
        client.query<{ task: string }>(
          `select task from merchant_job where merchant_id = $1
           union all select t.identifier from graphile_worker._private_jobs j
             join graphile_worker._private_tasks t on t.id = j.task_id where j.payload ->> 'merchantId' = $1::text`,
          [String(id)],
        ),
      );
      return rows.map(({ task }) => task).sort();
    };
    await product.services.database.asMerchant(id, async (tx) => {
      await enqueue(
        tx,
        'payouts.ask',
        { merchantId: String(id), tradeNo: 'P1' },
        { key: 'P1', delaySeconds: 900 },
      );
    });
    const report = (subjectNo: string) =>
      product.services.database.asMerchant(id, (tx) =>
        queueCallback(tx, {
          subjectKind: 'payout',
          subjectNo,
          event: 'payout.processed',
          url: server.url,
          body: '{}',
        }),
      );
    await report('P1');
    // The callback was refused once and waits for its next attempt.
    await until(jobs, (found) => server.received.length === 1 && found.length === 2);
    await until(
      () => run(sql<{ attempts: number }>`select attempts from callback_message where merchant_id = ${id}`),
      ({ rows }) => rows[0]?.attempts === 1,
    );
    const running = await run(sql<{ id: bigint }>`
      insert into merchant_job (line, merchant_id, target, host, task, key, payload, due_at, attempts, worker, claimed_at, leased_until)
      values ('channels', ${id}, '', '', 'payouts.ask', 'P2', '{}', now(), 1, gen_random_uuid(), now(), now() + interval '1 hour')
      returning id`);
    await confirm(visitor);
    expect((await wipe(visitor)).status).toBe(204);
    expect(await jobs()).toEqual(['callbacks.deliver', 'payouts.ask', 'payouts.ask']);
    const messages = sql<{ isGivenUp: boolean }>`
      select given_up_at is not null as "isGivenUp" from callback_message where merchant_id = ${id}`;
    expect((await run(messages)).rows).toEqual([{ isGivenUp: true }]);
    server.status = 200;
    // A payout that was under way ends after all.
    await report('P2');
    await asOwner(product.ownerUrl, (client) =>
      client.query(
        `update graphile_worker._private_jobs set run_at = now() where payload ->> 'merchantId' = $1`,
        [String(id)],
      ),
    );
    await run(sql`select return_merchant_job(${running.rows[0]?.id}, now(), 'it failed')`);
    await until(jobs, (found) => found.length === 0);
    expect(server.received).toHaveLength(1);
    await server.close();
  });

  it('happens once among several at the same time, and five times a day', async () => {
    const visitor = await testing();
    for (let time = 0; time < 5; time++) {
      await confirm(visitor);
      const replies = await Promise.all([wipe(visitor), wipe(visitor), wipe(visitor)]);
      expect(replies.filter(({ status }) => status === 204)).toHaveLength(1);
      visitor.merchant = (await twinOf(live.id)).code;
    }
    await confirm(visitor);
    expect(outcome(await wipe(visitor))).toEqual([429, 'quota_reached']);
  });
});
