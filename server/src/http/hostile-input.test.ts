import type { EndpointShape } from '@hengfu/contract/endpoint';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import * as z from 'zod';
import { everyEndpoint } from '../testing/endpoints.ts';
import { wideSignInLimits } from '../testing/sign-in-limits.ts';
import { SoftPasskey } from '../testing/soft-passkey.ts';
import { type TestMerchant, TestProduct, testPassword } from '../testing/test-product.ts';
import type { Answer, Visitor } from '../testing/visitor.ts';

let product: TestProduct;
let merchant: TestMerchant;
let person: Visitor;

beforeAll(async () => {
  product = await TestProduct.start(inject('ownerUrl'), { bank: true, signInLimits: wideSignInLimits });
  merchant = await product.merchant('hostile');
  person = await product.person(merchant);
  await person.post('/api/user/confirm-password', { password: testPassword });
  await new SoftPasskey(product.url).bind(person);
});
afterAll(() => product.close());

/** Values that a field rejects, or accepts as plain text. */
const values: unknown[] = [
  'a\0b',
  'a\ud800',
  '\u202E',
  "'; drop table audit; --",
  '{{7*7}}',
  '../../etc/passwd',
  '%00',
  'x'.repeat(20_000),
  '9'.repeat(400),
  '-1',
  '1e999',
  '0x10',
  '2026-99-99T99:99:99Z',
  'NaN',
  'null',
  null,
  true,
  -1,
  1e308,
  0.1,
  [],
  {},
  [[]],
  ['a', 'b'],
  { toString: 'x' },
  { length: 1e9 },
];

/** Malformed or hostile bodies. */
const bodies = [
  '',
  'null',
  '[]',
  '"x"',
  '1',
  '{',
  '\0',
  '[{}]',
  `${'['.repeat(5000)}${']'.repeat(5000)}`,
  '{"__proto__":{"isAdmin":true}}',
  '{"constructor":{"prototype":{"isAdmin":true}}}',
  '{"a":1,"a":2}',
  `{"a":"\\ud800"}`,
];

/** Encoded values for queries and paths. */
const encoded = [
  '%00',
  '%ED%A0%80',
  '%E4%BD',
  '%FF',
  '%25',
  '%27%22%3B--',
  '..%2f..%2fetc%2fpasswd',
  '%0d%0ax:%20y',
  'x'.repeat(150),
  '9'.repeat(150),
  '-1',
  '%E2%80%AE',
  '__proto__',
  'constructor',
  '*',
  '%5B%5D',
];

const fieldsOf = (schema: z.ZodType | undefined): string[] =>
  schema instanceof z.ZodObject ? Object.keys(schema.shape) : [];

function send(endpoint: EndpointShape, path: string, body?: unknown): Promise<Answer> {
  return endpoint.access === 'signed'
    ? merchant.program.send(endpoint.method, path, body, {})
    : person.send(endpoint.method, path, body);
}

/** Builds every attack on a call: a name to find it by, and a function that runs it. */
function attacksOn(endpoint: EndpointShape): [string, () => Promise<Answer>][] {
  const plain = endpoint.path.replaceAll(/:\w+/g, 'none');
  const attacks: [string, () => Promise<Answer>][] = [];
  if (endpoint.params)
    for (const value of encoded) {
      const path = endpoint.path.replaceAll(/:\w+/g, value);
      attacks.push([path, () => send(endpoint, path, endpoint.method === 'GET' ? undefined : {})]);
    }
  for (const name of ['nonsense', ...fieldsOf(endpoint.query)])
    for (const query of [
      ...encoded.map((value) => `${name}=${value}`),
      `${name}=a&${name}=b`,
      `${name}[a]=b`,
    ]) {
      const path = `${plain}?${query}`;
      attacks.push([path, () => send(endpoint, path, endpoint.method === 'GET' ? undefined : {})]);
    }
  if (endpoint.method === 'GET') return attacks;
  for (const body of bodies)
    attacks.push([`${plain} ${body.slice(0, 40)}`, () => send(endpoint, plain, body)]);
  for (const name of fieldsOf(endpoint.body))
    for (const value of values)
      attacks.push([
        `${plain} ${name}=${JSON.stringify(value).slice(0, 40)}`,
        () => send(endpoint, plain, { [name]: value }),
      ]);
  return attacks;
}

const concurrency = 8;
// Signing out would end the session that the other attacks use.
const endpoints = (await everyEndpoint()).filter(({ path }) => path !== '/api/logout');

it.each(endpoints.map((endpoint) => [`${endpoint.method} ${endpoint.path}`, endpoint] as const))(
  '%s rejects hostile input with a 4xx, or accepts it as text',
  async (_name, endpoint) => {
    const attacks = attacksOn(endpoint);
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
