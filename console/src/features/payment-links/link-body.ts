import { maxOwnFields, type PayerField, payerFields } from '@hengfu/contract/payer-fields';
import { type PaymentLinkDetail, paymentLinkInput } from '@hengfu/contract/payment-links';
import * as z from 'zod';
import { endOf } from '../../shared/forms/last-day.ts';

/** Names of the form's own fields and of its checkboxes. */
export const ownNames = Array.from({ length: maxOwnFields }, (_, index) => `own${index}`);
export const checkName = (field: PayerField): string => `asked-${field}`;

/** Returns the schema that reads the form's fields, which are texts, as the body of a payment link. `link`: the one that is changed. */
export function linkBody(
  zone: string,
  link?: PaymentLinkDetail,
): z.ZodType<z.input<typeof paymentLinkInput>> {
  const read = (fields: unknown) => bodyOf(fields as Record<string, unknown>, zone, link);
  return z.preprocess(read, paymentLinkInput) as never;
}

function bodyOf(fields: Record<string, unknown>, zone: string, link: PaymentLinkDetail | undefined): object {
  const text = (name: string) => String(fields[name] ?? '').trim();
  const number = (name: string) => (text(name) === '' ? undefined : Number(text(name)));
  const isFixed = text('kind') !== 'chosen';
  const picture = text('picture');
  return {
    title: text('title'),
    description: text('description'),
    ...(picture !== '' && { picture }),
    ...(text('removePicture') !== '' && picture === '' && { picture: '' }),
    amount: isFixed ? text('amount') || '0' : '',
    least: isFixed ? '' : text('least'),
    most: isFixed ? '' : text('most'),
    maxQuantity: isFixed ? (number('maxQuantity') ?? 1) : 1,
    maxUses: number('maxUses') ?? null,
    expiresAt: endOf(text('lastDay'), zone, link?.expiresAt),
    asked: {
      known: payerFields.filter((field) => text(checkName(field)) !== ''),
      own: ownNames.map(text).filter((label) => label !== ''),
    },
    note: text('note'),
    returnUrl: text('returnUrl'),
  };
}
