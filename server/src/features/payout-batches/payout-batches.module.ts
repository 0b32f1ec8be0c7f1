import { payoutBatchEndpoints } from '@hengfu/contract/payout-batches';
import type { Authorize } from '#domain/caller.ts';
import { feature } from '#http/bind.ts';
import type { FeatureModule, ModuleDeps } from '../module.ts';
import { BatchChecker, type Payouts } from './payout-batches.check.ts';
import { BatchJob, planWaitingBatches, type TakeRow } from './payout-batches.job.ts';
import { BatchNotice } from './payout-batches.notice.ts';
import { payoutBatchHandlers } from './payout-batches.routes.ts';
import { BatchService } from './payout-batches.service.ts';

/**
 * Batch payouts from a file. `payouts` checks orders as for single payouts; `takeRow` creates a payout from a
 * row.
 */
export function payoutBatchesModule(
  { database }: ModuleDeps,
  { payouts, takeRow, authorize }: { payouts: Payouts; takeRow: TakeRow; authorize: Authorize },
) {
  const payoutBatches = new BatchService(database, payouts, authorize);
  const payoutBatchChecker = new BatchChecker(database, payouts);
  return {
    services: { payoutBatches, payoutBatchChecker },
    endpoints: () => [feature(payoutBatchEndpoints, payoutBatchHandlers(payoutBatches, payoutBatchChecker))],
    tasks: { batches: { ...new BatchJob(database, takeRow).tasks, ...new BatchNotice(database).tasks } },
    onMerchantReactivated: planWaitingBatches,
  } satisfies FeatureModule;
}
