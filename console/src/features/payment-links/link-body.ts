import { maxOwnFields, type PayerField, payerFields } from '@hengfu/contract/payer-fields';
import { paymentLinkInput } from '@hengfu/contract/payment-links';
import { addDays, startOfDay } from '@hengfu/ui/language/zone.ts';
import * as z from 'zod';

/** Names of the form's own fields and of its checkboxes. */
export const ownNames = Array.from({ length: maxOwnFields }, (_, index) => `own${index}`);
export const checkName = (field: PayerField): string => `asked-${field}`;

/** Returns the schema that reads the form's fields, which are texts, as the body of a payment link. */
export function linkBody(zone: string): z.ZodType<z.input<typeof paymentLinkInput>> {
  return z.preprocess((fields) => bodyOf(fields as Record<string, unknown>, zone), paymentLinkInput) as never;
}

function bodyOf(fields: Record<string, unknown>, zone: string): object {
  const text = (name: string) => String(fields[name] ?? '').trim();
  const number = (name: string) => (text(name) === '' ? undefined : Number(text(name)));
  const isFixed = text('kind') !== 'chosen';
  const [picture, lastDay] = [text('picture'), text('lastDay')];
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
    expiresAt: lastDay === '' ? null : new Date(startOfDay(addDays(lastDay, 1), zone)).toISOString(),
    asked: {
      known: payerFields.filter((field) => text(checkName(field)) !== ''),
      own: ownNames.map(text).filter((label) => label !== ''),
    },
    note: text('note'),
    returnUrl: text('returnUrl'),
  };
}
