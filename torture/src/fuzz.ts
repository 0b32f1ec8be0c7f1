import { faultsOfBooks } from './books.ts';
import { readOperations } from './fuzz/document.ts';
import { Fuzzer } from './fuzz/fuzzer.ts';
import { openFuzzTarget } from './fuzz/target.ts';
import { sendRawMessages } from './fuzz/wire.ts';
import { torture } from './torture.ts';

interface Size {
  requests: number;
  /** Percentage of operations that must have succeeded at least once; otherwise too little is tested. */
  minReachedPercent: number;
}

/**
 * Consecutive calls of one operation. Operations take turns, so that each meets the state that others left.
 */
const callsPerTurn = 5;

/**
 * Sends valid, almost valid and hostile calls of every operation in the product's own API documents. No call
 * may fail with 5xx, every reply is one that the document lists, and a refused call has changed nothing.
 */
export const fuzz = torture<Size>({
  title: 'valid, almost valid and hostile calls of every operation',
  short: { requests: 2500, minReachedPercent: 65 },
  long: { requests: 50_000, minReachedPercent: 85 },
  async run({ requests, minReachedPercent }, random) {
    const target = await openFuzzTarget();
    try {
      const operations = await readOperations(target.url);
      const fuzzer = new Fuzzer(target);
      while (fuzzer.sent < requests) {
        for (const operation of operations)
          await fuzzer.try(operation, callsPerTurn, random.between(0, 2 ** 31 - 1));
      }
      const wire = await sendRawMessages(target);
      const { database } = target.installation.runtime.services;
      const unreached = operations.filter(({ name }) => !fuzzer.succeeded.has(name));
      const reachedPercent = 100 * (1 - unreached.length / operations.length);
      const faults = [
        ...fuzzer.faults,
        ...wire.faults,
        ...(await target.access.faults()),
        ...target.processFaults,
        ...(await faultsOfBooks(target.installation.ownerUrl, database)),
        ...(reachedPercent < minReachedPercent
          ? unreached.map(({ name }) => `never succeeded: ${name} (${formatRefusals(fuzzer, name)})`)
          : []),
      ];
      const counts = {
        operations: operations.length,
        'of them succeeded': fuzzer.succeeded.size,
        requests: fuzzer.sent,
        refused: fuzzer.refused,
        'broken messages': wire.sent,
      };
      return { counts, faults };
    } finally {
      await target.close();
    }
  },
});

/** Formats why an operation was refused, the most frequent reason first. */
function formatRefusals({ refusals }: Fuzzer, name: string): string {
  const counts = [...(refusals.get(name) ?? [])].sort(([, a], [, b]) => b - a);
  return counts.map(([code, count]) => `${count} × ${code}`).join(', ');
}
