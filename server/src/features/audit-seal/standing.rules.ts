import type { AcceptedLoss, OutsideRoot, Root } from './root.rules.ts';

type Named = Pick<Root, 'number' | 'sha256'>;

/** The two ends of the chain of roots: in the database, and outside. */
export interface Ends {
  /** The newest root in the database. */
  last: Named | undefined;
  /** The newest root outside. */
  newest: OutsideRoot | undefined;
  /** The root in the database that has the number of `newest`. */
  known: Named | undefined;
  losses: readonly AcceptedLoss[];
}

/**
 * How the newest root outside and the last one in the database relate.
 * - `level`: they are the same, or there is none.
 * - `behind`: the place outside lacks the last one: a process ended before it wrote the copy, or the place is a new one.
 * - `accepted`: the database lacks the newest one, and an operator has accepted that.
 * - `ahead`: the database ends before the newest one.
 * - `differs`: the database has another root under the number of the newest one, or none.
 */
export type Standing =
  | { state: 'level' | 'behind' | 'ahead' | 'differs' }
  | { state: 'accepted'; loss: AcceptedLoss };

/** Compares the two ends. */
export function standingOf({ last, newest, known, losses }: Ends): Standing {
  const lastNumber = last?.number ?? 0n;
  if (!newest) return { state: last ? 'behind' : 'level' };
  if (known && known.sha256.toString('hex') === newest.sha256)
    return { state: newest.number === lastNumber ? 'level' : 'behind' };
  const loss = losses.find(
    (one) => BigInt(one.lost) === newest.number && one.lostSha256 === newest.sha256 && isKeptBy(one, last),
  );
  if (loss) return { state: 'accepted', loss };
  // The first root after a loss was made, and its process ended before it wrote the copy.
  if (losses.some((one) => isCoveredBy(one, newest) && BigInt(one.lost) < lastNumber))
    return { state: 'behind' };
  return { state: newest.number > lastNumber ? 'ahead' : 'differs' };
}

/** Whether a root was the last one in the database when a loss was accepted; undefined stands for none. */
export function isKeptBy({ kept, keptSha256 }: AcceptedLoss, last: Named | undefined): boolean {
  return BigInt(kept) === (last?.number ?? 0n) && keptSha256 === (last?.sha256.toString('hex') ?? '');
}

/** Whether a root outside is one of those that an accepted loss has given up. */
export function isCoveredBy(
  { kept, lost, lostSha256 }: AcceptedLoss,
  { number, sha256 }: Pick<OutsideRoot, 'number' | 'sha256'>,
): boolean {
  if (number === BigInt(lost)) return sha256 === lostSha256;
  return BigInt(kept) < number && number < BigInt(lost);
}

/** The number of the first root after an accepted loss: those that were given up are not used again. */
export function numberAfter({ lost, kept }: AcceptedLoss): bigint {
  const [lostNumber, keptNumber] = [BigInt(lost), BigInt(kept)];
  return (lostNumber > keptNumber ? lostNumber : keptNumber) + 1n;
}
