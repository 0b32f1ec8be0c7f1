/** A seeded random generator (mulberry32): demo data is the same at every first start. */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** Returns a number x with 0 ≤ x < 1. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let t = this.#state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  }

  /** Returns an integer x with low ≤ x < high. */
  between(low: number, high: number): number {
    return low + Math.floor(this.next() * (high - low));
  }

  pick<T>(list: readonly [T, ...T[]]): T {
    return list[this.between(0, list.length)] ?? list[0];
  }

  chance(probability: number): boolean {
    return this.next() < probability;
  }
}
