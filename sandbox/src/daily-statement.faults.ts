import type { Movement } from './daily-statement.sql.ts';

/** The faults that a statement can have on demand. */
export const statementFaults = [
  'missing',
  'extra',
  'amount',
  'duplicate',
  'nextDay',
  'fromPreviousDay',
] as const;
export type StatementFault = (typeof statementFaults)[number];

/**
 * Makes faults in the movements of a day, each in a movement of its own if there are enough: `missing` leaves the first one out,
 * `amount` adds one minor unit to the second, `duplicate` repeats the third, `nextDay` leaves the last one out for the next day, whose
 * statement has it with `fromPreviousDay`, and `extra` adds one that nobody ordered.
 */
export function withFaults(
  movements: readonly Movement[],
  lastOfPreviousDay: Movement | undefined,
  faults: readonly StatementFault[],
): Movement[] {
  const has = (fault: StatementFault) => faults.includes(fault);
  const [first] = movements;
  const lines = movements.flatMap((movement, at) => {
    if (has('nextDay') && at === movements.length - 1) return [];
    if (has('missing') && at === 0) return [];
    if (has('amount') && at === 1) return [{ ...movement, amountMinor: movement.amountMinor + 1n }];
    return has('duplicate') && at === 2 ? [movement, movement] : [movement];
  });
  if (has('fromPreviousDay') && lastOfPreviousDay) lines.unshift(lastOfPreviousDay);
  const sample = first ?? lastOfPreviousDay;
  if (has('extra') && sample)
    lines.push({
      ...sample,
      kind: 'collection',
      reference: `UNKNOWN-${sample.bankNumber}`.slice(0, 64),
      amountMinor: 4_200n,
    });
  return lines;
}
