import { sql } from 'kysely';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { SandboxAdapter } from '#channels/sandbox/sandbox-adapter.ts';
import { holdSettling } from '#domain/settling.sql.ts';
import { Colleague, type Office, openOffice, payoutRule } from '../../testing/approving-office.ts';
import { TestProduct } from '../../testing/test-product.ts';
import { until } from '../../testing/until.ts';
import type { Visitor } from '../../testing/visitor.ts';

let product: TestProduct;
let payer: Visitor;
let bank: SandboxAdapter;
let merchants = 0;
let orders = 0;

beforeAll(async () => {
  product = await TestProduct.start(inject('ownerUrl'), {
    bank: true,
    worker: true,
  });
  payer = product.visitor();
  bank = new SandboxAdapter({ url: product.bank?.url ?? '', secret: 'a secret of the test bank' });
});
afterAll(async () => {
  expect(await product.violations()).toEqual([]);
  expect(await product.deadlocks()).toBe(0);
  await product.close();
});

const refundRule = (amount: string) => payoutRule(amount, 1, { kind: 'refund' });
const office = (amount = '100.00') =>
  openOffice(product, `refunds${++merchants}`, { rules: [refundRule(amount)] });

/** Makes an order that its payer pays at the bank; returns its number. */
async function paidOrder({ merchant, owner }: Office, amount = '150.00'): Promise<string> {
  const { json } = await merchant.program.create(`refund-${++orders}`, { amount });
  const token = json.cashierUrl.split('/pay/')[1];
  await payer.post(`/api/cashier/${token}/pay`, { channel: 'CN_BANK' });
  await bank.playPayer(json.trade_no, 'confirm');
  await until(
    () => orderOf(owner, json.trade_no),
    ({ status }) => status === 'success',
    30_000,
  );
  return json.trade_no;
}

const orderOf = async (of: Colleague, tradeNo: string) =>
  (await of.visitor.get(`/api/merchant/collections/${tradeNo}`)).json.data;
const refund = ({ merchant }: Office, tradeNo: string) =>
  merchant.program.post(`/openapi/v1/collections/${tradeNo}/refund`);
const refundPart = async ({ merchant }: Office, tradeNo: string, amount: string) =>
  (
    await merchant.program.post('/openapi/v1/refunds', {
      out_refund_no: `part-${tradeNo}`,
      trade_no: tradeNo,
      amount,
    })
  ).json;
/** The amounts of an order's refunds, oldest first. */
const amountsOf = async (of: Colleague, tradeNo: string) =>
  (await of.visitor.get(`/api/merchant/collections/${tradeNo}/refunds`)).json.data.refunds
    .map(({ amount }: { amount: string }) => amount)
    .toReversed();
const refunded = (of: Colleague, tradeNo: string) =>
  until(
    () => orderOf(of, tradeNo),
    ({ status }) => status === 'refunded',
    30_000,
  );
const reasons = ({ timeline }: { timeline: { reason: string }[] }) => timeline.map(({ reason }) => reason);

it('a refund that a rule covers waits, posts nothing, and is made once it is approved', async () => {
  const at = await office();
  const { owner, approvers } = at;
  const tradeNo = await paidOrder(at);
  const before = await owner.visitor.get('/api/merchant/account');
  const asked = await refund(at, tradeNo);
  expect(asked.json).toMatchObject({
    status: 'success',
    refundPending: false,
    refundApprovalState: 'waiting',
  });
  expect((await owner.visitor.get('/api/merchant/account')).json).toEqual(before.json);
  const figures = async () => {
    const { data } = (await owner.visitor.get(`/api/merchant/refunds/${tradeNo}-R1`)).json;
    return [data.status, data.amount, data.fee, data.net, data.fromAvailable];
  };
  // Nobody knows yet what its part of the fee will be: no figure is better than a wrong one.
  expect(await figures()).toEqual(['requested', '150.00', null, null, null]);
  const requestNo = await owner.requestOf(`${tradeNo}-R1`);
  expect(await approvers[0].request(requestNo)).toMatchObject({
    kind: 'refund',
    subject_no: `${tradeNo}-R1`,
    amount: '150.00',
    target: `refund-${orders}`,
    marks: [],
  });
  const repeated = await Promise.all([refund(at, tradeNo), refund(at, tradeNo)]);
  expect(repeated.map(({ status, json }) => [status, json.refundApprovalState])).toEqual([
    [200, 'waiting'],
    [200, 'waiting'],
  ]);
  const both = await Promise.all(approvers.map((approver) => approver.approve(requestNo)));
  expect(both.map(({ status }) => status).toSorted()).toEqual([200, 409]);
  const order = await refunded(owner, tradeNo);
  expect(order.refundApprovalState).toBe('approved');
  expect(await figures()).toEqual(['refunded', '150.00', '0.90', '149.10', '0.00']);
  expect(reasons(order).slice(-3)).toEqual(['refund_approval_asked', 'refund_approval_given', 'refunded']);
  expect((await refund(at, tradeNo)).json).toMatchObject({ status: 'refunded' });
});

