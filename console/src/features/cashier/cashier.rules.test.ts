import type { CashierOrder } from '@hengfu/contract/cashier';
import { describe, expect, it } from 'vitest';
import {
  clockOffsetMs,
  countdownText,
  type PollInputs,
  pollDelayMs,
  secondsLeft,
  webLink,
} from './cashier.rules.ts';

const nowMs = Date.parse('2026-11-20T16:00:00Z');
const minuteMs = 60_000;
const payment = { channel: 'CN_BANK', payUrl: 'https://bank.example/1', qrContent: null };

function pollInputs(order: Partial<CashierOrder>, rest: Partial<PollInputs> = {}): PollInputs {
  const expiresAt = new Date(nowMs + 30 * minuteMs).toISOString();
  const fullOrder = { status: 'toBePaid', payment, expiresAt, ...order } as CashierOrder;
  return { order: fullOrder, nowMs, isHidden: false, hiddenPolls: 0, failures: 0, ...rest };
}

const ended = (agoMs: number) => ({
  status: 'closed' as const,
  expiresAt: new Date(nowMs - agoMs).toISOString(),
});

describe('pollDelayMs', () => {
  it('polls every two seconds while waiting for the bank, less often before', () => {
    expect(pollDelayMs(pollInputs({}))).toBe(2000);
    expect(pollDelayMs(pollInputs({ payment: null }))).toBe(5_000);
  });

  it('polls as soon as the order expires', () => {
    const expiresAt = new Date(nowMs + 4000).toISOString();
    expect(pollDelayMs(pollInputs({ payment: null, expiresAt }))).toBe(4300);
  });

  it('slows down on a hidden page, to once a minute', () => {
    const delays = [0, 1, 2, 5, 9].map((hiddenPolls) =>
      pollDelayMs(pollInputs({}, { isHidden: true, hiddenPolls })),
    );
    expect(delays).toEqual([2000, 4000, 8000, 60_000, 60_000]);
  });

  it('stops once the order is paid or refunded', () => {
    for (const status of ['paid', 'success', 'refunded'] as const) {
      expect(pollDelayMs(pollInputs({ status }))).toBeUndefined();
    }
  });

  it('polls an order whose money is being returned once a minute, until it is or nobody returns it', () => {
    expect(pollDelayMs(pollInputs({ status: 'success', lateReturn: 'inProgress' }))).toBe(60_000);
    expect(pollDelayMs(pollInputs({ status: 'success', lateReturn: 'failed' }))).toBeUndefined();
    expect(pollDelayMs(pollInputs({ status: 'refunded', lateReturn: null }))).toBeUndefined();
  });

  it('polls a closed or cancelled order until an hour after its expiry', () => {
    expect(pollDelayMs(pollInputs(ended(minuteMs)))).toBe(3000);
    expect(pollDelayMs(pollInputs(ended(10 * minuteMs)))).toBe(15_000);
    expect(pollDelayMs(pollInputs(ended(10 * minuteMs), { isHidden: true }))).toBe(60_000);
    expect(pollDelayMs(pollInputs(ended(60 * minuteMs)))).toBeUndefined();
    expect(pollDelayMs(pollInputs({ status: 'cancelled' }))).toBe(15_000);
  });

  it('retries with backoff after a failure', () => {
    const delays = [1, 2, 3, 4, 5, 20].map((failures) => pollDelayMs(pollInputs({}, { failures })));
    expect(delays).toEqual([1000, 2000, 4000, 8000, 15_000, 15_000]);
  });
});

describe('the countdown', () => {
  it('uses the server’s clock on a device whose clock is wrong', () => {
    const twoHoursMs = 120 * minuteMs;
    const sentAtMs = nowMs + twoHoursMs;
    const offsetMs = clockOffsetMs('2026-11-20T16:00:00Z', sentAtMs - 100, sentAtMs + 100);
    expect(offsetMs).toBe(-twoHoursMs);
    expect(secondsLeft('2026-11-20T16:30:00Z', sentAtMs + offsetMs)).toBe(1800);
  });

  it('rounds up to whole seconds and never goes below zero', () => {
    expect(secondsLeft('2026-11-20T16:00:10Z', nowMs + 1)).toBe(10);
    expect(secondsLeft('2026-11-20T16:00:10Z', nowMs + 9999)).toBe(1);
    expect(secondsLeft('2026-11-20T16:00:10Z', nowMs + 10_000)).toBe(0);
    expect(secondsLeft('2026-11-20T16:00:10Z', nowMs + 99_000)).toBe(0);
  });

  it('shows hours only from one hour on', () => {
    expect([0, 9, 65, 1800, 3600, 86_399].map(countdownText)).toEqual([
      '00:00',
      '00:09',
      '01:05',
      '30:00',
      '1:00:00',
      '23:59:59',
    ]);
  });
});

describe('webLink', () => {
  it('accepts plain web links only', () => {
    expect(webLink('https://shop.example/o/1')).toBe('https://shop.example/o/1');
    for (const url of [
      'javascript:alert(1)',
      ' javascript:alert(1)',
      'data:text/html,x',
      '//shop.example',
      '\\\\shop.example',
      'https:shop.example',
      'https://shop.example@evil.example/',
      'https://shop.example/\r\nx: y',
      '%2f%2fevil.example',
      '',
      null,
    ]) {
      expect(webLink(url)).toBeUndefined();
    }
  });
});
