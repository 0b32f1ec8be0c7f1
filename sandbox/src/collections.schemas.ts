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

/** A parsed creation body: URLs and times are normalized. */
export type CollectionBody = z.output<typeof createCollectionBody>;

/**
 * Builds the reply to a creation, the same for each repetition: the order as it was accepted, whatever its
 * current state. The QR code holds the URL of the payer's page.
 */
export function acceptedReply({ id, reference }: Collection, payUrl: string) {
  return { id, reference, status: 'pending' as const, payUrl, qrContent: payUrl };
}

/** Converts an order to the service's view of it. */
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
