import type { FaultName } from './faults.ts';

/** How long writes may pause, in the median of each kind of fault and at most. */
export interface PauseLimits {
  medianMs: number;
  longestMs: number;
}

/** How long writes paused, by fault. */
export class Pauses {
  readonly #limits: PauseLimits;
  readonly #pausesMs = new Map<FaultName, number[]>();

  constructor(limits: PauseLimits) {
    this.#limits = limits;
  }

  add(name: FaultName, pauseMs: number): void {
    this.#pausesMs.set(name, [...(this.#pausesMs.get(name) ?? []), pauseMs]);
  }

  /** One sentence for each pause that is too long, and for each kind of fault whose median is. */
  get faults(): string[] {
    const { longestMs, medianMs } = this.#limits;
    return [...this.#pausesMs].flatMap(([name, pauses]) => {
      const median = quantile(pauses, 0.5);
      return [
        ...pauses
          .filter((pauseMs) => pauseMs > longestMs)
          .map((pauseMs) => `writes paused for ${seconds(pauseMs)} s after: ${name}`),
        ...(median > medianMs ? [`writes paused for ${seconds(median)} s in the median after: ${name}`] : []),
      ];
    });
  }

  /** The figures of the verdict. */
  get counts(): Record<string, number | string> {
    const each = [...this.#pausesMs].map(
      ([name, pauses]) =>
        `${pauses.length}× ${name} ${seconds(quantile(pauses, 0.5))} (${seconds(Math.max(...pauses))})`,
    );
    return {
      faults: this.#all.length,
      's without writes in the median': seconds(quantile(this.#all, 0.5)),
      's at most': seconds(Math.max(0, ...this.#all)),
      'by fault, median and longest': each.join('; '),
    };
  }

  get #all(): number[] {
    return [...this.#pausesMs.values()].flat();
  }
}

function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.floor((sorted.length - 1) * share)] ?? 0;
}

const seconds = (ms: number) => Number((ms / 1000).toFixed(1));
