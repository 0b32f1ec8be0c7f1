import type { Topic } from '@hengfu/contract/events';
import type { StaffTopic } from '@hengfu/contract/staff/events';
import type { Kysely, RawBuilder } from 'kysely';
import type { RowAccumulator } from './copy-rows.ts';
import type { Schema } from './schema.ts';

/**
 * A change that is announced to all processes: a topic of open screens, or the end of a user's sessions or of those of one of our
 * staff.
 */
export type Change = Topic | StaffTopic | `sessions:${bigint}` | `staff:${bigint}`;

/** One open transaction. */
export interface Tx {
  /** Statements that are planned on each execution: anything assembled from filters. */
  readonly query: Kysely<Schema>;
  /** Statements that are prepared once per connection: fixed texts that need one plan only. */
  readonly prepared: Kysely<Schema>;
  /** Lifts all timeouts for the rest of the transaction, to read large amounts of data. */
  disableTimeouts(): Promise<void>;
  /**
   * Reads the rows of a statement in batches as they arrive: any number of rows in flat memory. Stopping
   * before the last row costs the connection.
   */
  copy<T>(statement: RawBuilder<unknown>, accumulator: RowAccumulator<T>): AsyncGenerator<T>;
  /** Records that a merchant's data changed. Open screens are notified after the commit. */
  changed(merchantId: bigint, ...topics: Change[]): void;
  /** Records that jobs are ready to run. Workers are notified after the commit. */
  jobsReady(jobs: number): void;
  /** Returns the same transaction as that of a merchant. For `forMerchant` alone, which also changes what row-level security shows. */
  ofMerchant(merchantId: bigint): MerchantTx;
}

/** A transaction of one merchant: row-level security hides all other merchants' rows. */
export interface MerchantTx extends Tx {
  readonly merchantId: bigint;
}
