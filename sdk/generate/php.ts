import { camelCase, type Field, type Kind, type NamedType, valuesSentence } from './model.ts';

const phpTypes: Record<Kind, string> = {
  text: 'string',
  instant: '\\DateTimeImmutable',
  integer: 'int',
  flag: 'bool',
  json: 'array',
};

/** Writes one class for each type: PSR-4 wants a file for each. Returns the texts by file name. */
export function phpTypesFiles(types: readonly NamedType[]): [string, string][] {
  return types.map((type) => [`${type.name}.php`, type.isBody ? bodyClass(type) : replyClass(type)]);
}

const head = (documentation: readonly string[]) => `<?php

declare(strict_types=1);

namespace Hengfu\\Types;

/**
${['Generated from sdk/openapi.json by "npm run sdk". Do not edit.', ...documentation].map((line) => ` * ${line}`).join('\n')}
 */
`;

const documentation = (field: Field) => {
  const sentence = valuesSentence(field);
  return sentence ? `        /** ${sentence} */\n` : '';
};

function typeOf({ kind, isNullable, isRequired }: Field): string {
  return isNullable || !isRequired ? `?${phpTypes[kind]}` : phpTypes[kind];
}

/** A class whose constructor names the fields: required ones first, then those that may be omitted. */
function bodyClass({ name, fields }: NamedType): string {
  const inOrder = [...fields].sort((one, other) => Number(other.isRequired) - Number(one.isRequired));
  const parameters = inOrder.map(
    (field) =>
      `${documentation(field)}        public readonly ${typeOf(field)} $${camelCase(field.name)}${field.isRequired ? '' : ' = null'},\n`,
  );
  const members = fields.map((field) => `            '${field.name}' => $this->${camelCase(field.name)},\n`);
  return `${head([`Name the arguments, as in new ${name}(amount: '100.00', …). Fields that are null are not sent.`])}final class ${name} implements \\JsonSerializable
{
    public function __construct(
${parameters.join('')}    ) {
    }

    /** @return array<string, mixed> */
    public function jsonSerialize(): array
    {
        return array_filter([
${members.join('')}        ], static fn (mixed $value): bool => $value !== null);
    }
}
`;
}

function replyClass({ name, fields }: NamedType): string {
  const parameters = fields.map(
    (field) => `${documentation(field)}        public readonly ${typeOf(field)} $${camelCase(field.name)},\n`,
  );
  const values = fields.map((field) => `            ${camelCase(field.name)}: ${readValue(field)},\n`);
  return `${head([])}final class ${name}
{
    public function __construct(
${parameters.join('')}    ) {
    }

    /**
     * Reads a reply of the service, or the data of a callback. Fields that this version does not know are ignored.
     *
     * @param array<string, mixed> $json
     */
    public static function fromArray(array $json): self
    {
        return new self(
${values.join('')}        );
    }
}
`;
}

function readValue({ name, kind, isNullable, isRequired }: Field): string {
  if (kind !== 'instant') return isNullable || !isRequired ? `$json['${name}'] ?? null` : `$json['${name}']`;
  const read = `new \\DateTimeImmutable($json['${name}'])`;
  return isNullable || !isRequired ? `isset($json['${name}']) ? ${read} : null` : read;
}
