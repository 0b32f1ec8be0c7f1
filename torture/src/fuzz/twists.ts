import fc from 'fast-check';
import type { Call, Twist } from './call.ts';
import { badAmounts, hostileTexts } from './hostile.ts';
import { placeholder } from './pool.ts';

const kibibyte = 1024;
/** Identifiers of the bystander, which no caller may access. */
const bystanderIds = ['trade_no', 'settlement_no', 'topup_no', 'session_id'].map((name) =>
  placeholder(`bystander/${name}`),
);

function withQuery(call: Call, query: Call['query'], more: Partial<Call> = {}): Call {
  return { ...call, query, ...more };
}

/** Twists that change the query. */
export const queryTwists: fc.Arbitrary<Twist> = fc.oneof(
  // A repeated name, an unknown one, a property of every JavaScript object.
  fc.nat().map(
    (at): Twist =>
      (call) => {
        const again = call.query[at % Math.max(1, call.query.length)] ?? (['limit', '20'] as const);
        return withQuery(call, [...call.query, again, again]);
      },
  ),
  fc
    .constantFrom(
      '__proto__',
      'constructor',
      '__proto__[roles]',
      'merchant_id',
      'a[]',
      'toString',
      '',
      '$where',
    )
    .map(
      (name): Twist =>
        (call) =>
          withQuery(call, [...call.query, [name, '1']]),
    ),
  // A missing parameter, a hostile value, a value at or over its maximum length.
  fc.nat().map(
    (at): Twist =>
      (call) =>
        withQuery(
          call,
          call.query.filter((_, index) => index !== at % 8),
        ),
  ),
  fc.tuple(fc.nat(), fc.constantFrom(...hostileTexts, ...badAmounts)).map(
    ([at, text]): Twist =>
      (call, operation) => {
        const names = operation.parameters.filter((each) => each.in === 'query').map(({ name }) => name);
        const name = names[at % Math.max(1, names.length)] ?? 'limit';
        return withQuery(call, [...call.query.filter(([other]) => other !== name), [name, text]]);
      },
  ),
  fc.tuple(fc.nat(), fc.constantFrom(0, 1)).map(
    ([at, over]): Twist =>
      (call, operation) => {
        const bound = operation.parameters.filter((each) => each.in === 'query' && each.schema.maxLength);
        const field = bound[at % Math.max(1, bound.length)];
        const text = '9'.repeat((field?.schema.maxLength ?? 100) + over);
        return withQuery(call, [...call.query, [field?.name ?? 'limit', text]]);
      },
  ),
  fc.constantFrom(30, 200).map(
    (of): Twist =>
      (call) =>
        withQuery(
          call,
          Array.from({ length: of }, (_, index) => [`p${index}`, 'x'] as const),
        ),
  ),
  // Invalid percent-encoding, sent unchanged.
  fc.constantFrom('%', '%zz', 'a=%00', 'cursor=%ed%a0%80', '=', '&&&', 'limit', 'a=%ff', '?', 'q=%F0%9F').map(
    (text): Twist =>
      (call) => ({ ...call, path: `${call.path}?${text}`, query: [] }),
  ),
);

/** Twists that change the identifiers in a path. */
export const addressTwists: fc.Arbitrary<Twist> = fc.oneof(
  fc.constantFrom(...bystanderIds).map(
    (number): Twist =>
      (call, { path, door }) => ({
        ...call,
        path: path.replaceAll(/\{\w+\}/g, number),
        // Our staff see the orders of all merchants.
        isWrong: door === 'merchants',
      }),
  ),
  fc
    .constantFrom(
      '..%2f..%2fuser',
      '%2e%2e',
      '..',
      '.',
      '',
      '%00',
      '%2F',
      'a%2Fb',
      'a/b',
      '%zz',
      '%',
      '%ed%a0%80',
      '%ff',
      '１２３',
      '-1',
      '0',
      '1e3',
      "1'--",
      '%0d%0aX:1',
      'x'.repeat(199),
      'x'.repeat(201),
      'x'.repeat(4000),
      '9'.repeat(18),
      '9'.repeat(19),
      '00000000-0000-0000-0000-000000000000',
      '__proto__',
      ';',
      '%3F',
      '{}',
    )
    .map(
      (text): Twist =>
        (call, { path }) => ({
          ...call,
          path: path.replaceAll(/\{\w+\}/g, Buffer.from(text).toString('latin1')),
          isElsewhere: true,
        }),
    ),
);

