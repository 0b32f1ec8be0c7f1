import type { ApprovalRuleInput } from '@hengfu/contract/approval-rules';
import type { Role } from '@hengfu/contract/permissions';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { Colleague, payoutRule } from '../../testing/approving-office.ts';
import { ShopProgram } from '../../testing/shop-program.ts';
import { type TestMerchant, TestProduct } from '../../testing/test-product.ts';

let product: TestProduct;
let merchants = 0;
let orders = 0;

beforeAll(async () => {
  product = await TestProduct.start(inject('ownerUrl'));
});
afterAll(async () => {
  expect(await product.deadlocks()).toBe(0);
  await product.close();
});

const path = '/api/merchant/access-keys';
const accessRule: ApprovalRuleInput = { ...payoutRule('0'), kind: 'access' };
const inYears = (years: number) => new Date(Date.now() + years * 365 * 86_400_000).toISOString();
const [soon, latest] = [inYears(1), inYears(5)];
const settings = { name: 'Website', scopes: ['collections'], addresses: '127.0.0.1' };
const outcome = ({ status, json }: { status: number; json: { code?: string } }) => [status, json.code];

/** A merchant with a developer, and an approver who has to approve changes of the access. */
async function office() {
  const merchant = await product.merchant(`keyring${++merchants}`);
  const join = (role: Role, name: string) => Colleague.join(product, merchant, { role, name });
  const admin = await join('MERCHANT_ADMIN', 'admin');
  const developer = await join('DEVELOPER', 'developer');
  const approver = await join('APPROVER', 'approver');
  expect((await admin.setRules([accessRule])).json).toEqual({ data: { request_no: null } });
  const at = (keyId: string, more = '') => `${path}/${keyId}${more}`;
  return {
    merchant,
    developer,
    approver,
    add: (fields: object = {}) => call(developer, 'POST', path, { ...settings, ...fields }),
    update: (keyId: string, fields: object) => call(developer, 'PUT', at(keyId), { ...settings, ...fields }),
    turn: (keyId: string, isOn: boolean) => developer.visitor.send('PUT', at(keyId, '/is-on'), { isOn }),
    succeed: (keyId: string) => call(developer, 'POST', at(keyId, '/successor'), { overlapHours: 24 }),
    reveal: (keyId: string) => developer.authorizedGet(at(keyId, '/secret')),
    list: async () => (await developer.visitor.get(path)).json.data,
    row: async (keyId: string) =>
      (await developer.visitor.get(path)).json.data.find((row: { keyId: string }) => row.keyId === keyId),
  };
}

/** Makes a call that needs the second factor: its strict body has no payment password. */
async function call(by: Colleague, method: string, at: string, body: object) {
  await by.showFactor();
  return by.visitor.send(method, at, body);
}

/** Adds a limited key as an operator does, without approval. */
async function limitedKey(merchant: TestMerchant): Promise<{ id: string; secret: string }> {
  const key = { id: `ak_${merchant.code}_limited`, secret: 'sk_limited_0123456789' };
  await product.admin().addAccessKey(merchant.id, key.id, key.secret, {
    name: 'Website',
    scopes: ['collections', 'balance'],
    addresses: ['127.0.0.0/8'],
    endsAt: new Date(latest),
  });
  return key;
}

async function tryKey(key: { id: string; secret: string }): Promise<string> {
  const { status, json } = await new ShopProgram(product.url, key).create(`order-${++orders}`);
  return status === 201 ? 'created' : json.code;
}

