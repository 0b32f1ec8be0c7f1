import type { EndpointShape } from '@hengfu/contract/endpoint';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { everyStaffEndpoint } from '../testing/endpoints.ts';
import { attacksOn } from '../testing/hostile-attacks.ts';
import { TestProduct } from '../testing/test-product.ts';
import { TestStaff } from '../testing/test-staff.ts';
import type { Visitor } from '../testing/visitor.ts';

let product: TestProduct;
let staff: TestStaff;
let admin: Visitor;

beforeAll(async () => {
  product = await TestProduct.start(inject('ownerUrl'), { hasOnePlacement: true });
  staff = await TestStaff.start(product);
  await product.merchant('hostile');
  admin = await staff.member('admin', 'ADMIN');
});
afterAll(async () => {
  await staff.close();
  await product.close();
});

const send = (endpoint: EndpointShape, path: string, body?: unknown) =>
  admin.send(endpoint.method, path, body);

const concurrency = 8;
// These end the session that the other attacks use.
const endpoints = (await everyStaffEndpoint()).filter(({ path }) => path !== '/api/staff/logout');

it.each(endpoints.map((endpoint) => [`${endpoint.method} ${endpoint.path}`, endpoint] as const))(
  '%s rejects hostile input with a 4xx, or accepts it as text',
  async (_name, endpoint) => {
    const attacks = attacksOn(endpoint, send);
    expect(attacks.length).toBeGreaterThan(10);
    for (let at = 0; at < attacks.length; at += concurrency)
      await Promise.all(
        attacks.slice(at, at + concurrency).map(async ([name, attack]) => {
          const { status, json } = await attack();
          expect(status, `${name}: ${JSON.stringify(json).slice(0, 200)}`).toBeLessThan(500);
        }),
      );
  },
  60_000,
);

it('no attack has reached a prototype or ended the session', async () => {
  expect('isAdmin' in {}).toBe(false);
  expect((await admin.get('/api/staff/user')).status).toBe(200);
});
