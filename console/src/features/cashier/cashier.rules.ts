import type { CashierOrder } from '@hengfu/contract/cashier';
import type { CollectionStatus } from '@hengfu/contract/collections';
import { isWebLink } from '@hengfu/contract/web-link';

/** What the payer is shown. */
export type Screen = 'open' | 'paid' | 'failed' | 'cancelled' | 'closed' | 'refunded';

/** The screen of each status: whether the shop has acknowledged a payment is none of the payer's business. */
export const screenOf: Record<CollectionStatus, Screen> = {
  toBePaid: 'open',
  paid: 'paid',
  success: 'paid',
  refunded: 'refunded',
  cancelled: 'cancelled',
  closed: 'closed',
  failed: 'failed',
};

const secondMs = 1000;
const minuteMs = 60 * secondMs;
const hourMs = 60 * minuteMs;

const waitingPollMs = 2 * secondMs;
const choosingPollMs = 5 * secondMs;
const givenUpPollMs = 15 * secondMs;
/** A payer who was at the bank when the time ran out comes back within minutes. */
const justEndedMs = 2 * minuteMs;
const justEndedPollMs = 3 * secondMs;
const hiddenPollMs = minuteMs;
const failedPollMs = secondMs;
const slowestFailedPollMs = 15 * secondMs;
/** Time that the server gets to notice an expiry of its own. */
const expiryMarginMs = 300;
const lateFollowMs = hourMs;
/** Where the countdown begins to warn. */
export const warningMs = minuteMs;

/** What the pace of following depends on. */
export interface Pace {
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
 * Milliseconds until the order is asked for again; undefined where nothing more is to be expected. Every 2 s while the
 * bank is awaited, sooner where the order ends sooner; slower on a page that nobody sees; given-up orders are followed
 * slowly for an hour past their end, because a late payment still counts.
 */
export function pollDelayMs({ order, nowMs, isHidden, hiddenPolls, failures }: Pace): number | undefined {
  if (failures > 0) return Math.min(failedPollMs * 2 ** (failures - 1), slowestFailedPollMs);
  if (!order) return failedPollMs;
  const leftMs = Date.parse(order.expiresAt) - nowMs;
  const screen = screenOf[order.status];
  if (screen === 'paid' || screen === 'refunded') return undefined;
  if (screen !== 'open') {
    if (leftMs + lateFollowMs <= 0) return undefined;
    if (isHidden) return hiddenPollMs;
    return order.payment && screen === 'closed' && leftMs + justEndedMs > 0 ? justEndedPollMs : givenUpPollMs;
  }
  const shownMs = order.payment ? waitingPollMs : choosingPollMs;
  const paceMs = isHidden ? Math.min(shownMs * 2 ** hiddenPolls, hiddenPollMs) : shownMs;
  return leftMs > 0 ? Math.min(paceMs, leftMs + expiryMarginMs) : paceMs;
}

/**
 * How far the server's clock is ahead of this device's, in milliseconds. The reply was made about halfway between the
 * call and its answer.
 */
export function clockOffsetMs(serverNow: string, askedAtMs: number, answeredAtMs: number): number {
  return Date.parse(serverNow) - (askedAtMs + answeredAtMs) / 2;
}

/** Whole seconds left, never below zero; a second that has begun still counts. */
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

/** A link that a page may lead to: another scheme than the web's, or one that hides where it leads, is dropped. */
export function webLink(url: string | null | undefined): string | undefined {
  return url && isWebLink(url) ? url : undefined;
}
