import type { EndpointShape } from '@hengfu/contract/endpoint';
import { eventsPath } from '@hengfu/contract/events';
import { permsOf } from '@hengfu/contract/permissions';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { everyEndpoint } from '../testing/endpoints.ts';
import type { ShopProgram } from '../testing/shop-program.ts';
import { TestProduct } from '../testing/test-product.ts';
import type { Visitor } from '../testing/visitor.ts';

let product: TestProduct;
let stranger: Visitor;
let powerless: Visitor;
let strangersProgram: ShopProgram;
const numbers = { trade_no: '', settlement_no: '' };

const endpoints = await everyEndpoint();
const ofPeople = endpoints.filter(({ access }) => access === 'session');

beforeAll(async () => {
  product = await TestProduct.start(inject('ownerUrl'), { bank: true });
  const owner = await product.merchant('owner');
  numbers.trade_no = (await owner.program.create('secret')).json.trade_no;
  numbers.settlement_no = await batchOf(owner.id);
  const other = await product.merchant('stranger');
  stranger = await product.person(other);
  strangersProgram = other.program;
  powerless = await product.person(owner, 'MERCHANT_VIEWER');
  await withoutPerms('merchant_viewer@owner.test');
});
afterAll(() => product.close());

/** A batch with one paid order of a merchant. */
async function batchOf(merchantId: bigint): Promise<string> {
  const { services } = product;
  const home = { merchantId, code: 'owner', name: 'Owner', currency: 'CNY', zone: 'UTC' } as const;
  const order = await services.collections.create(home, {
    out_trade_no: 'paid',
    amount: '10.00',
    currency: 'CNY',
    channel: 'CN_BANK',
  });
  const report = {
    reference: order.tradeNo,
    status: 'paid',
    bankReference: 'b',
    amountMinor: 1000n,
    currency: 'CNY',
    reason: null,
  } as const;
  await services.collections.report(report);
  return (await services.settlements.runNow(merchantId, new Date(Date.now() + 1000))) ?? '';
}

/** Takes every permission from a user by giving it a role that the contract does not know. */
async function withoutPerms(email: string): Promise<void> {
  await product.services.database.asSystem((tx) =>
    sql`update app_user set roles = '{NOBODY}' where email = ${email}`.execute(tx.query),
  );
}

const pathOf = (path: string) =>
  path.replace(':trade_no', numbers.trade_no).replace(':settlement_no', numbers.settlement_no);

const ask = (visitor: Visitor, endpoint: EndpointShape) =>
  endpoint.method === 'GET' ? visitor.get(pathOf(endpoint.path)) : visitor.post(pathOf(endpoint.path), {});

describe('every call of the console', () => {
  it.each(ofPeople.map((endpoint) => [`${endpoint.method} ${endpoint.path}`, endpoint] as const))(
    '%s is closed to the anonymous',
    async (_name, endpoint) => {
      const visitor = product.visitor();
      await visitor.get('/api/csrf-cookie');
      const { status, json } = await ask(visitor, endpoint);
      expect([status, json.code]).toEqual([401, 'unauthenticated']);
    },
  );

  it.each(
    ofPeople
      .filter(({ perm }) => perm)
      .map((endpoint) => [`${endpoint.method} ${endpoint.path}`, endpoint] as const),
  )('%s is closed to who has no permission for it', async (_name, endpoint) => {
    const { status, json } = await ask(powerless, endpoint);
    expect([status, json.code]).toEqual([403, 'forbidden']);
  });

  it.each(
    ofPeople
      .filter(({ params }) => params)
      .map((endpoint) => [`${endpoint.method} ${endpoint.path}`, endpoint] as const),
  )('%s says of another merchant’s number what it says of none', async (_name, endpoint) => {
    const theirs = await ask(stranger, endpoint);
    expect([theirs.status, theirs.json.code]).toEqual([404, 'not_found']);
  });

  it('the event stream is closed to the anonymous', async () => {
    expect((await product.visitor().get(eventsPath)).status).toBe(401);
  });
});

describe('every call of the Open API', () => {
  it.each(
    endpoints
      .filter(({ access }) => access === 'signed')
      .map((endpoint) => [`${endpoint.method} ${endpoint.path}`, endpoint] as const),
  )('%s is closed to the unsigned', async (_name, endpoint) => {
    const { status, json } = await ask(stranger, endpoint);
    expect([status, json.code]).toEqual([401, 'signature_missing']);
  });

  it.each(
    endpoints
      .filter(({ access, params }) => access === 'signed' && params)
      .map((endpoint) => [`${endpoint.method} ${endpoint.path}`, endpoint] as const),
  )('%s says of another merchant’s number what it says of none', async (_name, { method, path }) => {
    const { status, json } = await strangersProgram.send(method, pathOf(path), undefined, {});
    expect([status, json.code]).toEqual([404, 'not_found']);
  });
});

it('a role grants only permissions that exist', () => {
  expect(permsOf(['MERCHANT_VIEWER']).every((perm) => perm.endsWith('.read'))).toBe(true);
});

it('knows the calls of every feature', () => {
  const paths = endpoints.map(({ path }) => path);
  expect(paths).toContain('/api/merchant/contact');
  expect(endpoints.length).toBeGreaterThan(18);
});
