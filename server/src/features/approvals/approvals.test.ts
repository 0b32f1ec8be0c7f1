import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { Colleague, openOffice, payoutRule } from '../../testing/approving-office.ts';
import { ShopProgram } from '../../testing/shop-program.ts';
import { TestProduct } from '../../testing/test-product.ts';
import { until } from '../../testing/until.ts';

let product: TestProduct;
let merchants = 0;

beforeAll(async () => {
  product = await TestProduct.start(inject('ownerUrl'), {
    bank: true,
    worker: true,
  });
});
afterAll(async () => {
  expect(await product.violations()).toEqual([]);
  expect(await product.deadlocks()).toBe(0);
  await product.close();
});

/** A merchant with funds of 9,940.00, an owner, a clerk and two approvers; payouts from 100.00 on need approval. */
const office = (rules = [payoutRule('100.00')]) => openOffice(product, `office${++merchants}`, { rules });

const ended = (colleague: Colleague, tradeNo: string) =>
  until(
    () => colleague.payout(tradeNo),
    ({ status }) => status === 'processed' || status === 'rejected',
    30_000,
  );
/** The mark of the account that `pay` pays by default. */
const newAccount = { mark: 'newAccount', before: null, after: '6222021234567890128' } as const;
const outcome = ({ status, json }: { status: number; json: { code?: string } }) => [status, json.code];

