import type { EndpointShape } from '@hengfu/contract/endpoint';
import * as z from 'zod';
import type { Answer } from './visitor.ts';

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

/** Sends a call of an endpoint to a path. */
export type SendAttack = (endpoint: EndpointShape, path: string, body?: unknown) => Promise<Answer>;

/** Builds every attack on a call: a name to find it by, and a function that runs it. */
export function attacksOn(endpoint: EndpointShape, send: SendAttack): [string, () => Promise<Answer>][] {
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
