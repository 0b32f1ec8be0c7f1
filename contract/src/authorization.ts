import * as z from 'zod';
import { phrase } from './phrase.ts';

/** The fields that authorize a payment: the payment password, and a code if two-factor is on. */
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
