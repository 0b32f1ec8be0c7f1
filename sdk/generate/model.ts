import { isDeepStrictEqual } from 'node:util';

/** The parts of the OpenAPI document that the libraries are generated from. */
export interface OpenDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}

interface Operation {
  readonly requestBody?: { readonly content: Content };
  readonly responses: Readonly<Record<string, { readonly content?: Content }>>;
}

type Content = Readonly<Record<string, { readonly schema?: JsonSchema }>>;

/** The part of JSON Schema that the document uses. */
export interface JsonSchema {
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly enum?: readonly string[];
  readonly anyOf?: readonly JsonSchema[];
  readonly items?: JsonSchema;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
}

/** The kinds of values that calls exchange. Amounts are texts; `json` is a list or an object. */
export type Kind = 'text' | 'instant' | 'integer' | 'flag' | 'json';

/** One member of an object. */
export interface Field {
  /** As in JSON. */
  readonly name: string;
  readonly kind: Kind;
  readonly isRequired: boolean;
  readonly isNullable: boolean;
  /** The values of today; more may be added. */
  readonly values: readonly string[];
}

/** A body or a reply, by the name that it has in every library. */
export interface NamedType {
  readonly name: string;
  readonly isBody: boolean;
  readonly fields: readonly Field[];
}

/** Names by the first parts of a path, the longest first. */
const names: readonly (readonly [prefix: string, name: string])[] = [
  ['/openapi/v1/balance/entries', 'BalanceEntry'],
  ['/openapi/v1/balance', 'Balance'],
  ['/openapi/v1/collections', 'Collection'],
  ['/openapi/v1/payouts', 'Payout'],
  ['/openapi/v1/refunds', 'Refund'],
  ['/openapi/v1/settlements', 'Settlement'],
];

/**
 * Lists the bodies and replies of all calls. Throws if a path has no name here, or if calls of one name differ
 * in what they return.
 */
export function namedTypes({ paths }: OpenDocument): NamedType[] {
  const types = new Map<string, NamedType>();
  for (const [path, operations] of Object.entries(paths)) {
    const name = nameOf(path);
    for (const operation of Object.values(operations)) {
      for (const type of typesOf(name, operation)) {
        const earlier = types.get(type.name);
        if (earlier && !isDeepStrictEqual(earlier, type))
          throw new Error(`${path}: ${type.name} differs between calls`);
        types.set(type.name, type);
      }
    }
  }
  return [...types.values()].sort((one, other) => (one.name < other.name ? -1 : 1));
}

function nameOf(path: string): string {
  const found = names.find(([prefix]) => path === prefix || path.startsWith(`${prefix}/`));
  if (!found) throw new Error(`${path}: give its body and reply a name in sdk/generate/model.ts`);
  return found[1];
}

function typesOf(name: string, { requestBody, responses }: Operation): NamedType[] {
  const body = requestBody?.content['application/json']?.schema;
  const reply = (responses[200] ?? responses[201])?.content?.['application/json']?.schema;
  return [
    ...(body ? [{ name: `New${name}`, isBody: true, fields: fieldsOf(body) }] : []),
    ...(reply ? [{ name, isBody: false, fields: fieldsOf(itemOf(reply)) }] : []),
  ];
}

/** Returns the schema of a page's items; other replies are what they are. */
function itemOf(reply: JsonSchema): JsonSchema {
  const { items, next_cursor } = reply.properties ?? {};
  return items?.items && next_cursor ? items.items : reply;
}

function fieldsOf({ properties = {}, required = [] }: JsonSchema): Field[] {
  return Object.entries(properties).map(([name, schema]) => {
    const parts = partsOf(schema);
    return {
      name,
      kind: kindOf(parts),
      isRequired: required.includes(name),
      isNullable: parts.some(({ type }) => type === 'null'),
      values: parts.flatMap(({ enum: values = [] }) => values),
    };
  });
}

/** Lists the alternatives of a schema: one for each type. */
function partsOf(schema: JsonSchema): JsonSchema[] {
  if (schema.anyOf) return schema.anyOf.flatMap(partsOf);
  const types = typeof schema.type === 'string' ? [schema.type] : (schema.type ?? []);
  return types.map((type) => ({ ...schema, type }));
}

function kindOf(parts: readonly JsonSchema[]): Kind {
  const [part] = parts.filter(({ type }) => type !== 'null');
  if (part?.type === 'string') return part.format === 'date-time' ? 'instant' : 'text';
  if (part?.type === 'integer') return 'integer';
  return part?.type === 'boolean' ? 'flag' : 'json';
}

/** Returns an English sentence with a field's values; undefined if it can be any. */
export function valuesSentence({ values }: Field): string | undefined {
  return values.length > 0 ? `${values.join(', ')}; more may be added.` : undefined;
}

/** Turns a name of JSON into words: `out_trade_no` and `cashierUrl` into `out trade no` and `cashier url`. */
function words(name: string): string[] {
  return name
    .replace(/([a-z])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split('_');
}

/** Turns a name of JSON into camel case: `outTradeNo`. */
export function camelCase(name: string): string {
  const [first = '', ...others] = words(name);
  return first + others.map((word) => word[0]?.toUpperCase() + word.slice(1)).join('');
}
