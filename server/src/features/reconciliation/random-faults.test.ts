import type { Difference } from '@hengfu/contract/staff/statement-days';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { StatementDesk, type StatementRow } from '../../testing/statement-desk.ts';
import { TestProduct } from '../../testing/test-product.ts';
import { TestStaff } from '../../testing/test-staff.ts';

let product: TestProduct;
let staff: TestStaff;
let desk: StatementDesk;

beforeAll(async () => {
  product = await TestProduct.start(inject('ownerUrl'));
  staff = await TestStaff.start(product);
  desk = new StatementDesk(product, staff, await staff.member('finance', 'FINANCE'));
  await desk.saveMapping('CN_BANK');
  await product.monthsSince(Date.now() - 70 * 86_400_000);
});
afterAll(async () => {
  await staff.close();
  await product.close();
});

/** The fate of a movement at the bank. */
const fates = ['booked', 'missing', 'otherAmount', 'otherDay', 'twice', 'bothDays'] as const;
const movement = fc.record({
  isLater: fc.boolean(),
  amountMinor: fc.bigInt({ min: 2n, max: 1_000_000n }),
  isPayout: fc.boolean(),
  fate: fc.constantFrom(...fates),
});
const extra = fc.record({
  isLater: fc.boolean(),
  hasNumber: fc.boolean(),
  amountMinor: fc.bigInt({ min: 1n, max: 1_000_000n }),
});
const sorts = fc.record({ at: fc.infiniteStream(fc.nat()), isLaterFirst: fc.boolean() });

let runs = 0;

it('finds every fault of two days, and nothing else, in whatever order they come', {
  timeout: 180_000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(movement, { maxLength: 25 }),
      fc.array(extra, { maxLength: 5 }),
      sorts,
      async (movements, extras, { at, isLaterFirst }) => {
        const days = [desk.nextDay(), desk.nextDay()] as const;
        const merchant = await product.merchant(`random${++runs}`);
        const lines: [StatementRow[], StatementRow[]] = [[], []];
        const expected: [string[], string[]] = [[], []];
        for (const isLater of [false, true]) {
          const [here, there] = isLater ? ([1, 0] as const) : ([0, 1] as const);
          const own = movements.filter((each) => each.isLater === isLater);
          const signed = own.map(({ amountMinor, isPayout }) => (isPayout ? -amountMinor : amountMinor));
          const numbers = await desk.move(merchant, days[here], signed);
          for (const [index, { fate }] of own.entries()) {
            const [reference = '', amount = 0n] = [numbers[index], signed[index]];
            const add = (day: 0 | 1, minor = amount) => lines[day].push([reference, minor]);
            if (fate === 'missing') expected[here].push(`oursOnly open ${reference}`);
            if (fate === 'booked' || fate === 'bothDays' || fate === 'twice') add(here);
            if (fate === 'twice') {
              add(here);
              expected[here].push(`duplicate open ${reference}`);
            }
            if (fate === 'otherAmount') {
              add(here, amount > 0n ? amount - 1n : amount + 1n);
              expected[here].push(`amount open ${reference}`);
            }
            if (fate === 'otherDay') {
              add(there);
              for (const day of [0, 1] as const) expected[day].push(`otherDay explained ${reference}`);
            }
            if (fate === 'bothDays') {
              add(there);
              expected[there].push(`duplicate open ${reference}`);
            }
          }
        }
        for (const [index, { isLater, hasNumber, amountMinor }] of extras.entries()) {
          const reference = hasNumber ? `X${runs}-${index}` : '';
          lines[isLater ? 1 : 0].push([reference, amountMinor]);
          expected[isLater ? 1 : 0].push(`theirsOnly open ${reference}`);
        }
        for (const day of isLaterFirst ? ([1, 0] as const) : ([0, 1] as const)) {
          const shuffled = lines[day]
            .map((row) => [at.next().value, row] as const)
            .toSorted(([one], [other]) => Number(one) - Number(other));
          await desk.upload(
            days[day],
            shuffled.map(([, row]) => row),
          );
        }
        for (const day of [0, 1] as const) {
          const found = await desk.differences(days[day]);
          const texts = found.map(
            ({ kind, state, reference }: Difference) => `${kind} ${state} ${reference}`,
          );
          expect(texts.sort()).toEqual(expected[day].sort());
          const { difference, found: sum, matched, lines: count } = await desk.done(days[day]);
          expect(sum).toBe(difference);
          expect(matched).toBe(count - found.filter(({ line }) => line !== null).length);
        }
      },
    ),
    { numRuns: 25 },
  );
});
