import { topics } from '@hengfu/contract/events';
import type { Change } from './database.ts';

/** A page that is slower than this to open its stream reads everything again. */
const keptMs = 60_000;
/** The clocks of two machines may differ by this much, and a change is announced a moment after its commit. */
const toleranceMs = 1_000;

/**
 * The changes of the last minute, for streams that open a moment after their page was read: what changed in between would
 * otherwise reach no screen. All times are in milliseconds since the epoch, by this process's clock.
 */
export class RecentChanges {
  /** When each merchant's data last changed, by change; the merchant whose last change is oldest comes first. */
  readonly #changedAt = new Map<bigint, Map<Change, number>>();
  #completeSince = Number.POSITIVE_INFINITY;

  /** How many merchants have changes that are remembered. */
  get size(): number {
    return this.#changedAt.size;
  }

  /** Begins to listen, after a time in which changes may have been missed. */
  restart(nowMs: number): void {
    this.#changedAt.clear();
    this.#completeSince = nowMs;
  }

  add(merchantId: bigint, changes: readonly Change[], nowMs: number): void {
    const known = this.#changedAt.get(merchantId) ?? new Map<Change, number>();
    for (const change of changes) known.set(change, nowMs);
    this.#changedAt.delete(merchantId);
    this.#changedAt.set(merchantId, known);
    this.#forget(nowMs - keptMs);
  }

  /** The changes of a merchant since a moment; all topics if that moment is too long ago to know. */
  since(merchantId: bigint, sinceMs: number, nowMs: number): readonly Change[] {
    const fromMs = sinceMs - toleranceMs;
    if (fromMs < Math.max(this.#completeSince, nowMs - keptMs)) return topics;
    const known = this.#changedAt.get(merchantId) ?? [];
    return [...known].filter(([, atMs]) => atMs >= fromMs).map(([change]) => change);
  }

  /** Forgets the merchants whose last change was before a moment. */
  #forget(beforeMs: number): void {
    for (const [merchantId, known] of this.#changedAt) {
      if (Math.max(...known.values()) >= beforeMs) return;
      this.#changedAt.delete(merchantId);
    }
  }
}
