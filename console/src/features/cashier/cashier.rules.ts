import type { CashierOrder } from '@hengfu/contract/cashier';
import type { CollectionStatus } from '@hengfu/contract/collections';
import { isWebLink } from '@hengfu/contract/web-link';

/** The state of the order as the checkout page shows it. */
export type Screen =
  | 'open'
  | 'paid'
  | 'failed'
  | 'cancelled'
  | 'closed'
  | 'refunded'
  | 'returning'
  | 'notReturned';

/** The screen of each status. A payer need not know whether the shop has acknowledged a payment. */
const screens: Record<CollectionStatus, Screen> = {
  toBePaid: 'open',
  paid: 'paid',
  success: 'paid',
  refunded: 'refunded',
  cancelled: 'cancelled',
  closed: 'closed',
  failed: 'failed',
};

/** Whether the page has a screen for a status. */
export function isKnownStatus(status: string): boolean {
  return Object.hasOwn(screens, status);
}

/** Returns the screen of an order. A server of the version before does not say whether its money is being returned. */
export function screenOf({
  status,
  lateReturn,
}: Pick<CashierOrder, 'status'> & Partial<Pick<CashierOrder, 'lateReturn'>>): Screen {
  if (lateReturn) return lateReturn === 'inProgress' ? 'returning' : 'notReturned';
  return screens[status];
}

const secondMs = 1000;
const minuteMs = 60 * secondMs;
const hourMs = 60 * minuteMs;

const waitingPollMs = 2 * secondMs;
const choosingPollMs = 5 * secondMs;
const endedPollMs = 15 * secondMs;
/** A payer who was at the bank when the time ran out comes back within minutes. */
const justEndedMs = 2 * minuteMs;
const justEndedPollMs = 3 * secondMs;
const hiddenPollMs = minuteMs;
/** Banks take hours or days. */
const returningPollMs = minuteMs;
const retryMs = secondMs;
const maxRetryMs = 15 * secondMs;
/** Gives the server time to process the expiry first. */
const expiryMarginMs = 300;
const latePaymentMs = hourMs;
/** The countdown warns when no more than this is left. */
export const warningMs = minuteMs;

/** Inputs of {@link pollDelayMs}. */
export interface PollInputs {
  order: CashierOrder | null;
  /** Server's clock, milliseconds since 1970. */
  nowMs: number;
  isHidden: boolean;
  /** Polls made since the page was hidden. */
  hiddenPolls: number;
  /** Polls that failed in a row. */
  failures: number;
}

/**
 * Returns the milliseconds until the next poll; undefined if no change is to be expected. Polls every 2 s
 * while waiting for the bank, earlier if the order expires earlier, and less often on a hidden page. Polls
 * orders that ended unpaid slowly until an hour after their expiry, because a late payment still counts, and those
 * whose money is being returned until it is.
 */
export function pollDelayMs({
  order,
  nowMs,
  isHidden,
  hiddenPolls,
  failures,
}: PollInputs): number | undefined {
  if (failures > 0) return Math.min(retryMs * 2 ** (failures - 1), maxRetryMs);
  if (!order) return retryMs;
  const leftMs = Date.parse(order.expiresAt) - nowMs;
  const screen = screenOf(order);
  if (screen === 'paid' || screen === 'refunded' || screen === 'notReturned') return undefined;
  if (screen === 'returning') return returningPollMs;
  if (screen !== 'open') {
    if (leftMs + latePaymentMs <= 0) return undefined;
    if (isHidden) return hiddenPollMs;
    return order.payment && screen === 'closed' && leftMs + justEndedMs > 0 ? justEndedPollMs : endedPollMs;
  }
  const visiblePollMs = order.payment ? waitingPollMs : choosingPollMs;
  const pollMs = isHidden ? Math.min(visiblePollMs * 2 ** hiddenPolls, hiddenPollMs) : visiblePollMs;
  return leftMs > 0 ? Math.min(pollMs, leftMs + expiryMarginMs) : pollMs;
}

/**
 * Returns how many milliseconds the server's clock is ahead of this device's. Assumes that the server replied
 * halfway between the request and the response.
 */
export function clockOffsetMs(serverNow: string, sentAtMs: number, receivedAtMs: number): number {
  return Date.parse(serverNow) - (sentAtMs + receivedAtMs) / 2;
}

/** Returns the seconds left, rounded up, never below zero. */
export function secondsLeft(expiresAt: string, nowMs: number): number {
  return Math.max(0, Math.ceil((Date.parse(expiresAt) - nowMs) / secondMs));
}

/** 65 → "01:05", 3725 → "1:02:05". */
export function countdownText(seconds: number): string {
  const pad = (value: number) => String(value).padStart(2, '0');
  const hours = Math.floor(seconds / 3600);
  const rest = `${pad(Math.floor((seconds % 3600) / 60))}:${pad(seconds % 60)}`;
  return hours > 0 ? `${hours}:${rest}` : rest;
}

/** Returns a plain web link; undefined for other schemes and for links that disguise their target. */
export function webLink(url: string | null | undefined): string | undefined {
  return url && isWebLink(url) ? url : undefined;
}
