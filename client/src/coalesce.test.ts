import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { coalesce } from './coalesce.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

test('runs the first call at once, and later ones together at the end of the interval', () => {
  const run = vi.fn();
  const throttled = coalesce(run, 500);
  throttled.call();
  expect(run).toHaveBeenCalledTimes(1);
  for (let calls = 0; calls < 20; calls++) throttled.call();
  vi.advanceTimersByTime(499);
  expect(run).toHaveBeenCalledTimes(1);
  vi.advanceTimersByTime(1);
  expect(run).toHaveBeenCalledTimes(2);
});

test('limits a steady stream to one run per interval, and never drops the last call', () => {
  const run = vi.fn();
  const throttled = coalesce(run, 500);
  for (let elapsedMs = 0; elapsedMs < 2000; elapsedMs += 50) {
    throttled.call();
    vi.advanceTimersByTime(50);
  }
  vi.advanceTimersByTime(1000);
  expect(run).toHaveBeenCalledTimes(5);
});

test('runs nothing after cancel', () => {
  const run = vi.fn();
  const throttled = coalesce(run, 500);
  throttled.call();
  throttled.call();
  throttled.cancel();
  vi.advanceTimersByTime(1000);
  expect(run).toHaveBeenCalledTimes(1);
});
