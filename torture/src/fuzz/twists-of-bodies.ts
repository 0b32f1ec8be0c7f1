import fc from 'fast-check';
import type { Call, Twist } from './call.ts';
import type { JsonSchema, Operation } from './document.ts';
import { badAmounts, hostileTexts, unstorableTexts } from './hostile.ts';
import type { Json } from './json.ts';

const nestingDepth = 10_000;
/** Over the body limit of every call except the upload of a picture, which has its own. */
const hugeBytes = 400 * 1024;
const hugePictureBytes = 4 * 1024 * 1024;
const amountNames = /^(amount|total)$/;

type Fields = Record<string, Json>;

/** Changes the fields of a JSON object body. */
function editFields(call: Call, edit: (fields: Fields) => void, more: Partial<Call> = {}): Call {
  if (typeof call.body !== 'string') return call;
  const json: Json = JSON.parse(call.body);
  if (typeof json !== 'object' || json === null || Array.isArray(json)) return call;
  edit(json);
  return { ...call, body: JSON.stringify(json), ...more };
}

/** Chooses a field name of a body, among those it has and those its schema allows. */
function nameAt(fields: Fields, { body }: Operation, at: number): string {
  const names = [...new Set([...Object.keys(fields), ...Object.keys(body?.properties ?? {})])];
  return names[at % Math.max(1, names.length)] ?? 'x';
}

/** Changes the text of a body. */
function editText(call: Call, rewrite: (text: string) => string | Buffer, more: Partial<Call> = {}): Call {
  return typeof call.body === 'string' ? { ...call, body: rewrite(call.body), ...more } : call;
}

const setField = (value: fc.Arbitrary<Json>, isWrong = false): fc.Arbitrary<Twist> =>
  fc.tuple(fc.nat(40), value).map(
    ([at, json]): Twist =>
      (call, operation) =>
        editFields(
          call,
          (fields) => {
            fields[nameAt(fields, operation, at)] = json;
          },
          { isWrong },
        ),
  );

const nearlyRight: fc.Arbitrary<Twist> = fc.oneof(
  fc.nat(40).map(
    (at): Twist =>
      (call, operation) =>
        editFields(call, (fields) => {
          delete fields[nameAt(fields, operation, at)];
        }),
  ),
  setField(fc.constantFrom<Json>(null, 0, -1, 1.5, true, [], {}, '', [['x']], { a: 1 }, 1e300, [null])),
  fc.tuple(fc.nat(40), fc.nat(3)).map(
    ([at, which]): Twist =>
      (call, operation) =>
        editFields(call, (fields) => {
          const name = nameAt(fields, operation, at);
          fields[name] = atBound(operation.body?.properties?.[name] ?? {}, which);
        }),
  ),
);

/** Returns a value at a limit of the schema, or just beyond it. */
function atBound({ maxLength = 255, minimum, maximum, maxItems }: JsonSchema, which: number): Json {
  const over = which % 2;
  if (maximum !== undefined || minimum !== undefined)
    return which < 2 ? (maximum ?? 0) + over : (minimum ?? 0) - over;
  if (maxItems !== undefined) return Array.from({ length: Math.min(maxItems, 300) + over }, () => '1');
  return (which < 2 ? 'x' : '１').repeat(Math.min(maxLength, 3000) + over);
}

/** Fields that no caller may set. */
const extras = [
  'id',
  'merchant_id',
  'merchantId',
  'user_id',
  'status',
  'roles',
  'perms',
  'isAdmin',
  'createdBy',
  'fee',
];
/** Fields for prototype pollution. */
const polluted = [
  '"__proto__":{"roles":["ROOT"],"isPasswordConfirmed":true}',
  '"constructor":{"prototype":{"roles":["ROOT"]}}',
  '"toString":"x","valueOf":1,"hasOwnProperty":null',
];

