import { versionOf } from '#domain/version.ts';
import type { LinkFields, PaymentLink } from './payment-links.sql.ts';

/** Returns a text that differs for another offer, another price, and other questions: for payers. */
export function linkVersion(link: PaymentLink): string {
  const { title, description, currency, asked } = link;
  return versionOf([title, description, currency, pricesOf(link), asked.known, asked.own]);
}

/** Returns a text that differs for any other setting of the link, and for another picture: for its merchant. */
export function settingsVersion(link: PaymentLink): string {
  const { title, description, maxQuantity, maxUses, asked, note, returnUrl, expiresAt, pictureHash } = link;
  const limits = [maxQuantity, maxUses, expiresAt];
  return versionOf([
    title,
    description,
    pictureHash,
    pricesOf(link),
    limits,
    asked.known,
    asked.own,
    note,
    returnUrl,
  ]);
}

function pricesOf({ amountMinor, leastMinor, mostMinor }: LinkFields): string[] {
  return [amountMinor, leastMinor, mostMinor].map(String);
}
