const smallSize = 256;
/** With a text of 64 times the length, linear work takes about 64 times as long, and quadratic work 4096 times. */
const factor = 64;

/** How times are measured: the shortest of some, each of as many runs as it takes to be longer than the steps of the clock. */
interface Measurement {
  clock: () => number;
  repetitions: number;
  leastMicros: number;
}

/** Includes whatever interrupts this thread. */
const quick: Measurement = { clock: () => performance.now() * 1000, repetitions: 4, leastMicros: 50 };
/** The processor time of this thread alone, in steps of some milliseconds. */
const careful: Measurement = {
  clock: () => {
    const { user, system } = process.threadCpuUsage();
    return user + system;
  },
  repetitions: 3,
  leastMicros: 20_000,
};
/** Less is linear beyond doubt. */
const certainlyLinear = 2 * factor;
/** More is not linear: far from both, since caches and the collector of garbage make long texts dearer, too. */
const mostGrowth = 400;

/**
 * Whether the processor time of some work grows in proportion to the length of a text. Compares sizes, so that the speed of the machine does
 * not matter.
 */
export function isLinear(work: (text: string) => unknown, textOf: (size: number) => string): boolean {
  const texts = [textOf(smallSize), textOf(smallSize * factor)] as const;
  return growthOf(work, texts, quick) <= certainlyLinear || growthOf(work, texts, careful) <= mostGrowth;
}

function growthOf(
  work: (text: string) => unknown,
  [small, large]: readonly [string, string],
  measurement: Measurement,
): number {
  const smallMicros = microsOf(() => work(small), measurement);
  return microsOf(() => work(large), measurement) / smallMicros;
}

function microsOf(work: () => unknown, { clock, repetitions, leastMicros }: Measurement): number {
  let times = 1;
  let shortest = Number.POSITIVE_INFINITY;
  for (let measured = 0; measured < repetitions; ) {
    const begun = clock();
    for (let time = 0; time < times; time++) work();
    const micros = clock() - begun;
    if (micros < leastMicros) times *= 2;
    else {
      shortest = Math.min(shortest, micros / times);
      measured++;
    }
  }
  return shortest;
}
