import { z } from 'zod';
import type { Collection } from './collections.sql.ts';
import { amountMinorField, currencyField, httpUrlField, momentField, referenceField } from './fields.ts';

/** Body of POST /v1/collections. `amountMinor` is integer minor units. */
export const createCollectionBody = z.strictObject({
  reference: referenceField,
  amountMinor: amountMinorField,
  currency: currencyField,
  method: z.string().regex(/^[A-Z][A-Z0-9_]{1,39}$/),
  notifyUrl: httpUrlField,
  returnUrl: httpUrlField.optional(),
  expiresAt: momentField,
  description: z.string().max(500).optional(),
});

/** A creation's body as it was understood: addresses and moments normalised. */
export type CollectionBody = z.output<typeof createCollectionBody>;

/**
 * The reply to a creation, the same for each repetition: the order as it was accepted, whatever came of it since.
 * The QR code holds the address of the payer's page.
 */
export function acceptedReply({ id, reference }: Collection, payUrl: string) {
  return { id, reference, status: 'pending' as const, payUrl, qrContent: payUrl };
}

/** An order as the service reads it. */
export function collectionReply({
  id,
  reference,
  status,
  paidAt,
  reason,
  amountMinor,
  currency,
}: Collection) {
  return {
    id,
    reference,
    status,
    ...(paidAt === null ? {} : { paidAt }),
    ...(reason === null ? {} : { reason }),
    amountMinor: amountMinor.toString(),
    currency,
  };
}
