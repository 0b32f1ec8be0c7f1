import { setTimeout as pause, setImmediate as turn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { until } from '../testing/until.ts';
import { onceQuiet } from './start-memory.ts';

const intervalMs = 20;

it('waits until the event loop is quiet, then runs once', async () => {
  let runs = 0;
  void onceQuiet(() => {
    runs++;
  }, intervalMs);
  // Turn after turn without a pause: the loop is never quiet, however slow the machine is.
  for (const end = performance.now() + 5 * intervalMs; performance.now() < end; ) await turn();
  expect(runs).toBe(0);
  await until(
    async () => runs,
    (count) => count > 0,
  );
  await pause(5 * intervalMs);
  expect(runs).toBe(1);
});
