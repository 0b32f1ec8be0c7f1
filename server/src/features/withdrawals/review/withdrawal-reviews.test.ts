import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { asOwner } from '#db/owner.ts';
import { TestProduct } from '../../../testing/test-product.ts';
import { TestStaff } from '../../../testing/test-staff.ts';
import { until } from '../../../testing/until.ts';
import type { Visitor } from '../../../testing/visitor.ts';
import { waitingForLocks } from '../../../testing/waiting-for-locks.ts';
import { SuspensionService } from '../../suspension/suspension.service.ts';
import { lockPayment } from './withdrawals-review.sql.ts';

const path = '/api/staff/withdrawal-reviews';
const requests = '/api/staff/requests';
const operator = 'operator:test';
const tron = 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t';
const depositTron = 'TJRabPrwbZy45sbavfcjinPJC18kjpRTv8';
const paymentPassword = '888888';

let product: TestProduct;
let staff: TestStaff;
let merchant: Visitor;
let other: Visitor;
let admin: Visitor;
let reviewer: Visitor;
let finance: Visitor;
let second: Visitor;
let support: Visitor;

beforeAll(async () => {
  product = await TestProduct.start(inject('ownerUrl'), { bank: true });
  const { withdrawalTerms, depositWallets } = product.services;
  await withdrawalTerms.setRate('CNY', '7.15', operator);
  await depositWallets.set(
    { network: 'TRC20', address: depositTron, minimumUsdtMinor: 10_000_000n },
    operator,
  );
  staff = await TestStaff.start(product, { env: { FOUR_EYES_FROM: '500' } });
  merchant = await withdrawer('drawer');
  other = await withdrawer('elsewhere');
  admin = await staff.member('admin', 'ADMIN');
  reviewer = await staff.member('reviewer', 'REVIEWER');
  finance = await staff.member('finance', 'FINANCE');
  second = await staff.member('second', 'FINANCE');
  support = await staff.member('support', 'SUPPORT');
});
afterAll(async () => {
  expect(await product.violations()).toEqual([]);
  expect(await product.deadlocks()).toBe(0);
  await staff.close();
  await product.close();
});

/** Somebody at a merchant with funds and terms for withdrawals. */
async function withdrawer(code: string): Promise<Visitor> {
  const made = await product.merchant(code);
  await product.fund(made, '900000.00');
  const terms = { feeUsdtMinor: 1_000_000n, freePerDay: 0, minimumUsdtMinor: 10_000_000n };
  await product.services.withdrawalTerms.setTerms(made.id, terms, operator);
  const visitor = await product.person(made);
  await visitor.post('/api/user/confirm-password', { password: 'Test-pass-2026' });
  const set = { payment_password: paymentPassword, payment_password_confirmation: paymentPassword };
  await visitor.send('PUT', '/api/merchant/payment-password', set);
  return visitor;
}

/** Applies for a withdrawal; returns its number. */
async function apply(amount: string, address = tron, by = merchant): Promise<string> {
  const body = { amount, unit: 'usdt', network: 'TRC20', address, payment_password: paymentPassword };
  const { status, json } = await by.post('/api/merchant/withdrawals', body);
  expect([status, json.code]).toEqual([201, undefined]);
  return json.data.trade_no;
}

/** Applies for a withdrawal, and approves it; returns its number. */
async function approved(amount: string): Promise<string> {
  const no = await apply(amount);
  expect((await reviewer.post(`${path}/${no}/approve`)).json.data.status).toBe('approved');
  return no;
}

const transaction = () => randomBytes(32).toString('hex');
const statusOf = async (no: string, by = merchant) =>
  (await by.get(`/api/merchant/withdrawals/${no}`)).json.data.status;
const pay = (by: Visitor, no: string, transactionId = transaction()) =>
  by.post(`${path}/${no}/pay`, { transactionId });
const requestOf = async (no: string): Promise<string> =>
  (await support.get(`${path}/${no}`)).json.data.requestId;

