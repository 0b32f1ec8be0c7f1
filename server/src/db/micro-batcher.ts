import { isDatabaseAway } from './pool.ts';

interface Asked<I, O> {
  item: I;
  resolve: (result: O) => void;
  reject: (error: unknown) => void;
}

/** What is under way for one key, and what waits for it. */
interface Line<I, O> {
  waiting: Asked<I, O>[];
  groups: number;
  /** When the last group began, by `performance.now()`. */
  begunAt: number;
}

const mostBeside = 4;

/** What {@link MicroBatcher} does, and what may be done together. */
export interface InTurnOptions<K, I, O> {
  /** Does all of the items, or none; answers one result each, in their order. */
  work: (key: K, items: readonly I[]) => Promise<readonly O[]>;
  /** What an item has to itself: two with one of them in common are never done together. */
  namesOf: (item: I) => readonly string[];
  /** Done together at the most. */
  most: number;
  /**
   * Where a group has been under way for so long, the next one begins beside it, up to four: nobody waits for long behind
   * a transaction that is stuck. For ever where absent.
   */
  patienceMs?: number;
  /** Does an item by itself whose group has failed, while the line goes on; where absent it is done in its line. */
  alone?: (item: I) => Promise<O>;
}

/**
 * Work on one key at a time. What is asked for while some of it is under way waits for that, and is then done together,
 * in one transaction: what a transaction costs is shared, and where many want the same rows they wait once, not for each
 * other. What fails together is tried again one by one, so that nothing fails for what it has in common with others;
 * without a database all of it fails.
 */
export class MicroBatcher<K, I, O> {
  readonly #options: InTurnOptions<K, I, O>;
  /** Keys that are worked on. */
  readonly #lines = new Map<K, Line<I, O>>();

  constructor(options: InTurnOptions<K, I, O>) {
    this.#options = options;
  }

  /** Whether something is under way for this key. */
  isBusy(key: K): boolean {
    return this.#lines.has(key);
  }

  /** The item's own result, or what it fails with. */
  ask(key: K, item: I): Promise<O> {
    return new Promise((resolve, reject) => {
      const line = this.#lines.get(key) ?? { waiting: [], groups: 0, begunAt: 0 };
      this.#lines.set(key, line);
      line.waiting.push({ item, resolve, reject });
      if (line.groups === 0 || this.#isStuck(line)) void this.#run(key, line);
    });
  }

  #isStuck({ groups, begunAt }: Line<I, O>): boolean {
    const { patienceMs = Number.POSITIVE_INFINITY } = this.#options;
    return groups < mostBeside && performance.now() - begunAt >= patienceMs;
  }

  async #run(key: K, line: Line<I, O>): Promise<void> {
    line.groups++;
    for (let group = this.#nextOf(line); group.length > 0; group = this.#nextOf(line)) {
      line.begunAt = performance.now();
      await this.#do(key, group);
    }
    line.groups--;
    if (line.groups === 0) this.#lines.delete(key);
  }

  /** Takes what may be done together out of the line; what may not keeps its place. */
  #nextOf(line: Line<I, O>): Asked<I, O>[] {
    const group: Asked<I, O>[] = [];
    const left: Asked<I, O>[] = [];
    const names = new Set<string>();
    for (const asked of line.waiting) {
      const own = this.#options.namesOf(asked.item);
      const isAlone = own.every((name) => !names.has(name));
      if (isAlone && group.length < this.#options.most) group.push(asked);
      else left.push(asked);
      for (const name of own) names.add(name);
    }
    line.waiting = left;
    return group;
  }

  async #do(key: K, group: readonly Asked<I, O>[]): Promise<void> {
    try {
      const results = await this.#options.work(
        key,
        group.map(({ item }) => item),
      );
      for (const [index, { resolve }] of group.entries()) resolve(results[index] as O);
    } catch (error) {
      const { alone } = this.#options;
      if (isDatabaseAway(error)) for (const { reject } of group) reject(error);
      else if (alone) for (const { item, resolve, reject } of group) void alone(item).then(resolve, reject);
      else if (group.length === 1) group[0]?.reject(error);
      else for (const asked of group) await this.#do(key, [asked]);
    }
  }
}
