import * as fc from 'fast-check';
import { afterEach, expect, it } from 'vitest';
import { lookingAtBatches } from './batch-looks.ts';

/** Looks at once, those of a merchant that wait, and merchants that may have as many waiting. */
const atOnce = 4;
const ofMerchant = 16;
const merchants = 16;

const open: PromiseWithResolvers<void>[] = [];
const asked: Promise<unknown>[] = [];
/** Merchants in the order in which their looks began. */
let begun: bigint[] = [];
let running = 0;

const settled = () => new Promise(setImmediate);

/** A look that lasts until it is ended. */
function ask(merchantId: bigint): Promise<{ merchantId: bigint }> {
  const end = Promise.withResolvers<void>();
  const looked = lookingAtBatches(merchantId, async () => {
    begun.push(merchantId);
    running++;
    open.push(end);
    await end.promise.finally(() => running--);
    return { merchantId };
  });
  asked.push(looked.catch(() => {}));
  return looked;
}

function times(count: number, merchantId: bigint) {
  return Array.from({ length: count }, () => ask(merchantId));
}

/** Ends the look that began first, and lets the next one begin. */
async function endOne(): Promise<void> {
  open.shift()?.resolve();
  await settled();
}

// The queue is the process's own: what a test leaves would wait in the next one.
afterEach(async () => {
  while (open.length > 0) await endOne();
  await Promise.all(asked.splice(0));
  expect(running).toBe(0);
  begun = [];
});

it('serves merchants in turn, however many looks of one came first', async () => {
  times(12, 1n);
  times(3, 2n);
  times(1, 3n);
  await settled();
  expect(begun).toEqual([1n, 1n, 1n, 1n]);
  for (let time = 0; time < 6; time++) await endOne();
  expect(begun.slice(atOnce)).toEqual([1n, 2n, 3n, 1n, 2n, 1n]);
  expect(running).toBe(atOnce);
});

it('a look that fails reports to its own caller alone, and its place goes to the next', async () => {
  const others = times(5, 1n);
  const failing = ask(2n);
  const besides = ask(3n);
  await settled();
  await endOne();
  await endOne();
  expect(begun).toEqual([1n, 1n, 1n, 1n, 1n, 2n]);
  open.at(-1)?.reject(new Error('the database is away'));
  open.pop();
  await expect(failing).rejects.toThrow('the database is away');
  await settled();
  expect(begun.at(-1)).toBe(3n);
  while (open.length > 0) await endOne();
  expect(await Promise.all([...others, besides])).toHaveLength(6);
});

it('a look that throws before it waits for anything gives its place back, too', async () => {
  for (let time = 0; time < 2 * atOnce; time++)
    await expect(
      lookingAtBatches(1n, () => {
        throw new Error('at once');
      }),
    ).rejects.toThrow('at once');
  times(atOnce, 2n);
  await settled();
  expect(running).toBe(atOnce);
});

it('refuses what is too much of one merchant, and does none of it', async () => {
  times(atOnce + ofMerchant, 1n);
  const refused = await Promise.allSettled([ask(1n), ask(1n)]);
  for (const { status, ...rest } of refused)
    expect({ status, ...rest }).toMatchObject({
      status: 'rejected',
      reason: { code: 'too_many_requests', retryAfterSeconds: 5 },
    });
  const other = ask(2n);
  while (open.length > 0) await endOne();
  expect(await other).toEqual({ merchantId: 2n });
  expect(begun.filter((merchantId) => merchantId === 1n)).toHaveLength(atOnce + ofMerchant);
});

it('five merchants that use up what they may have waiting keep nobody else out', async () => {
  for (let merchantId = 1n; merchantId <= 5n; merchantId++) times(atOnce + ofMerchant, merchantId);
  const other = ask(99n);
  await settled();
  for (let time = 0; time < 6; time++) await endOne();
  expect(begun.at(-1)).toBe(99n);
  await endOne();
  while (open.length > 0) await endOne();
  expect(await other).toEqual({ merchantId: 99n });
});

it('is bounded: what waits in all is what sixteen merchants may have waiting', async () => {
  times(atOnce, 1n);
  for (let merchantId = 1n; merchantId <= BigInt(merchants); merchantId++) times(ofMerchant, merchantId);
  await expect(ask(99n)).rejects.toMatchObject({ code: 'too_many_requests' });
  while (open.length > 0) await endOne();
  expect(begun).toHaveLength(atOnce + merchants * ofMerchant);
});

it('whatever is asked for and ended in which order, each look is done once or refused, and never too many at once', async () => {
  const step = fc.oneof(
    { weight: 2, arbitrary: fc.bigInt(1n, 6n).map((merchantId) => ({ merchantId })) },
    { weight: 1, arbitrary: fc.constantFrom('end' as const, 'fail' as const) },
  );
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 150 }), async (steps) => {
      const outcomes: Promise<string>[] = [];
      begun = [];
      for (const each of steps) {
        if (each === 'fail') open.shift()?.reject(new Error('failed'));
        else if (each === 'end') open.shift()?.resolve();
        else
          outcomes.push(
            ask(each.merchantId).then(
              (answer) => `done ${answer.merchantId === each.merchantId}`,
              (error) => ('code' in error ? 'refused' : 'failed'),
            ),
          );
        await settled();
        expect(running).toBeLessThanOrEqual(atOnce);
        expect(running).toBe(open.length);
      }
      while (open.length > 0) await endOne();
      const ended = await Promise.all(outcomes);
      expect(ended).not.toContain('done false');
      expect(begun).toHaveLength(ended.filter((outcome) => outcome !== 'refused').length);
    }),
    { numRuns: 60 },
  );
}, 60_000);
