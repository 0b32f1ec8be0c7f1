import type { Obstacle } from '@hengfu/server/testing/obstacle.ts';
import { uniformInt } from 'pure-rand/distribution/uniformInt';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';
import type { RandomGenerator } from 'pure-rand/types/RandomGenerator';

/** What came of a torture: figures that tell how hard it was, and what should not have been. */
export interface Outcome {
  counts: Readonly<Record<string, number | string>>;
  /** One sentence each; none means that everything held. */
  faults: readonly string[];
}

/** Something that is done to the product. */
export interface Torture {
  title: string;
  /** Does it: in short, as `npm test` does, or long. Rejects only where it could not be done at all. */
  run(form: 'short' | 'long', random: Random): Promise<Outcome>;
  /** Why it can't run on this machine; undefined where it can. */
  obstacle(): Promise<Obstacle | undefined>;
}

interface TorturePlan<Size> {
  title: string;
  short: Size;
  long: Size;
  run(size: Size, random: Random): Promise<Outcome>;
  obstacle?(): Promise<Obstacle | undefined>;
}

/** A torture of two sizes, whose code is the same. */
export function torture<Size>(plan: TorturePlan<Size>): Torture {
  return {
    title: plan.title,
    run: (form, random) => plan.run(plan[form], random),
    obstacle: async () => plan.obstacle?.(),
  };
}

/** Chances that come again with their seed. */
export class Random {
  /** A whole number of 32 bits. */
  readonly seed: number;
  readonly #generator: RandomGenerator;

  constructor(seed: number) {
    this.seed = seed;
    this.#generator = xoroshiro128plus(seed);
  }

  /** A whole number between two, both included. */
  between(least: number, most: number): number {
    return uniformInt(this.#generator, least, most);
  }

  /** One of some. */
  of<T>(choices: readonly T[]): T {
    return choices[this.between(0, choices.length - 1)] as T;
  }

  /** True so many times in a hundred. */
  percent(share: number): boolean {
    return this.between(1, 100) <= share;
  }
}
