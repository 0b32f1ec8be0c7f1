import type { Perm, RoleCode } from '@hengfu/contract/permissions';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, it } from 'vitest';
import { Colleague, payoutRule } from '../../../testing/approving-office.ts';
import { type TestMerchant, TestProduct } from '../../../testing/test-product.ts';

const team = '/api/merchant/team';
let product: TestProduct;
let merchant: TestMerchant;
let admin: Colleague;
let approver: Colleague;
let count = 0;

beforeAll(async () => {
  product = await TestProduct.start(inject('ownerUrl'));
});
beforeEach(async () => {
  merchant = await product.merchant(`approved${++count}`);
  await product.fund(merchant, '1000.00');
  admin = await join('MERCHANT_ADMIN', 'admin');
  approver = await join('APPROVER', 'approver');
  expect((await admin.setRules([payoutRule('100.00')])).json.data.request_no).toBeNull();
});
afterAll(async () => {
  expect(await product.deadlocks()).toBe(0);
  await product.close();
});

const outcome = ({ status, json }: { status: number; json: { code?: string } }) => [status, json.code];
const join = (role: RoleCode, name: string) => Colleague.join(product, merchant, { role, name });

async function made(name: string, perms: readonly Perm[]): Promise<RoleCode> {
  const { json } = await admin.visitor.post(`${team}/roles`, { name, description: '', perms });
  return json.data.code;
}

async function roleOf(code: RoleCode) {
  const { roles } = (await admin.visitor.get(team)).json.data;
  return roles.find((role: { code: string }) => role.code === code);
}

/** Changes what a role grants; returns the number of the request, if there is one. */
async function change(code: RoleCode, perms: readonly Perm[]): Promise<string | null> {
  const { name, description, version } = await roleOf(code);
  const body = { name, description, perms, version };
  const { status, json } = await admin.visitor.send('PUT', `${team}/roles/${code}`, body);
  expect(status).toBe(200);
  return json.data.request_no;
}

/** Gives somebody roles; returns the number of the request, if there is one. */
async function give({ id }: Colleague, ...roles: RoleCode[]): Promise<string | null> {
  const { status, json } = await admin.visitor.send('PUT', `${team}/members/${id}/roles`, { roles });
  expect(status).toBe(200);
  return json.data.request_no;
}

const permsOf = async ({ visitor }: Colleague): Promise<Perm[]> =>
  (await visitor.get('/api/merchant/user')).json.data.perms;
const paying: readonly Perm[] = [
  'dashboard.read',
  'payouts.read',
  'payouts.create',
  'paymentPassword.manage',
];

