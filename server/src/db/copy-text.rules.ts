/** Escapes of PostgreSQL's COPY, in its text format, by the character they stand for. */
const escapes: Readonly<Record<string, string>> = {
  '\\': '\\\\',
  '\b': '\\b',
  '\f': '\\f',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '\v': '\\v',
};
const characters: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(escapes).map(([character, escaped]) => [escaped[1], character]),
);

/** Encodes a row as `COPY … TO STDOUT (format text, null '')` does: a line of fields, nothing for null. */
export function copyLine(fields: readonly (string | null | undefined)[]): Buffer {
  return Buffer.from(`${fields.map((field) => (field ? escapeField(field) : '')).join('\t')}\n`);
}

function escapeField(field: string): string {
  return field.replaceAll(/[\\\b\f\n\r\t\v]/g, (character) => escapes[character] ?? character);
}

/** Decodes a field of such a row. */
export function copiedText(field: string): string {
  return field.replaceAll(/\\(.)/g, (_, character: string) => characters[character] ?? character);
}
