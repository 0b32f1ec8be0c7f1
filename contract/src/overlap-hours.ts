import * as z from 'zod';
import { phrase } from './phrase.ts';

/**
 * How long a replaced key or secret stays valid, in hours: one of the choices, as a number or as the digits that a form sends. An empty text or
 * null is refused, because it would be read as 0, which ends the old one at once.
 */
export function overlapHoursOf(choices: readonly number[]) {
  const digits = z.enum(choices.map(String)).transform(Number);
  return z
    .union([z.number(), digits], phrase('validation.choice'))
    .refine((hours) => choices.includes(hours), phrase('validation.choice'));
}
