import * as fc from 'fast-check';
import { afterEach, expect, it } from 'vitest';
import { runBatchCheck } from './batch-check-queue.ts';

/** The queue's limits: running checks, waiting checks per merchant, and merchants with a full lane. */
const atOnce = 4;
const ofMerchant = 16;
const merchants = 16;

const open: PromiseWithResolvers<void>[] = [];
const requested: Promise<unknown>[] = [];
/** Merchants in the order in which their checks started. */
let started: bigint[] = [];
let running = 0;

const settled = () => new Promise(setImmediate);

/** Requests a check that runs until the test ends it. */
function requestCheck(merchantId: bigint): Promise<{ merchantId: bigint }> {
  const end = Promise.withResolvers<void>();
  const checked = runBatchCheck(merchantId, async () => {
    started.push(merchantId);
    running++;
    open.push(end);
    await end.promise.finally(() => running--);
    return { merchantId };
  });
  requested.push(checked.catch(() => {}));
  return checked;
}

function times(count: number, merchantId: bigint) {
  return Array.from({ length: count }, () => requestCheck(merchantId));
}

/** Ends the check that started first, so that the next one can start. */
async function endOne(): Promise<void> {
  open.shift()?.resolve();
  await settled();
}

// The queue is shared by the whole process: checks left over from one test would wait in the next.
afterEach(async () => {
  while (open.length > 0) await endOne();
  await Promise.all(requested.splice(0));
  expect(running).toBe(0);
  started = [];
});

it('serves merchants in turn, however many checks of one came first', async () => {
  times(12, 1n);
  times(3, 2n);
  times(1, 3n);
  await settled();
  expect(started).toEqual([1n, 1n, 1n, 1n]);
  for (let time = 0; time < 6; time++) await endOne();
  expect(started.slice(atOnce)).toEqual([1n, 2n, 3n, 1n, 2n, 1n]);
  expect(running).toBe(atOnce);
});

it('rejects only the caller of a failed check, and frees its slot', async () => {
  const others = times(5, 1n);
  const failing = requestCheck(2n);
  const another = requestCheck(3n);
  await settled();
  await endOne();
  await endOne();
  expect(started).toEqual([1n, 1n, 1n, 1n, 1n, 2n]);
  open.at(-1)?.reject(new Error('no database'));
  open.pop();
  await expect(failing).rejects.toThrow('no database');
  await settled();
  expect(started.at(-1)).toBe(3n);
  while (open.length > 0) await endOne();
  expect(await Promise.all([...others, another])).toHaveLength(6);
});

it('frees the slot of a check that throws synchronously', async () => {
  for (let time = 0; time < 2 * atOnce; time++)
    await expect(
      runBatchCheck(1n, () => {
        throw new Error('synchronous');
      }),
    ).rejects.toThrow('synchronous');
  times(atOnce, 2n);
  await settled();
  expect(running).toBe(atOnce);
});

it('refuses checks beyond one merchant’s limit without running them', async () => {
  times(atOnce + ofMerchant, 1n);
  const refused = await Promise.allSettled([requestCheck(1n), requestCheck(1n)]);
  for (const { status, ...rest } of refused)
    expect({ status, ...rest }).toMatchObject({
      status: 'rejected',
      reason: { code: 'too_many_requests', retryAfterSeconds: 5 },
    });
  const other = requestCheck(2n);
  while (open.length > 0) await endOne();
  expect(await other).toEqual({ merchantId: 2n });
  expect(started.filter((merchantId) => merchantId === 1n)).toHaveLength(atOnce + ofMerchant);
});

it('serves another merchant although five have full lanes', async () => {
  for (let merchantId = 1n; merchantId <= 5n; merchantId++) times(atOnce + ofMerchant, merchantId);
  const other = requestCheck(99n);
  await settled();
  for (let time = 0; time < 6; time++) await endOne();
  expect(started.at(-1)).toBe(99n);
  await endOne();
  while (open.length > 0) await endOne();
  expect(await other).toEqual({ merchantId: 99n });
});

it('limits all waiting checks to the lanes of sixteen merchants', async () => {
  times(atOnce, 1n);
  for (let merchantId = 1n; merchantId <= BigInt(merchants); merchantId++) times(ofMerchant, merchantId);
  await expect(requestCheck(99n)).rejects.toMatchObject({ code: 'too_many_requests' });
  while (open.length > 0) await endOne();
  expect(started).toHaveLength(atOnce + merchants * ofMerchant);
});

it('runs or refuses each check once, within the limits, in any order of requests and completions', async () => {
  const step = fc.oneof(
    { weight: 2, arbitrary: fc.bigInt(1n, 6n).map((merchantId) => ({ merchantId })) },
    { weight: 1, arbitrary: fc.constantFrom('end' as const, 'fail' as const) },
  );
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 150 }), async (steps) => {
      const outcomes: Promise<string>[] = [];
      started = [];
      for (const each of steps) {
        if (each === 'fail') open.shift()?.reject(new Error('failed'));
        else if (each === 'end') open.shift()?.resolve();
        else
          outcomes.push(
            requestCheck(each.merchantId).then(
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
      expect(started).toHaveLength(ended.filter((outcome) => outcome !== 'refused').length);
    }),
    { numRuns: 60 },
  );
}, 60_000);
