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

describe('a delay read off its classes', () => {
  const counted = (delays: readonly number[]) => {
    const counts = new Map<number, number>();
    for (const delay of delays) counts.set(delayClass(delay), (counts.get(delayClass(delay)) ?? 0) + 1);
    return counts;
  };

  it('is nothing where nothing was counted', () => {
    expect(percentileMs(new Map(), 0.95)).toBeUndefined();
    expect(percentileMs(new Map([[3, 0]]), 0.95)).toBeUndefined();
  });

  it('lies in the class of the delay that it stands for', () => {
    const delays = fc.array(fc.integer({ min: 1, max: 60_000_000 }), { minLength: 1, maxLength: 200 });
    fc.assert(
      fc.property(delays, fc.constantFrom(0.5, 0.95), (given, share) => {
        const exact = [...given].sort((a, b) => a - b)[Math.ceil(given.length * share) - 1] ?? 0;
        const told = percentileMs(counted(given), share) ?? 0;
        const lower = delayScaleMs[delayClass(exact) - 1] ?? 0;
        const upper = delayScaleMs[delayClass(exact)] ?? 70_000_000;
        expect(told).toBeGreaterThanOrEqual(lower * 0.99);
        expect(told).toBeLessThanOrEqual(upper * 1.01);
      }),
    );
  });
});

it('says 100 % only of all, and nothing of nothing', () => {
  expect([shareOf(9999, 10_000, 100), shareOf(20, 20, 100), shareOf(0, 0, 100)]).toEqual([
    0.99,
    1,
    undefined,
  ]);
});

describe('the API', () => {
  const calls = { answered: 100, failed: 0, p95Ms: 80, isReporting: true };
  it.each([
    ['answers all', {}, 'operational'],
    ['fails one of a hundred', { answered: 99, failed: 1 }, 'degraded'],
    ['fails one of two hundred', { answered: 199, failed: 1 }, 'operational'],
    ['fails one of five', { answered: 80, failed: 20 }, 'down'],
    ['is slow', { p95Ms: 2001 }, 'degraded'],
    ['was asked too little to tell', { answered: 18, failed: 1 }, 'operational'],
    ['is not heard of', { isReporting: false }, 'down'],
  ] as const)('%s', (_name, change, state) => {
    expect(judgeApi({ ...calls, ...change })).toBe(state);
  });
});

it('the database and the jobs are judged by how long they let wait', () => {
  expect([250, 251, 5001].map(judgeDatabase)).toEqual(['operational', 'degraded', 'down']);
  expect([30_000, 30_001, 300_001].map(judgeJobs)).toEqual(['operational', 'degraded', 'down']);
});

describe('a channel', () => {
  const orders = { isOpen: true, paid: 20, refused: 0, unanswered: 0 };
  it.each([
    ['pays all', {}, 'operational'],
    ['has too few orders, all of them refused', { paid: 0, refused: 19 }, 'tooFew'],
    ['pays four of five', { refused: 5 }, 'operational'],
    ['pays less', { refused: 6 }, 'degraded'],
    ['pays half', { refused: 20 }, 'degraded'],
    ['pays less than half', { refused: 21 }, 'down'],
    ['does not answer', { paid: 5, unanswered: 15 }, 'down'],
    ['is closed, whatever it did', { isOpen: false }, 'closed'],
  ] as const)('%s', (_name, change, state) => {
    expect(judgeChannel({ ...orders, ...change })).toBe(state);
  });
});

it('together they are as bad as the worst of them', () => {
  expect(worst(['operational', 'tooFew', 'closed'])).toBe('operational');
  expect(worst(['operational', 'degraded'])).toBe('degraded');
  expect(worst(['degraded', 'down', 'operational'])).toBe('down');
});

describe('the last three samples', () => {
  const good = 'operational';
  it.each([
    ['two bad ones open nothing', ['down', 'down', good], undefined, undefined],
    ['nor do two that there are', ['down', 'down'], undefined, undefined],
    ['three open', ['down', 'degraded', 'down'], undefined, { do: 'open', impact: 'degraded' }],
    ['three of the worst', ['down', 'down', 'down'], undefined, { do: 'open', impact: 'down' }],
    ['it opens once', ['degraded', 'degraded', 'degraded'], 'degraded', undefined],
    ['it gets worse', ['down', 'down', 'down'], 'degraded', { do: 'worsen', impact: 'down' }],
    ['it is not said to get better', ['degraded', 'degraded', 'degraded'], 'down', undefined],
    ['two good ones close nothing', [good, good, 'down'], 'down', undefined],
    ['three close', [good, good, good], 'down', { do: 'close' }],
    ['nothing is open', [good, good, good], undefined, undefined],
  ] as const)('%s', (_name, last, open, verdict) => {
    expect(judgeSamples(last, open)).toEqual(verdict);
  });
});
