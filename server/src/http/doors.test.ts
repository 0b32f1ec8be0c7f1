import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type EndpointShape, requestLimits } from '@hengfu/contract/endpoint';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { inventory, otherDoors } from '../testing/doors.ts';
import { everyEndpoint, everyStaffEndpoint } from '../testing/endpoints.ts';
import { routesOf } from '../testing/routes-of.ts';
import { SoftPasskey } from '../testing/soft-passkey.ts';
import { type TestMerchant, TestProduct, testPassword } from '../testing/test-product.ts';
import type { Visitor } from '../testing/visitor.ts';

const page = join(import.meta.dirname, '../../../docs/doors.md');
const concurrency = 20;

const endpoints = await everyEndpoint();
const writing = endpoints.filter(({ method }) => method !== 'GET');
const named = (list: readonly EndpointShape[]) =>
  list.map((endpoint) => [`${endpoint.method} ${endpoint.path}`, endpoint] as const);

let product: TestProduct;
let merchant: TestMerchant;

beforeAll(async () => {
  product = await TestProduct.start(inject('ownerUrl'), { bank: true });
  merchant = await product.merchant('doors');
});
afterAll(async () => {
  expect(await product.violations()).toEqual([]);
  expect(await product.deadlocks()).toBe(0);
  await product.close();
});

let people = 0;
/** Creates a person whose session has passed every check. */
async function insider(): Promise<Visitor> {
  const email = `insider${++people}@doors.test`;
  const user = { email, name: 'I', password: testPassword, roles: ['MERCHANT_ADMIN'] as const };
  await product.admin().createUser(merchant.id, user);
  const visitor = product.visitor();
  await visitor.signIn(email, testPassword);
  await visitor.post('/api/user/confirm-password', { password: testPassword });
  await new SoftPasskey(product.url).bind(visitor);
  return visitor;
}

const pathOf = ({ path }: EndpointShape) => path.replaceAll(/:\w+/g, '00000000-0000-4000-8000-000000000000');

it('the page matches the entry points of the contract', async () => {
  const expected = inventory([...endpoints, ...(await everyStaffEndpoint())]);
  if (process.env.UPDATE_DOORS) await writeFile(page, expected);
  expect(await readFile(page, 'utf8')).toBe(expected);
});

it('the routes on the page are exactly the routes that are bound', () => {
  const known = new Set([
    ...endpoints.map(({ method, path }) => `${method} ${path}`),
    ...otherDoors.map(({ route }) => route),
  ]);
  const bound = routesOf(product.app.printRoutes({ commonPrefix: false }));
  expect(bound.length).toBeGreaterThan(endpoints.length);
  expect([...new Set(bound)].filter((route) => !known.has(route))).toEqual([]);
  expect([...known].filter((route) => !bound.includes(route))).toEqual([]);
});

it.each(named(writing.filter(({ access, crossSite }) => access !== 'signed' && !crossSite)))(
  '%s rejects a session cookie without its XSRF token',
  async (_name, endpoint) => {
    const visitor = product.visitor();
    await visitor.get('/api/csrf-cookie');
    const headers = { 'x-xsrf-token': 'another' };
    const { status, json } = await visitor.send(endpoint.method, pathOf(endpoint), {}, headers);
    expect([status, json.code]).toEqual([419, 'csrf_mismatch']);
  },
);

it.each(named(writing))('%s rejects a body over its limit', async (_name, endpoint) => {
  const bytes = endpoint.bodyLimitBytes ?? requestLimits.bodyBytes;
  const body = JSON.stringify({ text: 'x'.repeat(bytes) });
  const { status, json } = await product.visitor().send(endpoint.method, pathOf(endpoint), body);
  expect([status, json.code]).toEqual([413, 'payload_too_large']);
});

it.each(named(writing.filter(({ access }) => access === 'session')))(
  '%s withstands twenty concurrent calls of one session',
  async (_name, endpoint) => {
    const visitor = await insider();
    const answers = await Promise.all(
      Array.from({ length: concurrency }, () => visitor.send(endpoint.method, pathOf(endpoint), {})),
    );
    expect(answers.filter(({ status }) => status >= 500)).toEqual([]);
  },
);

it.each(named(endpoints.filter(({ access }) => access === 'signed')))(
  '%s withstands twenty concurrent signed calls',
  async (_name, endpoint) => {
    const body = endpoint.method === 'GET' ? undefined : {};
    const answers = await Promise.all(
      Array.from({ length: concurrency }, () =>
        merchant.program.send(endpoint.method, pathOf(endpoint), body, {}),
      ),
    );
    expect(answers.filter(({ status }) => status >= 500)).toEqual([]);
  },
);
