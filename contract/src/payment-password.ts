import * as z from 'zod';
import { endpoint } from './endpoint.ts';
import { phrase } from './phrase.ts';

/** Shortest and longest payment password, in characters (spec, point 9). */
export const paymentPasswordLength = { min: 6, max: 128 } as const;
/** Consecutive wrong payment passwords that lock it, and for how long. */
export const paymentPasswordLock = { limit: 5, lockSeconds: 900 } as const;

/** A new payment password, typed twice; the current one is required if there is one. */
export const paymentPasswordChange = z
  .object({
    current_payment_password: z.string().max(1024, phrase('validation.tooLong')).optional(),
    payment_password: z
      .string(phrase('validation.paymentPasswordRequired'))
      .min(1, phrase('validation.paymentPasswordRequired'))
      .max(paymentPasswordLength.max, phrase('validation.tooLong')),
    payment_password_confirmation: z.string().optional(),
  })
  .superRefine(({ payment_password, payment_password_confirmation }, context) => {
    const fault = (key: Parameters<typeof phrase>[0], path = 'payment_password') =>
      context.addIssue({ code: 'custom', path: [path], message: phrase(key) });
    if ([...payment_password].length < paymentPasswordLength.min) fault('validation.paymentPasswordShort');
    else if (!payment_password_confirmation)
      fault('validation.confirmationRequired', 'payment_password_confirmation');
    else if (payment_password !== payment_password_confirmation) fault('validation.passwordMismatch');
  });
export type PaymentPasswordChange = z.output<typeof paymentPasswordChange>;

/** The password that authorizes payments: each person who may pay out has their own. */
export const paymentPasswordEndpoints = {
  get: endpoint({
    method: 'GET',
    path: '/api/merchant/payment-password',
    summary: 'Returns whether the user has a payment password, and for how many more seconds it is locked.',
    access: 'session',
    perm: 'paymentPassword.manage',
    status: 200,
    reply: z.object({ data: z.object({ isSet: z.boolean(), lockedSeconds: z.number().int() }) }),
    errors: [],
  }),
  set: endpoint({
    method: 'PUT',
    path: '/api/merchant/payment-password',
    summary: 'Sets or changes the payment password; five incorrect current passwords lock it for 15 minutes.',
    access: 'session',
    mode: 'live',
    perm: 'paymentPassword.manage',
    isPasswordConfirmed: true,
    body: paymentPasswordChange,
    status: 200,
    reply: z.literal(''),
    errors: ['too_many_attempts'],
  }),
};