describe('the review of a withdrawal in the back office', () => {
  it('approves, pays with the transaction, and records both with who did it', async () => {
    const no = await approved('100');
    // A reviewer does not pay, and finance does not decide.
    expect((await pay(reviewer, no)).status).toBe(403);
    expect((await finance.post(`${path}/${no}/reject`, { reason: 'no' })).status).toBe(403);
    expect((await pay(finance, no, '0x12')).status).toBe(422);
    const hash = transaction();
    expect((await pay(finance, no, hash)).json.data).toMatchObject({ status: 'paid', transactionId: hash });
    expect((await pay(finance, await approved('101'), hash)).json.code).toBe('conflict');
    const { rows } = await product.services.database.asSystem((tx) =>
      sql<object>`select roles, action, before->>'status' as before, after->>'status' as after from audit
        where subject = ${no} and actor like 'staff:%' order by id`.execute(tx.query),
    );
    expect(rows).toEqual([
      { roles: ['REVIEWER'], action: 'withdrawal.approved', before: 'pendingReview', after: 'approved' },
      { roles: ['FINANCE'], action: 'withdrawal.paid', before: 'approved', after: 'paid' },
    ]);
  });

  it('rejects with a reason that the merchant reads, and returns the money once', async () => {
    const account = async () => (await merchant.get('/api/merchant/account')).json.data.available;
    const before = await account();
    const no = await apply('100');
    const answers = await Promise.all(
      [admin, reviewer, admin].map((each) => each.post(`${path}/${no}/reject`, { reason: '地址有误。' })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
    expect((await merchant.get(`/api/merchant/withdrawals/${no}`)).json.data).toMatchObject({
      status: 'rejected',
      rejectReason: '地址有误。',
    });
    expect(await account()).toBe(before);
  });

  it('rejects more withdrawals at once than the back office has connections', async () => {
    const numbers: string[] = [];
    for (let each = 0; each < 6; each++) numbers.push(await apply('20'));
    const { withdrawalReview } = staff.runtime.services;
    let rejections: Promise<{ status: string }[]> | undefined;
    await product.services.database.asSystem(async (tx) => {
      for (const no of numbers) await lockPayment(tx, no);
      rejections = Promise.all(numbers.map((no) => withdrawalReview.reject(no, operator, 'closed')));
      rejections.catch(() => {});
      // Each connection of the back office has a rejection now, which waits for its lock.
      await until(
        () => waitingForLocks(product.ownerUrl),
        (count) => count === 5,
      );
    });
    expect((await rejections)?.map(({ status }) => status)).toEqual(numbers.map(() => 'rejected'));
  });

  it('tells of a wallet that is new, shared with another merchant, or the service’s own', async () => {
    const shared = `T${'NPeeaaFB7K9cmo4uQpcU32zGK8G1NYqeL'}`;
    const [one] = [await apply('20', shared)];
    expect((await support.get(`${path}/${one}`)).json.data).toMatchObject({
      isWalletKnown: false,
      isWalletShared: false,
      isDepositWallet: false,
    });
    const two = await apply('21', shared, other);
    const { data } = (await support.get(`${path}/${one}`)).json;
    expect(data.isWalletShared).toBe(true);
    expect(data.toWallet).toMatchObject([{ trade_no: two, merchant: 'elsewhere', usdt: '21.000000' }]);
    expect(data.day.count).toBeGreaterThanOrEqual(1);
    const own = await apply('20', depositTron);
    expect((await support.get(`${path}/${own}`)).json.data.isDepositWallet).toBe(true);
    await reviewer.post(`${path}/${one}/approve`);
    await pay(finance, one);
    expect((await support.get(`${path}/${await apply('22', shared)}`)).json.data.isWalletKnown).toBe(true);
  });

  it('belongs to whoever took it', async () => {
    const no = await apply('30');
    expect((await support.post(`${path}/${no}/claim`)).status).toBe(403);
    expect((await finance.post(`${path}/${no}/claim`)).status).toBe(403);
    expect((await reviewer.post(`${path}/${no}/claim`)).json.data.claim).toMatchObject({ isOwn: true });
    const refused = await admin.post(`${path}/${no}/approve`);
    expect([refused.json.code, refused.json.message]).toEqual([
      'case_taken',
      expect.stringContaining('reviewer'),
    ]);
    await reviewer.send('DELETE', `${path}/${no}/claim`);
    expect((await admin.post(`${path}/${no}/approve`)).status).toBe(200);
  });

  it('leaves no money to a merchant that is suspended', async () => {
    const no = await apply('20', tron, await withdrawer('stopped'));
    const { database, onMerchantReactivated: onReactivated } = product.services;
    const suspension = new SuspensionService({ database, actor: operator, onReactivated });
    const found = await database.asSystem((tx) =>
      tx.query.selectFrom('merchant').select('id').where('code', '=', 'stopped').executeTakeFirstOrThrow(),
    );
    await suspension.suspendMerchant(found.id, 'test');
    expect((await reviewer.post(`${path}/${no}/approve`)).json.code).toBe('merchant_suspended');
    expect((await reviewer.post(`${path}/${no}/reject`, { reason: 'closed' })).status).toBe(200);
  });
});

describe('a payment above the amount', () => {
  it('waits for a second person, who is never the one who asked', async () => {
    const no = await approved('500');
    const hash = transaction();
    const { json } = await pay(finance, no, hash);
    expect(json.data).toMatchObject({ status: 'approved', needsSecond: true, requestId: expect.any(String) });
    const id = json.data.requestId;
    expect((await support.get(requests)).json.data).toMatchObject([
      {
        id,
        kind: 'withdrawalPayment',
        merchant: { code: 'drawer' },
        subject: no,
        requestedBy: 'finance',
        isOwn: false,
        mayDecide: false,
        facts: expect.arrayContaining([{ name: 'transaction', before: null, after: hash }]),
      },
    ]);
    expect((await finance.post(`${requests}/${id}/approve`, {})).json.code).toBe('own_request');
    expect((await finance.post(`${requests}/${id}/refuse`, { reason: 'x' })).json.code).toBe('own_request');
    // Somebody who may not pay cannot agree to a payment either.
    for (const each of [reviewer, support])
      expect((await each.post(`${requests}/${id}/approve`, {})).json.code).toBe('forbidden');
    expect((await pay(second, no)).json.code).toBe('case_taken');
    expect((await pay(finance, no)).json.code).toBe('request_waiting');
    expect(await statusOf(no)).toBe('approved');
    const answers = await Promise.all(
      [second, admin, second].map((each) => each.post(`${requests}/${id}/approve`, {})),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
    expect((await merchant.get(`/api/merchant/withdrawals/${no}`)).json.data).toMatchObject({
      status: 'paid',
      transactionId: hash,
    });
    expect((await finance.get(`${requests}/${id}`)).json.data).toMatchObject({
      state: 'approved',
      mayDecide: false,
    });
  });

  it('is refused with a reason, withdrawn by the one who asked, and can be asked for again', async () => {
    const no = await approved('600');
    await pay(finance, no);
    const id = await requestOf(no);
    expect((await second.post(`${requests}/${id}/refuse`, { reason: ' ' })).status).toBe(422);
    expect((await second.post(`${requests}/${id}/withdraw`)).status).toBe(403);
    expect((await second.post(`${requests}/${id}/refuse`, { reason: 'wrong hash' })).json.data).toMatchObject(
      {
        state: 'refused',
        endReason: 'wrong hash',
        endedBy: 'second',
      },
    );
    expect((await second.post(`${requests}/${id}/approve`, {})).json.code).toBe('invalid_transition');
    expect(await requestOf(no)).toBe(null);
    await pay(finance, no);
    const again = await requestOf(no);
    expect((await finance.post(`${requests}/${again}/withdraw`)).json.data.state).toBe('withdrawn');
    expect(await statusOf(no)).toBe('approved');
  });

  it('is not made any more once the one who asked has been disabled', async () => {
    const gone = await staff.member('gone', 'FINANCE');
    const no = await approved('650');
    await pay(gone, no);
    const id = await requestOf(no);
    await staff.runtime.accounts.setDisabled('gone@staff.test', true, operator);
    expect((await second.post(`${requests}/${id}/approve`, {})).json.code).toBe('approval_changed');
    expect(await statusOf(no)).toBe('approved');
    expect((await second.post(`${requests}/${id}/refuse`, { reason: 'gone' })).status).toBe(200);
  });

  it('keeps the withdrawal from being rejected while it waits, and expires after three days', async () => {
    const no = await approved('700');
    const reject = () => staff.runtime.services.withdrawalReview.reject(no, operator, 'not sent');
    await pay(finance, no);
    const id = await requestOf(no);
    await expect(reject()).rejects.toMatchObject({ code: 'request_waiting' });
    expect(await statusOf(no)).toBe('approved');
    await asOwner(product.ownerUrl, (client) =>
      client.query("update staff_request set expires_at = now() - interval '1 millisecond' where id = $1", [
        id,
      ]),
    );
    expect((await second.post(`${requests}/${id}/approve`, {})).json.code).toBe('invalid_transition');
    await staff.runtime.requests.expire();
    expect((await second.get(`${requests}/${id}`)).json.data).toMatchObject({
      state: 'expired',
      endedBy: null,
    });
  });

  it('and a rejection exclude each other, whichever comes first', async () => {
    for (const amount of ['701', '702', '703', '704']) {
      const no = await approved(amount);
      const rejected = staff.runtime.services.withdrawalReview
        .reject(no, operator, 'not sent')
        .then(() => 'done', String);
      const [asked, outcome] = await Promise.all([pay(finance, no), rejected]);
      const isAsked = (await requestOf(no)) !== null;
      expect([isAsked, outcome === 'done', await statusOf(no)]).toEqual(
        isAsked ? [true, false, 'approved'] : [false, true, 'rejected'],
      );
      expect(asked.status).toBe(isAsked ? 200 : 409);
    }
  });

  it('asked for by an operator waits, too; with --break-glass it is made, and everybody is told', async () => {
    const no = await approved('800');
    const { withdrawalPayments } = staff.runtime.services;
    const id = await withdrawalPayments.pay(no, operator, transaction());
    expect((await finance.get(`${requests}/${id}`)).json.data).toMatchObject({
      requestedBy: operator,
      mayDecide: true,
    });
    await staff.runtime.requests.withdraw(operator, BigInt(String(id)));
    const alerts = async (by: Visitor) => (await by.get('/api/staff/alerts')).json.data;
    expect(await alerts(finance)).toEqual([]);
    const breakGlass = 'the merchant’s bank closes';
    expect(await withdrawalPayments.pay(no, operator, transaction(), { breakGlass })).toBe(undefined);
    expect(await statusOf(no)).toBe('paid');
    for (const each of [finance, support]) {
      const [alert] = await alerts(each);
      expect(alert).toMatchObject({
        kind: 'withdrawalPayment',
        actor: operator,
        subject: no,
        reason: breakGlass,
      });
      expect((await each.send('PUT', `/api/staff/alerts/${alert.id}/read`)).status).toBe(204);
      expect(await alerts(each)).toEqual([]);
    }
    expect(await alerts(second)).toHaveLength(1);
    expect((await finance.send('PUT', '/api/staff/alerts/999999/read')).status).toBe(404);
  });

  it('is held by the database, too: nobody’s own approval is stored, and no decision is changed', async () => {
    const no = await approved('900');
    await pay(finance, no);
    const id = await requestOf(no);
    const end = (set: string) =>
      staff.runtime.database.asSystem((tx) =>
        sql`update staff_request set ${sql.raw(set)}, ended_at = now() where id = ${id}::bigint`.execute(
          tx.query,
        ),
      );
    await expect(end(`state = 'approved', ended_by = requested_by`)).rejects.toThrow(
      'staff_request_four_eyes',
    );
    await expect(end(`state = 'approved', ended_by = 'operator:test'`)).rejects.toThrow(
      'staff_request_four_eyes',
    );
    await expect(end(`change = '{}', state = 'withdrawn'`)).rejects.toThrow('permission denied');
    await second.post(`${requests}/${id}/refuse`, { reason: 'no' });
    await expect(end(`state = 'withdrawn'`)).rejects.toThrow();
  });
});
