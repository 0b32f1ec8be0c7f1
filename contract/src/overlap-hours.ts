import * as z from 'zod';
import { phrase } from './phrase.ts';

/**
 * How long what is replaced stays valid, in hours: one of the choices, as a number or, from a form, in digits. Nothing else means a number: no hours
 * at all end it at once.
 */
export function overlapHoursOf(choices: readonly number[]) {
  const digits = z
    .string()
    .regex(/^\d{1,3}$/)
    .transform(Number);
  return z
    .union([z.number(), digits], phrase('validation.choice'))
    .refine((hours) => choices.includes(hours), phrase('validation.choice'));
}