describe('with approval rules, a role of the merchant’s own', () => {
  it('may be made and changed freely as long as nobody gains a payment right by it', async () => {
    const code = await made('Payer', ['payouts.create']);
    expect(await change(code, ['withdrawals.create'])).toBeNull();
    const reading = await made('Reader', ['payouts.read']);
    const reader = await join(reading, 'reader');
    expect(await change(reading, ['payouts.read', 'collections.read'])).toBeNull();
    // Somebody who may pay already gains nothing.
    await give(reader, 'SUPPORT');
    await join('FINANCE', 'finance');
    expect(await approver.waitingForMe()).toEqual([]);
  });

  it('is given only once that is approved if it has a payment right, and the approver sees which', async () => {
    const code = await made('Payer', ['payouts.create']);
    const clerk = await join('SUPPORT', 'clerk');
    const requestNo = await give(clerk, code);
    expect(await permsOf(clerk)).not.toContain('payouts.create');
    expect((await approver.request(requestNo ?? '')).team).toMatchObject({
      action: 'roles',
      before: ['SUPPORT'],
      after: [code],
      own: [{ code, name: 'Payer', description: '', perms: paying }],
    });
    expect((await approver.approve(requestNo ?? '')).status).toBe(200);
    expect(await permsOf(clerk)).toEqual(paying);
  });

  it('is not given if it has become another one since the approver was shown it', async () => {
    const code = await made('Payer', ['payouts.create']);
    const clerk = await join('SUPPORT', 'clerk');
    const requestNo = await give(clerk, code);
    expect(await change(code, ['payouts.create', 'withdrawals.create'])).toBeNull();
    expect(outcome(await approver.approve(requestNo ?? ''))).toEqual([409, 'conflict']);
    expect(await permsOf(clerk)).not.toContain('withdrawals.create');
  });

  it('whose holders would gain a payment right changes only once that is approved', async () => {
    const code = await made('Clerk', ['payouts.read']);
    const clerk = await join(code, 'clerk');
    const requestNo = (await change(code, ['payouts.create'])) ?? '';
    expect(await permsOf(clerk)).toEqual(['payouts.read']);
    expect(await approver.request(requestNo)).toMatchObject({
      kind: 'team',
      target: 'Clerk',
      team: null,
      role: {
        before: { name: 'Clerk', perms: ['payouts.read'] },
        after: { name: 'Clerk', perms: paying },
        holders: [code],
      },
    });
    expect(outcome(await admin.approve(requestNo))).toEqual([403, 'own_request']);
    // A second one would not see what the first one changes.
    const { version } = await roleOf(code);
    const again = { name: 'Clerk', description: '', perms: ['withdrawals.create'], version };
    expect(outcome(await admin.visitor.send('PUT', `${team}/roles/${code}`, again))).toEqual([
      409,
      'request_waiting',
    ]);
    expect((await approver.approve(requestNo)).status).toBe(200);
    expect(await permsOf(clerk)).toEqual(paying);
    expect(await change(code, ['payouts.read'])).toBeNull();
  });

  it('whose invitations would gain a payment right changes only once that is approved', async () => {
    const code = await made('Clerk', ['payouts.read']);
    const email = `guest@${merchant.code}.test`;
    expect((await admin.visitor.post(`${team}/invitations`, { email, roles: [code] })).status).toBe(201);
    const requestNo = (await change(code, ['payouts.create'])) ?? '';
    expect((await approver.request(requestNo)).role.holders).toEqual([email]);
  });

  it('is not changed if it was changed, or given to somebody else, after the approver was shown it', async () => {
    const code = await made('Clerk', ['payouts.read']);
    await join(code, 'clerk');
    const other = await join('SUPPORT', 'other');
    const asked = (await change(code, ['payouts.create'])) ?? '';
    expect(await give(other, code)).toBeNull();
    expect(outcome(await approver.approve(asked))).toEqual([409, 'conflict']);
    expect(await permsOf(other)).toEqual(['payouts.read']);
    expect((await approver.refuse(asked)).status).toBe(200);
    const again = (await change(code, ['payouts.create'])) ?? '';
    expect(await change(code, ['collections.read'])).toBeNull();
    expect(outcome(await approver.approve(again))).toEqual([409, 'conflict']);
    expect(await permsOf(other)).toEqual(['collections.read']);
  });

  it('lets a person whom a rule names decide, who cannot lose it while the rule needs the person', async () => {
    const code = await made('Second pair of eyes', ['approvals.decide']);
    const eyes = await join(code, 'eyes');
    const { people } = (await admin.visitor.get('/api/merchant/approval-rules')).json.data;
    expect(people.map(({ id }: { id: string }) => id)).toContain(eyes.id);
    const rule = payoutRule('0', 1, { roles: [], people: [eyes.id] });
    const asked = (await admin.setRules([rule])).json.data.request_no;
    expect((await approver.approve(asked)).status).toBe(200);
    const clerk = await join('FINANCE', 'clerk');
    const { trade_no } = (await clerk.pay('10.00')).json.data;
    const requestNo = await eyes.requestOf(trade_no);
    expect(await eyes.waitingForMe()).toEqual([requestNo]);
    expect(outcome(await approver.approve(requestNo))).toEqual([403, 'not_approver']);
    const { name, description, version } = await roleOf(code);
    const less = { name, description, perms: ['approvals.read'], version };
    const refused = await admin.visitor.send('PUT', `${team}/roles/${code}`, less);
    expect(outcome(refused)).toEqual([409, 'approvers_missing']);
    expect((await eyes.approve(requestNo)).json.data.state).toBe('approved');
  });

  it('does not count once its permission to decide is taken', async () => {
    const code = await made('Second pair of eyes', ['approvals.decide']);
    const eyes = await join(code, 'eyes');
    const rule = payoutRule('0', 1, { people: [eyes.id] });
    const asked = (await admin.setRules([rule])).json.data.request_no;
    expect((await approver.approve(asked)).status).toBe(200);
    const clerk = await join('FINANCE', 'clerk');
    const { trade_no } = (await clerk.pay('10.00')).json.data;
    const requestNo = await eyes.requestOf(trade_no);
    expect(await change(code, ['approvals.read', 'paymentPassword.manage'])).toBeNull();
    expect(await eyes.waitingForMe()).toEqual([]);
    expect(outcome(await eyes.approve(requestNo))).toEqual([403, 'forbidden']);
    expect((await approver.approve(requestNo)).json.data.state).toBe('approved');
  });

  it('leaves no request behind when it is retired', async () => {
    const code = await made('Clerk', ['payouts.read']);
    const clerk = await join(code, 'clerk');
    const requestNo = (await change(code, ['payouts.create'])) ?? '';
    await give(clerk, 'SUPPORT');
    expect((await admin.visitor.send('DELETE', `${team}/roles/${code}`, {})).status).toBe(204);
    expect(await approver.request(requestNo)).toMatchObject({ state: 'withdrawn' });
  });
});
