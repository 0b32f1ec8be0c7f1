/**
 * Makes what somebody else has written storable: cut to so many characters, and what PostgreSQL takes in no text (NUL, lone
 * surrogates) replaced.
 */
export function storableText(text: string, mostLength: number): string {
  return text.slice(0, mostLength).toWellFormed().replaceAll('\0', '\ufffd');
}
