import * as z from 'zod';
import { endpoint } from './endpoint.ts';
import { batchFields } from './payout-batch-rows.ts';
import { phrase } from './phrase.ts';

/** Headings that are remembered per merchant; beyond that, the ones not chosen for longest are forgotten. */
export const maxHeadings = 200;
const maxHeadingLength = 100;

/** Reduces a heading to what people mean by it: without case, spaces, notes in parentheses, and marks. */
export function normalizeHeading(text: string): string {
  const plain = text.normalize('NFKC').toLowerCase();
  // Of opening parentheses after the last closing one, each would search for its end in vain: the time would grow with their square.
  const end = plain.lastIndexOf(')') + 1;
  return (plain.slice(0, end).replaceAll(/\([^)]*\)/g, '') + plain.slice(end)).replaceAll(/[*:\s]/g, '');
}

/** A heading of a merchant's own files, normalized, and the field that its column holds. */
const batchHeading = z.object({ heading: z.string(), field: z.enum(batchFields) });
export type BatchHeading = z.output<typeof batchHeading>;

/** `field` is null if the heading is to be forgotten. */
const saveHeading = z.strictObject({
  heading: z
    .string(phrase('validation.required'))
    .max(maxHeadingLength, phrase('validation.tooLong'))
    .transform(normalizeHeading)
    // Normalizing can lengthen a text.
    .pipe(
      z.string().min(1, phrase('validation.required')).max(maxHeadingLength, phrase('validation.tooLong')),
    ),
  field: z.enum(batchFields, phrase('validation.choice')).nullable(),
});
export type SaveHeading = z.output<typeof saveHeading>;

export const batchHeadingEndpoints = {
  list: endpoint({
    method: 'GET',
    path: '/api/merchant/payout-batch-headings',
    summary: 'Lists the headings of the merchant’s own files that were mapped to a column of batch payouts.',
    access: 'session',
    perm: 'payouts.create',
    status: 200,
    reply: z.object({ data: z.array(batchHeading) }),
    errors: [],
  }),
  save: endpoint({
    method: 'PUT',
    path: '/api/merchant/payout-batch-headings',
    summary: 'Remembers the column that a heading stands for, for everyone at the merchant; null forgets it.',
    access: 'session',
    perm: 'payouts.create',
    body: saveHeading,
    status: 204,
    errors: [],
  }),
};