describe('with a rule for the access', () => {
  it('a key beside the others is made once it is approved, and the approver sees what it may do', async () => {
    const { approver, add, list, reveal } = await office();
    const { request_no } = (await add()).json.data;
    expect(await list()).toHaveLength(1);
    expect(await approver.request(request_no)).toMatchObject({
      kind: 'access',
      target: 'Website',
      access: {
        action: 'addKey',
        name: 'Website',
        scopes: ['collections'],
        addresses: ['127.0.0.1'],
        callbackUrl: null,
        endsAt: null,
      },
    });
    // Keys have one request at a time.
    expect(outcome(await add())).toEqual([409, 'request_waiting']);
    expect((await approver.approve(request_no)).json.data.state).toBe('approved');
    const [, made] = await list();
    expect(made).toMatchObject({ name: 'Website', scopes: ['collections'], addresses: ['127.0.0.1'] });
    const { data } = (await reveal(made.keyId)).json;
    expect(await tryKey({ id: data.keyId, secret: data.secret })).toBe('created');
  });

  it('what narrows a key applies at once, and what widens it waits', async () => {
    const { merchant, approver, update, row } = await office();
    const key = await limitedKey(merchant);
    const narrower = { scopes: ['balance'], addresses: '127.0.0.1', expiresAt: soon };
    expect((await update(key.id, narrower)).json).toBe('');
    expect(await tryKey(key)).toBe('key_scope');
    const wider = await update(key.id, {
      scopes: ['collections', 'payouts'],
      addresses: '',
      expiresAt: null,
    });
    const { request_no } = wider.json.data;
    expect(await row(key.id)).toMatchObject({
      scopes: ['balance'],
      addresses: ['127.0.0.1'],
      endsAt: narrower.expiresAt,
    });
    expect((await approver.request(request_no)).access).toMatchObject({
      action: 'keySettings',
      keyId: key.id,
      before: { scopes: ['balance'], addresses: ['127.0.0.1'], endsAt: narrower.expiresAt },
      after: { scopes: ['collections', 'payouts'], addresses: null, endsAt: null },
    });
    await approver.approve(request_no);
    expect(await row(key.id)).toMatchObject({
      scopes: ['collections', 'payouts'],
      addresses: null,
      endsAt: null,
    });
    expect(await tryKey(key)).toBe('created');
  });

  it('a key is turned off and ended at once while a change waits, which is then not approved', async () => {
    const { merchant, developer, approver, turn, update } = await office();
    const key = await limitedKey(merchant);
    const { request_no } = (await update(key.id, { scopes: ['payouts', 'collections'] })).json.data;
    expect((await turn(key.id, false)).json).toBe('');
    expect(await tryKey(key)).toBe('key_disabled');
    expect(outcome(await turn(key.id, true))).toEqual([409, 'request_waiting']);
    expect(outcome(await approver.approve(request_no))).toEqual([409, 'conflict']);
    expect((await developer.visitor.send('DELETE', `${path}/${key.id}`)).status).toBe(204);
    expect(await tryKey(key)).toBe('signature_invalid');
    expect(outcome(await approver.approve(request_no))).toEqual([409, 'conflict']);
  });

  it('a key that was replaced is not enabled by a request that nobody could approve', async () => {
    const { merchant, approver, developer, turn, succeed, row, add } = await office();
    const key = await limitedKey(merchant);
    await approver.approve((await succeed(key.id)).json.data.request_no);
    expect((await row(key.id)).successor).not.toBeNull();
    expect((await turn(key.id, false)).json).toBe('');
    expect(outcome(await turn(key.id, true))).toEqual([409, 'conflict']);
    // No request blocks the next one.
    expect((await developer.visitor.get('/api/merchant/access-requests')).json.data.waiting).toEqual([]);
    expect((await add()).json.data.request_no).toEqual(expect.any(String));
  });

  it('a key is made although the successor of the last live one has ended', async () => {
    const { merchant, approver, developer, succeed, row, list } = await office();
    const old = merchant.program.key.id;
    await approver.approve((await succeed(old)).json.data.request_no);
    const { successor } = await row(old);
    expect((await developer.visitor.send('DELETE', `${path}/${successor}`)).status).toBe(204);
    const asked = await call(developer, 'PUT', '/api/merchant/access-key/regenerate', { overlapHours: 0 });
    expect(outcome(await approver.approve(asked.json.data.request_no))).toEqual([200, undefined]);
    const live = (await list()).filter(({ state }: { state: string }) => state === 'active');
    expect(live).toMatchObject([{ isFirst: true, successor: null }]);
    expect([old, successor]).not.toContain(live[0].keyId);
  });

  it('a successor has the limits that the key has when it is approved', async () => {
    const { merchant, approver, succeed, update, row, list } = await office();
    const key = await limitedKey(merchant);
    const { request_no } = (await succeed(key.id)).json.data;
    const narrower = { scopes: ['balance'], addresses: '127.0.0.1', expiresAt: latest };
    expect((await update(key.id, narrower)).json).toBe('');
    await approver.approve(request_no);
    const { successor } = await row(key.id);
    expect(await row(successor)).toMatchObject({
      name: 'Website',
      scopes: ['balance'],
      addresses: ['127.0.0.1'],
    });
    expect(await list()).toHaveLength(3);
  });

  it('what an approval would make too late, or beyond the quota, is not made', async () => {
    const { merchant, developer, approver, add, list } = await office();
    const late = (await add({ expiresAt: soon })).json.data.request_no;
    const change = (statement: ReturnType<typeof sql>) =>
      product.services.database.asSystem((tx) => statement.execute(tx.query));
    await change(sql`
      update approval_request set change = change || '{"endsAt": "2020-01-01T00:00:00.000Z"}' where request_no = ${late}`);
    expect(outcome(await approver.approve(late))).toEqual([409, 'conflict']);
    await developer.visitor.send('DELETE', `/api/merchant/access-requests/${late}`);
    const full = (await add()).json.data.request_no;
    await change(sql`
      with claim as (
        insert into access_key_directory (key_id, merchant_id)
        select 'ak_full_' || n, ${merchant.id} from generate_series(1, 19) n returning key_id)
      insert into access_key (key_id, merchant_id, secret_encrypted) select key_id, ${merchant.id}, '' from claim`);
    expect(outcome(await approver.approve(full))).toEqual([409, 'conflict']);
    expect(await list()).toHaveLength(20);
  });

  it('a request of the version before, which knew no limits, is approved as it was asked for', async () => {
    const { merchant, approver, developer, row } = await office();
    const { key } = merchant.program;
    const asked = await developer.authorized('PUT', '/api/merchant/access-key/update', {
      callbackUrl: 'https://shop.test/cb',
      isEnabled: true,
    });
    const { request_no } = asked.json.data;
    await product.services.database.asSystem((tx) =>
      sql`update approval_request set change = jsonb_build_object('setting', 'key', 'action', 'keySettings', 'keyId', ${key.id}::text,
          'before', '{"callbackUrl": null, "isEnabled": true}'::jsonb,
          'after', '{"callbackUrl": "https://shop.test/cb", "isEnabled": true}'::jsonb)
        where request_no = ${request_no}`.execute(tx.query),
    );
    expect((await approver.request(request_no)).access.after).toEqual({
      callbackUrl: 'https://shop.test/cb',
      isEnabled: true,
    });
    await approver.approve(request_no);
    expect(await row(key.id)).toMatchObject({
      callbackUrl: 'https://shop.test/cb',
      scopes: ['collections', 'refunds', 'payouts', 'balance', 'read'],
    });
  });
});
