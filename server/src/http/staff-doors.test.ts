import { type EndpointShape, requestLimits } from '@hengfu/contract/endpoint';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { otherStaffDoors } from '../testing/doors.ts';
import { everyStaffEndpoint } from '../testing/endpoints.ts';
import { routesOf } from '../testing/routes-of.ts';
import { TestProduct } from '../testing/test-product.ts';
import { TestStaff } from '../testing/test-staff.ts';

const concurrency = 20;

const endpoints = await everyStaffEndpoint();
const writing = endpoints.filter(({ method }) => method !== 'GET');
const named = (list: readonly EndpointShape[]) =>
  list.map((endpoint) => [`${endpoint.method} ${endpoint.path}`, endpoint] as const);

let product: TestProduct;
let staff: TestStaff;

beforeAll(async () => {
  product = await TestProduct.start(inject('ownerUrl'), { hasOnePlacement: true });
  staff = await TestStaff.start(product);
  await product.merchant('doors');
});
afterAll(async () => {
  expect(await product.violations()).toEqual([]);
  expect(await product.deadlocks()).toBe(0);
  await staff.close();
  await product.close();
});

const pathOf = ({ path }: EndpointShape) => path.replace(':code', 'doors').replaceAll(/:\w+/g, '1');

it('the routes of the back office are exactly those that the contract and the page name', () => {
  const known = new Set([
    ...endpoints.map(({ method, path }) => `${method} ${path}`),
    ...otherStaffDoors.map(({ route }) => route),
  ]);
  const bound = routesOf(staff.app.printRoutes({ commonPrefix: false }));
  expect(bound.length).toBeGreaterThan(endpoints.length);
  expect([...new Set(bound)].filter((route) => !known.has(route))).toEqual([]);
  expect([...known].filter((route) => !bound.includes(route))).toEqual([]);
});

// A file has a limit of its own, which a declared length is compared with before anything is read.
const bodies = writing.filter(({ isFileBody }) => !isFileBody);
it('two calls alone take a file as their body', () => {
  const files = writing.filter(({ isFileBody }) => isFileBody);
  expect(files.map(({ path }) => path)).toEqual([
    '/api/staff/payouts/:trade_no/evidence',
    '/api/staff/reconciliation/days/:channel/:day/statement',
  ]);
});

it.each(named(bodies))('%s takes its largest body, and no byte more', async (_name, endpoint) => {
  const visitor = await member();
  const bytes = endpoint.bodyLimitBytes ?? requestLimits.bodyBytes;
  const bodyOf = (length: number) => {
    const empty = JSON.stringify({ text: '' });
    return JSON.stringify({ text: 'x'.repeat(length - empty.length) });
  };
  const largest = await visitor.send(endpoint.method, pathOf(endpoint), bodyOf(bytes));
  expect(largest.status).toBeLessThan(500);
  expect(largest.status).not.toBe(413);
  const { status, json } = await staff.visitor().send(endpoint.method, pathOf(endpoint), bodyOf(bytes + 1));
  expect([status, json.code]).toEqual([413, 'payload_too_large']);
});

it.each(named(writing.filter(({ access }) => access === 'staff')))(
  '%s withstands twenty concurrent calls of one session',
  async (_name, endpoint) => {
    const visitor = await member();
    const answers = await Promise.all(
      Array.from({ length: concurrency }, () => visitor.send(endpoint.method, pathOf(endpoint), {})),
    );
    expect(answers.filter(({ status }) => status >= 500)).toEqual([]);
  },
);

let people = 0;
/** Signs somebody in who may do everything: some of the calls end the session. */
const member = () => staff.member(`member${++people}`, 'ADMIN');
