import { camelCase, type Field, type Kind, type NamedType } from './model.ts';

const goTypes: Record<Kind, string> = {
  text: 'string',
  instant: 'time.Time',
  integer: 'int64',
  flag: 'bool',
  json: 'any',
};

/** Writes the types for Go, as gofmt would format them. */
export function goTypesFile(types: readonly NamedType[]): string {
  const head = `// Code generated from sdk/openapi.json by "npm run sdk". DO NOT EDIT.

package hengfu

import "time"
`;
  return [head, ...types.map(structOf)].join('\n');
}

function structOf({ name, isBody, fields }: NamedType): string {
  const subject = isBody
    ? `${name} is the body of a call. Fields that have their zero value are not sent.`
    : `${name} is what the service returns. Amounts are decimal texts.`;
  const values = fields
    .filter(({ values }) => values.length > 0)
    .map((field) => `//   - ${goName(field.name)}: ${field.values.join(', ')}`);
  const choices = values.length > 0 ? ['//', '// The values of today; more may be added:', ...values] : [];
  const rows = fields.map((field) => [goName(field.name), typeOf(field, isBody), tagOf(field)] as const);
  const [nameWidth, typeWidth] = [width(rows.map(([first]) => first)), width(rows.map(([, type]) => type))];
  const lines = rows.map(
    ([first, type, tag]) => `\t${first.padEnd(nameWidth)} ${type.padEnd(typeWidth)} ${tag}`,
  );
  return [`// ${subject}`, ...choices, `type ${name} struct {`, ...lines, '}', ''].join('\n');
}

function width(texts: readonly string[]): number {
  return Math.max(...texts.map(({ length }) => length));
}

/** Names with the initialisms that Go writes in capitals: `TaxID`, `CashierURL`. */
function goName(name: string): string {
  const camel = camelCase(name);
  return (camel[0]?.toUpperCase() + camel.slice(1)).replace(/(Url|Id)$/, (end) => end.toUpperCase());
}

/** Returns the type of a field. A reply's null is a nil pointer; a body's optional field is absent if it is zero. */
function typeOf({ kind, isNullable, isRequired }: Field, isBody: boolean): string {
  const mayBeNull = isNullable || (!isRequired && !isBody);
  return mayBeNull && kind !== 'json' ? `*${goTypes[kind]}` : goTypes[kind];
}

function tagOf({ name, isRequired }: Field): string {
  return `\`json:"${name}${isRequired ? '' : ',omitempty'}"\``;
}
