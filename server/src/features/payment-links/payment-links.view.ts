import { formatAmount } from '@hengfu/contract/money';
import type { PayLink } from '@hengfu/contract/pay-links';
import type { PaymentLinkDetail, PaymentLinkRow } from '@hengfu/contract/payment-links';
import { linkVersion, settingsVersion } from './link-version.ts';
import { payStateOf, stateOf } from './payment-links.rules.ts';
import type { OpenedLink, PaymentLink } from './payment-links.sql.ts';

function priceOf({ amountMinor, leastMinor, mostMinor, currency }: PaymentLink) {
  const money = (minor: bigint | null) => (minor === null ? null : formatAmount(minor, currency));
  return { amount: money(amountMinor), least: money(leastMinor), most: money(mostMinor) };
}

/** Maps a link to a row of the console's list. */
export function toRow(link: PaymentLink, appUrl: string): PaymentLinkRow {
  return {
    link_no: link.linkNo,
    title: link.title,
    state: stateOf(link),
    url: `${appUrl}/pay/link/${link.token}`,
    currency: link.currency,
    ...priceOf(link),
    maxQuantity: link.maxQuantity,
    maxUses: link.maxUses,
    liveOrders: link.liveOrders,
    paidOrders: link.paidOrders,
    paid: formatAmount(link.paidMinor, link.currency),
    expiresAt: link.expiresAt?.toISOString() ?? null,
    createdAt: link.createdAt.toISOString(),
  };
}

/** Maps a link to the console's detail. */
export function toDetail(link: PaymentLink, appUrl: string): PaymentLinkDetail {
  const { description, asked, note, returnUrl } = link;
  const hasPicture = link.pictureHash !== null;
  const version = settingsVersion(link);
  return { ...toRow(link, appUrl), description, hasPicture, asked, note, returnUrl, version };
}

/** Maps a link to what its payers see. */
export function toPayLink(link: OpenedLink): PayLink {
  return {
    merchant: link.brand.name,
    color: link.brand.color,
    logo: link.brand.logo,
    registeredName: link.brand.registeredName,
    title: link.title,
    description: link.description,
    hasPicture: link.pictureHash !== null,
    state: link.isSuspended ? 'closed' : payStateOf(link),
    currency: link.currency,
    ...priceOf(link),
    maxQuantity: link.maxQuantity,
    asked: link.asked,
    version: linkVersion(link),
  };
}
