/** How a figure has changed: a share of the figure before (0.1 is 10 %), or points of a percentage. */
export interface Change {
  kind: 'share' | 'points';
  by: number;
}

/** Compares an amount or a count; undefined if there was nothing before. */
export function changeOf(current: string | number, before: string | number): Change | undefined {
  const [now, then] = [Number(current), Number(before)];
  return then === 0 ? undefined : { kind: 'share', by: (now - then) / then };
}

/** Compares two rates (0–1), in points; undefined if either period has none. */
export function rateChangeOf(current: number | null, before: number | null): Change | undefined {
  return current === null || before === null ? undefined : { kind: 'points', by: (current - before) * 100 };
}

/** The smallest change that is shown, in the unit that it is shown in. */
const least = { share: 0.0005, points: 0.05 } as const;

/** The direction of a change as shown: one that rounds to nothing is none. */
export function directionOf({ kind, by }: Change): 'more' | 'less' | 'same' {
  if (Math.abs(by) < least[kind]) return 'same';
  return by > 0 ? 'more' : 'less';
}
