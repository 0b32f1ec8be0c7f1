/**
 * Characters that a terminal interprets or hides: control characters (ESC and the C1 set start its commands),
 * overrides of the writing direction, invisible characters, and the line ends of Unicode.
 */
const unseen = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;
/** The same without the first 32, which JSON has escaped already. */
const unseenInJson = /[\x7f-\x9f\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;
const plainAscii = /^[\n\x20-\x7e]*$/;

/** Escapes characters that a terminal would interpret or hide, as JSON does: `\u001b`, `\n`. */
export function visible(text: string): string {
  return text.replaceAll(unseen, (character) =>
    character < ' ' ? JSON.stringify(character).slice(1, -1) : codesOf(character),
  );
}

/** Does the same but keeps line breaks, for text whose line breaks are our own, such as a stack trace. */
export function visibleLines(text: string): string {
  return text.split('\n').map(visible).join('\n');
}

/** Escapes them in JSON, which still parses to the same value. */
export function visibleJson(json: string): string {
  return plainAscii.test(json) ? json : json.replaceAll(unseenInJson, codesOf);
}

function codesOf(character: string): string {
  return character
    .split('')
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('');
}
