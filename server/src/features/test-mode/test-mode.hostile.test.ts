import { passkeyEndpoints } from '@hengfu/contract/passkeys';
import { profileEndpoints } from '@hengfu/contract/profile';
import { twoFactorEndpoints } from '@hengfu/contract/two-factor';
import { signatureHeader, signCallback, timestampHeader } from '@hengfu/sandbox/signature';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, inject, it } from 'vitest';
import { SandboxAdapter } from '#channels/sandbox/sandbox-adapter.ts';
import type { Tx } from '#db/database.ts';
import type { Person } from '#domain/caller.ts';
import { balances } from '#ledger/ledger.ts';
import { ShopProgram } from '../../testing/shop-program.ts';
import { bankSecret, type TestMerchant, TestProduct, testPassword } from '../../testing/test-product.ts';
import type { Visitor } from '../../testing/visitor.ts';
import { SuspensionService } from '../suspension/suspension.service.ts';
import { TestModeService } from './test-mode.service.ts';

let product: TestProduct;
let live: TestMerchant;
let twin: { id: bigint; code: string };
let visitor: Visitor;
let count = 0;

beforeAll(async () => {
  product = await TestProduct.start(inject('ownerUrl'), { bank: true });
});
afterAll(() => product.close());
beforeEach(async () => {
  live = await product.merchant(`hostile${++count}`);
  visitor = await product.person(live, 'MERCHANT_ADMIN');
  visitor.merchant = live.code;
  expect((await visitor.send('PUT', '/api/merchant/test-mode', { isOn: true })).status).toBe(204);
  twin = await product.services.testMode.open(live.id);
  visitor.merchant = twin.code;
});

const asSystem = <T>(work: (tx: Tx) => Promise<T>) => product.services.database.asSystem(work);
const run = <T>(statement: ReturnType<typeof sql<T>>) => asSystem((tx) => statement.execute(tx.query));
const outcome = ({ status, json }: { status: number; json: { code?: string } }) => [status, json.code];

async function programOf({ id, code }: { id: bigint; code: string }): Promise<ShopProgram> {
  const key = { id: `ak_test_${code}`, secret: `sk_${code}` };
  await product.admin().addAccessKey(id, key.id, key.secret);
  return new ShopProgram(product.url, key);
}