describe('a payout that a rule covers', () => {
  it('locks its funds, waits, and is sent once it is approved', async () => {
    const { clerk, approvers } = await office();
    const { json } = await clerk.pay('100.00');
    expect(json.data).toMatchObject({ status: 'pending', approvalState: 'waiting' });
    const { trade_no } = json.data;
    expect(await clerk.funds()).toEqual(['9839.80', '100.20']);
    const requestNo = await clerk.requestOf(trade_no);
    const [first, second] = approvers;
    expect(await first.waitingForMe()).toEqual([requestNo]);
    expect((await first.visitor.get('/api/merchant/approvals-waiting')).json.data.count).toBe(1);
    expect(await clerk.waitingForMe()).toEqual([]);
    expect(await first.request(requestNo)).toMatchObject({
      kind: 'payout',
      state: 'waiting',
      subject_no: trade_no,
      amount: '100.00',
      target: '王芳 · 6222021234567890128',
      requestedBy: 'FINANCE',
      approvals: 0,
      needed: 1,
      isYours: false,
      isForYou: true,
      marks: [{ mark: 'newAccount', before: null, after: '6222021234567890128' }],
    });
    const answer = await first.approve(requestNo);
    expect([answer.status, answer.json.data.state]).toEqual([200, 'approved']);
    const paid = await ended(clerk, trade_no);
    expect(paid).toMatchObject({ status: 'processed', approvalState: 'approved' });
    expect(paid.timeline.map(({ reason }: { reason: string }) => reason).slice(0, 4)).toEqual([
      'created',
      'approval_asked',
      'approval_given',
      'sent',
    ]);
    expect(await second.waitingForMe()).toEqual([]);
    expect(outcome(await second.approve(requestNo))).toEqual([409, 'invalid_transition']);
    const { data: notices } = (await clerk.visitor.get('/api/merchant/notices')).json;
    expect(notices).toContainEqual(expect.objectContaining({ kind: 'requestApproved', subject: requestNo }));
    expect((await first.visitor.get('/api/merchant/notices')).json.data[0].kind).toBe('approvalsWaiting');
  });

  it('below the amount is sent at once', async () => {
    const { clerk } = await office();
    const { data } = (await clerk.pay('99.99')).json;
    expect(data.approvalState).toBeNull();
    expect(await ended(clerk, data.trade_no)).toMatchObject({ status: 'processed' });
  });

  it('is rejected when it is refused, and its funds return', async () => {
    const { clerk, approvers } = await office();
    const { trade_no } = (await clerk.pay('250.00')).json.data;
    const requestNo = await clerk.requestOf(trade_no);
    expect(outcome(await approvers[0].refuse(requestNo, ' '))).toEqual([422, 'validation_failed']);
    expect((await approvers[0].refuse(requestNo, 'not ordered')).json.data.state).toBe('refused');
    const order = await clerk.payout(trade_no);
    expect(order).toMatchObject({ status: 'rejected', approvalState: 'refused' });
    expect(order.timeline.at(-1)).toMatchObject({ reason: 'approval_refused', detail: 'not ordered' });
    expect(await clerk.funds()).toEqual(['9940.00', '0.00']);
    expect(await clerk.request(requestNo)).toMatchObject({
      reason: 'not ordered',
      decisions: [{ name: 'APPROVER', verdict: 'refused', reason: 'not ordered' }],
    });
  });

  it('can be withdrawn by the person who asked, and by nobody else', async () => {
    const { owner, clerk } = await office();
    const { trade_no } = (await clerk.pay('250.00')).json.data;
    const requestNo = await clerk.requestOf(trade_no);
    expect(outcome(await owner.withdraw(requestNo))).toEqual([403, 'forbidden']);
    expect((await clerk.withdraw(requestNo)).json.data.state).toBe('withdrawn');
    expect(outcome(await clerk.withdraw(requestNo))).toEqual([409, 'invalid_transition']);
    expect(await clerk.payout(trade_no)).toMatchObject({ status: 'rejected', approvalState: 'withdrawn' });
    expect(await clerk.funds()).toEqual(['9940.00', '0.00']);
  });

  it('expires, and cannot be approved any more', async () => {
    const { merchant, clerk, approvers } = await office();
    const { trade_no } = (await clerk.pay('250.00')).json.data;
    const requestNo = await clerk.requestOf(trade_no);
    await product.services.database.asSystemFor(merchant.id, (tx) =>
      sql`update approval_request set expires_at = now() - interval '1 millisecond' where merchant_id = ${merchant.id} and request_no = ${requestNo}`.execute(
        tx.query,
      ),
    );
    expect(outcome(await approvers[0].approve(requestNo, [newAccount]))).toEqual([409, 'invalid_transition']);
    await product.services.approvals.expire();
    expect(await clerk.request(requestNo)).toMatchObject({ state: 'expired' });
    expect(await clerk.payout(trade_no)).toMatchObject({ status: 'rejected', approvalState: 'expired' });
    expect(await clerk.funds()).toEqual(['9940.00', '0.00']);
  });

  it('of a program waits likewise, and its call and callback say so', async () => {
    const { merchant, clerk, approvers } = await office();
    const order = {
      out_trade_no: 'approved-1',
      currency: 'CNY',
      channel: 'CN_BANK',
      amount: '300.00',
      payee: '李明',
      payeeAccount: '6222021234567890995',
      bank: 'ICBC',
      bankName: '中国工商银行',
      branchName: '北京朝阳支行',
    };
    const made = await merchant.program.post('/openapi/v1/payouts', order);
    expect([made.status, made.json.status, made.json.approvalState]).toEqual([201, 'pending', 'waiting']);
    // A repeated call returns the same payout, and asks for nothing anew.
    expect((await merchant.program.post('/openapi/v1/payouts', order)).json).toEqual(made.json);
    const requestNo = await clerk.requestOf(made.json.trade_no);
    expect((await approvers[0].approve(requestNo)).status).toBe(200);
    await ended(clerk, made.json.trade_no);
    const found = await merchant.program.get(`/openapi/v1/payouts/${made.json.trade_no}`);
    expect(found.json).toMatchObject({ status: 'processed', approvalState: 'approved' });
  });

  it('is not sent by anybody who goes around its request', async () => {
    const { merchant, clerk } = await office();
    const { trade_no } = (await clerk.pay('250.00')).json.data;
    const { database, payoutDispatch, payoutTakeUp } = product.services;
    await expect(payoutTakeUp.takeUp(trade_no, 'operator:test')).rejects.toMatchObject({
      code: 'invalid_transition',
    });
    await expect(
      database.asSystemFor(merchant.id, (tx) =>
        sql`update payout set status = 'pendingSettlement', sent_at = now()
          where merchant_id = ${merchant.id} and trade_no = ${trade_no}`.execute(tx.query),
      ),
    ).rejects.toThrow(/is not approved/);
    const task = payoutDispatch.tasks['payouts.send'];
    await task?.({ merchantId: String(merchant.id), tradeNo: trade_no });
    expect(await clerk.payout(trade_no)).toMatchObject({ status: 'pending', approvalState: 'waiting' });
    // Staff rejects it: the request ends with it.
    await product.services.payouts.rejectUnsent(trade_no, 'operator:test', 'asked by phone');
    expect(await clerk.payout(trade_no)).toMatchObject({ status: 'rejected', approvalState: 'refused' });
    expect(await clerk.request(await clerk.requestOf(trade_no))).toMatchObject({ state: 'refused' });
  });
});

