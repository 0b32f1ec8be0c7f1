import pino, { type Logger } from 'pino';
import type { Runtime } from '#composition/runtime.ts';
import { Dispatcher } from '#jobs/dispatcher.ts';
import { Workers } from '#jobs/workers.ts';
import { Metrics } from '#observability/metrics.ts';

/** Starts workers in this process. The runtime's feed must have been started. */
export function startWorkers(
  { services, feed }: Runtime,
  ownerUrl: string,
  log: Logger = pino({ level: 'silent' }),
  metrics = new Metrics(),
): Workers {
  const { jobLines, fairLines: lines, database, recurring } = services;
  const { onJobsReady } = feed;
  const dispatcher = new Dispatcher({ database, lines, onJobsReady, log, metrics });
  const workers = new Workers(jobLines, { ownerUrl, recurring, log, metrics }, dispatcher);
  workers.start();
  return workers;
}
