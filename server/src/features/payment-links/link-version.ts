import { versionOf } from '#domain/version.ts';
import type { PaymentLink } from './payment-links.sql.ts';

/** Returns a text that differs for another offer, another price, and other questions. */
export function linkVersion(link: PaymentLink): string {
  const { title, description, currency, amountMinor, leastMinor, mostMinor, asked } = link;
  const price = [amountMinor, leastMinor, mostMinor].map(String);
  return versionOf([title, description, currency, price, asked.known, asked.own]);
}
