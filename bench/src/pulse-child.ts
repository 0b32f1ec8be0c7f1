import { Agent, request } from 'node:http';
import { workerData } from 'node:worker_threads';
import type { PulseData } from './pulse.ts';

/**
 * In a thread of its own, so that nothing the benchmark does delays it: asks the product for the least that it can answer,
 * again and again, and notes the longest wait since somebody set it to zero, and how many answers there were.
 */
const { url, longestMs, answers } = workerData as PulseData;
const pauseMs = 1;
const agent = new Agent({ keepAlive: true, maxSockets: 1 });

function ask(): void {
  const beganAt = performance.now();
  const next = () => {
    longestMs[0] = Math.max(longestMs[0] ?? 0, performance.now() - beganAt);
    Atomics.add(answers, 0, 1);
    Atomics.notify(answers, 0);
    setTimeout(ask, pauseMs);
  };
  request(`${url}/healthz`, { agent }, (reply) => reply.resume().on('end', next))
    .on('error', next)
    .end();
}

ask();
