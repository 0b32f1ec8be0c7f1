import { setTimeout as pause } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { withRests } from './rests.ts';

const stepMs = 5;

/** Steps of work that do not let anybody else run. */
async function* steps(): AsyncGenerator<number> {
  for (let step = 0; step < 20; step++) {
    for (const end = performance.now() + stepMs; performance.now() < end; );
    yield step;
  }
}

/** Does the work on so many processors; returns its steps, and how often others could run meanwhile. */
async function workOn(processors: number): Promise<{ done: number[]; turns: number }> {
  let turns = 0;
  const others = setInterval(() => turns++, 1);
  const done = await Array.fromAsync(withRests(steps(), processors));
  clearInterval(others);
  return { done, turns };
}

it('passes every step on, and lets others run meanwhile where they have no processor of their own', async () => {
  const all = Array.from({ length: 20 }, (_, step) => step);
  const [shared, own] = [await workOn(2), await workOn(4)];
  expect(shared.done).toEqual(all);
  expect(shared.turns).toBeGreaterThan(5);
  expect(own).toEqual({ done: all, turns: 0 });
});

it('does not rest after what it has waited for', async () => {
  /** Milliseconds from each step to the moment at which the next one is wanted. */
  const gaps: number[] = [];
  async function* waits(): AsyncGenerator<number> {
    for (let step = 0; step < 10; step++) {
      await pause(20);
      const givenAt = performance.now();
      yield step;
      gaps.push(performance.now() - givenAt);
    }
  }
  await Array.fromAsync(withRests(waits(), 2));
  // A rest takes three milliseconds.
  expect(gaps.filter((ms) => ms >= 3).length).toBeLessThan(5);
});
