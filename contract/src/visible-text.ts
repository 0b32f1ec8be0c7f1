import * as z from 'zod';
import { phrase } from './phrase.ts';

/**
 * Control characters, overrides of the writing direction, and characters without a width: in a name they would rearrange or empty
 * the sentences around it. The joiners of Indic scripts and emoji stay. Tag characters (U+E0020 to U+E007F) go, and with them the flags that are
 * spelled with them, such as that of England, which becomes a black flag: they can also hide a whole text in a name.
 */
const misleading =
  /[\p{Cc}\u00ad\u061c\u115f\u1160\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\u2800\u3164\ufeff\uffa0\u{e0000}-\u{e007f}]/gu;

const visible = /[\p{L}\p{N}\p{P}\p{S}]/u;

/**
 * A text on one line that others read: trimmed, without misleading characters, and, if it is required, with at least one that can be
 * seen. `missing`: the message if a required one is missing.
 */
export function visibleText(missing: Parameters<typeof phrase>[0] | undefined, maxLength: number) {
  const text = z
    .string(missing && phrase(missing))
    .overwrite((name) => name.replace(misleading, ''))
    .trim()
    .max(maxLength, phrase('validation.tooLong'));
  return missing === undefined ? text : text.regex(visible, phrase(missing));
}

/** Whether anything of a text can be seen. */
export function isVisible(text: string): boolean {
  return visible.test(text.replace(misleading, ''));
}

/**
 * A reason or a note that somebody has to write, on any number of lines: trimmed, otherwise as written, with at least one character that can
 * be seen. `missing`, `tooLong`: the messages if it is missing or too long.
 */
export function requiredText(
  missing: Parameters<typeof phrase>[0],
  maxLength: number,
  tooLong: Parameters<typeof phrase>[0] = 'validation.tooLong',
) {
  return z
    .string(phrase(missing))
    .trim()
    .min(1, phrase(missing))
    .max(maxLength, phrase(tooLong))
    .refine((text) => text === '' || isVisible(text), phrase(missing));
}
