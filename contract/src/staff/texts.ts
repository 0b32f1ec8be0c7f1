import * as z from 'zod';
import { languages } from '../languages.ts';
import { phrase } from '../phrase.ts';
import { requiredText } from '../visible-text.ts';

/** A text of the service, in the languages that it was written in. */
export const localizedText = z.object({ en: z.string() }).and(z.partialRecord(z.enum(languages), z.string()));

/** A text in English, which everybody reads whose language has none of its own. */
export function englishText(maxLength: number) {
  return requiredText('validation.required', maxLength);
}

/** A text in another language; the empty text of a form means none. */
export function otherText(maxLength: number) {
  return z
    .string()
    .trim()
    .max(maxLength, phrase('validation.tooLong'))
    .transform((text) => text || undefined)
    .optional();
}

const maxReasonLength = 300;

/** Why somebody asks for something that a second person decides. */
export const reasonText = requiredText(
  'validation.reasonRequired',
  maxReasonLength,
  'validation.reasonLength',
);

/** The reply to a call that asks a second person: the ID of the request. */
export const askedReply = {
  status: 201,
  reply: z.object({ data: z.object({ request: z.string() }) }),
} as const;
