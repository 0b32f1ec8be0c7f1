import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { coalesce } from './coalesce.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

test('the first call runs at once, those that follow once at the end of the pause', () => {
  const run = vi.fn();
  const paced = coalesce(run, 500);
  paced.call();
  expect(run).toHaveBeenCalledTimes(1);
  for (let calls = 0; calls < 20; calls++) paced.call();
  vi.advanceTimersByTime(499);
  expect(run).toHaveBeenCalledTimes(1);
  vi.advanceTimersByTime(1);
  expect(run).toHaveBeenCalledTimes(2);
});

test('a steady stream runs at the pace, and the last call is never lost', () => {
  const run = vi.fn();
  const paced = coalesce(run, 500);
  for (let elapsedMs = 0; elapsedMs < 2000; elapsedMs += 50) {
    paced.call();
    vi.advanceTimersByTime(50);
  }
  vi.advanceTimersByTime(1000);
  expect(run).toHaveBeenCalledTimes(5);
});

test('nothing runs after it was called off', () => {
  const run = vi.fn();
  const paced = coalesce(run, 500);
  paced.call();
  paced.call();
  paced.cancel();
  vi.advanceTimersByTime(1000);
  expect(run).toHaveBeenCalledTimes(1);
});
