/** Truncates foreign text and replaces what PostgreSQL accepts in no text (NUL, lone surrogates). */
export function storableText(text: string, maxLength: number): string {
  return text.slice(0, maxLength).toWellFormed().replaceAll('\0', '\ufffd');
}
