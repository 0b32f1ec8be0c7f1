import type { PayLink, PayLinkOrder } from '@hengfu/contract/pay-links';
import type { AskedFields, PayerAnswer } from '@hengfu/contract/payer-fields';
import type { LinkState } from '@hengfu/contract/payment-links';

/** The part of a payment link that decides its state. */
interface Uses {
  isOn: boolean;
  expiresAt: Date | null;
  maxUses: number | null;
  liveOrders: number;
  paidOrders: number;
  now: Date;
}

/** The orders of one link that may be to be paid at a time: a flood of orders that nobody pays stops here. */
export const maxLiveOrders = 500;

/** Returns the state of a payment link for its merchant. */
export function stateOf({ isOn, expiresAt, maxUses, paidOrders, now }: Uses): LinkState {
  if (maxUses !== null && paidOrders >= maxUses) return 'usedUp';
  if (expiresAt !== null && expiresAt <= now) return 'expired';
  return isOn ? 'on' : 'off';
}

/** Returns the state of a payment link for its payers. One whose uses are all held may have one again soon. */
export function payStateOf(link: Uses): PayLink['state'] {
  const state = stateOf(link);
  if (state === 'usedUp') return 'usedUp';
  if (state !== 'on') return 'closed';
  const { maxUses, liveOrders, paidOrders } = link;
  const isHeld = maxUses !== null && liveOrders + paidOrders >= maxUses;
  return isHeld || liveOrders >= maxLiveOrders ? 'busy' : 'open';
}

/** The orders of one group of addresses that may be to be paid at a time with one link, once half of its open uses are held. */
const maxLiveWhenScarce = 5;

/**
 * Whether a payer holds too many of a link's open uses, those that nobody has paid, with orders that are to be paid. An address can be that
 * of an office or of a carrier's phones, so there is no small limit while half of the open uses are free: they are at nobody's expense. Once
 * they are scarce, an address holds few of them. Nobody holds all open uses if there are several, and one site, which may have many groups
 * of addresses, holds at most half of them.
 */
export function holdsTooMany(
  { maxUses, paidOrders, liveOrders }: Pick<Uses, 'maxUses' | 'paidOrders' | 'liveOrders'>,
  live: { ofCaller: number; ofSite: number },
): boolean {
  const open = Math.min(maxUses === null ? maxLiveOrders : maxUses - paidOrders, maxLiveOrders);
  const whenScarce = Math.min(maxLiveWhenScarce, Math.max(1, open - 1));
  const most = Math.max(whenScarce, Math.floor(open / 2));
  const isScarce = liveOrders * 2 >= open;
  return live.ofCaller >= (isScarce ? whenScarce : most) || live.ofSite >= most;
}

const paySeconds = 900;
const leastPaySeconds = 60;

/** Returns how long a payer has, in seconds: until the link expires, but at least a minute. */
export function paySecondsOf({ expiresAt, now }: Pick<Uses, 'expiresAt' | 'now'>): number {
  if (expiresAt === null) return paySeconds;
  const left = Math.floor((expiresAt.getTime() - now.getTime()) / 1000);
  return Math.min(paySeconds, Math.max(leastPaySeconds, left));
}

/** The price of a payment link. */
interface Price {
  amountMinor: bigint | null;
  leastMinor: bigint | null;
  mostMinor: bigint | null;
  maxQuantity: number;
}

/** Returns what a payer pays, in minor units, or the field at fault. `chosenMinor`: the amount that the payer has entered. */
export function priceOf(
  link: Price,
  { chosenMinor, quantity }: { chosenMinor: bigint | undefined; quantity: number },
): bigint | 'amount' | 'quantity' {
  if (quantity > link.maxQuantity) return 'quantity';
  // Nobody pays another amount than the one on the page.
  if (link.amountMinor !== null)
    return chosenMinor === undefined ? link.amountMinor * BigInt(quantity) : 'amount';
  if (chosenMinor === undefined || link.leastMinor === null || link.mostMinor === null) return 'amount';
  return chosenMinor >= link.leastMinor && chosenMinor <= link.mostMinor ? chosenMinor : 'amount';
}

/** Returns the payer's answers in the order of the form, or the name of a field that is missing or was not asked for. */
export function answersOf(asked: AskedFields, order: PayLinkOrder): PayerAnswer[] | string {
  const known = ['name', 'email', 'reference'] as const;
  const wrong = known.find((field) => asked.known.includes(field) === (order[field] === undefined));
  if (wrong !== undefined) return wrong;
  const own = order.own ?? [];
  if (own.length !== asked.own.length) return 'own';
  return [
    ...asked.known.map((field) => ({ field, label: null, value: order[field] ?? '' })),
    ...asked.own.map((label, index) => ({ field: 'own' as const, label, value: own[index] ?? '' })),
  ];
}
