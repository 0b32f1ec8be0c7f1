import * as z from 'zod';
import { phrase } from './phrase.ts';

/** Digits of a code from an authenticator app. */
export const totpDigits = 6;

const digitsOnly = new RegExp(`^\\d{${totpDigits}}$`);

/**
 * A code from an authenticator app: trimmed, and undefined if empty. Any other text than six digits fails with the
 * given phrase, in the form and on the server, before it counts as an attempt.
 */
export function totpCode(wrongLength: Parameters<typeof phrase>[0]) {
  return z
    .string()
    .trim()
    .refine((text) => text === '' || digitsOnly.test(text), phrase(wrongLength))
    .transform((text) => text || undefined)
    .optional();
}
