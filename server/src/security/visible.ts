/**
 * What a terminal obeys or doesn't show: control characters (ESC and the C1 set start its commands), overrides of the
 * writing direction, invisible characters, and the line ends of Unicode.
 */
const unseen = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;
/** The same where JSON has escaped the first 32 already. */
const unseenInJson = /[\x7f-\x9f\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;
const plainAscii = /^[\n\x20-\x7e]*$/;

/** Escapes whatever a terminal would obey or hide, as JSON writes it: `\u001b`, `\n`. */
export function visible(text: string): string {
  return text.replaceAll(unseen, (sign) => (sign < ' ' ? JSON.stringify(sign).slice(1, -1) : codesOf(sign)));
}

/** The same of a text whose line breaks are its writer's own: of a stack, or of several sentences. */
export function visibleLines(text: string): string {
  return text.split('\n').map(visible).join('\n');
}

/** Escapes it in JSON, which stays the same JSON to whoever parses it. */
export function visibleJson(json: string): string {
  return plainAscii.test(json) ? json : json.replaceAll(unseenInJson, codesOf);
}

function codesOf(sign: string): string {
  return sign
    .split('')
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('');
}
