import { type Field, type Kind, type NamedType, valuesSentence } from './model.ts';

const pythonTypes: Record<Kind, string> = {
  text: 'str',
  instant: 'str',
  integer: 'int',
  flag: 'bool',
  json: 'Any',
};

/** Writes the types for Python: dictionaries with typed keys, which are the JSON itself. */
export function pythonTypesFile(types: readonly NamedType[]): string {
  const head = `"""Bodies and replies of the calls, generated from sdk/openapi.json by "npm run sdk". Do not edit.

Amounts are decimal texts; instants are ISO 8601 texts in UTC.
"""

from typing import Any, NotRequired, Optional, TypedDict

__all__ = [${types.map(({ name }) => `"${name}"`).join(', ')}]
`;
  return [head, ...types.map(classOf)].join('\n\n');
}

function classOf({ name, isBody, fields }: NamedType): string {
  const subject = isBody ? 'The body of a call that creates one.' : 'As the service returns it.';
  const lines = fields.flatMap((field) => {
    const sentence = valuesSentence(field);
    return [`    ${field.name}: ${typeOf(field)}`, ...(sentence ? [`    """${sentence}"""`] : [])];
  });
  return `class ${name}(TypedDict):\n    """${subject}"""\n\n${lines.join('\n')}\n`;
}

function typeOf({ kind, isNullable, isRequired }: Field): string {
  const type = isNullable ? `Optional[${pythonTypes[kind]}]` : pythonTypes[kind];
  return isRequired ? type : `NotRequired[${type}]`;
}
