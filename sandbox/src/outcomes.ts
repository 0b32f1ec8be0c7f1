/** The time at which a confirmed payment is booked. */
export type BookingTime = 'at_once' | 'delayed' | 'after_expiry';

/** The outcome of a collection, decided by its amount alone. */
export type Outcome = {
  /** When the bank books the payment that the payer confirmed. */
  booked: BookingTime;
  /** Why the bank refuses the confirmed payment; without it, the payment succeeds. */
  refusedReason?: string;
  /** How many times the callback is sent, all at the same time. */
  callbackCopies: number;
  /** Added to the amount that the callback reports, minor units. */
  callbackExcessMinor: bigint;
  /** Paid automatically when created; the reply waits for the first attempt of the callback. */
  paysItself: boolean;
  /** Accepts the order, holds the reply and drops the connection. */
  dropsCreateReply: boolean;
};

const success: Outcome = {
  booked: 'at_once',
  callbackCopies: 1,
  callbackExcessMinor: 0n,
  paysItself: false,
  dropsCreateReply: false,
};

const outcomeByLastDigits: Readonly<Record<string, Partial<Outcome>>> = {
  '01': { refusedReason: 'insufficient funds' },
  '02': { booked: 'delayed' },
  '03': { callbackCopies: 2 },
  '04': { booked: 'after_expiry' },
  '05': { paysItself: true },
  '06': { callbackCopies: 0 },
  '07': { dropsCreateReply: true },
  '08': { callbackExcessMinor: 100n },
};

/**
 * Returns the outcome for an amount in minor units: its last two digits decide, as with the test cards of
 * card networks.
 */
export function outcomeOf(amountMinor: bigint): Outcome {
  const lastDigits = (amountMinor % 100n).toString().padStart(2, '0');
  return { ...success, ...outcomeByLastDigits[lastDigits] };
}
