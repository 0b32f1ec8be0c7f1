import { exportsAtOnce } from '@hengfu/contract/exports';
import type { LineName } from '#features/module.ts';
import type { FairLine } from '#jobs/dispatcher.ts';
import type { Task } from '#jobs/jobs.ts';
import type { Shares } from '#jobs/merchant-jobs.sql.ts';
import type { JobLine } from '#jobs/workers.ts';

const exportSlots = exportsAtOnce + 2;

/**
 * What one worker process does of each line at once, and a merchant's largest share of it. A target is a channel, or the
 * origin of a merchant's server.
 */
const shares: Record<LineName, Shares> = {
  // With a channel that hangs there are slots for the others.
  channels: { slots: 32, reserved: 8, perMerchant: 16, perTarget: 24, perHost: 32 },
  callbacks: { slots: 64, reserved: 16, perMerchant: 16, perTarget: 24, perHost: 24 },
  batches: { slots: 6, reserved: 2, perMerchant: 2, perTarget: 6, perHost: 6 },
  // The thread that writes exports has a connection for each.
  exports: {
    slots: exportSlots,
    reserved: 2,
    perMerchant: exportsAtOnce,
    perTarget: exportSlots,
    perHost: exportSlots,
  },
};

/** Jobs at once that belong to no merchant. */
const ownAtOnce = 4;

/** The lines of these tasks, by the merchants' lines; `own` are those of the installation. */
export function linesOf({ own, ...ofMerchants }: Record<LineName | 'own', Record<string, Task>>): {
  fairLines: FairLine[];
  jobLines: JobLine[];
  tasks: Record<string, Task>;
} {
  return {
    fairLines: Object.entries(shares).map(([name, share]) => ({
      name,
      tasks: ofMerchants[name as LineName],
      shares: share,
    })),
    jobLines: [{ tasks: own, concurrency: ownAtOnce }],
    tasks: Object.assign({}, own, ...Object.values(ofMerchants)),
  };
}