describe('splitting', () => {
  it('does not help: what one account gets within a day counts together', async () => {
    const { clerk, owner } = await office();
    const states: unknown[] = [];
    for (const [payer, amount] of [
      [clerk, '40.00'],
      [owner, '41.00'],
      [clerk, '19.00'],
      [owner, '18.99'],
    ] as const)
      states.push((await payer.pay(amount)).json.data.approvalState);
    // 40 + 41 = 81; with 19 it would be 100, which waits and does not count; with 18.99 it is 99.99.
    expect(states).toEqual([null, null, 'waiting', null]);
  });

  it('does not help: what one requester sends within a day counts together', async () => {
    const { clerk, owner } = await office();
    const to = (n: 1 | 2 | 3) => `622202123456789${{ 1: '0011', 2: '0029', 3: '0037' }[n]}`;
    expect((await clerk.pay('60.00', to(1))).json.data.approvalState).toBeNull();
    expect((await clerk.pay('40.00', to(2))).json.data.approvalState).toBe('waiting');
    expect((await owner.pay('40.00', to(3))).json.data.approvalState).toBeNull();
  });

  it('does not help: all programs of a merchant are one requester, whatever key they have', async () => {
    const { merchant, owner } = await office();
    const pay = (program: typeof merchant.program, n: number) =>
      program.post('/openapi/v1/payouts', {
        out_trade_no: `keys-${n}`,
        currency: 'CNY',
        channel: 'CN_BANK',
        amount: '60.00',
        payee: '李明',
        payeeAccount: `12345678900${n}`,
        bank: 'ICBC',
        bankName: 'ICBC',
      });
    expect((await pay(merchant.program, 1)).json.approvalState).toBeNull();
    const made = await owner.authorized('PUT', '/api/merchant/access-key/regenerate', { overlapHours: 24 });
    const { keyId: id, secret } = made.json.data;
    expect((await pay(new ShopProgram(product.url, { id, secret }), 2)).json.approvalState).toBe('waiting');
  });

  it('counts what was sent before the first rule', async () => {
    const { clerk, owner } = await office([]);
    expect((await clerk.pay('60.00')).json.data.approvalState).toBeNull();
    expect((await owner.setRules([payoutRule('100.00')])).status).toBe(200);
    expect((await clerk.pay('45.00')).json.data.approvalState).toBe('waiting');
  });

  it('of calls at the same moment does not help', async () => {
    const { merchant } = await office();
    const make = (n: number) =>
      merchant.program.post('/openapi/v1/payouts', {
        out_trade_no: `split-${n}`,
        currency: 'CNY',
        channel: 'CN_BANK',
        amount: `10.0${n}`,
        payee: '李明',
        payeeAccount: '6222021234567890771',
        bank: 'ICBC',
        bankName: '中国工商银行',
        branchName: '北京朝阳支行',
      });
    const made = await Promise.all(Array.from({ length: 10 }, (_, n) => make(n)));
    const free = made.filter(({ json }) => json.approvalState === null);
    // 10.00 + … + 10.09 = 100.45: exactly one has to wait.
    expect([made.length, free.length]).toEqual([10, 9]);
  });
});