const headers: readonly Readonly<Record<string, string>>[] = [
  { 'x-long': 'x'.repeat(8 * kibibyte) },
  { 'x-long': 'x'.repeat(20 * kibibyte) },
  { cookie: `hengfu_session=${'x'.repeat(8 * kibibyte)}` },
  { cookie: 'hengfu_session=%zz; XSRF-TOKEN=%; language=__proto__' },
  { cookie: `hengfu_session=${'A'.repeat(43)}; hengfu_session=${'B'.repeat(43)}` },
  { 'x-xsrf-token': '%' },
  { 'x-xsrf-token': 'é' },
  { 'idempotency-key': '' },
  { 'idempotency-key': ' ' },
  { 'idempotency-key': 'k'.repeat(255) },
  { 'idempotency-key': 'k'.repeat(256) },
  { 'idempotency-key': 'same' },
  { 'idempotency-key': '\u00e9\u00ff' },
  { 'accept-language': '__proto__' },
  { 'accept-language': ',,,;q=NaN' },
  { 'accept-language': 'x'.repeat(5000) },
  { accept: 'text/html' },
  { 'accept-encoding': 'br;q=-1, *' },
  { 'x-forwarded-for': '203.0.113.9', 'x-forwarded-proto': 'https', forwarded: 'for=1.2.3.4' },
  { 'x-http-method-override': 'DELETE' },
  { 'user-agent': 'x'.repeat(5000) },
  { 'user-agent': '\u00e9<script>' },
  { host: 'evil.test' },
  { origin: 'https://evil.test', referer: 'https://evil.test/' },
  { range: 'bytes=0-0', 'if-none-match': '*', 'if-modified-since': 'x' },
  { 'x-timestamp': '1e9' },
  { 'x-nonce': 'x' },
  { 'x-signature': '0' },
  { 'x-key': '__proto__' },
  { 'content-encoding': 'gzip' },
  { 'content-type': 'application/json; charset=utf-16' },
];

const methods = [
  'HEAD',
  'OPTIONS',
  'PATCH',
  'PUT',
  'DELETE',
  'POST',
  'GET',
  'TRACE',
  'PROPFIND',
  'LINK',
  'QUERY',
];

/** Twists that change headers, method, caller or path ending, or add a body. */
export const envelopeTwists: fc.Arbitrary<Twist> = fc.oneof(
  fc.constantFrom(...headers).map(
    (more): Twist =>
      (call) => ({ ...call, headers: { ...call.headers, ...more } }),
  ),
  fc.constantFrom(...methods).map(
    (method): Twist =>
      (call) => ({ ...call, method, isElsewhere: true }),
  ),
  fc.constantFrom('nobody', 'visitor', 'admin', 'program').map(
    (who): Twist =>
      (call) =>
        ({ ...call, who }) as Call,
  ),
  // A body where none is expected.
  fc.constantFrom('{}', '[]', 'x', '', '{"a":').map(
    (body): Twist =>
      (call) => ({
        ...call,
        headers: { ...call.headers, 'content-type': 'application/json' },
        body: call.body ?? body,
      }),
  ),
  fc.constantFrom('/', '//', '/.', '%2f', '?').map(
    (end): Twist =>
      (call) => ({
        ...call,
        path: `${call.path}${end}`,
        isElsewhere: true,
      }),
  ),
);
