import { expect, it } from 'vitest';
import { withProgress } from './progress.ts';

it('yields reports while the work goes on, then its result', async () => {
  const resumes: (() => void)[] = [];
  const steps = withProgress<number, string>(async (report) => {
    for (const number of [1, 2]) {
      report(number);
      await new Promise<void>((resume) => resumes.push(resume));
    }
    return 'done';
  });
  expect((await steps.next()).value).toEqual({ progress: 1 });
  resumes.shift()?.();
  expect((await steps.next()).value).toEqual({ progress: 2 });
  resumes.shift()?.();
  expect((await steps.next()).value).toEqual({ result: 'done' });
  expect((await steps.next()).done).toBe(true);
});

it('does not make the work wait for a slow reader, who gets the newest report', async () => {
  let isDone = false;
  const steps = withProgress<number, string>(async (report) => {
    for (let number = 1; number <= 100; number++) {
      report(number);
      await Promise.resolve();
    }
    isDone = true;
    return 'done';
  });
  await steps.next();
  await new Promise((resolve) => setImmediate(resolve));
  expect(isDone).toBe(true);
  expect((await steps.next()).value).toEqual({ progress: 100 });
  expect((await steps.next()).value).toEqual({ result: 'done' });
});

it('throws what the work throws, even if nobody was reading at that moment', async () => {
  const steps = withProgress<number, string>(async (report) => {
    report(1);
    throw new Error('broken');
  });
  expect((await steps.next()).value).toEqual({ progress: 1 });
  await new Promise((resolve) => setImmediate(resolve));
  await expect(steps.next()).rejects.toThrow('broken');
});
