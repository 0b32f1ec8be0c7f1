import type { Role } from '@hengfu/contract/permissions';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { Colleague, payoutRule } from '../../testing/approving-office.ts';
import { type TestMerchant, TestProduct, testPassword } from '../../testing/test-product.ts';

let product: TestProduct;
let merchants = 0;

beforeAll(async () => {
  product = await TestProduct.start(inject('ownerUrl'));
});
afterAll(async () => {
  expect(await product.violations()).toEqual([]);
  expect(await product.deadlocks()).toBe(0);
  await product.close();
});

const team = '/api/merchant/team';
const outcome = ({ status, json }: { status: number; json: { code?: string } }) => [status, json.code];

interface Office {
  merchant: TestMerchant;
  admin: Colleague;
  approver: Colleague;
}

/** A merchant with an administrator and an approver, whose approval payouts from 100.00 on need. */
async function office(): Promise<Office> {
  const merchant = await product.merchant(`team${++merchants}`);
  await product.fund(merchant, '10000.00');
  const join = (role: Role, name: string) => Colleague.join(product, merchant, { role, name });
  const admin = await join('MERCHANT_ADMIN', 'admin');
  const approver = await join('APPROVER', 'approver');
  expect((await admin.setRules([payoutRule('100.00')])).json).toEqual({ data: { request_no: null } });
  return { merchant, admin, approver };
}

/** Adds a member with a role, as staff does. */
async function memberOf(
  merchant: TestMerchant,
  role: Role,
  name: string,
): Promise<{ id: string; path: string }> {
  const visitor = await product.person(merchant, role, name);
  const { id } = (await visitor.get('/api/merchant/user')).json.data;
  return { id, path: `${team}/members/${id}` };
}

async function stateOf({ visitor }: Colleague, id: string): Promise<{ roles: Role[]; state: string }> {
  const { members } = (await visitor.get(team)).json.data;
  return members.find((member: { id: string }) => member.id === id);
}

/** Sets a rule that administrators can meet, too. */
const letAdminsApprove = ({ id }: TestMerchant) => {
  const roles: Role[] = ['MERCHANT_ADMIN', 'APPROVER'];
  const rule = { kind: 'payout' as const, amountMinor: '10000', approvers: 1, roles, people: [] };
  return product.services.approvalRules.setFor(id, 'operator:test', { rules: [rule], days: 7 });
};

/** Asks for a payout with the merchant's access key; returns the order's number. */
async function payByKey({ program }: TestMerchant): Promise<string> {
  const order = { out_trade_no: 'by-key', currency: 'CNY', channel: 'CN_BANK', amount: '300.00' };
  const payee = { payee: '李明', payeeAccount: '123456789012', bank: 'ICBC', bankName: 'ICBC' };
  return (await program.post('/openapi/v1/payouts', { ...order, ...payee })).json.trade_no;
}

const tokenOf = (url: string) => url.slice(url.lastIndexOf('/') + 1);
async function accept(token: string) {
  const guest = product.visitor();
  await guest.get('/api/csrf-cookie');
  const password = 'Quiet-river-2026';
  const account = { name: 'Guest', password, password_confirmation: password };
  return guest.post(`/api/invitations/${token}/acceptance`, account);
}

