import type { ApprovalRuleInput } from '@hengfu/contract/approval-rules';
import type { Role } from '@hengfu/contract/permissions';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { Colleague, payoutRule } from '../../testing/approving-office.ts';
import { TestProduct } from '../../testing/test-product.ts';

let product: TestProduct;
let merchants = 0;
const path = '/api/merchant/callback-endpoints';
const url = 'https://shop.test/hook';
const accessRule: ApprovalRuleInput = { ...payoutRule('0'), kind: 'access' };

beforeAll(async () => {
  product = await TestProduct.start(inject('ownerUrl'));
});
afterAll(async () => {
  expect(await product.deadlocks()).toBe(0);
  await product.close();
});

/** A merchant whose rule asks an approver about changes of the access. */
async function office() {
  const merchant = await product.merchant(`asking${++merchants}`);
  const join = (role: Role, name: string) => Colleague.join(product, merchant, { role, name });
  const admin = await join('MERCHANT_ADMIN', 'admin');
  const developer = await join('DEVELOPER', 'developer');
  const approver = await join('APPROVER', 'approver');
  const add = (body: object) => developer.proven('POST', path, body);
  const change = (id: string, body: object) => developer.proven('PUT', `${path}/${id}`, body);
  const endpoints = async () => (await developer.visitor.get(path)).json.data;
  return { merchant, admin, developer, approver, add, change, endpoints };
}

it('a new endpoint waits for approval, and its secret is shown to nobody before it is revealed', async () => {
  const { admin, developer, approver, add, endpoints } = await office();
  await admin.setRules([accessRule]);
  const { request_no } = (await add({ url, description: 'shop', events: ['payout.processed'] })).json.data;
  expect(await endpoints()).toEqual([]);
  expect(await approver.request(request_no)).toMatchObject({
    kind: 'access',
    target: url,
    access: { action: 'endpoint', before: null, after: { url, events: ['payout.processed'] } },
  });
  expect((await add({ url: 'https://other.test/' })).json.code).toBe('request_waiting');
  expect((await developer.approve(request_no)).status).toBe(403);
  const approved = await approver.approve(request_no);
  expect(approved.json.data.state).toBe('approved');
  expect(JSON.stringify(approved.json)).not.toContain('whsec_');
  const [added] = await endpoints();
  expect(added).toMatchObject({ url, description: 'shop', events: ['payout.processed'], state: 'on' });
  const { secret } = (await developer.authorizedGet(`${path}/${added.id}/secret`)).json.data;
  expect(secret).toMatch(/^whsec_/);
});

it('another address and further events wait; fewer events, pausing and removing work at once', async () => {
  const { admin, approver, developer, add, change, endpoints } = await office();
  const { id } = (await add({ url, events: ['payout.processed', 'payout.rejected'] })).json.data;
  await admin.setRules([accessRule]);
  const fewer = await change(id, { url, events: ['payout.rejected'], description: 'less' });
  expect(fewer.json.data).toMatchObject({ events: ['payout.rejected'], description: 'less' });
  for (const body of [{ url: 'https://evil.test/', events: ['payout.rejected'] }, { url }]) {
    const { request_no } = (await change(id, body)).json.data;
    expect(await endpoints()).toMatchObject([{ url, events: ['payout.rejected'] }]);
    await approver.refuse(request_no, 'no');
  }
  const { request_no } = (await change(id, { url: 'https://new.test/', events: null })).json.data;
  await approver.approve(request_no);
  expect(await endpoints()).toMatchObject([{ url: 'https://new.test/', events: null }]);
  const off = await developer.visitor.send('PUT', `${path}/${id}/state`, { state: 'off' });
  expect(off.json.data.state).toBe('off');
  expect((await developer.visitor.send('DELETE', `${path}/${id}`)).status).toBe(204);
});

it('what was approved is not done if the endpoint was removed or changed meanwhile', async () => {
  const { admin, approver, developer, add, change, endpoints } = await office();
  const { id } = (await add({ url })).json.data;
  await admin.setRules([accessRule]);
  const { request_no } = (await change(id, { url: 'https://new.test/' })).json.data;
  await developer.visitor.send('DELETE', `${path}/${id}`);
  expect((await approver.approve(request_no)).json.code).toBe('conflict');
  expect(await endpoints()).toEqual([]);
});
