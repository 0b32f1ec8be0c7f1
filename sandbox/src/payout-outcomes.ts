/** The outcome of a payout, decided by its amount alone. */
export type PayoutOutcome = {
  /** When the bank pays or refuses what it has accepted. */
  decided: 'at_once' | 'delayed';
  /** Why the bank refuses; without it, the payout is paid. */
  refusedReason?: string;
  /** How many times the callback is sent, all at the same time. */
  callbackCopies: number;
  /** The reply waits for the first attempt of the callback. */
  awaitsCallback: boolean;
  /** `reply`: accepted, but the reply is lost. `request`: never arrives, and the connection breaks. */
  loses?: 'reply' | 'request';
};

const paid: PayoutOutcome = { decided: 'at_once', callbackCopies: 1, awaitsCallback: false };

const outcomeByLastDigits: Readonly<Record<string, Partial<PayoutOutcome>>> = {
  '01': { refusedReason: 'account closed' },
  '02': { decided: 'delayed' },
  '03': { callbackCopies: 2 },
  '04': { decided: 'delayed', refusedReason: 'name does not match account' },
  '05': { awaitsCallback: true },
  '06': { callbackCopies: 0 },
  '07': { loses: 'reply', callbackCopies: 0 },
  '08': { loses: 'reply', callbackCopies: 0, refusedReason: 'account closed' },
  '09': { loses: 'request' },
};

/** Returns the outcome for an amount in minor units: its last two digits decide. */
export function payoutOutcomeOf(amountMinor: bigint): PayoutOutcome {
  const lastDigits = (amountMinor % 100n).toString().padStart(2, '0');
  return { ...paid, ...outcomeByLastDigits[lastDigits] };
}
