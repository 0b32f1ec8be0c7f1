import type { Operation, Parameter } from './open-document.ts';

/** Numbers of orders that replies have brought, by group and field: `collections.trade_no`. */
export type KnownNumbers = Readonly<Record<string, string>>;

const numberFields = ['trade_no', 'out_trade_no', 'refund_no', 'out_refund_no'];
/** Fields by which the merchant names an order: each needs a new value. */
const ownNumbers = ['out_trade_no', 'out_refund_no'];

/** Reads the numbers of the order in a reply. */
export function numbersIn({ group }: Operation, body: string): KnownNumbers {
  const reply = objectIn(body);
  const found = numberFields.flatMap((field) =>
    typeof reply[field] === 'string' ? [[`${group}.${field}`, reply[field]] as const] : [],
  );
  return Object.fromEntries(found);
}

/** Returns a number of an order that nothing else has. */
export function newNumber(now: number): string {
  return `TEST-${now}`;
}

/** Returns the example of a body with a new number, and with the number of the last order where it needs one. */
export function startingBody({ group, body = {} }: Operation, known: KnownNumbers, now: number): string {
  const filled = Object.entries(body).map(([field, value]) => [
    field,
    ownNumbers.includes(field) ? newNumber(now) : (knownNumber(group, field, known) ?? value),
  ]);
  return JSON.stringify(Object.fromEntries(filled), null, 2);
}

/** Puts a new number into a body; a body that is no object stays as it is. */
export function withNewNumber(body: string, now: number): string {
  const value = objectIn(body);
  const own = ownNumbers.filter((field) => field in value);
  if (own.length === 0) return body;
  const renewed = own.map((field) => [field, newNumber(now)]);
  return JSON.stringify({ ...value, ...Object.fromEntries(renewed) }, null, 2);
}

/** Returns the value that a parameter begins with. */
export function startingValue(
  { group }: Operation,
  { name, example }: Parameter,
  known: KnownNumbers,
): string {
  return knownNumber(group, name, known) ?? example ?? '';
}

/** Refunds name the collection that they give back. */
function knownNumber(group: string, field: string, known: KnownNumbers): string | undefined {
  return known[`${group}.${field}`] ?? (group === 'refunds' ? known[`collections.${field}`] : undefined);
}

/** Name of a parameter's field in the form. */
export const fieldOf = ({ in: place, name }: Parameter): string => `${place} ${name}`;

/** Builds the path of a call with its query, from the fields of the form. Empty parameters of the query are not sent. */
export function pathOf({ path, parameters }: Operation, fields: Readonly<Record<string, unknown>>): string {
  const textOf = (parameter: Parameter) => String(fields[fieldOf(parameter)] ?? '').trim();
  const inPath = parameters.filter((each) => each.in === 'path');
  const filled = inPath.reduce((text, each) => text.replace(`{${each.name}}`, encoded(textOf(each))), path);
  const query = parameters
    .filter((each) => each.in === 'query' && textOf(each) !== '')
    .map((each) => `${each.name}=${encoded(textOf(each))}`);
  return query.length === 0 ? filled : `${filled}?${query.join('&')}`;
}

/** Percent-encodes every byte but letters, digits and `-._~`. */
function encoded(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

function objectIn(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {};
  } catch {
    return {};
  }
}
