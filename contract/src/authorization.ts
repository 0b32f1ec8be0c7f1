import * as z from 'zod';
import { phrase } from './phrase.ts';
import { totpCode } from './totp-code.ts';

/** The fields that authorize a payment: the payment password, and a code if two-factor is on. */
export const authorization = {
  payment_password: z
    .string(phrase('validation.paymentPasswordRequired'))
    .min(1, phrase('validation.paymentPasswordRequired'))
    .max(1024, phrase('validation.tooLong')),
  code: totpCode('validation.captchaLength'),
};
