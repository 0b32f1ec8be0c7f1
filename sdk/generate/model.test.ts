import { expect, test } from 'vitest';
import { goTypesFile } from './go.ts';
import { javaTypesFiles } from './java.ts';
import { type JsonSchema, namedTypes, type OpenDocument } from './model.ts';
import { phpTypesFiles } from './php.ts';
import { pythonTypesFile } from './python.ts';
import { typescriptTypes } from './typescript.ts';

const json = (schema: JsonSchema) => ({ content: { 'application/json': { schema } } });
const text = { type: 'string' };
const order: JsonSchema = {
  type: 'object',
  properties: {
    out_trade_no: text,
    status: { type: 'string', enum: ['open', 'closed'] },
    paidAt: { anyOf: [{ type: 'string', format: 'date-time' }, { type: 'null' }] },
    count: { type: 'integer' },
    tags: { type: ['object', 'null'] },
  },
  required: ['out_trade_no', 'status', 'paidAt', 'tags'],
};

/** A document with one order, and the list of orders if there is one. */
const documentWith = (list: JsonSchema = order): OpenDocument => ({
  paths: {
    '/openapi/v1/collections': { get: { responses: { 200: json(order) } } },
    '/openapi/v1/collections/list': {
      get: {
        responses: {
          200: json({
            type: 'object',
            properties: { items: { type: 'array', items: list }, next_cursor: { type: ['string', 'null'] } },
          }),
        },
      },
    },
  },
});

test('an order and the items of its list are one type', () => {
  expect(namedTypes(documentWith())).toEqual([
    {
      name: 'Collection',
      isBody: false,
      fields: [
        { name: 'out_trade_no', kind: 'text', isRequired: true, isNullable: false, values: [] },
        { name: 'status', kind: 'text', isRequired: true, isNullable: false, values: ['open', 'closed'] },
        { name: 'paidAt', kind: 'instant', isRequired: true, isNullable: true, values: [] },
        { name: 'count', kind: 'integer', isRequired: false, isNullable: false, values: [] },
        { name: 'tags', kind: 'json', isRequired: true, isNullable: true, values: [] },
      ],
    },
  ]);
});

test('a list of other items, or a path without a name, stops the generator', () => {
  const { out_trade_no } = order.properties ?? {};
  expect(() =>
    namedTypes(documentWith({ ...order, properties: { ...(out_trade_no && { out_trade_no }) } })),
  ).toThrow('Collection differs between calls');
  const unknown = { '/openapi/v1/coupons': { get: { responses: { 200: json(order) } } } };
  expect(() => namedTypes({ paths: unknown })).toThrow('give its body and reply a name');
});

test('each language says what may be null or absent', async () => {
  const types = namedTypes(documentWith());
  expect(await typescriptTypes(types)).toContain('paidAt: string | null;\n            count?: number;');
  expect(pythonTypesFile(types)).toContain('paidAt: Optional[str]\n    count: NotRequired[int]');
  expect(goTypesFile(types)).toContain(
    'PaidAt     *time.Time `json:"paidAt"`\n\tCount      *int64     `json:"count,omitempty"`',
  );
  expect(phpTypesFiles(types)[0]?.[1]).toContain("count: $json['count'] ?? null");
  expect(javaTypesFiles(types)[0]?.[1]).toContain('Fields.integerOrNull(json, "count")');
});
