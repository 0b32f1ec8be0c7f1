import { planWaitingBatches } from '#features/payout-batches/payout-batches.job.ts';
import { planRelease } from '#features/payouts/payouts.dispatch.ts';

/** Schedules the work that was held while a merchant was suspended; the same as the product's modules do. */
export const heldWork = [planRelease, planWaitingBatches] as const;
