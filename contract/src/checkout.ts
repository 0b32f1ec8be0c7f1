import * as z from 'zod';
import { isCheckoutColor } from './checkout-colors.ts';
import { endpoint } from './endpoint.ts';
import { maxImageText } from './images.ts';
import { phrase } from './phrase.ts';
import { visibleText } from './visible-text.ts';

/** The longest display name. */
export const maxCheckoutName = 60;
/** The longest side of a stored logo, in pixels. */
export const logoSide = 192;

const hexColor = /^#[\da-f]{6}$/;

/** The merchant's color: six hex digits; empty for the default. */
const checkoutColor = z
  .string(phrase('validation.checkoutColor'))
  .toLowerCase()
  .refine((color) => color === '' || hexColor.test(color), phrase('validation.checkoutColor'))
  .refine((color) => !hexColor.test(color) || isCheckoutColor(color), phrase('validation.checkoutColorPale'))
  .transform((color) => color || null);

/** How a merchant appears to its payers. */
export const payerBrand = z.object({
  name: z.string(),
  /** Null: the product's own color. */
  color: z.string().nullable(),
  /** Path of the logo, whose content never changes; null if there is none. */
  logo: z.string().nullable(),
  /** The merchant's registered name, if the name is another one that it has chosen. */
  registeredName: z.string().nullable(),
});
export type PayerBrand = z.output<typeof payerBrand>;

/** The settings behind it. */
export const checkoutSettings = z.object({
  /** Null: the merchant's own name. */
  name: z.string().nullable(),
  color: z.string().nullable(),
  logo: z.string().nullable(),
});
export type CheckoutSettings = z.output<typeof checkoutSettings>;

/** New settings. An empty name or color stands for the default. */
export const setCheckout = z.strictObject({
  name: visibleText(undefined, maxCheckoutName).transform((name) => name || null),
  color: checkoutColor,
  /** PNG, JPEG or WebP of at most 2 MiB and 16 megapixels, in Base64. Null removes the logo; absent keeps it. */
  logo: z.string().min(1, phrase('validation.logo')).max(maxImageText, phrase('validation.logo')).nullish(),
});
export type SetCheckout = z.output<typeof setCheckout>;

/** The form of it: a hidden field holds the new logo, empty if there is none. */
export const checkoutForm = setCheckout.extend({ logo: z.string() });

const envelopeBytes = 16 * 1024;

/** The merchant's settings of the pages that payers see, and the logos on them. */
export const checkoutEndpoints = {
  get: endpoint({
    method: 'GET',
    path: '/api/merchant/checkout',
    summary: 'Returns how the merchant appears on its checkout pages and receipts.',
    access: 'session',
    perm: 'checkout.manage',
    status: 200,
    reply: z.object({ data: checkoutSettings }),
    errors: [],
  }),
  set: endpoint({
    method: 'PUT',
    path: '/api/merchant/checkout',
    summary: 'Changes how the merchant appears on its checkout pages and receipts: name, color and logo.',
    access: 'session',
    perm: 'checkout.manage',
    bodyLimitBytes: maxImageText + envelopeBytes,
    textLimitLength: maxImageText + envelopeBytes,
    body: setCheckout,
    status: 200,
    reply: z.object({ data: checkoutSettings }),
    errors: ['uploads_busy'],
  }),
  logo: endpoint({
    method: 'GET',
    path: '/api/checkout-logos/:logo',
    summary: 'Returns a logo of a checkout page. Its address contains the hash of its content.',
    access: 'public',
    params: z.object({ logo: z.string().regex(/^[\w-]{47}$/) }),
    isFile: true,
    isImmutable: true,
    status: 200,
    errors: ['not_found'],
  }),
};
