import { payoutEndpoints } from '@hengfu/contract/payouts';
import { openPayoutEndpoints } from '@hengfu/contract/payouts.open';
import { ArchiveReader } from '#archive/archive-reader.ts';
import type { Authorize } from '#domain/caller.ts';
import { feature } from '#http/bind.ts';
import type { FeatureModule, ModuleDeps } from '../module.ts';
import { batchApproval } from './approval/batch-approval.ts';
import { BatchDecisionJob } from './approval/batch-decision.job.ts';
import { payoutApproval } from './approval/payout-approval.ts';
import { PayoutOutcomeJob } from './cases/payout-outcomes.ts';
import { PayoutTakeUp } from './cases/payout-take-up.ts';
import { PayoutDispatch, planRelease } from './payouts.dispatch.ts';
import { PayoutReading } from './payouts.reading.ts';
import { openPayoutHandlers, payoutHandlers } from './payouts.routes.ts';
import { PayoutService } from './payouts.service.ts';

/** Payouts: accepted, sent to their channel, and tracked until they reach a final status. */
export function payoutsModule(
  { database, snapshots, adapters, appUrl, archive }: ModuleDeps,
  authorize: Authorize,
) {
  const payouts = new PayoutService(database, authorize);
  const payoutReading = new PayoutReading(database, snapshots, new ArchiveReader(archive));
  const payoutDispatch = new PayoutDispatch({
    database,
    adapters,
    appUrl,
    onReport: (report) => payouts.report(report),
  });
  const payoutOutcomeJob = new PayoutOutcomeJob(database);
  return {
    services: {
      payouts,
      payoutReading,
      payoutDispatch,
      payoutOutcomeJob,
      payoutTakeUp: new PayoutTakeUp(database),
      payoutApproval,
      batchApproval,
    },
    endpoints: () => [feature(payoutEndpoints, payoutHandlers(payouts, payoutReading))],
    openEndpoints: () => [feature(openPayoutEndpoints, openPayoutHandlers(payouts, payoutReading))],
    tasks: {
      channels: payoutDispatch.tasks,
      batches: { ...new BatchDecisionJob(database).tasks, ...payoutOutcomeJob.tasks },
    },
    onMerchantReactivated: planRelease,
  } satisfies FeatureModule;
}
