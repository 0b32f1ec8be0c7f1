import type { ApprovalRuleInput } from '@hengfu/contract/approval-rules';
import { newAccountDays } from '@hengfu/contract/approvals';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { type Colleague, type Office, openOffice, payoutRule } from '../../testing/approving-office.ts';
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

const payeeRule = (amount = '0.00'): ApprovalRuleInput => payoutRule(amount, 1, { kind: 'payee' });
const office = (rules: ApprovalRuleInput[]) => openOffice(product, `payees${++merchants}`, { rules });
const [known, unknown, third] = ['100000000011', '100000000022', '100000000033'] as const;

const stateOf = async (clerk: Colleague, amount: string, account: string) =>
  (await clerk.pay(amount, account)).json.data.approvalState;

/** Has a payout to an account approved, and waits until the money has arrived. */
async function payApproved({ clerk, approvers }: Office, amount: string, account: string): Promise<string> {
  const { trade_no } = (await clerk.pay(amount, account)).json.data;
  const requestNo = await clerk.requestOf(trade_no);
  expect((await approvers[0].approve(requestNo)).status).toBe(200);
  await until(
    () => clerk.payout(trade_no),
    ({ status }) => status === 'processed',
    30_000,
  );
  return trade_no;
}

describe('a rule for payees', () => {
  it('covers what goes to an account that the merchant does not know, and nothing else', async () => {
    const at = await office([payeeRule()]);
    const { clerk } = at;
    expect(await stateOf(clerk, '0.01', unknown)).toBe('waiting');
    await payApproved(at, '50.00', known);
    expect(await stateOf(clerk, '4000.00', known)).toBeNull();
    expect(await stateOf(clerk, '0.02', unknown)).toBe('waiting');
  });

  it('asks again as long as no payment to the account was approved and has arrived', async () => {
    const { clerk, approvers } = await office([payeeRule()]);
    const { trade_no } = (await clerk.pay('50.00', unknown)).json.data;
    expect(await stateOf(clerk, '51.00', unknown)).toBe('waiting');
    await approvers[0].refuse(await clerk.requestOf(trade_no));
    expect(await stateOf(clerk, '52.00', unknown)).toBe('waiting');
  });

  it('knows an account that was paid long enough ago without an approval', async () => {
    const { merchant, clerk, owner } = await office([]);
    const { trade_no } = (await clerk.pay('50.00', known)).json.data;
    await until(
      () => clerk.payout(trade_no),
      ({ status }) => status === 'processed',
      30_000,
    );
    expect((await owner.setRules([payeeRule()])).status).toBe(200);
    expect(await stateOf(clerk, '51.00', known)).toBe('waiting');
    const age = (days: number) =>
      product.services.database.asSystemFor(merchant.id, (tx) =>
        sql`update payout set created_at = now() - ${days}::integer * interval '1 day'
          where merchant_id = ${merchant.id} and trade_no = ${trade_no}`.execute(tx.query),
      );
    await age(newAccountDays - 1);
    expect(await stateOf(clerk, '52.00', known)).toBe('waiting');
    await age(newAccountDays + 1);
    expect(await stateOf(clerk, '53.00', known)).toBeNull();
  });

  it('from an amount on counts what one requester sends to unknown accounts, and what one of them gets', async () => {
    const { clerk, owner } = await office([payeeRule('100.00')]);
    expect(await stateOf(clerk, '60.00', unknown)).toBeNull();
    expect(await stateOf(clerk, '40.00', third)).toBe('waiting');
    expect(await stateOf(owner, '40.00', unknown)).toBe('waiting');
    expect(await stateOf(owner, '39.99', third)).toBeNull();
  });

  it('counts what was sent to unknown accounts before the first rule', async () => {
    const { clerk, owner } = await office([]);
    expect(await stateOf(clerk, '60.00', unknown)).toBeNull();
    expect((await owner.setRules([payeeRule('100.00')])).status).toBe(200);
    expect(await stateOf(clerk, '40.00', unknown)).toBe('waiting');
  });

  it('covers a batch by its rows to unknown accounts', async () => {
    const at = await office([payeeRule('100.00')]);
    const { clerk } = at;
    await payApproved(at, '150.00', known);
    const row = (amount: string, payeeAccount: string) => ({
      payee: '王芳',
      payeeAccount,
      bank: 'ICBC',
      bankName: '中国工商银行',
      branchName: '北京朝阳支行',
      amount,
    });
    const state = async (...rows: object[]) => (await clerk.payBatch(rows)).json.data.approvalState;
    expect(await state(row('500.00', known), row('99.99', unknown))).toBeNull();
    const paid = async () =>
      (await clerk.visitor.get('/api/merchant/payouts?status=processed')).json.data.length;
    await until(paid, (count) => count === 3, 30_000);
    expect(await state(row('501.00', known), row('0.01', third))).toBe('waiting');
    expect(await state(row('502.00', known))).toBeNull();
  });

  it('holds for a request that was made before the rule, if it is stricter', async () => {
    const { clerk, owner, approvers } = await office([payoutRule('100.00'), payeeRule('200.00')]);
    const { trade_no } = (await clerk.pay('250.00', unknown)).json.data;
    const requestNo = await clerk.requestOf(trade_no);
    const change = await owner.setRules([payoutRule('100.00'), { ...payeeRule('200.00'), approvers: 2 }]);
    for (const approver of approvers) await approver.approve(change.json.data.request_no);
    expect(await owner.request(change.json.data.request_no)).toMatchObject({ state: 'approved' });
    expect((await approvers[0].approve(requestNo)).json.data).toMatchObject({
      state: 'waiting',
      approvals: 1,
      needed: 2,
    });
    expect((await approvers[1].approve(requestNo)).json.data.state).toBe('approved');
  });
});