describe('an approval', () => {
  it('is never one’s own, nor that of somebody whom no rule names, nor without a second factor', async () => {
    const { merchant, owner, clerk, approvers } = await office([
      payoutRule('100.00', 1, { roles: ['APPROVER', 'ROOT'] }),
    ]);
    const { trade_no } = (await owner.pay('250.00')).json.data;
    const requestNo = await owner.requestOf(trade_no);
    expect(outcome(await owner.approve(requestNo))).toEqual([403, 'own_request']);
    expect(outcome(await owner.refuse(requestNo))).toEqual([403, 'own_request']);
    const admin = await Colleague.join(product, merchant, { role: 'MERCHANT_ADMIN', name: 'admin' });
    expect(outcome(await admin.approve(requestNo))).toEqual([403, 'not_approver']);
    expect(outcome(await clerk.approve(requestNo))).toEqual([403, 'forbidden']);
    const bare = await Colleague.join(product, merchant, {
      role: 'APPROVER',
      name: 'bare',
      hasFactor: false,
    });
    expect(outcome(await bare.approve(requestNo))).toEqual([403, 'two_factor_required']);
    const factorless = await approvers[0].visitor.post(`/api/merchant/approvals/${requestNo}/approval`, {
      seen: [newAccount],
      payment_password: '888888',
    });
    expect(outcome(factorless)).toEqual([422, 'validation_failed']);
    const wrong = await approvers[0].authorized('POST', `/api/merchant/approvals/${requestNo}/approval`, {
      seen: [newAccount],
      payment_password: '111111',
    });
    expect(outcome(wrong)).toEqual([422, 'validation_failed']);
    expect(await owner.payout(trade_no)).toMatchObject({ approvalState: 'waiting' });
    // Another merchant’s people find nothing.
    const other = await office();
    expect(outcome(await other.approvers[0].approve(requestNo, []))).toEqual([404, 'not_found']);
    expect((await approvers[0].approve(requestNo)).status).toBe(200);
  });

  it('needs as many people as the rule asks for; each counts once, also at the same moment', async () => {
    const { clerk, approvers, owner } = await office([payoutRule('100.00', 2)]);
    const [first, second] = approvers;
    const { trade_no } = (await clerk.pay('250.00')).json.data;
    const requestNo = await clerk.requestOf(trade_no);
    const elsewhere = await first.elsewhere();
    const twice = await Promise.all([first.approve(requestNo), elsewhere.approve(requestNo)]);
    expect(twice.map(({ status }) => status).filter((status) => status === 200)).toHaveLength(1);
    expect(await owner.request(requestNo)).toMatchObject({ state: 'waiting', approvals: 1, needed: 2 });
    expect(outcome(await first.approve(requestNo))).toEqual([409, 'already_decided']);
    expect((await second.approve(requestNo)).json.data.state).toBe('approved');
    expect(await ended(clerk, trade_no)).toMatchObject({ status: 'processed' });
  });

  it('of two people at the same instant sends the payout once', async () => {
    const { clerk, approvers } = await office();
    const { trade_no } = (await clerk.pay('250.00')).json.data;
    const requestNo = await clerk.requestOf(trade_no);
    const both = await Promise.all(approvers.map((approver) => approver.approve(requestNo)));
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 409]);
    const { timeline } = await ended(clerk, trade_no);
    const reasons = timeline.map(({ reason }: { reason: string }) => reason);
    expect(reasons.filter((reason: string) => reason === 'approval_given')).toHaveLength(1);
  });

  it('does not count from somebody who was suspended in between', async () => {
    const { merchant, owner, clerk, approvers } = await office([payoutRule('100.00', 2)]);
    const [first, second] = approvers;
    const third = await Colleague.join(product, merchant, { role: 'APPROVER', name: 'third' });
    const { trade_no } = (await clerk.pay('250.00')).json.data;
    const requestNo = await clerk.requestOf(trade_no);
    expect((await first.approve(requestNo)).status).toBe(200);
    await owner.visitor.post('/api/user/confirm-password', { password: 'Test-pass-2026' });
    const suspension = await owner.visitor.post(`/api/merchant/team/members/${first.id}/suspension`, {});
    expect(suspension.status).toBe(204);
    expect((await first.visitor.get('/api/merchant/approvals')).status).toBe(401);
    expect((await second.approve(requestNo)).json.data.state).toBe('waiting');
    expect((await third.approve(requestNo)).json.data.state).toBe('approved');
    await ended(clerk, trade_no);
  });

  it('is refused if something to know has come up since the request was opened', async () => {
    const { clerk, approvers } = await office();
    const { trade_no } = (await clerk.pay('250.00')).json.data;
    const requestNo = await clerk.requestOf(trade_no);
    expect(outcome(await approvers[0].approve(requestNo, []))).toEqual([409, 'approval_changed']);
    const twin = await clerk.pay('250.00', '6222021234567890128', { confirmSimilar: true });
    expect(twin.json.data.approvalState).toBe('waiting');
    expect(outcome(await approvers[0].approve(requestNo, [newAccount]))).toEqual([409, 'approval_changed']);
    expect((await approvers[0].request(requestNo)).marks).toContainEqual({
      mark: 'equalPayment',
      before: null,
      after: twin.json.data.trade_no,
    });
    expect((await approvers[0].approve(requestNo)).status).toBe(200);
  });

  it('can be followed by second thoughts: somebody who has approved can still refuse', async () => {
    const { clerk, approvers } = await office([payoutRule('100.00', 2)]);
    const { trade_no } = (await clerk.pay('250.00')).json.data;
    const requestNo = await clerk.requestOf(trade_no);
    expect((await approvers[0].approve(requestNo)).json.data.state).toBe('waiting');
    expect((await approvers[0].refuse(requestNo)).json.data.state).toBe('refused');
    expect(await clerk.funds()).toEqual(['9940.00', '0.00']);
  });

  it('counts again once its author is back', async () => {
    const { merchant, owner, clerk, approvers } = await office([payoutRule('100.00', 2)]);
    const [first, second] = approvers;
    const { trade_no } = (await clerk.pay('250.00')).json.data;
    const requestNo = await clerk.requestOf(trade_no);
    expect((await first.approve(requestNo)).status).toBe(200);
    await owner.visitor.post('/api/user/confirm-password', { password: 'Test-pass-2026' });
    await owner.visitor.post(`/api/merchant/team/members/${first.id}/suspension`, {});
    expect((await second.approve(requestNo)).json.data.state).toBe('waiting');
    await product.services.database.asSystemFor(merchant.id, (tx) =>
      sql`update membership set disabled_at = null where user_id = ${first.id}`.execute(tx.query),
    );
    expect((await second.approve(requestNo)).json.data.state).toBe('approved');
    await ended(clerk, trade_no);
  });

  it('of many at once takes one password, and leaves those with something to know', async () => {
    const { clerk, approvers } = await office();
    const account = '6222021234567890128';
    const numbers: string[] = [];
    for (const amount of ['101.00', '102.00'])
      numbers.push(await clerk.requestOf((await clerk.pay(amount, account)).json.data.trade_no));
    const many = (request_nos: string[]) =>
      approvers[0].authorized('POST', '/api/merchant/approvals-approval', { request_nos });
    expect((await many(numbers)).json.data.map(({ reason }: { reason: string }) => reason)).toEqual([
      'approval_changed',
      'approval_changed',
    ]);
    // An account that was paid long ago is not new.
    const { trade_no } = (await clerk.pay('5.00', account)).json.data;
    await ended(clerk, trade_no);
    await product.services.database.asSystem((tx) =>
      sql`update payout set created_at = created_at - interval '40 days' where trade_no = ${trade_no}`.execute(
        tx.query,
      ),
    );
    const outcomes = (await many([...numbers, 'A0'])).json.data;
    expect(outcomes.map(({ isApproved }: { isApproved: boolean }) => isApproved)).toEqual([
      true,
      true,
      false,
    ]);
  });
});