it('the rest is asked for beside a part that waits, and the order says so until both are decided', async () => {
  const at = await office('0.00');
  const { owner, approvers } = at;
  const tradeNo = await paidOrder(at);
  const part = await refundPart(at, tradeNo, '30.00');
  expect(part).toMatchObject({ refund_no: `${tradeNo}-R1`, status: 'requested' });
  const answers = await Promise.all(Array.from({ length: 3 }, () => refund(at, tradeNo)));
  expect(answers.map(({ status, json }) => [status, json.refundApprovalState])).toEqual(
    Array.from({ length: 3 }, () => [200, 'waiting']),
  );
  expect(await amountsOf(owner, tradeNo)).toEqual(['30.00', '120.00']);
  await approvers[0].approve(await owner.requestOf(`${tradeNo}-R1`));
  expect((await orderOf(owner, tradeNo)).refundApprovalState).toBe('waiting');
  await approvers[0].approve(await owner.requestOf(`${tradeNo}-R2`));
  expect(await refunded(owner, tradeNo)).toMatchObject({
    refunded: '150.00',
    refundApprovalState: 'approved',
  });
});

it('the rest that no rule covers is made at once beside a part that waits', async () => {
  const at = await office();
  const { owner, approvers } = at;
  const tradeNo = await paidOrder(at);
  expect((await refundPart(at, tradeNo, '120.00')).status).toBe('requested');
  const expected = { refundPending: true, refundApprovalState: 'waiting' };
  expect((await refund(at, tradeNo)).json).toMatchObject(expected);
  expect(await amountsOf(owner, tradeNo)).toEqual(['120.00', '30.00']);
  await approvers[0].refuse(await owner.requestOf(`${tradeNo}-R1`));
  expect((await orderOf(owner, tradeNo)).refundApprovalState).toBe('refused');
});

it('a refund below the amount is made at once; those of a day count together', async () => {
  const at = await office();
  const [first, second] = [await paidOrder(at, '60.00'), await paidOrder(at, '40.00')];
  expect((await refund(at, first)).json).toMatchObject({ refundPending: true, refundApprovalState: null });
  expect((await refund(at, second)).json).toMatchObject({
    refundPending: false,
    refundApprovalState: 'waiting',
  });
});

it('counts the refunds before the first rule', async () => {
  const at = await openOffice(product, `refunds${++merchants}`, { rules: [] });
  const [first, second] = [await paidOrder(at, '60.00'), await paidOrder(at, '40.00')];
  expect((await refund(at, first)).json.refundApprovalState).toBeNull();
  expect((await at.owner.setRules([refundRule('100.00')])).status).toBe(200);
  expect((await refund(at, second)).json.refundApprovalState).toBe('waiting');
});

it('a refund that was not approved is not made, says why, and can be asked for again', async () => {
  const at = await office();
  const { owner, approvers } = at;
  const tradeNo = await paidOrder(at);
  await refund(at, tradeNo);
  const firstNo = await owner.requestOf(`${tradeNo}-R1`);
  expect((await approvers[0].refuse(firstNo, 'goods not returned')).status).toBe(200);
  const order = await orderOf(owner, tradeNo);
  expect(order).toMatchObject({ status: 'success', refunding: '0.00', refundApprovalState: 'refused' });
  expect(order.timeline.at(-1)).toMatchObject({
    reason: 'refund_approval_refused',
    detail: 'goods not returned',
  });
  expect((await refund(at, tradeNo)).json.refundApprovalState).toBe('waiting');
  const secondNo = await owner.requestOf(`${tradeNo}-R2`);
  expect(secondNo).not.toBe(firstNo);
  await product.services.database.asSystemFor(at.merchant.id, (tx) =>
    sql`update approval_request set expires_at = now() - interval '1 millisecond'
      where merchant_id = ${at.merchant.id} and request_no = ${secondNo}`.execute(tx.query),
  );
  await product.services.approvals.expire();
  expect((await orderOf(owner, tradeNo)).refundApprovalState).toBe('expired');
});

