import openapiTs, { astToString, type OpenAPI3 } from 'openapi-typescript';
import type { Field, Kind, NamedType } from './model.ts';

const marker = 'Generated from sdk/openapi.json by "npm run sdk". Do not edit.';

/** Writes the types for TypeScript, with openapi-typescript. Today's values are a union. */
export async function typescriptTypes(types: readonly NamedType[]): Promise<string> {
  const schemas = Object.fromEntries(types.map((type) => [type.name, schemaOf(type)]));
  const document = {
    openapi: '3.1.0',
    info: { title: '', version: '1' },
    paths: {},
    components: { schemas },
  };
  const nodes = await openapiTs(document as OpenAPI3, { alphabetize: false });
  const [start, end] = ['export interface components {', 'export type $defs'];
  const text = astToString(nodes);
  return `// ${marker}\n\n${text.slice(text.indexOf(start), text.indexOf(end))}`;
}

const jsonTypes: Record<Kind, string> = {
  text: 'string',
  instant: 'string',
  integer: 'integer',
  flag: 'boolean',
  json: 'object',
};

function schemaOf({ fields }: NamedType): object {
  return {
    type: 'object',
    additionalProperties: false,
    properties: Object.fromEntries(fields.map((field) => [field.name, schemaOfField(field)])),
    required: fields.filter(({ isRequired }) => isRequired).map(({ name }) => name),
  };
}

function schemaOfField({ kind, isNullable, values }: Field): object {
  const type = isNullable ? [jsonTypes[kind], 'null'] : jsonTypes[kind];
  const choice = isNullable ? [...values, null] : values;
  return { type, ...(values.length > 0 && { enum: choice }) };
}
