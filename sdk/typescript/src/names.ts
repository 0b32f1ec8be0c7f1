import type { components } from './types.ts';

type Schemas = components['schemas'];

/** An order by which a payer pays you. Amounts are decimal texts, instants ISO 8601 texts in UTC. */
export type Collection = Schemas['Collection'];
export type NewCollection = Schemas['NewCollection'];
/** An order that pays a payee from your available funds. */
export type Payout = Schemas['Payout'];
export type NewPayout = Schemas['NewPayout'];
/** A collection, or a part of it, that is given back. Without `amount`, a new one gives back all that is left. */
export type Refund = Schemas['Refund'];
export type NewRefund = Schemas['NewRefund'];
/** Your funds in your local currency. */
export type Balance = Schemas['Balance'];

/** Collections and refunds of a period, whose net amount became available. */
export type Settlement = Schemas['Settlement'];
/** A change of your available funds, with the balance after it. */
export type BalanceEntry = Schemas['BalanceEntry'];

/** Which items of a list you want: all by default. */
export interface Filters<S extends string = string> extends Period {
  /** Items in any of these states; all if there are none. */
  readonly status?: readonly S[];
}

/** Which changes of your funds you want: all by default. */
export interface EntryFilters extends Period {
  /** Changes for any of these reasons; all if there are none. */
  readonly type?: readonly BalanceEntry['type'][];
}

interface Period {
  /** ISO 8601; items created at this instant or later. */
  readonly created_from?: string;
  /** ISO 8601; items created before this instant. */
  readonly created_to?: string;
  /** Items per call, 1–100; the list goes on regardless. */
  readonly limit?: number;
}
