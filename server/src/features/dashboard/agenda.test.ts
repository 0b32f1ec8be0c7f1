import { type RawBuilder, sql } from 'kysely';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { SoftPasskey } from '../../testing/soft-passkey.ts';
import { type TestMerchant, TestProduct, testPassword } from '../../testing/test-product.ts';
import type { Visitor } from '../../testing/visitor.ts';

let product: TestProduct;
beforeAll(async () => {
  product = await TestProduct.start(inject('ownerUrl'));
});
afterAll(() => product.close());

const agendaOf = async (person: Visitor) => (await person.get('/api/merchant/dashboard/agenda')).json.data;
const run = (statement: RawBuilder<unknown>) =>
  product.services.database.asSystem((tx) => statement.execute(tx.query));

/** Inserts one of everything that can wait, `daysAgo` days ago. */
async function insertWaiting({ id }: TestMerchant, mark: string, daysAgo: number): Promise<void> {
  const at = sql`(now() - ${daysAgo} * interval '1 day')::timestamptz(3)`;
  await run(sql`
    insert into payout_batch (merchant_id, batch_no, name, channel, currency, content_hash, row_count, amount_minor, fee_minor,
      created_by, created_at, finished_at, taken_count, failed_count)
    select ${id}, 'B' || ${mark} || failed, 'f', 'CN_BANK', 'CNY', '', 2, 1, 0, 'user:1', ${at}, ${at}, 2 - failed, failed
    from generate_series(0, 1) failed`);
  await run(sql`
    insert into collection (merchant_id, trade_no, out_trade_no, request_hash, status, settlement_status, currency, amount_minor,
      channel, cashier_token, created_at, expires_at, paid_at)
    select ${id}, ${mark} || status, ${mark} || status, '', status, 'unsettled', 'CNY', 100, 'CN_BANK', ${mark} || status, ${at}, ${at}, ${at}
    from unnest(array['paid', 'success']) status`);
  await run(sql`
    insert into payout (merchant_id, trade_no, request_hash, status, currency, amount_minor, fee_minor, channel, payee,
      payee_account, account_key, source, created_by, created_at, rejected_at)
    values (${id}, ${`R${mark}`}, '', 'rejected', 'CNY', 100, 0, 'CN_BANK', 'P', 'A', 'A', 'console', 'user:1', ${at}, ${at})`);
  await run(sql`
    insert into export_task (merchant_id, export_no, list, filters, columns, format, language, zone, file_name, status, reason,
      finished_at, created_by, created_at)
    values (${id}, ${`E${mark}`}, 'payouts', '{}', '{}', 'csv', 'en', 'UTC', 'f', 'failed', 'cancelled', ${at}, 'user:1', ${at})`);
}

it('lists what waits for a person who may act on it, and nothing older or done', async () => {
  const merchant = await product.merchant('waits');
  const admin = await product.person(merchant);
  const viewer = await product.person(merchant, 'MERCHANT_VIEWER');
  expect((await agendaOf(admin)).waiting).toEqual([]);
  await insertWaiting(merchant, 'new', 1);
  await insertWaiting(merchant, 'old', 4);
  const { waiting } = await agendaOf(admin);
  expect(waiting.map(({ kind, count }: { kind: string; count: number }) => [kind, count]).toSorted()).toEqual(
    [
      ['batchRows', 1],
      ['callbacks', 1],
      ['failedExports', 1],
      ['rejectedPayouts', 1],
    ],
  );
  expect(waiting.find(({ kind }: { kind: string }) => kind === 'batchRows').subject).toBe('Bnew1');
  const kinds = (await agendaOf(viewer)).waiting.map(({ kind }: { kind: string }) => kind).toSorted();
  expect(kinds).toEqual(['callbacks', 'failedExports', 'rejectedPayouts']);
});

it('gives the span in which the list shows exactly what was counted', async () => {
  const merchant = await product.merchant('spans');
  const person = await product.person(merchant);
  await insertWaiting(merchant, 'a', 1);
  await insertWaiting(merchant, 'b', 2);
  await insertWaiting(merchant, 'old', 5);
  const { waiting } = await agendaOf(person);
  const of = (kind: string) => waiting.find((line: { kind: string }) => line.kind === kind);
  const listed = async (path: string, query: Record<string, string>) =>
    (await person.get(`/api/merchant/${path}?${new URLSearchParams(query)}`)).json.data.length;
  const { from, to, count } = of('callbacks');
  expect(count).toBe(2);
  expect(await listed('collections', { status: 'paid', paidFrom: from, paidTo: to })).toBe(count);
  const rejected = of('rejectedPayouts');
  expect(
    await listed('payouts', { status: 'rejected', createdFrom: rejected.from, createdTo: rejected.to }),
  ).toBe(rejected.count);
  expect(of('batchRows')).toMatchObject({ count: 2, subject: null });
});