describe('with approval rules', () => {
  it('a role with a payment right is given only once that is approved', async () => {
    const { merchant, admin, approver } = await office();
    const { id, path } = await memberOf(merchant, 'MERCHANT_VIEWER', 'viewer');
    const asked = await admin.visitor.send('PUT', `${path}/roles`, { roles: ['FINANCE'] });
    const { request_no } = asked.json.data;
    expect(request_no).toMatch(/^A\d+/);
    expect(await stateOf(admin, id)).toMatchObject({ roles: ['MERCHANT_VIEWER'] });
    expect(await approver.request(request_no)).toMatchObject({
      kind: 'team',
      subject_no: null,
      amount: null,
      target: 'MERCHANT_VIEWER',
      team: { action: 'roles', before: ['MERCHANT_VIEWER'], after: ['FINANCE'] },
    });
    expect(await approver.waitingForMe()).toEqual([request_no]);
    expect(outcome(await admin.approve(request_no))).toEqual([403, 'own_request']);
    expect((await approver.approve(request_no)).json.data.state).toBe('approved');
    expect(await stateOf(admin, id)).toMatchObject({ roles: ['FINANCE'] });
    // Fewer rights need no approval.
    const less = await admin.visitor.send('PUT', `${path}/roles`, { roles: ['SUPPORT'] });
    expect(less.json).toEqual({ data: { request_no: null } });
    expect(await stateOf(admin, id)).toMatchObject({ roles: ['SUPPORT'] });
  });

  it('a refused change is not made, nor one whose member has changed since', async () => {
    const { merchant, admin, approver } = await office();
    const { id, path } = await memberOf(merchant, 'MERCHANT_VIEWER', 'viewer');
    const ask = async () =>
      (await admin.visitor.send('PUT', `${path}/roles`, { roles: ['FINANCE'] })).json.data.request_no;
    expect((await approver.refuse(await ask())).status).toBe(200);
    expect(await stateOf(admin, id)).toMatchObject({ roles: ['MERCHANT_VIEWER'] });
    const requestNo = await ask();
    await admin.visitor.send('PUT', `${path}/roles`, { roles: ['SUPPORT'] });
    expect(outcome(await approver.approve(requestNo))).toEqual([409, 'conflict']);
    expect(await stateOf(admin, id)).toMatchObject({ roles: ['SUPPORT'] });
  });

  it('a change is not made if the person who asked may not make it any more', async () => {
    const { merchant, admin, approver } = await office();
    const { path } = await memberOf(merchant, 'MERCHANT_VIEWER', 'viewer');
    const { request_no } = (await admin.visitor.send('PUT', `${path}/roles`, { roles: ['FINANCE'] })).json
      .data;
    await product.services.team.setRoles(
      {
        merchantId: merchant.id,
        userId: null,
        assertMayGive: async () => undefined,
        audit: async () => undefined,
      },
      BigInt(admin.id),
      ['MERCHANT_VIEWER'],
    );
    expect(outcome(await approver.approve(request_no))).toEqual([409, 'conflict']);
  });

  it('an invitation that gives a payment right works only once it is approved', async () => {
    const { merchant, admin, approver } = await office();
    const invite = async (name: string, roles: Role[]) =>
      (await admin.visitor.post(`${team}/invitations`, { email: `${name}@${merchant.code}.test`, roles }))
        .json.data;
    const plain = await invite('support', ['SUPPORT']);
    expect(plain.approvalState).toBeNull();
    expect((await accept(tokenOf(plain.url))).status).toBe(200);

    const made = await invite('clerk', ['FINANCE']);
    expect(made.approvalState).toBe('waiting');
    expect(outcome(await accept(tokenOf(made.url)))).toEqual([409, 'link_waiting']);
    const [requestNo = ''] = await approver.waitingForMe();
    expect((await approver.approve(requestNo)).json.data.state).toBe('approved');
    expect((await accept(tokenOf(made.url))).status).toBe(200);

    const other = await invite('other', ['APPROVER']);
    const [second = ''] = await approver.waitingForMe();
    expect((await approver.refuse(second)).status).toBe(200);
    expect(outcome(await accept(tokenOf(other.url)))).toEqual([410, 'link_revoked']);
  });

  it('a new link of an invitation is asked for anew, by the person who makes it', async () => {
    const { merchant, admin, approver } = await office();
    const other = await Colleague.join(product, merchant, { role: 'MERCHANT_ADMIN', name: 'other' });
    await letAdminsApprove(merchant);
    const email = `carol@${merchant.code}.test`;
    const made = (await admin.visitor.post(`${team}/invitations`, { email, roles: ['FINANCE'] })).json.data;
    const [first = ''] = await other.waitingForMe();
    // The maker of a link could use it, and must not be the one who approves it.
    const renewed = (await other.visitor.post(`${team}/invitations/${made.id}/link`, {})).json.data;
    expect(await approver.request(first)).toMatchObject({ state: 'withdrawn' });
    expect(await other.waitingForMe()).toEqual([]);
    const [second = ''] = await approver.waitingForMe();
    expect(outcome(await other.approve(second))).toEqual([403, 'own_request']);
    expect((await approver.approve(second)).json.data.state).toBe('approved');
    // An approval does not carry over to another link.
    const again = (await admin.visitor.post(`${team}/invitations/${made.id}/link`, {})).json.data;
    expect(again.approvalState).toBe('waiting');
    for (const { url } of [renewed, again])
      expect((await accept(tokenOf(url))).status).toBeGreaterThanOrEqual(400);
    // A revoked invitation leaves no request behind.
    expect((await admin.visitor.send('DELETE', `${team}/invitations/${made.id}`, {})).status).toBe(204);
    expect(await approver.waitingForMe()).toEqual([]);
  });

  it('a second role that a rule names is given only once that is approved, and asked for once', async () => {
    const { merchant, admin, approver } = await office();
    const { path } = await memberOf(merchant, 'MERCHANT_ADMIN', 'second');
    const change = () =>
      admin.visitor.send('PUT', `${path}/roles`, { roles: ['MERCHANT_ADMIN', 'APPROVER'] });
    expect((await change()).json.data.request_no).toMatch(/^A/);
    expect(outcome(await change())).toEqual([409, 'request_waiting']);
    expect(await approver.waitingForMe()).toHaveLength(1);
  });

  it('an invitation that is older than the rules needs approval, too', async () => {
    const { merchant, admin, approver } = await office();
    await product.services.approvalRules.setFor(merchant.id, 'operator:test', { rules: [], days: 7 });
    const email = `early@${merchant.code}.test`;
    const early = (await admin.visitor.post(`${team}/invitations`, { email, roles: ['APPROVER'] })).json.data;
    expect(early.approvalState).toBeNull();
    expect((await admin.setRules([payoutRule('100.00')])).json.data.request_no).toBeNull();
    expect(outcome(await accept(tokenOf(early.url)))).toEqual([409, 'link_waiting']);
    const renewed = (await admin.visitor.post(`${team}/invitations/${early.id}/link`, {})).json.data;
    expect(renewed.approvalState).toBe('waiting');
    const [requestNo = ''] = await approver.waitingForMe();
    expect((await approver.approve(requestNo)).status).toBe(200);
    expect((await accept(tokenOf(renewed.url))).status).toBe(200);
  });

  it('the request of an invitation ends with it, when the person who sent it is suspended', async () => {
    const { merchant, admin, approver } = await office();
    const second = await Colleague.join(product, merchant, { role: 'MERCHANT_ADMIN', name: 'second' });
    const invitation = { email: `late@${merchant.code}.test`, roles: ['FINANCE'] };
    const made = await second.visitor.post(`${team}/invitations`, invitation);
    expect(made.json.data.approvalState).toBe('waiting');
    const [requestNo = ''] = await approver.waitingForMe();
    const suspended = await admin.visitor.post(`${team}/members/${second.id}/suspension`, {});
    expect(suspended.status).toBe(204);
    expect(await approver.waitingForMe()).toEqual([]);
    expect(await approver.request(requestNo)).toMatchObject({ state: 'withdrawn' });
  });

  it('a suspended member with payment rights returns only once that is approved', async () => {
    const { merchant, admin, approver } = await office();
    const { id, path } = await memberOf(merchant, 'FINANCE', 'clerk');
    expect((await admin.visitor.post(`${path}/suspension`, {})).status).toBe(204);
    const { request_no } = (await admin.visitor.send('DELETE', `${path}/suspension`, {})).json.data;
    expect(await stateOf(admin, id)).toMatchObject({ state: 'suspended' });
    expect((await approver.approve(request_no)).json.data.state).toBe('approved');
    expect(await stateOf(admin, id)).toMatchObject({ state: 'active' });
  });

  it('a key that an operator made may be known to everybody who could read it', async () => {
    const { merchant, admin, approver } = await office();
    await letAdminsApprove(merchant);
    const requestNo = await approver.requestOf(await payByKey(merchant));
    expect(await admin.waitingForMe()).toEqual([]);
    expect(outcome(await admin.approve(requestNo))).toEqual([403, 'own_request']);
    expect(await approver.waitingForMe()).toEqual([requestNo]);
  });

  it('somebody who has read the access key does not approve what a program asks for with it', async () => {
    const { merchant, admin, approver } = await office();
    await letAdminsApprove(merchant);
    await admin.visitor.post('/api/user/confirm-password', { password: testPassword });
    expect((await admin.authorizedGet('/api/merchant/access-key/secret')).status).toBe(200);
    const requestNo = await admin.requestOf(await payByKey(merchant));
    expect(await admin.waitingForMe()).toEqual([]);
    expect(outcome(await admin.approve(requestNo))).toEqual([403, 'own_request']);
    expect((await approver.approve(requestNo)).json.data.state).toBe('approved');
  });
});
