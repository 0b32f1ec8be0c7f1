import type { SettlementCycle, Weekday } from '@hengfu/contract/staff/limits';

/** When a merchant settles. */
interface Cycle {
  cycle: SettlementCycle;
  weekday: Weekday | null;
  cutOff: string;
}

/** A settlement cycle, and the moment after which it plans the cut-offs. */
export interface CycleVersion extends Cycle {
  validFrom: Date;
  isInForce: boolean;
}

interface History {
  current: Cycle;
  /** The cycles before, the newest first, each with the last cut-off that it planned. */
  past: readonly (Cycle & { validUntil: Date })[];
  /** When the merchant was created, and its first cycle began. */
  createdAt: Date;
}

/**
 * Returns all versions of a merchant's settlement cycle, the newest first. The version in force at `now` plans the cut-off that comes next; a newer one
 * begins after it. Neighbors that are equal, as when a change was taken back before it counted, are one version.
 */
export function cycleVersions({ current, past, createdAt }: History, now: Date): CycleVersion[] {
  const oldestFirst = [...past].reverse();
  const all = [...oldestFirst, current].map(({ cycle, weekday, cutOff }, place) => ({
    cycle,
    weekday,
    cutOff,
    validFrom: oldestFirst[place - 1]?.validUntil ?? createdAt,
  }));
  const versions = all.filter((version, place) => {
    const before = all[place - 1];
    return !before || !areEqual(before, version);
  });
  const inForce = versions.findLast(({ validFrom }) => validFrom <= now);
  return versions.map((version) => ({ ...version, isInForce: version === inForce })).reverse();
}

function areEqual(one: Cycle, other: Cycle): boolean {
  return one.cycle === other.cycle && one.weekday === other.weekday && one.cutOff === other.cutOff;
}
