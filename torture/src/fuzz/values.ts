import { merchantHeader, merchantParameter } from '@hengfu/contract/workplaces';
import fc from 'fast-check';
import type { JsonSchema } from './document.ts';
import type { Json } from './json.ts';
import { placeholder } from './pool.ts';

const visible = fc.string({ unit: 'grapheme', minLength: 0, maxLength: 40 });
const instantOf = (time: Date) => time.toISOString();
const someInstant = fc
  .date({ min: new Date('2020-01-01T00:00:00Z'), max: new Date('2035-01-01T00:00:00Z'), noInvalidDate: true })
  .map(instantOf);

/** Likely values by field name, where the schema alone says too little. */
const byName: Readonly<Record<string, readonly string[]>> = {
  currency: ['CNY'],
  channel: ['CN_BANK', 'VN_NAPAS', 'IN_IMPS', 'BR_PIX', 'NONE'],
  limit: ['20', '50', '100', '200'],
  offset: ['+08:00', '+00:00', '-12:00', '+14:00', '+05:45'],
  other: ['+07:00', '-03:00'],
  status: ['paid', 'success', 'toBePaid', 'pendingReview,paid', 'waiting,failed', 'processed', 'none'],
  settlementStatus: ['settled', 'unsettled', 'unsettled,settled'],
  type: ['collection', 'payout', 'settlement', 'withdrawal'],
  network: ['TRC20', 'ERC20'],
  zone: ['Asia/Shanghai', 'America/Sao_Paulo', 'UTC', 'Etc/Nowhere'],
  seconds: ['60', '900', '0'],
  q: ['王芳', 'funds', '100.00', '6222', placeholder('trade_no'), placeholder('out_trade_no')],
  cursor: [placeholder('cursor')],
  from: ['2026-05-01', '2026-05-20'],
  to: ['2026-05-21', '2026-05-31'],
  list: ['collections', 'payouts', 'fundFlow'],
  [merchantHeader]: [placeholder('merchant')],
  [merchantParameter]: [placeholder('merchant')],
  ifsc: ['HDFC0000001', 'SBIN0000300'],
  code: ['000000', placeholder('code'), placeholder('code')],
  amountFrom: ['0', '1', '100.00'],
  amountTo: ['1', '100.5', '999999999999'],
};

/**
 * Generates a value that is valid by its schema, often a likely one for its name. A number of an order is one that
 * `path` has returned, if it is known.
 */
export function rightValue(schema: JsonSchema, name?: string, path = ''): fc.Arbitrary<Json> {
  const known = name?.endsWith('_no') ? [placeholder(`${path}/${name}`)] : byName[name ?? ''];
  const made = ofSchema(schema);
  return known
    ? fc.oneof({ arbitrary: fc.constantFrom(...known), weight: 5 }, { arbitrary: made, weight: 1 })
    : made;
}

function ofSchema(schema: JsonSchema): fc.Arbitrary<Json> {
  if (schema.const !== undefined) return fc.constant(schema.const as Json);
  if (schema.enum) return fc.constantFrom(...(schema.enum as Json[]));
  if (schema.anyOf) return fc.oneof(...schema.anyOf.map((each) => ofSchema(each)));
  switch (schema.type) {
    case 'string':
      return textOf(schema);
    case 'integer':
      return fc.integer({ min: lowest(schema), max: highest(schema) });
    case 'number':
      return fc.oneof(fc.integer({ min: -2, max: 100 }), fc.double({ noNaN: true, noDefaultInfinity: true }));
    case 'boolean':
      return fc.boolean();
    case 'array':
      return fc.array(rightValue(schema.items ?? {}), {
        minLength: schema.minItems ?? 0,
        maxLength: Math.min(schema.maxItems ?? 4, 4),
      });
    case 'object':
      return objectOf(schema);
    default:
      return fc.constantFrom<Json>({}, 'x', 1, null);
  }
}

const lowest = ({ minimum = -1000 }: JsonSchema) => Math.max(minimum, -(2 ** 31));
const highest = ({ maximum = 1000 }: JsonSchema) => Math.min(maximum, 2 ** 31 - 1);

function objectOf({ properties, required = [], propertyNames, additionalProperties }: JsonSchema) {
  if (!properties) {
    const names = propertyNames?.enum as string[] | undefined;
    const key = names ? fc.constantFrom(...names) : fc.string({ minLength: 1, maxLength: 12 });
    const value = typeof additionalProperties === 'object' ? additionalProperties : { type: 'string' };
    return fc.dictionary(key, rightValue(value), { maxKeys: 4 }) as fc.Arbitrary<Json>;
  }
  const fields = Object.entries(properties).map(([name, field]) => [name, rightValue(field, name)]);
  return fc.record<Record<string, Json>>(Object.fromEntries(fields), {
    requiredKeys: [...required],
  }) as fc.Arbitrary<Json>;
}

function textOf({ format, pattern, minLength = 0, maxLength }: JsonSchema): fc.Arbitrary<string> {
  if (format === 'date-time') return someInstant;
  if (format === 'date') return someInstant.map((text) => text.slice(0, 10));
  if (format === 'uuid') return fc.uuid();
  if (pattern !== undefined)
    return fc.stringMatching(new RegExp(pattern)).map((text) => text.slice(0, maxLength));
  const longest = Math.min(maxLength ?? 40, 40);
  return visible.map((text) => text.padEnd(minLength, 'x').slice(0, Math.max(longest, minLength)));
}