describe('the rules', () => {
  it('begin at once, and are changed only with the approval that they ask for', async () => {
    const { merchant, owner, approvers } = await office();
    const admin = await Colleague.join(product, merchant, { role: 'MERCHANT_ADMIN', name: 'admin' });
    const waiting = (await admin.setRules([])).json.data.request_no;
    expect(waiting).toMatch(/^A\d+/);
    const path = '/api/merchant/approval-rules';
    expect((await owner.visitor.get(path)).json.data).toMatchObject({
      rules: [{ kind: 'payout', amount: '100.00', approvers: 1, roles: ['APPROVER'], people: [] }],
      days: 7,
      waiting,
    });
    // Nobody can have a second change waiting, and nobody who is not named approves the first.
    expect(outcome(await owner.setRules([payoutRule('5.00')]))).toEqual([409, 'request_waiting']);
    expect(outcome(await owner.approve(waiting))).toEqual([403, 'not_approver']);
    expect(outcome(await admin.approve(waiting))).toEqual([403, 'own_request']);
    expect(await approvers[0].request(waiting)).toMatchObject({
      kind: 'rules',
      change: { before: { rules: [{ amount: '100.00' }] }, after: { rules: [], days: 7 } },
    });
    expect((await approvers[0].approve(waiting)).json.data.state).toBe('approved');
    expect((await owner.visitor.get(path)).json.data).toMatchObject({ rules: [], waiting: null });
    expect((await owner.pay('5000.00')).json.data.approvalState).toBeNull();
  });

  it('that have changed since they were read are not replaced', async () => {
    const { owner } = await office([]);
    const read = async () => (await owner.visitor.get('/api/merchant/approval-rules')).json.data;
    const { version } = await read();
    expect((await owner.setRules([payoutRule('5.00')], { version })).status).toBe(200);
    expect(outcome(await owner.setRules([payoutRule('9.00')], { version }))).toEqual([409, 'conflict']);
    const { version: fresh, waiting } = await read();
    expect([fresh === version, waiting]).toEqual([false, null]);
    const asked = await owner.setRules([payoutRule('9.00')], { version: fresh });
    expect(asked.json.data.request_no).toMatch(/^A\d+/);
  });

  it('that nobody could meet are refused, and the last person whom a rule needs stays', async () => {
    const { owner, approvers } = await office([]);
    expect(outcome(await owner.setRules([payoutRule('100.00', 3)]))).toEqual([409, 'approvers_missing']);
    const named = payoutRule('100.00', 2, { roles: [], people: approvers.map(({ id }) => id) });
    expect((await owner.setRules([named])).status).toBe(200);
    await owner.visitor.post('/api/user/confirm-password', { password: 'Test-pass-2026' });
    const member = `/api/merchant/team/members/${approvers[0].id}`;
    expect(outcome(await owner.visitor.send('DELETE', member, {}))).toEqual([409, 'approvers_missing']);
    const roles = { roles: ['MERCHANT_VIEWER'] };
    expect(outcome(await owner.visitor.send('PUT', `${member}/roles`, roles))).toEqual([
      409,
      'approvers_missing',
    ]);
    // An account in the wrong hands can be stopped all the same.
    expect((await owner.visitor.post(`${member}/suspension`, {})).status).toBe(204);
  });

  it('cannot be such that nobody else could approve what their author asks for', async () => {
    const merchant = await product.merchant(`alone${++merchants}`);
    const admin = await Colleague.join(product, merchant, { role: 'MERCHANT_ADMIN', name: 'admin' });
    const rule = payoutRule('0', 1, { roles: ['MERCHANT_ADMIN'], people: [admin.id] });
    expect(outcome(await admin.setRules([rule]))).toEqual([409, 'approvers_missing']);
  });

  it.each([
    ['a kind that does not exist', { kind: 'refunds' }],
    ['an amount with too many decimals', { amount: '1.001' }],
    ['a negative amount', { amount: '-1' }],
    ['no approver', { approvers: 0 }],
    ['too many approvers', { approvers: 4 }],
    ['nobody who may approve', { roles: [] }],
    ['a role that may not approve', { roles: ['FINANCE'] }],
    ['a person who is no number', { people: ['x'] }],
  ])('with %s are refused', async (_name, more) => {
    const { owner } = await office([]);
    expect(outcome(await owner.setRules([{ ...payoutRule('100.00'), ...(more as object) }]))).toEqual([
      422,
      'validation_failed',
    ]);
    expect((await owner.visitor.get('/api/merchant/approval-rules')).json.data.rules).toEqual([]);
  });

  it('twice the same, or too many, are refused', async () => {
    const { owner } = await office([]);
    expect(outcome(await owner.setRules([payoutRule('100.00'), payoutRule('100')]))).toEqual([
      422,
      'validation_failed',
    ]);
    const many = Array.from({ length: 21 }, (_, n) => payoutRule(String(n)));
    expect(outcome(await owner.setRules(many))).toEqual([422, 'validation_failed']);
  });

  it('of when it was asked for hold, together with those of now', async () => {
    const { merchant, owner, clerk, approvers } = await office();
    const { trade_no } = (await clerk.pay('250.00')).json.data;
    const requestNo = await clerk.requestOf(trade_no);
    const change = (await owner.setRules([payoutRule('100.00', 2)])).json.data.request_no;
    expect((await approvers[1].approve(change)).json.data.state).toBe('approved');
    // Two approvals from now on, also of what was asked for before.
    expect((await approvers[0].approve(requestNo)).json.data.state).toBe('waiting');
    await product.services.approvalRules.setFor(merchant.id, 'operator:test', { rules: [], days: 7 });
    const later = await Colleague.join(product, merchant, { role: 'APPROVER', name: 'later' });
    // Without rules, the one of when it was asked for still holds.
    expect((await later.approve(requestNo)).json.data.state).toBe('approved');
    await ended(clerk, trade_no);
  });
});

