import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { SignedCall } from './signed-calls.ts';

/** What a load run is to do. Signed requests are prepared before the clock runs. */
export interface LoadPlan {
  url: string;
  call: SignedCall;
  keys: readonly { id: string; secret: string }[];
  /** Connections, each with one request under way at a time. */
  clients: number;
  seconds: number;
  /** Requests prepared: more than the run can use. */
  requests: number;
  /** Number of the first order; two runs share none. */
  first: number;
  /** Requests a second over all connections; as many as go where absent. */
  perSecond?: number;
}

/** What came of a load run. */
export interface LoadResult {
  answered: number;
  seconds: number;
  latenciesMs: number[];
}

/** Runs a load of signed calls in a process of its own; an answer other than 201 ends it. */
export async function runLoad(plan: LoadPlan): Promise<LoadResult> {
  const child = fork(join(import.meta.dirname, 'signed-load-child.ts'));
  child.send(plan);
  const [result] = (await Promise.race([once(child, 'message'), failed(child)])) as [LoadResult];
  child.disconnect();
  return result;
}

/** Rejects when the process ends without an answer. */
async function failed(child: ChildProcess): Promise<never> {
  await once(child, 'exit');
  throw new Error('the load ended early: its message is above');
}