/** Reports an order as paid by a channel, signed by the sandbox bank. */
async function reported(reference: string, channel = 'CN_BANK') {
  const timestamp = String(Math.floor(Date.now() / 1000));
  const paid = { bankId: 'b1', amountMinor: '10000', currency: 'CNY' };
  const body = JSON.stringify({ type: 'collection.paid', reference, ...paid });
  const answer = await fetch(`${product.url}/api/channels/${channel}/callback`, {
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

it('changes no password, email, passkey or factor', async () => {
  const all = [profileEndpoints, passkeyEndpoints, twoFactorEndpoints].flatMap((group) =>
    Object.values<{ path: string; method: string; access: string; mode?: string }>(group),
  );
  const free = all.filter(
    ({ path, method, access, mode }) =>
      access === 'session' &&
      method !== 'GET' &&
      mode !== 'live' &&
      !path.startsWith('/api/merchant/sessions'),
  );
  // Names and languages, and what proves who acts.
  expect(free.map(({ path }) => path).sort()).toEqual([
    '/api/merchant/passkeys/proof',
    '/api/merchant/passkeys/proof/options',
    '/api/user/confirm-password',
    '/api/user/profile-information',
  ]);
  await visitor.post('/api/user/confirm-password', { password: testPassword });
  expect(outcome(await visitor.post('/api/merchant/passkeys/options'))).toEqual([403, 'live_mode_only']);
  const email = `merchant_admin@${live.code}.test`;
  const change = (to: object) =>
    visitor.send('PUT', '/api/user/profile-information', { name: 'Ann', email, ...to });
  expect(outcome(await change({ email: 'thief@else.test' }))).toEqual([403, 'live_mode_only']);
  expect((await change({ zone: 'Asia/Tokyo' })).status).toBe(200);
});

it('records a wipe in the live merchant’s trail', async () => {
  await visitor.post('/api/user/confirm-password', { password: testPassword });
  expect((await visitor.send('DELETE', '/api/merchant/test-mode/data')).status).toBe(204);
  const { rows } = await run(sql<{ subject: string }>`
    select subject from audit where merchant_id = ${live.id} and action = 'test_mode.wipe'`);
  expect(rows).toEqual([{ subject: twin.code }]);
  // The session works for the next one, in the same transaction.
  visitor.merchant = `${live.code}-test-2`;
  expect((await visitor.get('/api/merchant/user')).json.data.merchant.mode).toBe('test');
});

it('follows two changes at the same time, and forgets neither', async () => {
  await run(sql`insert into own_role (merchant_id, code, name, name_key, description, perms)
    values (${live.id}, 'own_0000000000000001', 'Clerk', 'clerk', '', '{payouts.create}')`);
  const revoked = Promise.withResolvers<void>();
  const end = Promise.withResolvers<void>();
  const first = asSystem(async (tx) => {
    await sql`update own_role set perms = '{collections.read}', version = 2 where merchant_id = ${live.id}`.execute(
      tx.query,
    );
    revoked.resolve();
    await end.promise;
  });
  await revoked.promise;
  const second =
    run(sql`insert into approval_rule (merchant_id, kind, amount_minor, approvers, roles, people, created_by)
    values (${live.id}, 'payout', 0, 1, '{APPROVER}', '{}', 'user:1')`);
  const waiting = sql<{ count: number }>`
    select count(*)::integer as count from pg_locks l join pg_stat_activity a using (pid)
    where not l.granted and a.datname = current_database()`;
  try {
    await expect.poll(async () => (await run(waiting)).rows[0]?.count, { timeout: 20_000 }).toBe(1);
  } finally {
    end.resolve();
  }
  await Promise.all([first, second]);
  const { rows } = await run(sql<{ perms: string[] }>`
    select perms from own_role where merchant_id = ${twin.id}`);
  expect(rows).toEqual([{ perms: ['collections.read'] }]);
});

it('has a bank that decides about orders of its own channel alone, and about no real one in production', async () => {
  const program = await programOf(twin);
  const test = (await program.create('test', { channel: 'CN_BANK' })).json.trade_no;
  const real = (await live.program.create('real', { channel: 'CN_BANK' })).json.trade_no;
  expect(await reported(real, 'ALIPAY')).toEqual([404, 'not_found']);
  await product.services.testMode.setSandbox(false);
  try {
    expect(await reported(real)).toEqual([401, 'signature_invalid']);
    expect(await reported(test)).toEqual([200, undefined]);
    // A channel that is given to a bank serves live merchants from the next start on.
    await run(sql`update channel set adapter = 'bank' where code = 'CN_BANK'`);
    await product.services.testMode.setSandbox(false);
    const { rows } = await run(sql<{ isLive: boolean }>`
      select is_live as "isLive" from channel where code = 'CN_BANK'`);
    expect(rows).toEqual([{ isLive: true }]);
  } finally {
    await run(sql`update channel set adapter = 'sandbox' where code = 'CN_BANK'`);
    await product.services.testMode.setSandbox(true);
  }
  expect(await reported(real)).toEqual([200, undefined]);
});

it('cannot make the sandbox bank serve a live merchant in production, by any road', async () => {
  const { services, bank } = product;
  await product.fund(live, '5000.00');
  const payout = (name: string, amount = '12.00') =>
    live.program.post('/openapi/v1/payouts', {
      out_trade_no: name,
      channel: 'CN_BANK',
      currency: 'CNY',
      amount,
      payee: '王芳',
      payeeAccount: `95588012${String(count).padStart(4, '0')}${name.length}`,
      bank: 'ICBC',
      bankName: '中国工商银行',
    });
  const pay = (cashierToken: string, name: string) =>
    product.visitor().post(`/api/cashier/${cashierToken}/pay`, { channel: name });
  const runTask = (task: string, payload: object) =>
    services.tasks[task]?.({ merchantId: String(live.id), ...payload });
  const statuses = async () => {
    const { rows } = await run(sql<{ number: string; status: string }>`
      select trade_no as number, status from collection where merchant_id = ${live.id}
      union all select trade_no, status from payout where merchant_id = ${live.id}`);
    return new Map(rows.map(({ number, status }) => [number, status]));
  };
  // Everything begins while the sandbox may serve live merchants.
  const begun = (await live.program.create('begun', { channel: 'CN_BANK' })).json;
  await pay(begun.cashierUrl.split('/').at(-1), 'CN_BANK');
  const waiting = (await payout('waiting')).json.trade_no;
  // The bank reports nothing about this amount: it has to be asked.
  const sent = (await payout('already-sent', '12.06')).json.trade_no;
  await runTask('payouts.send', { tradeNo: sent });
  const open = (await live.program.create('open')).json;
  const adapter = new SandboxAdapter({ url: bank?.url ?? '', secret: bankSecret });
  const heldBefore = await services.database.asMerchant(live.id, (tx) => balances(tx, 'CNY'));

  await services.testMode.setSandbox(false);
  try {
    expect(outcome(await live.program.create('new', { channel: 'CN_BANK' }))).toEqual([
      409,
      'channel_closed',
    ]);
    expect(outcome(await payout('a-new-one'))).toEqual([409, 'channel_closed']);
    expect((await pay(open.cashierUrl.split('/').at(-1), 'CN_BANK')).status).not.toBe(200);
    const channels = (await visitor.get('/api/merchant/payout-channels')).json.data;
    expect(channels.map(({ code }: { code: string }) => code)).toContain('CN_BANK');
    // The payer pays play money, and jobs of orders that had begun run: the bank decides about none of them.
    await adapter.playPayer(begun.trade_no, 'confirm');
    await runTask('collections.ask', { tradeNo: begun.trade_no, attempt: 0 });
    await runTask('payouts.send', { tradeNo: waiting });
    await runTask('payouts.ask', { tradeNo: sent, attempt: 0 });
    const now = await statuses();
    expect(now.get(begun.trade_no)).toBe('toBePaid');
    expect(now.get(waiting)).toBe('pending');
    expect(await adapter.queryPayout(waiting)).toBeUndefined();
    expect(now.get(sent)).not.toBe('processed');
    expect(await services.database.asMerchant(live.id, (tx) => balances(tx, 'CNY'))).toEqual(heldBefore);
  } finally {
    await services.testMode.setSandbox(true);
  }
  // Nothing is lost where the sandbox may serve live merchants again.
  await runTask('collections.ask', { tradeNo: begun.trade_no, attempt: 1 });
  await runTask('payouts.send', { tradeNo: waiting });
  await runTask('payouts.ask', { tradeNo: sent, attempt: 1 });
  const after = await statuses();
  expect(after.get(begun.trade_no)).toBe('success');
  expect(after.get(waiting)).not.toBe('pending');
  expect(after.get(sent)).toBe('processed');
});

it('begins nothing at a channel from a process that does not know test mode', async () => {
  await (await programOf(twin)).create('test', { channel: 'CN_BANK' });
  await live.program.create('real', { channel: 'CN_BANK' });
  const claim = (merchantId: bigint, knows: string) =>
    asSystem(async (tx) => {
      await sql`select set_config('app.knows_test_mode', ${knows}, true)`.execute(tx.query);
      await sql`update collection set channel = channel where merchant_id = ${merchantId}`.execute(tx.query);
    });
  await expect(claim(twin.id, '')).rejects.toThrow('does not know test mode');
  await claim(live.id, '');
  await claim(twin.id, 'on');
  const held = (name: string) =>
    run(sql<{ does: boolean }>`select exists (select from pg_trigger g join pg_proc p on p.oid = g.tgfoid
      where g.tgrelid = ${name}::regclass and p.prosrc like '%assert_serves_mode%') as does`);
  for (const table of ['collection', 'payout', 'refund'])
    expect([table, (await held(table)).rows]).toEqual([table, [{ does: true }]]);
});

it('is suspended and reactivated with its live merchant alone', async () => {
  const operator = new SuspensionService({
    database: product.services.database,
    actor: 'operator:test',
    onReactivated: [],
  });
  await expect(operator.suspendMerchant(twin.id, 'x')).rejects.toThrow('follows_live');
  await expect(operator.reactivateMerchant(twin.id, 'x')).rejects.toThrow('follows_live');
});

it('is not offered without a sandbox bank', async () => {
  const service = new TestModeService(product.services.database, false);
  const caller = { mode: 'live' } as Person;
  const request = { id: 'r', address: '::1', userAgent: undefined, language: 'en' as const };
  await expect(service.set(caller, true, 's', request)).rejects.toThrow('test_mode_unavailable');
});
