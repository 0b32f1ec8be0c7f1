import type { CollectionRefusal, PayoutRefusal } from '@hengfu/contract/channels';
import * as z from 'zod';

const minor = z
  .string()
  .regex(/^\d{1,18}$/)
  .transform(BigInt);
/** Numbers of orders, the bank's and ours. */
const number = z.string().regex(/^[\x21-\x7e]{1,128}$/);
export const collected = z.object({ payUrl: z.url(), qrContent: z.string().nullish() });
export const payment = z.object({
  id: number,
  reference: number,
  status: z.enum(['pending', 'paid', 'refused', 'cancelled']),
  amountMinor: minor,
  currency: z.string(),
  reason: z.string().nullish(),
});
export const payout = z.object({
  id: number,
  reference: number,
  status: z.enum(['pending', 'paid', 'refused']),
  amountMinor: minor,
  currency: z.string(),
  reason: z.string().nullish(),
});
export const refunded = z.object({
  /** Absent if the refund never arrived. */
  id: number.nullish(),
  status: z.enum(['refunded', 'refused', 'voided', 'pending']),
  reason: z.string().nullish(),
});
export const listed = z.object({
  orders: z.array(
    z.object({
      kind: z.enum(['collection', 'payout', 'refund']),
      reference: number,
      status: z.string(),
      amountMinor: minor,
      currency: z.string(),
      createdAt: z.iso.datetime().transform((text) => new Date(text)),
      method: z.string().optional(),
    }),
  ),
  isLast: z.boolean(),
});
export const callback = z.object({
  type: z.enum(['collection.paid', 'collection.refused', 'payout.paid', 'payout.refused']),
  reference: number,
  bankId: number,
  amountMinor: minor,
  currency: z.string(),
  reason: z.string().optional(),
});

/** The bank's texts for refusals, and their codes. */
export const collectionRefusalOf: ReadonlyMap<string, CollectionRefusal> = new Map([
  ['insufficient funds', 'insufficientFunds'],
  ['declined by payer', 'declinedByPayer'],
]);
export const payoutRefusalOf: ReadonlyMap<string, PayoutRefusal> = new Map([
  ['account closed', 'accountClosed'],
  ['name does not match account', 'nameMismatch'],
  ['voided before it arrived', 'neverArrived'],
]);
