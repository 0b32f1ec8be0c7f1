import { setTimeout } from 'node:timers/promises';
import { threadId, workerData } from 'node:worker_threads';
import { answerCalls } from '../own-thread.ts';

/** What the sample thread is asked for. */
export type SampleQuestion = { kind: 'answer'; afterMs: number } | { kind: 'throw' | 'end' | 'break' };
export interface SampleAnswer {
  given: unknown;
  thread: number;
  /** A value that JSON could not carry. */
  big: bigint;
}

answerCalls<SampleQuestion, SampleAnswer>(async (asked) => {
  if (asked.kind === 'throw') throw new Error('not today');
  if (asked.kind === 'end') process.exit(0);
  if (asked.kind === 'break') {
    setImmediate(() => {
      throw new Error('nobody caught this');
    });
    await setTimeout(60_000);
  }
  if (asked.kind === 'answer') await setTimeout(asked.afterMs);
  return { given: workerData, thread: threadId, big: 2n ** 80n };
});