describe('a withdrawal that a rule covers', () => {
  const tron = 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t';
  const rule = payoutRule('500.00', 1, { kind: 'withdrawal' });

  async function withdrawal(by = rule) {
    await product.services.withdrawalTerms.setRate('CNY', '7.15', 'operator:test');
    const made = await office([by]);
    const terms = { feeUsdtMinor: 0n, freePerDay: 9, minimumUsdtMinor: 1n };
    await product.services.withdrawalTerms.setTerms(made.merchant.id, terms, 'operator:test');
    const body = { amount: '100', unit: 'usdt', network: 'TRC20', address: tron };
    const { json } = await made.clerk.authorized('POST', '/api/merchant/withdrawals', body);
    const { trade_no } = json.data;
    return { ...made, row: json.data, trade_no, requestNo: await made.clerk.requestOf(trade_no) };
  }

  it('is reviewed by staff only once it is approved', async () => {
    const { clerk, approvers, row, trade_no, requestNo } = await withdrawal();
    expect(row).toMatchObject({ status: 'pendingReview', approvalState: 'waiting', amount: '715.00' });
    expect(await clerk.funds()).toEqual(['9225.00', '715.00']);
    const { withdrawalReview: withdrawals } = product.services;
    await expect(withdrawals.approve(trade_no, 'operator:test')).rejects.toMatchObject({
      code: 'invalid_transition',
    });
    await product.services.withdrawalTerms.setRate('CNY', '7.20', 'operator:test');
    expect((await approvers[0].request(requestNo)).marks).toEqual([
      { mark: 'newAccount', before: null, after: tron },
      { mark: 'changedRate', before: '7.15', after: '7.2' },
    ]);
    expect((await approvers[0].approve(requestNo)).json.data.state).toBe('approved');
    expect(await withdrawals.approve(trade_no, 'operator:test')).toMatchObject({ status: 'approved' });
  });

  it('is rejected when it is refused, withdrawn, or rejected by staff', async () => {
    for (const end of ['refuse', 'withdraw', 'staff'] as const) {
      const { clerk, approvers, trade_no, requestNo } = await withdrawal();
      if (end === 'refuse') await approvers[0].refuse(requestNo);
      else if (end === 'withdraw') await clerk.withdraw(requestNo);
      else await product.services.withdrawalReview.reject(trade_no, 'operator:test', 'asked by phone');
      const approvalState = end === 'withdraw' ? 'withdrawn' : 'refused';
      const { data } = (await clerk.visitor.get(`/api/merchant/withdrawals/${trade_no}`)).json;
      expect(data).toMatchObject({ status: 'rejected', approvalState });
      expect(await clerk.request(requestNo)).toMatchObject({ state: approvalState });
      expect(await clerk.funds()).toEqual(['9940.00', '0.00']);
    }
  });

  it('because its wallet is new is not asked for again once an approved one has arrived there', async () => {
    const { clerk, approvers, trade_no, requestNo } = await withdrawal({ ...rule, kind: 'payee' });
    expect((await approvers[0].approve(requestNo)).json.data.state).toBe('approved');
    const ask = async (network: string, address: string) => {
      const body = { amount: '100', unit: 'usdt', network, address };
      return (await clerk.authorized('POST', '/api/merchant/withdrawals', body)).json.data.approvalState;
    };
    expect(await ask('TRC20', tron)).toBe('waiting');
    const { withdrawalReview: withdrawals } = product.services;
    await withdrawals.approve(trade_no, 'operator:test');
    await withdrawals.pay(trade_no, 'operator:test', 'a'.repeat(64));
    expect(await ask('TRC20', tron)).toBeNull();
    expect(await ask('ERC20', '0x52908400098527886E0F7030069857D2E4169EE7')).toBe('waiting');
  });
});