it('does not count an order that was paid just now, whose callback is on its way', async () => {
  const merchant = await product.merchant('grace');
  const person = await product.person(merchant);
  await run(sql`
    insert into collection (merchant_id, trade_no, out_trade_no, request_hash, status, settlement_status, currency, amount_minor,
      channel, cashier_token, expires_at, paid_at)
    values (${merchant.id}, 'N', 'N', '', 'paid', 'unsettled', 'CNY', 100, 'CN_BANK', 'n', now(), now() - interval '1 minute')`);
  expect((await agendaOf(person)).waiting).toEqual([]);
});

it('never shows what waits for another merchant', async () => {
  await insertWaiting(await product.merchant('theirs'), 'theirs', 1);
  const person = await product.person(await product.merchant('mine'));
  expect((await agendaOf(person)).waiting).toEqual([]);
});

it('announces the next settlement with the amount that it would move now', async () => {
  const merchant = await product.merchant('settles');
  const person = await product.person(merchant);
  const before = await agendaOf(person);
  expect(before.nextSettlement).toEqual({
    at: expect.stringMatching(/T16:00:00.000Z$/),
    amount: '0.00',
  });
  const { collections, settlements } = product.services;
  const home = { merchantId: merchant.id, code: 'settles', name: '', currency: 'CNY', zone: 'UTC' } as const;
  for (const amount of ['200.00', '300.00']) {
    const order = await collections.create(home, {
      out_trade_no: amount,
      amount,
      currency: 'CNY',
      channel: 'CN_BANK',
    });
    await collections.report({
      reference: order.tradeNo,
      status: 'paid',
      bankReference: 'b',
      reason: null,
      currency: 'CNY',
      amountMinor: order.amountMinor,
    });
  }
  const announced = (await agendaOf(person)).nextSettlement.amount;
  expect(announced).toBe('497.00');
  expect((await person.get('/api/merchant/account/breakdown')).json.data.nextSettlement.amount).toBe(
    announced,
  );
  const [settlementNo] = await settlements.runNow(merchant.id, new Date(Date.now() + 1000));
  expect((await person.get(`/api/merchant/settlements/${settlementNo}`)).json.data.net).toBe(announced);
  expect((await agendaOf(person)).nextSettlement.amount).toBe('0.00');
});

const isDone = (agenda: { firstSteps: { step: string; isDone: boolean }[] | null }) =>
  agenda.firstSteps && Object.fromEntries(agenda.firstSteps.map(({ step, isDone: done }) => [step, done]));

it('ticks off each first step once it is really done, and ends with the last one', async () => {
  const merchant = await product.merchant('starts');
  await run(sql`update access_key set revoked_at = now() where merchant_id = ${merchant.id}`);
  await run(sql`update merchant set allowed_addresses = '{}' where id = ${merchant.id}`);
  const person = await product.person(merchant);
  const none = { twoFactor: false, paymentPassword: false, accessKey: false, whitelist: false, order: false };
  expect(isDone(await agendaOf(person))).toEqual(none);
  await person.post('/api/user/confirm-password', { password: testPassword });
  await new SoftPasskey(product.url).bind(person);
  expect(isDone(await agendaOf(person))).toEqual({ ...none, twoFactor: true });
  await run(sql`update access_key set revoked_at = null where merchant_id = ${merchant.id}`);
  await run(sql`update merchant set allowed_addresses = '{127.0.0.1/32}' where id = ${merchant.id}`);
  expect(isDone(await agendaOf(person))).toMatchObject({ accessKey: true, whitelist: true, order: false });
  expect((await merchant.program.create('first')).status).toBeLessThan(300);
  expect(isDone(await agendaOf(person))).toMatchObject({ paymentPassword: false, order: true });
  await run(sql`
    update app_user set payment_password_hash = 'x' where email = 'merchant_admin@starts.test'`);
  expect((await agendaOf(person)).firstSteps).toBeNull();
});

it('hides the first steps from a person who dismissed them, and from nobody else', async () => {
  const merchant = await product.merchant('dismiss');
  const [person, colleague] = [
    await product.person(merchant),
    await product.person(merchant, 'MERCHANT_ADMIN', 'second'),
  ];
  for (let time = 0; time < 2; time++) {
    const { status } = await person.send('DELETE', '/api/merchant/dashboard/first-steps');
    expect(status).toBe(204);
  }
  expect((await agendaOf(person)).firstSteps).toBeNull();
  expect((await agendaOf(colleague)).firstSteps).toHaveLength(5);
  const viewer = await product.person(merchant, 'MERCHANT_VIEWER');
  expect((await agendaOf(viewer)).firstSteps).toBeNull();
});
