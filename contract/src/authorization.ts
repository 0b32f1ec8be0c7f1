import * as z from 'zod';
import { phrase } from './phrase.ts';

/** What money leaves by: the payment password, and a code where the second factor is on. */
export const authorization = {
  payment_password: z
    .string(phrase('validation.paymentPasswordRequired'))
    .min(1, phrase('validation.paymentPasswordRequired'))
    .max(1024, phrase('validation.tooLong')),
  code: z
    .string()
    .trim()
    .max(64)
    .transform((text) => text || undefined)
    .optional(),
};
