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
