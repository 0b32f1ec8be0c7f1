import type { EndpointShape } from '@hengfu/contract/endpoint';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { everyEndpoint } from '../testing/endpoints.ts';
import { attacksOn } from '../testing/hostile-attacks.ts';
import { SoftPasskey } from '../testing/soft-passkey.ts';
import { type TestMerchant, TestProduct, testPassword } from '../testing/test-product.ts';
import type { Answer, Visitor } from '../testing/visitor.ts';

let product: TestProduct;
let merchant: TestMerchant;
let person: Visitor;

beforeAll(async () => {
  product = await TestProduct.start(inject('ownerUrl'), { bank: true });
  merchant = await product.merchant('hostile');
  person = await product.person(merchant);
  await person.post('/api/user/confirm-password', { password: testPassword });
  await new SoftPasskey(product.url).bind(person);
});
afterAll(() => product.close());

function send(endpoint: EndpointShape, path: string, body?: unknown): Promise<Answer> {
  return endpoint.access === 'signed'
    ? merchant.program.send(endpoint.method, path, body, {})
    : person.send(endpoint.method, path, body);
}

const concurrency = 8;
// Signing out would end the session that the other attacks use.
const endpoints = (await everyEndpoint()).filter(({ path }) => path !== '/api/logout');

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
  expect((await person.get('/api/merchant/user')).status).toBe(200);
});