describe('a request that waits', () => {
  it('needs what a later rule for payees asks for', async () => {
    const { clerk, owner, approvers } = await office([payoutRule('100.00')]);
    const { trade_no } = (await clerk.pay('500.00', unknown)).json.data;
    const requestNo = await clerk.requestOf(trade_no);
    const change = await owner.setRules([payoutRule('100.00'), { ...payeeRule(), approvers: 2 }]);
    expect((await approvers[0].approve(change.json.data.request_no)).json.data.state).toBe('approved');
    expect((await approvers[0].approve(requestNo)).json.data).toMatchObject({ state: 'waiting', needed: 2 });
    expect((await approvers[1].approve(requestNo)).json.data.state).toBe('approved');
  });

  it('names a person who approved and then refused', async () => {
    const { clerk, approvers } = await office([payoutRule('100.00', 2)]);
    const { trade_no } = (await clerk.pay('500.00', unknown)).json.data;
    const requestNo = await clerk.requestOf(trade_no);
    await approvers[0].approve(requestNo);
    expect((await approvers[0].refuse(requestNo)).json.data.state).toBe('refused');
    const { decisions } = await clerk.request(requestNo);
    expect(decisions.map(({ verdict }: { verdict: string }) => verdict)).toEqual(['approved', 'refused']);
  });

  it('for a change of settings is not approved among many', async () => {
    const { owner, approvers } = await office([payoutRule('100.00')]);
    const { request_no } = (await owner.setRules([])).json.data;
    const many = await approvers[0].authorized('POST', '/api/merchant/approvals-approval', {
      request_nos: [request_no],
    });
    expect(many.json.data).toMatchObject([{ request_no, isApproved: false }]);
    expect(await owner.request(request_no)).toMatchObject({ state: 'waiting' });
  });
});

describe('one card', () => {
  it('is one account, through whatever bank it is paid', async () => {
    const { clerk, owner } = await office([payoutRule('100.00')]);
    const pay = async (of: Colleague, bank: string) =>
      (await of.pay('60.00', known, { bank })).json.data.approvalState;
    expect([await pay(clerk, 'ICBC'), await pay(owner, 'ABC')]).toEqual([null, 'waiting']);
  });
});

describe('the approvals that a request shows', () => {
  it('never look complete while another rule still asks', async () => {
    const { clerk, owner, approvers } = await office([]);
    const [first, second] = approvers;
    const named = payoutRule('200.00', 1, { roles: [], people: [second.id] });
    expect((await owner.setRules([payoutRule('100.00'), named])).status).toBe(200);
    const { trade_no } = (await clerk.pay('250.00', unknown)).json.data;
    const requestNo = await clerk.requestOf(trade_no);
    expect(await owner.request(requestNo)).toMatchObject({ approvals: 0, needed: 1 });
    await first.approve(requestNo);
    expect(await owner.request(requestNo)).toMatchObject({ state: 'waiting', approvals: 1, needed: 2 });
    expect((await second.approve(requestNo)).json.data).toMatchObject({ state: 'approved' });
  });
});
