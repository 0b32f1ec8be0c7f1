import { type RawBuilder, sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { asOwner } from '#db/owner.ts';
import { bankPayout } from '../../testing/bank-payout.ts';
import { CallbackReceiver } from '../../testing/callback-receiver.ts';
import { uploadEvidence } from '../../testing/evidence.ts';
import { type TestMerchant, TestProduct } from '../../testing/test-product.ts';
import { TestStaff } from '../../testing/test-staff.ts';
import { until } from '../../testing/until.ts';
import type { Visitor } from '../../testing/visitor.ts';

const path = '/api/staff/orders';

let product: TestProduct;
let staff: TestStaff;
let one: TestMerchant;
let other: TestMerchant;
let shop: CallbackReceiver;
let support: Visitor;
let reviewer: Visitor;
let finance: Visitor;
let admin: Visitor;

beforeAll(async () => {
  product = await TestProduct.start(inject('ownerUrl'), { bank: true, worker: true });
  staff = await TestStaff.start(product);
  one = await product.merchant('one');
  other = await product.merchant('other');
  for (const merchant of [one, other]) await product.fund(merchant, '10000.00');
  shop = await CallbackReceiver.start(one.program.key.secret);
  support = await staff.member('support', 'SUPPORT');
  reviewer = await staff.member('reviewer', 'REVIEWER');
  finance = await staff.member('finance', 'FINANCE');
  admin = await staff.member('admin', 'ADMIN');
});
afterAll(async () => {
  expect(await product.violations()).toEqual([]);
  expect(await product.deadlocks()).toBe(0);
  await staff.close();
  await product.close();
  await shop.close();
});

/** Adds the check digit of a card's number (Luhn). */
function cardNumber(digits: string): string {
  const sum = [...digits].reverse().reduce((total, digit, index) => {
    const value = Number(digit) * (index % 2 === 0 ? 2 : 1);
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return digits + ((10 - (sum % 10)) % 10);
}

let count = 0;
/** Has a merchant's system make a payout; its last digits decide what the bank does. Returns its number. */
async function payout(amount: string, more: object = {}, by = one): Promise<string> {
  const { status, json } = await by.program.post('/openapi/v1/payouts', {
    ...bankPayout(`pay-${++count}`, amount),
    payeeAccount: cardNumber(`622202123456789${1000 + count}`),
    ...more,
  });
  expect([status, json.code]).toEqual([201, undefined]);
  return json.trade_no;
}

/** Creates a collection whose payer is at the bank. Returns its number. */
async function collection(outTradeNo: string, by = one): Promise<string> {
  const { json } = await by.program.create(outTradeNo);
  const token = json.cashierUrl.split('/pay/')[1];
  await product.visitor().post(`/api/cashier/${token}/pay`, { channel: 'CN_BANK' });
  return json.trade_no;
}

/** Does something while the queue loses jobs whose keys begin with a text. */
async function losing<T>(keys: string, work: () => Promise<T>): Promise<T> {
  const run = (text: string) => asOwner(product.ownerUrl, (client) => client.query(text));
  await run(`create function lose() returns trigger language plpgsql as $$ begin return null; end $$;
    create trigger lose before insert on graphile_worker._private_jobs for each row
    when (new.key like '${keys}%') execute function lose()`);
  try {
    return await work();
  } finally {
    await run('drop trigger lose on graphile_worker._private_jobs; drop function lose()');
  }
}

const list = async (query: Record<string, string>, by = reviewer) => {
  const { status, json } = await by.get(`${path}?${new URLSearchParams(query)}`);
  expect([status, json.code]).toEqual([200, undefined]);
  return json;
};
const find = async (search: string, more: Record<string, string> = {}) =>
  (await list({ search, ...more })).data.map(({ trade_no }: { trade_no: string }) => trade_no);
const caseOf = async (tradeNo: string) => {
  const kind = tradeNo.startsWith('P') ? 'payouts' : 'collections';
  return (await reviewer.get(`/api/staff/${kind}/${tradeNo}`)).json.data;
};
const becomes = (tradeNo: string, status: string, timeoutMs?: number) =>
  until(
    () => caseOf(tradeNo),
    (order) => order.status === status,
    timeoutMs,
  );
const asSystem = (statement: RawBuilder<unknown>) =>
  product.services.database.asSystem((tx) => statement.execute(tx.query));
/** The audit trail of an order, as far as our staff wrote it. */
const audited = async (tradeNo: string) => {
  const { rows } = await product.services.database.asSystem((tx) =>
    sql<object>`select action, roles, merchant_id as merchant, before, after from audit
      where subject = ${tradeNo} and actor like 'staff:%' order by id`.execute(tx.query),
  );
  return rows;
};

describe('the search across merchants', () => {
  it('finds payouts and collections by any of their numbers, references and accounts, and by nothing else', async () => {
    const paid = await payout('31.00', { out_trade_no: 'shop/77', payeeAccount: '6222 8888-0000 1111 222' });
    const { bankReference } = await becomes(paid, 'processed');
    const theirs = await payout('32.00', { out_trade_no: 'shop/77' }, other);
    const collected = await collection('basket-9');
    expect(await find(paid)).toEqual([paid]);
    expect(await find(` ${paid.toLowerCase()} `)).toEqual([paid]);
    expect(await find(collected)).toEqual([collected]);
    expect(await find('shop/77')).toEqual([theirs, paid]);
    expect(await find('basket-9')).toEqual([collected]);
    expect(await find(bankReference)).toEqual([paid]);
    expect(await find('6222888800001111222')).toEqual([paid]);
    expect(await find('6222 8888 0000 1111 222')).toEqual([paid]);
    expect(await find('shop/77', { merchant: 'other' })).toEqual([theirs]);
    expect(await find('shop/77', { kind: 'collection' })).toEqual([]);
    expect(await find('shop/77', { status: 'processed', merchant: 'one' })).toEqual([paid]);
    for (const text of [
      'shop',
      'shop/7',
      '6222',
      '王芳',
      paid.slice(0, -1),
      '%',
      '-',
      "' or true --",
      'x'.repeat(128),
    ])
      expect([text, await find(text)]).toEqual([text, []]);
    const [row] = (await list({ search: paid })).data;
    expect(row).toMatchObject({
      kind: 'payout',
      merchant: { code: 'one', isTest: false },
      amount: '31.00',
      payee: '王芳',
      channel: 'CN_BANK',
    });
  });

  it('lists all orders, newest first, and turns pages both ways without a gap or a repetition', async () => {
    for (let times = 0; times < 12; times++)
      await (times % 2 === 0
        ? payout('1.00', {}, times % 4 === 0 ? one : other)
        : collection(`page-${times}`));
    // Several orders of one instant, of both kinds.
    await asSystem(sql`update payout set created_at = date_trunc('hour', created_at)`);
    await asSystem(sql`update collection set created_at = date_trunc('hour', created_at)`);
    const whole = await list({ limit: '200' });
    const numbers = (page: { data: { trade_no: string }[] }) => page.data.map(({ trade_no }) => trade_no);
    expect(whole.total).toEqual({ count: whole.data.length, exact: true });
    expect(whole.data.length).toBeGreaterThan(14);
    const shown: string[] = [];
    let page = { next: '' } as Awaited<ReturnType<typeof list>>;
    const before: string[][] = [];
    while (page.next !== null) {
      page = await list({ limit: '20', ...(page.next && { cursor: page.next }) });
      before.push(numbers(page));
      shown.push(...numbers(page));
    }
    expect(shown).toEqual(numbers(whole));
    // Pages of other sizes begin at any order; the way back shows the same rows.
    const first = await list({ limit: '20' });
    expect(first.previous).toBeNull();
    const dates = whole.data.map(({ createdAt }: { createdAt: string }) => createdAt);
    expect(dates).toEqual(dates.toSorted().reverse());
    if (page.previous)
      expect(numbers(await list({ limit: '20', cursor: page.previous }))).toEqual(before.at(-2));
  });

  it('filters by kind, merchant, status, channel and time', async () => {
    const { data } = await list({ kind: 'payout', merchant: 'one', status: 'processed,rejected' });
    expect(data.length).toBeGreaterThan(0);
    for (const row of data) {
      expect(row).toMatchObject({ kind: 'payout', merchant: { code: 'one' } });
      expect(['processed', 'rejected']).toContain(row.status);
    }
    expect((await list({ channel: 'VN_NAPAS' })).data).toEqual([]);
    expect((await list({ channel: 'CN_BANK' })).data.length).toBeGreaterThan(0);
    expect((await list({ merchant: 'nobody' })).data).toEqual([]);
    const future = new Date(Date.now() + 3_600_000).toISOString();
    expect((await list({ createdFrom: future })).data).toEqual([]);
    expect((await list({ createdTo: future, limit: '200' })).data).toEqual(
      (await list({ limit: '200' })).data,
    );
    expect((await list({ status: 'toBePaid', kind: 'payout' })).data).toEqual([]);
  });

  it('shows test merchants only to somebody who names them', async () => {
    const test = await product.merchant('trying');
    const tried = await collection('tried-1', test);
    await asSystem(
      sql`update merchant set mode = 'test', live_merchant_id = ${one.id} where id = ${test.id}`,
    );
    const numbers = async (query: Record<string, string>) =>
      (await list({ limit: '200', ...query })).data.map(({ trade_no }: { trade_no: string }) => trade_no);
    expect(await numbers({})).not.toContain(tried);
    expect(await numbers({ merchant: 'trying' })).toEqual([tried]);
    expect((await list({ search: tried })).data).toMatchObject([{ merchant: { isTest: true } }]);
  });

  it.each([
    ['search', 'a\0b'],
    ['search', 'x'.repeat(129)],
    ['search', ' '],
    ['kind', 'topup'],
    ['status', 'paid,unknown'],
    ['channel', "CN_BANK' or true"],
    ['createdFrom', '2026-99-99T00:00:00Z'],
    ['cursor', Buffer.from('n,1,1;drop').toString('base64url')],
    ['cursor', 'x'.repeat(201)],
    ['limit', '51'],
    ['merchants', 'one'],
  ])('refuses %s=%j', async (name, value) => {
    const { status, json } = await reviewer.get(`${path}?${new URLSearchParams({ [name]: value })}`);
    expect([status, json.code]).toEqual([422, 'validation_failed']);
  });
});

describe('one order', () => {
  it('is shown with its timeline, callbacks and postings', async () => {
    const tradeNo = await payout('41.00', { notifyUrl: shop.url });
    await becomes(tradeNo, 'processed');
    const found = await until(
      () => caseOf(tradeNo),
      (order) => order.callbacks[0]?.state === 'delivered',
    );
    expect(found).toMatchObject({ merchant: { code: 'one' }, step: null, total: '41.08' });
    expect(found.timeline.map(({ reason }: { reason: string }) => reason)).toContain('channel_paid');
    expect(found.callbacks).toMatchObject([
      { event: 'payout.processed', url: shop.url, attempts: [{ attempt: 1, httpStatus: 200 }] },
    ]);
    expect(found.postings.map(({ type }: { type: string }) => type)).toEqual([
      'payout_deduction',
      'payout_payment',
    ]);
    for (const { entries } of found.postings)
      expect(
        entries.reduce((sum: number, { amount }: { amount: string }) => sum + Number(amount), 0),
      ).toBeCloseTo(0);
    expect(JSON.stringify(found)).not.toContain('webhook');
  });

  it('is not found under a number that no merchant has', async () => {
    for (const tradeNo of ['P0', 'P261125000000000000001', '%25', "P' or true"]) {
      const { status, json } = await reviewer.get(`/api/staff/payouts/${encodeURIComponent(tradeNo)}`);
      expect([tradeNo, status, json.code]).toEqual([tradeNo, 404, 'not_found']);
    }
    const tradeNo = await payout('1.00');
    expect((await reviewer.get(`/api/staff/collections/${tradeNo}`)).status).toBe(404);
  });
});

describe('the actions', () => {
  it('have the channel asked about a payout at once, by several at the same time, each of whom is audited', async () => {
    // Paid immediately, but never reported: the first query of its own comes after three seconds, the next after six.
    const tradeNo = await payout('20.06');
    await becomes(tradeNo, 'processing');
    expect((await caseOf(tradeNo)).step).toBe('ask');
    const answers = await Promise.all(
      [0, 1, 2].map(() => support.post(`/api/staff/payouts/${tradeNo}/take-up`)),
    );
    expect(answers.map(({ status, json }) => [status, json.data?.step ?? json.code])).toEqual(
      expect.arrayContaining([[200, 'ask']]),
    );
    const taken = answers.filter(({ status }) => status === 200).length;
    await becomes(tradeNo, 'processed', 2500);
    expect(await audited(tradeNo)).toEqual(
      Array.from({ length: taken }, () => ({
        action: 'payout.take_up',
        roles: ['SUPPORT'],
        merchant: one.id,
        before: { status: expect.stringMatching(/processing|pendingSettlement/) },
        after: null,
      })),
    );
    const again = await support.post(`/api/staff/payouts/${tradeNo}/take-up`);
    expect([again.status, again.json.code]).toEqual([409, 'invalid_transition']);
    expect((await caseOf(tradeNo)).step).toBeNull();
  });

  it('leave a payout of a suspended merchant unsent', async () => {
    const held = await product.merchant('held');
    await product.fund(held, '1000.00');
    const tradeNo = await losing('send:', () => payout('21.00', {}, held));
    const suspend = (at: Date | null) =>
      asSystem(sql`update merchant set suspended_at = ${at} where id = ${held.id}`);
    await suspend(new Date());
    const refused = await support.post(`/api/staff/payouts/${tradeNo}/take-up`);
    expect([refused.status, refused.json.code]).toEqual([403, 'merchant_suspended']);
    expect(await audited(tradeNo)).toEqual([]);
    await suspend(null);
    expect((await support.post(`/api/staff/payouts/${tradeNo}/take-up`)).json.data).toEqual({ step: 'send' });
    await becomes(tradeNo, 'processed');
  });

  it('have the channel asked about a collection at once', async () => {
    const tradeNo = await collection('ask-1');
    expect((await caseOf(tradeNo)).canAsk).toBe(true);
    const attempt = () =>
      asOwner(product.ownerUrl, async (client) => {
        const { rows } = await client.query(
          `select payload ->> 'attempt' as attempt from graphile_worker._private_jobs where key = $1 and locked_at is null
           union all select payload ->> 'attempt' from merchant_job where key = $1`,
          [`ask:${tradeNo}`],
        );
        return rows[0]?.attempt;
      });
    expect(await attempt()).toBe('0');
    // Without this, the first query comes ten seconds after the payer was sent to the channel.
    const answers = await Promise.all(
      [0, 1].map(() => support.post(`/api/staff/collections/${tradeNo}/ask`)),
    );
    expect(answers.map(({ status }) => status)).toEqual([204, 204]);
    await until(attempt, (nth) => nth === '1', 5000);
    expect(await audited(tradeNo)).toHaveLength(2);
    const { json } = await one.program.create('ask-2');
    expect((await caseOf(json.trade_no)).canAsk).toBe(false);
    const refused = await support.post(`/api/staff/collections/${json.trade_no}/ask`);
    expect([refused.status, refused.json.code]).toEqual([409, 'invalid_transition']);
  });

  it('send a callback again that was delivered, and one that was given up, under its old id', async () => {
    const tradeNo = await payout('51.00', { notifyUrl: shop.url });
    const delivered = await until(
      () => caseOf(tradeNo),
      (order) => order.callbacks[0]?.state === 'delivered',
    );
    const [{ id }] = delivered.callbacks;
    const resend = (by = support) => by.post(`${path}/${tradeNo}/callbacks/${id}/send-again`);
    expect((await resend()).status).toBe(204);
    const twice = await until(
      () => caseOf(tradeNo),
      (order) => order.callbacks[0].attempts.length === 2 && order.callbacks[0].state === 'delivered',
    );
    expect(twice.callbacks).toMatchObject([
      { id, state: 'delivered', attempts: [{ attempt: 1 }, { attempt: 2 }] },
    ]);
    await asSystem(
      sql`update callback_message set delivered_at = null, given_up_at = now() where id = ${id}`,
    );
    expect((await caseOf(tradeNo)).callbacks[0].state).toBe('givenUp');
    // Two at once: the message is sent once or twice, and every attempt counts once.
    await Promise.all([resend(), resend()]);
    await until(
      () => caseOf(tradeNo),
      (order) => order.callbacks[0].state === 'delivered',
    );
    const { attempts } = (await caseOf(tradeNo)).callbacks[0];
    expect(attempts.map(({ attempt }: { attempt: number }) => attempt)).toEqual(
      attempts.map((_: object, index: number) => index + 1),
    );
    expect(new Set(shop.of(tradeNo).map((message) => message.id))).toEqual(new Set([id]));
    expect((await audited(tradeNo))[0]).toEqual({
      action: 'callback.send_again',
      roles: ['SUPPORT'],
      merchant: one.id,
      before: null,
      after: { event: 'payout.processed' },
    });
    // The merchant reads it, without a name.
    const person = await product.person(one);
    const { data } = (await person.get('/api/merchant/audit-log')).json;
    expect(data.find(({ action }: { action: string }) => action.includes('send_again'))).toMatchObject({
      actorKind: 'staff',
      actor: null,
    });
  });

  it('do not reach a callback of another order or merchant', async () => {
    const [mine, theirs] = [await payout('52.00', { notifyUrl: shop.url }), await payout('53.00', {}, other)];
    const { callbacks } = await until(
      () => caseOf(mine),
      (order) => order.callbacks[0]?.state === 'delivered',
    );
    const none = '00000000-0000-4000-8000-000000000000';
    for (const [tradeNo, id] of [
      [theirs, callbacks[0].id],
      [mine, none],
      ['P0', callbacks[0].id],
    ]) {
      const { status, json } = await support.post(`${path}/${tradeNo}/callbacks/${id}/send-again`);
      expect([status, json.code]).toEqual([404, 'not_found']);
    }
    expect((await caseOf(mine)).callbacks[0].state).toBe('delivered');
  });

  it('are refused to a reviewer, who can read', async () => {
    const tradeNo = await payout('20.06');
    const refused = await reviewer.post(`/api/staff/payouts/${tradeNo}/take-up`);
    expect([refused.status, refused.json.code]).toEqual([403, 'forbidden']);
    expect(await audited(tradeNo)).toEqual([]);
    await becomes(tradeNo, 'processed');
  });
});

describe('an outcome by the bank’s statement', () => {
  /** A payout that was sent, whose outcome the channel never reports and nobody asks for. */
  async function unknown(): Promise<string> {
    return losing('ask-payout:', async () => {
      const tradeNo = await payout('20.06');
      await becomes(tradeNo, 'processing');
      return tradeNo;
    });
  }
  const statement = (outcome: string) => ({
    outcome,
    bankReference: 'LINE-7',
    reason: 'page 3 of the statement',
  });
  const ask = async (by: Visitor, tradeNo: string, body: object) => {
    const { json } = await uploadEvidence(by, tradeNo);
    const evidence = [json.data?.id ?? '1'];
    return by.post(`/api/staff/payouts/${tradeNo}/outcome`, { evidence, ...body });
  };
  const approve = (by: Visitor, id: string) => by.post(`/api/staff/requests/${id}/approve`, {});

  it.each([
    ['paid', 'processed', 'statement_paid'],
    ['failed', 'rejected', 'statement_failed'],
  ])('%s: two people decide, and a worker moves the payout', async (outcome, status, reason) => {
    const tradeNo = await unknown();
    expect(await caseOf(tradeNo)).toMatchObject({ isUnknown: true, requestId: null });
    const asked = await ask(finance, tradeNo, statement(outcome));
    expect(asked.status).toBe(200);
    const { requestId } = asked.json.data;
    expect((await caseOf(tradeNo)).requestId).toBe(requestId);
    expect((await ask(admin, tradeNo, statement(outcome))).json.code).toBe('request_waiting');
    expect((await approve(finance, requestId)).json.code).toBe('own_request');
    expect((await approve(support, requestId)).json.code).toBe('forbidden');
    expect((await caseOf(tradeNo)).isUnknown).toBe(true);
    const decisions = await Promise.all([approve(admin, requestId), approve(admin, requestId)]);
    expect(decisions.map(({ status }) => status).sort()).toEqual([200, 409]);
    const found = await becomes(tradeNo, status);
    expect(found.timeline.at(-1)).toMatchObject({ status, reason });
    expect(found).toMatchObject({
      bankReference: outcome === 'paid' ? 'LINE-7' : null,
      step: null,
      requestId: null,
      isUnknown: false,
    });
    expect(found.postings.at(-1).type).toBe(outcome === 'paid' ? 'payout_payment' : 'payout_refund');
    expect((await audited(tradeNo)).at(-1)).toMatchObject({
      action: expect.stringMatching(/payout.outcome|staff_request.approve/),
    });
    expect((await ask(finance, tradeNo, statement(outcome))).json.code).toBe('invalid_transition');
  });

  it('that is contradicted later is settled by neither of the two who decided it', async () => {
    const tradeNo = await unknown();
    const { requestId } = (await ask(finance, tradeNo, statement('paid'))).json.data;
    await approve(admin, requestId);
    await becomes(tradeNo, 'processed');
    const report = { reference: tradeNo, bankReference: 'x', reason: null, status: 'refused' } as const;
    await product.services.payouts.report(report);
    const settle = (by: Visitor) =>
      by.post(`/api/staff/payouts/${tradeNo}/contradictions/settle`, {
        note: 'The bank erred.',
        reports: [{ source: 'channel', reported: 'failed', bankReference: 'x' }],
      });
    for (const by of [finance, admin]) {
      const { status, json } = await settle(by);
      expect([status, json.code]).toEqual([403, 'own_decision']);
    }
    expect((await caseOf(tradeNo)).contradictions).toHaveLength(1);
    expect((await settle(await staff.member('third', 'FINANCE'))).status).toBe(204);
  });

  it('is not for support, not for payouts that were never sent, and not without a reference and a reason', async () => {
    const tradeNo = await unknown();
    for (const by of [support, reviewer])
      expect((await ask(by, tradeNo, statement('paid'))).status).toBe(403);
    for (const wrong of [
      {},
      { outcome: 'processed' },
      { bankReference: ' ' },
      { bankReference: 'x'.repeat(65) },
      { reason: '' },
      { reason: 'x'.repeat(301) },
      { merchantId: '1' },
    ]) {
      const body = wrong && Object.keys(wrong).length === 0 ? {} : { ...statement('paid'), ...wrong };
      expect((await ask(finance, tradeNo, body)).status).toBe(422);
    }
    expect((await ask(finance, 'P0', statement('paid'))).status).toBe(404);
    expect((await caseOf(tradeNo)).requestId).toBeNull();
    // Ends it, so that the books are checked without it.
    await support.post(`/api/staff/payouts/${tradeNo}/take-up`);
    await becomes(tradeNo, 'processed');
  });

  it('gives way to what the channel reported while the second person thought', async () => {
    const tradeNo = await unknown();
    const { requestId } = (await ask(finance, tradeNo, statement('failed'))).json.data;
    await support.post(`/api/staff/payouts/${tradeNo}/take-up`);
    await becomes(tradeNo, 'processed');
    expect((await approve(admin, requestId)).json.code).toBe('approval_changed');
    expect((await caseOf(tradeNo)).status).toBe('processed');
  });

  it('moves nothing by the job alone', async () => {
    const tradeNo = await unknown();
    await staff.runtime.database.asMerchant(one.id, (tx) =>
      sql`select enqueue_job('payouts.outcome', ${JSON.stringify({ merchantId: String(one.id), tradeNo })}::json, 0, ${`outcome:${tradeNo}`}, 1)`.execute(
        tx.query,
      ),
    );
    const isQueued = () =>
      asOwner(product.ownerUrl, async (client) => {
        const { rows } = await client.query(
          `select from graphile_worker._private_jobs where key = $1 union all select from merchant_job where key = $1`,
          [`outcome:${tradeNo}`],
        );
        return rows.length > 0;
      });
    await until(isQueued, (queued) => !queued);
    expect((await caseOf(tradeNo)).status).toBe('processing');
    await support.post(`/api/staff/payouts/${tradeNo}/take-up`);
    await becomes(tradeNo, 'processed');
  });
});

describe('the queue', () => {
  it('takes only jobs of orders from the back office, for the merchant of the transaction', async () => {
    const enqueue = (task: string, merchantId: bigint, key = `${task}:${merchantId}`, more: object = {}) =>
      staff.runtime.database.asMerchant(one.id, (tx) =>
        sql`select enqueue_job(${task}, ${JSON.stringify({ merchantId: String(merchantId), ...more })}::json, 3600, ${key}, 1)`.execute(
          tx.query,
        ),
      );
    await enqueue('payouts.ask', one.id, `ask-payout:${one.id}`);
    await expect(enqueue('payouts.ask', other.id)).rejects.toThrow('the back office cannot enqueue');
    await enqueue('payouts.release', one.id);
    await expect(enqueue('payouts.batchDecision', one.id)).rejects.toThrow('the back office cannot enqueue');
    await expect(enqueue('exports.make', one.id)).rejects.toThrow('the back office cannot enqueue');
    // A key that another job may have would replace that job.
    const [mine, theirs] = [await payout('20.00'), await payout('20.00', {}, other)];
    await enqueue('payouts.ask', one.id, `ask-payout:${mine}`, { tradeNo: mine });
    for (const [task, key, tradeNo] of [
      ['payouts.ask', `send:${mine}`, mine],
      ['payouts.ask', `ask-payout:${theirs}`, mine],
      ['payouts.ask', `ask-payout:${theirs}`, theirs],
      ['payouts.send', `send:${theirs}`, theirs],
      ['payouts.release', 'payouts.release:1', undefined],
      ['payouts.send', 'ledger.proof', mine],
    ] as const)
      await expect(enqueue(task, one.id, key, tradeNo ? { tradeNo } : {}), key).rejects.toThrow(
        'the back office cannot use the key',
      );
    const others = staff.runtime.database.asSystem((tx) =>
      sql`select dequeue_job('probe')`.execute(tx.query),
    );
    await expect(others).rejects.toThrow('permission denied');
  });
});
