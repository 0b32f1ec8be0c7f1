import { Agent, request } from 'node:http';
import { workerData } from 'node:worker_threads';
import type { PulseData } from './pulse.ts';

/**
 * Runs in a thread of its own, so that the benchmark does not delay it. Requests the product's cheapest
 * endpoint in a loop, and records the longest wait since `longestMs` was reset, and the number of replies.
 */
const { url, longestMs, replies } = workerData as PulseData;
const pauseMs = 1;
const agent = new Agent({ keepAlive: true, maxSockets: 1 });

function poll(): void {
  const startedAt = performance.now();
  const next = () => {
    longestMs[0] = Math.max(longestMs[0] ?? 0, performance.now() - startedAt);
    Atomics.add(replies, 0, 1);
    Atomics.notify(replies, 0);
    setTimeout(poll, pauseMs);
  };
  request(`${url}/healthz`, { agent }, (reply) => reply.resume().on('end', next))
    .on('error', next)
    .end();
}

poll();