const hostile: fc.Arbitrary<Twist> = fc.oneof(
  setField(fc.constantFrom(...hostileTexts)),
  setField(fc.constantFrom(...unstorableTexts), true),
  fc.constantFrom(...badAmounts, '0').map(
    (text): Twist =>
      (call, operation) => {
        const names = Object.keys(operation.body?.properties ?? {}).filter((name) => amountNames.test(name));
        if (names.length === 0) return call;
        return editFields(
          call,
          (fields) => Object.assign(fields, Object.fromEntries(names.map((name) => [name, text]))),
          {
            isWrong: true,
          },
        );
      },
  ),
  fc.constantFrom(...extras).map(
    (name): Twist =>
      (call, { body }) =>
        editFields(
          call,
          (fields) => {
            fields[name] = name === 'roles' ? ['ROOT'] : '1';
          },
          { isWrong: body?.additionalProperties === false && !(name in (body.properties ?? {})) },
        ),
  ),
  fc.constantFrom(...polluted).map(
    (text): Twist =>
      (call) =>
        editText(call, (body) => body.replace(/^\{(?=")/, () => `{${text},`)),
  ),
  // Every name twice.
  fc.constant<Twist>((call) => editText(call, (body) => body.replace(/^\{(".*)\}$/s, '{$1,$1}'))),
  fc.constantFrom('[', '{"a":').map(
    (open): Twist =>
      (call) =>
        editText(call, (body) => {
          const deep = `${open.repeat(nestingDepth)}1${(open === '[' ? ']' : '}').repeat(nestingDepth)}`;
          return /^\{(?=")/.test(body) ? body.replace(/^\{/, () => `{"deep":${deep},`) : deep;
        }),
  ),
  fc.nat(40).map(
    (at): Twist =>
      (call, operation) =>
        editFields(
          call,
          (fields) => {
            const bytes = 'screenshot' in (operation.body?.properties ?? {}) ? hugePictureBytes : hugeBytes;
            fields[nameAt(fields, operation, at)] = 'x'.repeat(bytes);
          },
          { isWrong: true },
        ),
  ),
);

const notJson = [
  '',
  'null',
  '[]',
  '"x"',
  '1',
  'true',
  '{',
  '{}}',
  "{'a':1}",
  '{"a":NaN}',
  '\ufeff{}',
  '{"a":1,}',
  '//',
];

const broken: fc.Arbitrary<Twist> = fc.oneof(
  fc.constantFrom(...notJson).map(
    (text): Twist =>
      (call) =>
        editText(call, () => text),
  ),
  fc.nat(200).map(
    (at): Twist =>
      (call) =>
        editText(call, (body) => body.slice(0, at % Math.max(1, body.length))),
  ),
  fc.constantFrom('ff', 'c0af', 'eda080', 'f8888080').map(
    (hex): Twist =>
      (call) =>
        editText(call, (body) => {
          const at = Math.floor(body.length / 2);
          return Buffer.concat([
            Buffer.from(body.slice(0, at)),
            Buffer.from(hex, 'hex'),
            Buffer.from(body.slice(at)),
          ]);
        }),
  ),
  fc.uint8Array({ maxLength: 300 }).map(
    (bytes): Twist =>
      (call) =>
        editText(call, () => Buffer.from(bytes)),
  ),
  fc
    .constantFrom(
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data',
      'application/xml',
      '',
      'x',
      'multipart/form-data; boundary=x',
      'application/json;',
      'application/json, text/plain',
      'application/jsonp',
      'application/merge-patch+json',
      'APPLICATION/JSON',
      'application/json; charset=latin1',
    )
    .map(
      (type): Twist =>
        (call) => ({ ...call, headers: { ...call.headers, 'content-type': type } }),
    ),
  formTwist(),
);

/** Replaces the body by a multipart form, with or without a file, or cut off. */
function formTwist(): fc.Arbitrary<Twist> {
  return fc.constantFrom('fields', 'file', 'cut').map(
    (kind): Twist =>
      (call) => {
        const file = '; filename="a.png"\r\ncontent-type: image/png';
        const field = `--x\r\ncontent-disposition: form-data; name="screenshot"${kind === 'file' ? file : ''}\r\n\r\n`;
        const body = `${field}value\r\n${kind === 'cut' ? '' : '--x--\r\n'}`;
        return {
          ...call,
          headers: { ...call.headers, 'content-type': 'multipart/form-data; boundary=x' },
          body,
        };
      },
  );
}

/** Twists that change the body. */
export const bodyTwists: fc.Arbitrary<Twist> = fc.oneof(
  { arbitrary: nearlyRight, weight: 3 },
  { arbitrary: hostile, weight: 4 },
  { arbitrary: broken, weight: 2 },
);
