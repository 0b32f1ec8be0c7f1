import { faultsOfBooks } from './books.ts';
import { type Door, doors, type Operation, readOperations } from './fuzz/document.ts';
import { Fuzzer } from './fuzz/fuzzer.ts';
import { openFuzzTarget } from './fuzz/target.ts';
import { sendRawMessages } from './fuzz/wire.ts';
import { torture } from './torture.ts';

interface Size {
  requests: number;
  /** Percentage of the operations of each door that must have succeeded at least once; otherwise too little is tested. */
  minReachedPercent: Readonly<Record<Door, number>>;
}

/**
 * Consecutive calls of one operation. Operations take turns, so that each meets the state that others left. Strangers reach the door of
 * merchants, and so its operations get most of the calls.
 */
const callsPerTurn: Readonly<Record<Door, number>> = { merchants: 6, staff: 2 };

/**
 * Sends valid, almost valid and hostile calls of every operation in the product's own API documents, those of the back office
 * included. No call
 * may fail with 5xx, every reply is one that the document lists, and a refused call has changed nothing.
 */
export const fuzz = torture<Size>({
  title: 'valid, almost valid and hostile calls of every operation',
  short: { requests: 2500, minReachedPercent: { merchants: 65, staff: 40 } },
  long: { requests: 50_000, minReachedPercent: { merchants: 85, staff: 60 } },
  isForBuildServers: true,
  async run({ requests, minReachedPercent }, random) {
    const target = await openFuzzTarget();
    try {
      const operations = await readOperations(target);
      const fuzzer = new Fuzzer(target);
      while (fuzzer.sent < requests) {
        for (const operation of operations)
          await fuzzer.try(operation, callsPerTurn[operation.door], random.between(0, 2 ** 31 - 1));
      }
      const wire = await sendRawMessages(target);
      const { database } = target.installation.runtime.services;
      const faults = [
        ...fuzzer.faults,
        ...wire.faults,
        ...(await target.access.faults()),
        ...(await target.office.faults()),
        ...target.processFaults,
        ...(await faultsOfBooks(target.installation.ownerUrl, database)),
        ...tooFew(fuzzer, operations, minReachedPercent),
      ];
      const counts = {
        operations: operations.length,
        'of the merchants’ succeeded': countReached(fuzzer, operations, 'merchants'),
        'of the back office’s succeeded': countReached(fuzzer, operations, 'staff'),
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

function countReached(
  { succeeded }: Fuzzer,
  operations: readonly Operation[],
  door: Operation['door'],
): number {
  return operations.filter((operation) => operation.door === door && succeeded.has(operation.name)).length;
}

/** Names the operations that never succeeded, of a door where too few did. */
function tooFew(fuzzer: Fuzzer, operations: readonly Operation[], min: Size['minReachedPercent']): string[] {
  return doors.flatMap((door) => {
    const all = operations.filter((operation) => operation.door === door);
    const unreached = all.filter(({ name }) => !fuzzer.succeeded.has(name));
    const reachedPercent = 100 * (1 - unreached.length / all.length);
    if (reachedPercent >= min[door]) return [];
    return unreached.map(({ name }) => `never succeeded: ${name} (${formatRefusals(fuzzer, name)})`);
  });
}

/** Formats why an operation was refused, the most frequent reason first. */
function formatRefusals({ refusals }: Fuzzer, name: string): string {
  const counts = [...(refusals.get(name) ?? [])].sort(([, a], [, b]) => b - a);
  return counts.map(([code, count]) => `${count} × ${code}`).join(', ');
}
