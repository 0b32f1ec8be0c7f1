import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { SignedCall } from './signed-calls.ts';

/** Parameters of a load run. Requests are signed before the measurement starts. */
export interface LoadPlan {
  url: string;
  call: SignedCall;
  keys: readonly { id: string; secret: string }[];
  /** Number of connections, each with one request in flight. */
  clients: number;
  seconds: number;
  /** Number of requests to prepare, more than the run can send. */
  requests: number;
  /** Number of the first order. Runs must not overlap. */
  first: number;
  /** Requests per second over all connections; unlimited if absent. */
  perSecond?: number;
  /** Seconds before the measured ones, at the same rate; their latencies do not count. None if absent. */
  rampSeconds?: number;
}

/** Result of a load run. */
export interface LoadResult {
  /** Replies, those of the ramp included. */
  answered: number;
  /** Duration, that of the ramp included. */
  seconds: number;
  latenciesMs: number[];
}

/** Runs a load of signed calls in a child process. Throws on a reply other than 201. */
export async function runLoad(plan: LoadPlan): Promise<LoadResult> {
  const child = fork(join(import.meta.dirname, 'signed-load-child.ts'));
  child.send(plan);
  const [result] = (await Promise.race([once(child, 'message'), failed(child)])) as [LoadResult];
  child.disconnect();
  return result;
}

/** Rejects when the process exits. */
async function failed(child: ChildProcess): Promise<never> {
  await once(child, 'exit');
  throw new Error('the load process exited early; its error is above');
}
