import { faultsOfBooks } from './books.ts';
import { readOperations } from './fuzz/document.ts';
import { Fuzzer } from './fuzz/fuzzer.ts';
import { openFuzzTarget } from './fuzz/target.ts';
import { tryWire } from './fuzz/wire.ts';
import { torture } from './torture.ts';

interface Size {
  requests: number;
  /** Operations of a hundred that must have been answered well at least once: else what is tried is not reached. */
  leastReached: number;
}

/** Calls of an operation in a row; then it is the next one's turn, so that they meet what the others have left. */
const inARow = 5;

/**
 * Right, nearly right and hostile calls of everything that the product's own documents have. Nothing may fail, every
 * answer is one that the document has, and what is refused has changed nothing.
 */
export const fuzz = torture<Size>({
  title: 'right, nearly right and hostile calls of every operation',
  short: { requests: 1500, leastReached: 65 },
  long: { requests: 50_000, leastReached: 85 },
  async run({ requests, leastReached }, random) {
    const target = await openFuzzTarget();
    try {
      const operations = await readOperations(target.url);
      const fuzzer = new Fuzzer(target);
      while (fuzzer.sent < requests) {
        for (const operation of operations)
          await fuzzer.try(operation, inARow, random.between(0, 2 ** 31 - 1));
      }
      const bytes = await tryWire(target);
      const { database } = target.installation.runtime.services;
      const never = operations.filter(({ name }) => !fuzzer.answered.has(name)).map(({ name }) => name);
      const reached = 100 * (1 - never.length / operations.length);
      const faults = [
        ...(reached < leastReached ? [`never answered well: ${never.join(', ')}`] : []),
        ...fuzzer.faults,
        ...bytes.faults,
        ...(await target.doors.faults()),
        ...target.said,
        ...(await faultsOfBooks(target.installation.ownerUrl, database)),
      ];
      const counts = {
        operations: operations.length,
        'of them answered well': fuzzer.answered.size,
        requests: fuzzer.sent,
        refused: fuzzer.refused,
        'broken messages': bytes.sent,
      };
      return { counts, faults };
    } finally {
      await target.close();
    }
  },
});
