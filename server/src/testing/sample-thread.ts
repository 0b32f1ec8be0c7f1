import { readFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { getHeapSpaceStatistics } from 'node:v8';
import { threadId, workerData } from 'node:worker_threads';
import { answerCalls, lowerThreadPriority } from '#threads/own-thread.ts';

/** A request to the sample thread. */
export type SampleQuestion = { kind: 'answer' | 'hold' | 'release' | 'throw' | 'end' | 'break' | 'allocate' };
export interface SampleAnswer {
  given: unknown;
  thread: number;
  /** The thread's nice value on Linux; undefined elsewhere. */
  nice: number | undefined;
  /** Memory for the thread's young objects, in bytes. */
  youngBytes: number;
  /** A value that JSON could not carry. */
  big: bigint;
}

/** Index of the nice value in `/proc/…/stat`, counted after the name (proc_pid_stat(5)). */
const niceAt = 16;

/** Resolved by `release`: ends every `hold`. */
const held = Promise.withResolvers<void>();

lowerThreadPriority();
answerCalls<SampleQuestion, SampleAnswer>(async (asked) => {
  if (asked.kind === 'throw') throw Object.assign(new Error('not today'), { code: 'ENOTNOW' });
  if (asked.kind === 'end') process.exit(0);
  if (asked.kind === 'break') {
    setImmediate(() => {
      throw new Error('nobody caught this');
    });
    await setTimeout(60_000);
  }
  if (asked.kind === 'hold') await held.promise;
  if (asked.kind === 'release') held.resolve();
  if (asked.kind === 'allocate') allocate();
  return { given: workerData, thread: threadId, nice: niceHere(), youngBytes: youngBytes(), big: 2n ** 80n };
});

/** Makes objects of which many survive a few collections, so that V8 wants more memory for young ones. */
function allocate(): void {
  const kept: unknown[] = [];
  for (let number = 0; number < 2_000_000; number++) kept[number % 100_000] = { number, text: `${number}` };
}

function youngBytes(): number {
  const space = getHeapSpaceStatistics().find(({ space_name: name }) => name === 'new_space');
  if (!space) throw new Error('V8 has no space for young objects');
  return space.space_size;
}

/** Returns the nice value of the calling thread. */
function niceHere(): number | undefined {
  if (process.platform !== 'linux') return undefined;
  // The fields after the name, which is in parentheses and may contain anything.
  const fields = readFileSync('/proc/thread-self/stat', 'utf8').split(') ')[1]?.split(' ') ?? [];
  return Number(fields[niceAt]);
}
