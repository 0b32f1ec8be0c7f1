import { z } from 'zod';
import { currencies } from './money.ts';

/** The merchant service's own number of a collection or refund; the idempotency key of its creation. */
export const referenceField = z.string().regex(/^[A-Za-z0-9._:-]{1,64}$/);

/** Integer minor units above zero as a canonical decimal string; 18 digits fit SQLite's 64-bit integer. */
export const amountMinorField = z.string().regex(/^[1-9]\d{0,17}$/);

/** A currency whose scale the bank knows. */
export const currencyField = z.enum(currencies);

/** An absolute http(s) URL, normalized to plain ASCII. */
export const httpUrlField = z
  .url({ protocol: /^https?$/ })
  .max(2048)
  .transform((value) => new URL(value).href);

/** An ISO 8601 time with its offset, normalized to UTC so that times sort as text. */
export const momentField = z.iso
  .datetime({ offset: true })
  .transform((value) => new Date(value).toISOString())
  .refine((value) => value < '9000', 'Too far ahead.');

/** Path parameter of the routes under a reference. */
export const referenceParams = z.object({ reference: z.string() });
