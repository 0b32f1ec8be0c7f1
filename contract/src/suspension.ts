/** Who or what the service's staff can stop: a person's account, a whole merchant, one access key. */
export const stoppedParties = ['person', 'merchant', 'key'] as const;
export type StoppedParty = (typeof stoppedParties)[number];

/**
 * What stopping a party does to an activity of that party.
 * `ended`: what is open ends at once. `refused`: the call is refused. `held`: it waits, and continues by itself once the
 * reason is gone. `skipped`: it is left out and not made up for. `continues`: nothing changes. `none`: it has no such activity.
 */
export const stopEffects = ['ended', 'refused', 'held', 'skipped', 'continues', 'none'] as const;
export type StopEffect = (typeof stopEffects)[number];

/**
 * The one table of what a suspension or a revocation stops. Money that arrives is never refused, and money that may have
 * left is followed to its end. The server asks it (server/src/domain/standing.sql.ts), a test walks every cell
 * (server/src/features/suspension/suspension.table.test.ts), and docs/operations.md repeats it under a check.
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
  newPaymentAttempt: { person: 'none', merchant: 'refused', key: 'continues' },
  begunPayment: { person: 'none', merchant: 'continues', key: 'continues' },
  unsentPayout: { person: 'continues', merchant: 'held', key: 'continues' },
  waitingBatchRow: { person: 'continues', merchant: 'held', key: 'none' },
  sentPayout: { person: 'continues', merchant: 'continues', key: 'continues' },
  withdrawalApproval: { person: 'continues', merchant: 'refused', key: 'none' },
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
