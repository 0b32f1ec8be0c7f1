import type { Obstacle } from '@hengfu/server/testing/obstacle.ts';
import { uniformInt } from 'pure-rand/distribution/uniformInt';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';
import type { RandomGenerator } from 'pure-rand/types/RandomGenerator';

/** The result of a torture: figures that show how hard it was, and the faults found. */
export interface Outcome {
  counts: Readonly<Record<string, number | string>>;
  /** One sentence each; empty if everything held. */
  faults: readonly string[];
}

/** One fault-injection test against the running product. */
export interface Torture {
  title: string;
  /** Runs the short form, as `npm test` does, or the long one. Rejects only if it could not run at all. */
  run(form: 'short' | 'long', random: Random): Promise<Outcome>;
  /** Returns why it can't run on this machine; undefined if it can. */
  obstacle(): Promise<Obstacle | undefined>;
  /** Whether `npm test` leaves its short form to build servers, because it takes packages and time. */
  isForBuildServers: boolean;
  /** Whether it needs the machine for itself. */
  isAlone: boolean;
}

interface TorturePlan<Size> {
  title: string;
  short: Size;
  long: Size;
  run(size: Size, random: Random): Promise<Outcome>;
  obstacle?(): Promise<Obstacle | undefined>;
  isForBuildServers?: boolean;
  isAlone?: boolean;
}

/** Defines a torture whose short and long forms run the same code with different sizes. */
export function torture<Size>(plan: TorturePlan<Size>): Torture {
  return {
    title: plan.title,
    run: (form, random) => plan.run(plan[form], random),
    obstacle: async () => plan.obstacle?.(),
    isForBuildServers: plan.isForBuildServers ?? false,
    isAlone: plan.isAlone ?? false,
  };
}

/** A pseudo-random generator: the same seed gives the same choices. */
export class Random {
  /** A 32-bit integer. */
  readonly seed: number;
  readonly #generator: RandomGenerator;

  constructor(seed: number) {
    this.seed = seed;
    this.#generator = xoroshiro128plus(seed);
  }

  /** Draws an integer from a range, both ends included. */
  between(least: number, most: number): number {
    return uniformInt(this.#generator, least, most);
  }

  /** Picks one element. */
  of<T>(choices: readonly T[]): T {
    return choices[this.between(0, choices.length - 1)] as T;
  }

  /** Returns true with the given probability in percent. */
  percent(share: number): boolean {
    return this.between(1, 100) <= share;
  }
}
