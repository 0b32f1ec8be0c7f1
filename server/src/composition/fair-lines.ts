import { maxConcurrentExports } from '@hengfu/contract/exports';
import type { QueueName } from '#features/module.ts';
import type { FairLine } from '#jobs/dispatcher.ts';
import type { Task } from '#jobs/jobs.ts';
import type { Shares } from '#jobs/merchant-jobs.sql.ts';
import type { JobLine } from '#jobs/workers.ts';

const exportSlots = maxConcurrentExports + 2;

/**
 * Limits of each queue in one worker process: concurrent jobs, and the share of one merchant or target. A
 * target is a channel, which is another one for test merchants, or the origin of a merchant's server.
 */
const shares: Record<QueueName, Shares> = {
  // Leaves slots for the other channels while one hangs.
  channels: { slots: 32, reserved: 8, perMerchant: 16, perTarget: 24, perHost: 32 },
  callbacks: { slots: 64, reserved: 16, perMerchant: 16, perTarget: 24, perHost: 24 },
  batches: { slots: 6, reserved: 2, perMerchant: 2, perTarget: 6, perHost: 6 },
  // The export thread has one connection for each slot.
  exports: {
    slots: exportSlots,
    reserved: 2,
    perMerchant: maxConcurrentExports,
    perTarget: exportSlots,
    perHost: exportSlots,
  },
};

/** Concurrent jobs of the installation, which belong to no merchant. */
const ownAtOnce = 4;

/** Builds the queues of these tasks: one per kind of merchants' jobs, and one for the installation's own. */
export function linesOf({ own, ...ofMerchants }: Record<QueueName | 'own', Record<string, Task>>): {
  fairLines: FairLine[];
  jobLines: JobLine[];
  tasks: Record<string, Task>;
} {
  return {
    fairLines: Object.entries(shares).map(([name, share]) => ({
      name,
      tasks: ofMerchants[name as QueueName],
      shares: share,
    })),
    jobLines: [{ tasks: own, concurrency: ownAtOnce }],
    tasks: Object.assign({}, own, ...Object.values(ofMerchants)),
  };
}
