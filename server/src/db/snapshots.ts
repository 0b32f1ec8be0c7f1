import type { Database, MerchantTx, TransactionOptions } from './database.ts';
import { Replicas, type ReplicasOptions } from './replicas.ts';

/**
 * Reads one merchant's rows as of one moment: for long reads, searches, and lists of the past. It has its own type so that code
 * that decides about money can never be given a replica: posting, holding and checking take a {@link Database}.
 */
export interface Snapshots {
  /** Runs work on a snapshot. If its source fails midway, work is run again from the beginning. */
  ofMerchant<T>(
    merchantId: bigint,
    work: (tx: MerchantTx) => Promise<T>,
    options?: SnapshotOptions,
  ): Promise<T>;
  /**
   * Reads a page of a list that ends at an instant, or now. A list that ended a while ago may come from a replica;
   * one that grows comes from the primary, without the round trips that a replica costs.
   */
  ofList<T>(merchantId: bigint, endsAt: string | undefined, work: (tx: MerchantTx) => Promise<T>): Promise<T>;
}

/** As in {@link TransactionOptions}, and: */
export interface SnapshotOptions extends Pick<TransactionOptions, 'oneStatement' | 'onePlan' | 'signal'> {
  /** Somebody waits for the reply: a replica is used only if it has caught up, or will in a moment. */
  isUrgent?: boolean;
}

/** Snapshots of the primary database. */
export class PrimarySnapshots implements Snapshots {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  ofMerchant<T>(
    merchantId: bigint,
    work: (tx: MerchantTx) => Promise<T>,
    { isUrgent: _, ...options }: SnapshotOptions = {},
  ): Promise<T> {
    return this.#database.asMerchant(merchantId, work, { ...options, snapshot: true });
  }

  ofList<T>(
    merchantId: bigint,
    _endsAt: string | undefined,
    work: (tx: MerchantTx) => Promise<T>,
  ): Promise<T> {
    return this.ofMerchant(merchantId, work);
  }
}

/** How long a read waits for a replica to replay what the primary has committed. */
const patienceMs = { urgent: 100, patient: 5000 };
/** A list that ended this long ago is one of the past. */
const pastAfterMs = 5 * 60_000;

/**
 * Snapshots of streaming replicas that include everything committed before they were requested. Reads the primary instead if
 * all replicas are away, too far behind, or canceled the statement.
 */
export class ReplicaSnapshots implements Snapshots {
  readonly #primary: PrimarySnapshots;
  readonly #replicas: Replicas;

  constructor(options: ReplicasOptions) {
    this.#primary = new PrimarySnapshots(options.primary);
    this.#replicas = new Replicas(options);
  }

  async ofMerchant<T>(
    merchantId: bigint,
    work: (tx: MerchantTx) => Promise<T>,
    options: SnapshotOptions = {},
  ): Promise<T> {
    const { isUrgent = false, ...transaction } = options;
    for (;;) {
      const replica = await this.#replicas.pick(isUrgent ? patienceMs.urgent : patienceMs.patient);
      if (!replica) break;
      try {
        return await replica.database.asMerchant(merchantId, work, { ...transaction, snapshot: true });
      } catch (error) {
        if (!this.#replicas.avoid(replica, error)) throw error;
      }
    }
    if (!isUrgent) this.#replicas.avoidAll();
    return this.#primary.ofMerchant(merchantId, work, options);
  }

  ofList<T>(
    merchantId: bigint,
    endsAt: string | undefined,
    work: (tx: MerchantTx) => Promise<T>,
  ): Promise<T> {
    const isPast = endsAt !== undefined && Date.parse(endsAt) < Date.now() - pastAfterMs;
    return isPast
      ? this.ofMerchant(merchantId, work, { isUrgent: true })
      : this.#primary.ofMerchant(merchantId, work);
  }
}
