import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  delayClass,
  delayScaleMs,
  judgeApi,
  judgeChannel,
  judgeDatabase,
  judgeJobs,
  judgeSamples,
  percentileMs,
  shareOf,
  worst,
} from './status.rules.ts';

describe('a percentile of delay classes', () => {
  const counted = (delays: readonly number[]) => {
    const counts = new Map<number, number>();
    for (const delay of delays) counts.set(delayClass(delay), (counts.get(delayClass(delay)) ?? 0) + 1);
    return counts;
  };

  it('is undefined without counts', () => {
    expect(percentileMs(new Map(), 0.95)).toBeUndefined();
    expect(percentileMs(new Map([[3, 0]]), 0.95)).toBeUndefined();
  });

  it('lies in the class of the exact percentile', () => {
    const delays = fc.array(fc.integer({ min: 1, max: 60_000_000 }), { minLength: 1, maxLength: 200 });
    fc.assert(
      fc.property(delays, fc.constantFrom(0.5, 0.95), (given, share) => {
        const exact = [...given].sort((a, b) => a - b)[Math.ceil(given.length * share) - 1] ?? 0;
        const estimate = percentileMs(counted(given), share) ?? 0;
        const lower = delayScaleMs[delayClass(exact) - 1] ?? 0;
        const upper = delayScaleMs[delayClass(exact)] ?? 70_000_000;
        expect(estimate).toBeGreaterThanOrEqual(lower * 0.99);
        expect(estimate).toBeLessThanOrEqual(upper * 1.01);
      }),
    );
  });
});

it('a share is rounded down, so that 100 % means all; the share of nothing is undefined', () => {
  expect([shareOf(9999, 10_000, 100), shareOf(20, 20, 100), shareOf(0, 0, 100)]).toEqual([
    0.99,
    1,
    undefined,
  ]);
});

describe('the API', () => {
  const calls = { answered: 100, failed: 0, p95Ms: 80, isReporting: true };
  it.each([
    ['answers every call', {}, 'operational'],
    ['fails one call in a hundred', { answered: 99, failed: 1 }, 'degraded'],
    ['fails one call in two hundred', { answered: 199, failed: 1 }, 'operational'],
    ['fails one call in five', { answered: 80, failed: 20 }, 'down'],
    ['is slow', { p95Ms: 2001 }, 'degraded'],
    ['has too few calls to judge', { answered: 18, failed: 1 }, 'operational'],
    ['has no web process that reports', { isReporting: false }, 'down'],
  ] as const)('%s', (_name, change, state) => {
    expect(judgeApi({ ...calls, ...change })).toBe(state);
  });
});

it('judges the database by its response time, and jobs by their wait', () => {
  expect([250, 251, 5001].map(judgeDatabase)).toEqual(['operational', 'degraded', 'down']);
  expect([30_000, 30_001, 300_001].map(judgeJobs)).toEqual(['operational', 'degraded', 'down']);
});

describe('a channel', () => {
  const orders = { isOpen: true, paid: 20, refused: 0, unanswered: 0 };
  it.each([
    ['pays every order', {}, 'operational'],
    ['has too few orders to judge, all refused', { paid: 0, refused: 19 }, 'tooFew'],
    ['pays four of five', { refused: 5 }, 'operational'],
    ['pays less than four of five', { refused: 6 }, 'degraded'],
    ['pays half', { refused: 20 }, 'degraded'],
    ['pays less than half', { refused: 21 }, 'down'],
    ['does not answer', { paid: 5, unanswered: 15 }, 'down'],
    ['is closed, whatever its orders', { isOpen: false }, 'closed'],
  ] as const)('%s', (_name, change, state) => {
    expect(judgeChannel({ ...orders, ...change })).toBe(state);
  });
});

it('the overall state is that of the worst component', () => {
  expect(worst(['operational', 'tooFew', 'closed'])).toBe('operational');
  expect(worst(['operational', 'degraded'])).toBe('degraded');
  expect(worst(['degraded', 'down', 'operational'])).toBe('down');
});

describe('the last three samples', () => {
  const good = 'operational';
  it.each([
    ['two bad samples open no incident', ['down', 'down', good], undefined, undefined],
    ['nor do the only two samples', ['down', 'down'], undefined, undefined],
    [
      'three bad samples open an incident',
      ['down', 'degraded', 'down'],
      undefined,
      { do: 'open', impact: 'degraded' },
    ],
    [
      'three samples that are down open it as down',
      ['down', 'down', 'down'],
      undefined,
      { do: 'open', impact: 'down' },
    ],
    ['an open incident is not opened again', ['degraded', 'degraded', 'degraded'], 'degraded', undefined],
    [
      'three samples that are down worsen it',
      ['down', 'down', 'down'],
      'degraded',
      { do: 'worsen', impact: 'down' },
    ],
    ['its impact is never lowered', ['degraded', 'degraded', 'degraded'], 'down', undefined],
    ['two good samples do not close it', [good, good, 'down'], 'down', undefined],
    ['three good samples close it', [good, good, good], 'down', { do: 'close' }],
    ['without an incident there is nothing to close', [good, good, good], undefined, undefined],
  ] as const)('%s', (_name, last, open, verdict) => {
    expect(judgeSamples(last, open)).toEqual(verdict);
  });
});
