/**
 * Makes foreign text storable: truncates it, and replaces what PostgreSQL does not accept in text (NUL, lone
 * surrogates).
 */
export function storableText(text: string, maxLength: number): string {
  return text.slice(0, maxLength).toWellFormed().replaceAll('\0', '\ufffd');
}