it('is not approved without funds, says so before, and waits on', async () => {
  const at = await office();
  const { owner, approvers } = at;
  const [asked, other] = [await paidOrder(at), await paidOrder(at, '50.00')];
  await refund(at, asked);
  const requestNo = await owner.requestOf(`${asked}-R1`);
  await product.services.settlements.runNow(at.merchant.id, new Date(Date.now() + 1000));
  const { marks } = await approvers[0].request(requestNo);
  expect(marks).toEqual([{ mark: 'fundsTooLow', before: '149.10', after: null }]);
  expect((await approvers[0].approve(requestNo, [])).json.code).toBe('approval_changed');
  expect((await approvers[0].approve(requestNo, marks)).json.code).toBe('insufficient_funds');
  expect(await owner.request(requestNo)).toMatchObject({ state: 'waiting', approvals: 0 });
  expect((await refund(at, other)).json.code).toBe('insufficient_funds');
  await paidOrder(at, '200.00');
  expect((await approvers[0].approve(requestNo)).json.data.state).toBe('approved');
  await refunded(owner, asked);
});

it('the person who has read the key does not approve what it asks for', async () => {
  const at = await openOffice(product, `refunds${++merchants}`, {
    rules: [{ ...refundRule('100.00'), roles: ['ROOT', 'APPROVER'] }],
  });
  const tradeNo = await paidOrder(at);
  await refund(at, tradeNo);
  const requestNo = await at.owner.requestOf(`${tradeNo}-R1`);
  // An operator made the key: the owner could have read it.
  expect((await at.owner.approve(requestNo)).json.code).toBe('own_request');
  const developer = await Colleague.join(product, at.merchant, { role: 'DEVELOPER', name: 'developer' });
  expect((await developer.authorizedGet('/api/merchant/access-key/secret')).status).toBe(200);
  expect((await at.owner.approve(requestNo)).json.code).toBe('own_request');
  expect((await at.approvers[0].approve(requestNo)).status).toBe(200);
  await refunded(at.owner, tradeNo);
});

it('is not begun by anybody who goes around its request, and begins at once when no rule covers it any more', async () => {
  const at = await office();
  const { owner, approvers, merchant } = at;
  const tradeNo = await paidOrder(at);
  await refund(at, tradeNo);
  await expect(
    product.services.database.asSystemFor(merchant.id, (tx) =>
      sql`update collection set refund_requested_at = now()
        where merchant_id = ${merchant.id} and trade_no = ${tradeNo}`.execute(tx.query),
    ),
  ).rejects.toThrow(/is not approved/);
  const change = await owner.setRules([refundRule('1000.00')]);
  await approvers[0].approve(change.json.data.request_no);
  expect((await refund(at, tradeNo)).json.refundApprovalState).toBe('waiting');
  await approvers[0].refuse(await owner.requestOf(`${tradeNo}-R1`));
  expect((await refund(at, tradeNo)).json).toMatchObject({ refundPending: true, refundApprovalState: null });
  await refunded(owner, tradeNo);
});

it('of two calls around the first rule neither waits for the other', async () => {
  const at = await openOffice(product, `refunds${++merchants}`, { rules: [] });
  const [first, second] = [await paidOrder(at), await paidOrder(at)];
  const { database } = product.services;
  const calls = await database.asMerchant(at.merchant.id, async (tx) => {
    await holdSettling(tx);
    const begun = refund(at, first);
    await untilWaiting(1);
    expect((await at.owner.setRules([refundRule('100.00')])).status).toBe(200);
    // It waits in turn behind the first one, and not at the lock.
    const later = refund(at, second);
    return [begun, later];
  });
  const states = (await Promise.all(calls)).map(({ json }) => json.refundApprovalState);
  expect(states).toEqual([null, 'waiting']);
});

/** Waits until calls wait for the merchant's settling funds. */
async function untilWaiting(count: number): Promise<void> {
  await until(
    () =>
      product.services.database.asSystem(async (tx) => {
        const { rows } = await sql<{ count: number }>`
          select count(*)::integer as count from pg_locks
          where locktype = 'advisory' and not granted and database = (select oid from pg_database where datname = current_database())`.execute(
          tx.query,
        );
        return rows[0]?.count ?? 0;
      }),
    (waiting) => waiting >= count,
  );
}

it('a rule whose approvers could all have read the key is refused', async () => {
  const at = await openOffice(product, `refunds${++merchants}`, { rules: [] });
  const admin = await Colleague.join(product, at.merchant, { role: 'MERCHANT_ADMIN', name: 'admin' });
  const rule = refundRule('0.00');
  const refused = await admin.setRules([{ ...rule, roles: ['ROOT', 'MERCHANT_ADMIN'] }]);
  expect([refused.status, refused.json.code]).toEqual([409, 'approvers_missing']);
  expect((await admin.setRules([{ ...rule, roles: ['ROOT', 'APPROVER'] }])).status).toBe(200);
});
