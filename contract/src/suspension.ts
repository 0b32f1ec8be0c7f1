/** The parties that the service's staff can stop: a person's account, a whole merchant, one access key. */
export const stoppedParties = ['person', 'merchant', 'key'] as const;
export type StoppedParty = (typeof stoppedParties)[number];

/**
 * The effect of stopping a party on one of its activities. `ended`: what is open ends immediately. `refused`: the
 * call is refused. `held`: it waits, and continues automatically once the reason is gone. `skipped`: it is
 * omitted and not made up for. `continues`: nothing changes. `none`: the party has no such activity.
 */
export const stopEffects = ['ended', 'refused', 'held', 'skipped', 'continues', 'none'] as const;
export type StopEffect = (typeof stopEffects)[number];

/**
 * The table of what a suspension or a revocation stops. Arriving money is never refused, and money that may
 * have left is followed until its state is final. The server applies it (server/src/domain/standing.sql.ts),
 * a test covers every cell (server/src/features/suspension/suspension.table.test.ts), and docs/operations.md
 * repeats it under a check.
 */
export const suspensionTable = {
  signIn: { person: 'refused', merchant: 'refused', key: 'none' },
  session: { person: 'ended', merchant: 'ended', key: 'none' },
  signedCall: { person: 'none', merchant: 'refused', key: 'refused' },
  newCollection: { person: 'none', merchant: 'refused', key: 'refused' },
  newPayout: { person: 'refused', merchant: 'refused', key: 'refused' },
  newPayoutBatch: { person: 'refused', merchant: 'refused', key: 'none' },
  newTopup: { person: 'refused', merchant: 'refused', key: 'none' },
  newWithdrawal: { person: 'refused', merchant: 'refused', key: 'none' },
  newRefund: { person: 'refused', merchant: 'refused', key: 'refused' },
  newPaymentAttempt: { person: 'none', merchant: 'refused', key: 'continues' },
  begunPayment: { person: 'none', merchant: 'continues', key: 'continues' },
  unsentPayout: { person: 'continues', merchant: 'held', key: 'continues' },
  waitingBatchRow: { person: 'continues', merchant: 'held', key: 'none' },
  sentPayout: { person: 'continues', merchant: 'continues', key: 'continues' },
  withdrawalApproval: { person: 'continues', merchant: 'refused', key: 'none' },
  approval: { person: 'refused', merchant: 'refused', key: 'none' },
  withdrawalPayment: { person: 'continues', merchant: 'continues', key: 'none' },
  topupReview: { person: 'continues', merchant: 'continues', key: 'none' },
  arrivingMoney: { person: 'none', merchant: 'continues', key: 'continues' },
  refundUnderWay: { person: 'none', merchant: 'continues', key: 'continues' },
  settlement: { person: 'none', merchant: 'continues', key: 'continues' },
  callback: { person: 'none', merchant: 'continues', key: 'held' },
  scheduledExport: { person: 'skipped', merchant: 'skipped', key: 'none' },
  exportUnderWay: { person: 'continues', merchant: 'continues', key: 'none' },
} as const satisfies Record<string, Record<StoppedParty, StopEffect>>;

export type StoppableActivity = keyof typeof suspensionTable;
