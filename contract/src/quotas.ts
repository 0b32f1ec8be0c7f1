/**
 * How much of what is shared one merchant or one person may hold at a time. Beyond it a call is answered with
 * `quota_reached` (429), which names the quota in `details`; others are not affected.
 */
export const quotas = {
  /** Exports that wait or run. */
  exportsOfMerchant: 20,
  exportsOfUser: 10,
  /** Batches of payouts with rows that wait. */
  batchesOfMerchant: 20,
  /** Top-ups that wait for their review. */
  topupsOfMerchant: 50,
  passkeysOfUser: 20,
  /** Open event streams, on one web process. */
  streamsOfUser: 32,
  streamsOfMerchant: 256,
} as const;

export type Quota = keyof typeof quotas;
