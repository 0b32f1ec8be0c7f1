import { camelCase, type Field, type Kind, type NamedType, valuesSentence } from './model.ts';

const javaTypes: Record<Kind, string> = {
  text: 'String',
  instant: 'Instant',
  integer: 'Integer',
  flag: 'Boolean',
  json: 'Object',
};

/** Writes one class for each type. Returns the texts by file name. */
export function javaTypesFiles(types: readonly NamedType[]): [string, string][] {
  return types.map((type) => [`${type.name}.java`, type.isBody ? bodyClass(type) : replyClass(type)]);
}

const marker = 'Generated from sdk/openapi.json by "npm run sdk". Do not edit.';

const head = (imports: readonly string[]) => `// ${marker}
package com.hengfu.sdk.types;

${imports.map((name) => `import ${name};\n`).join('')}`;

/** A body: required fields in the constructor, and a method that returns a copy for each other one. */
function bodyClass({ name, fields }: NamedType): string {
  const required = fields.filter(({ isRequired }) => isRequired);
  const parameters = required.map((field) => `${typeOf(field)} ${camelCase(field.name)}`).join(', ');
  const puts = required.map(
    (field) =>
      `        json.put("${field.name}", Objects.requireNonNull(${camelCase(field.name)}, "${field.name}"));\n`,
  );
  const setters = fields
    .filter(({ isRequired }) => !isRequired)
    .map(
      (field) => `
    /** Returns a copy with another value.${withValues(field)} */
    public ${name} ${camelCase(field.name)}(${typeOf(field)} value) {
        Map<String, Object> changed = new LinkedHashMap<>(json);
        changed.put("${field.name}", value);
        return new ${name}(changed);
    }
`,
    );
  return `${head(['java.util.LinkedHashMap', 'java.util.Map', 'java.util.Objects'])}
/** The body of a call that creates one. Amounts are decimal texts. */
public final class ${name} {
    private final Map<String, Object> json;

    private ${name}(Map<String, Object> json) {
        this.json = json;
    }

    /** Creates a body with the fields that are required. */
    public static ${name} of(${parameters}) {
        Map<String, Object> json = new LinkedHashMap<>();
${puts.join('')}        return new ${name}(json);
    }
${setters.join('')}
    /** Returns the body as it is sent. */
    public Map<String, Object> toJson() {
        return new LinkedHashMap<>(json);
    }
}
`;
}

function replyClass({ name, fields }: NamedType): string {
  const documentation = fields.flatMap((field) => {
    const sentence = valuesSentence(field);
    return sentence ? [` * @param ${camelCase(field.name)} ${sentence}`] : [];
  });
  const components = fields.map((field) => `        ${typeOf(field)} ${camelCase(field.name)}`).join(',\n');
  const values = fields.map((field) => `            ${readValue(field)}`).join(',\n');
  const usesInstant = fields.some(({ kind }) => kind === 'instant');
  return `${head([...(usesInstant ? ['java.time.Instant'] : []), 'java.util.Map'])}
/**
 * As the service returns it. Amounts are decimal texts.
${[...(documentation.length > 0 ? [' *'] : []), ...documentation, ' */'].join('\n')}
public record ${name}(
${components}) {

    /** Reads a reply of the service, or the data of a callback. Fields that this version does not know are ignored. */
    public static ${name} of(Map<String, Object> json) {
        return new ${name}(
${values});
    }
}
`;
}

function typeOf({ kind }: Field): string {
  return javaTypes[kind];
}

const readers: Record<Kind, string> = {
  text: 'text',
  instant: 'instant',
  integer: 'integer',
  flag: 'flag',
  json: 'any',
};

function readValue({ name, kind, isRequired, isNullable }: Field): string {
  const reader = isRequired && !isNullable ? readers[kind] : `${readers[kind]}OrNull`;
  return `Fields.${reader}(json, "${name}")`;
}

function withValues(field: Field): string {
  const sentence = valuesSentence(field);
  return sentence ? ` One of ${sentence}` : '';
}
