/** Test files that take longest, the longest first. Most of them wait more than they compute. */
export const slowFiles = [
  'torture/src/tortures.test.ts',
  'server/src/features/payouts/payouts.test.ts',
  'server/src/features/payout-batches/payout-batches.approval.test.ts',
  'server/src/process/product.test.ts',
  'server/src/composition/lists.plans.test.ts',
  'server/src/recovery/recovery.test.ts',
  'server/src/features/audit-log/audit-archive.test.ts',
  'server/src/features/payout-batches/payout-batches.test.ts',
  'server/src/archive/entries.test.ts',
  'server/src/db/backup/backup.test.ts',
  'server/src/process/fleet.test.ts',
  'server/src/features/exports/killed-worker.test.ts',
  'server/src/callbacks/callbacks.fair.test.ts',
  'server/src/db/dead-peer-detection.test.ts',
  'tools/bootstrap/bootstrap.test.ts',
];

/** Test files that wait for most of their time. At the same time, they would leave the machine idle. */
export const waitingFiles = [
  'server/src/features/collections/refunds/refunds.test.ts',
  'server/src/features/collections/collections.life.test.ts',
];
/** So many other files start before each of them. */
export const filesBetweenWaiting = 25;
