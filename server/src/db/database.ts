import { sql } from 'kysely';
import type pg from 'pg';
import { Connection, discardPreparedStatements } from './connection.ts';
import { ReadOnlyServerError } from './hosts/host-client.ts';
import { OpenTransaction, TransactionState } from './open-transaction.ts';
import type { Opening } from './opening.ts';
import { onePlacement, type Placement } from './placement.ts';
import { databaseFault } from './pool.ts';
import type { Change, MerchantTx, Tx } from './tx.ts';

export type { Change, MerchantTx, Tx } from './tx.ts';

export interface TransactionOptions {
  /** Does not wait for the disk: for writes that a crash may lose, such as a nonce or a last-seen time. */
  relaxed?: boolean;
  /**
   * The work is one statement, which is a transaction of its own in one packet. An error thrown after it rolls
   * nothing back.
   */
  oneStatement?: boolean;
  /** Called once the one statement has been executed, before its commit, which may still fail. */
  onExecuted?: (() => void) | undefined;
  /** Reads everything as of one moment, however long it takes. Writes nothing. */
  snapshot?: boolean;
  /**
   * Prepared statements use one generic plan for all values: for statements that cost more to plan than a
   * custom plan would save. PostgreSQL chooses by its estimates, which are far off for ranges.
   */
  onePlan?: boolean;
  /** Once aborted, the connection is closed, whatever statement it runs, and the work fails. */
  signal?: AbortSignal;
}

/** Whether an instant is in the past, by the database's clock. */
export async function isPast(tx: Tx, at: Date): Promise<boolean> {
  const { rows } = await sql<{ past: boolean }>`select ${at}::timestamptz <= now() as past`.execute(tx.query);
  return rows[0]?.past === true;
}

/**
 * Awaits statements of one transaction that are sent together, in one round trip. If one fails, the later
 * ones fail only because of it, so the first error is thrown.
 */
export async function pipelined<const T extends readonly Promise<unknown>[]>(
  statements: T,
): Promise<{ -readonly [K in keyof T]: Awaited<T[K]> }> {
  const results = await Promise.allSettled(statements);
  const failed = results.find((result) => result.status === 'rejected');
  if (failed) throw failed.reason;
  return Promise.all(statements);
}

/**
 * Makes the commit of this transaction wait until a synchronous standby has everything that it has read: for a repeated call,
 * which finds what an earlier call wrote and whose own commit may be unconfirmed (`UnconfirmedCommitError`). PostgreSQL waits
 * only for transactions that write, so this one writes an empty message to the WAL, which nobody reads.
 */
export async function confirmEarlierCommits(tx: Tx): Promise<void> {
  await sql`select pg_logical_emit_message(true, 'hengfu', '')`.execute(tx.query);
}

/** Is notified of what committed transactions have changed. */
export interface CommitListener {
  changed(merchantId: bigint, changes: readonly Change[]): void;
  jobsReady(jobs: number): void;
}

/** SQLSTATEs after which the same transaction can be retried: serialization failure, deadlock. */
const retryable = new Set(['40001', '40P01']);
/** SQLSTATE for a prepared statement whose columns have changed: a migration ran under this process. */
const outdatedPlan = '0A000';
const maxTries = 5;
/** How long a transaction of several merchants waits for a lock. */
const sharedLockWaitMs = 100;

/** The roles of PostgreSQL in which work is done: for one merchant, and for none or all. */
export interface DatabaseRoles {
  merchant: 'hengfu_app' | 'hengfu_staff' | 'hengfu_accounts';
  system: 'hengfu_system' | 'hengfu_staff' | 'hengfu_accounts';
}

const applicationRoles: DatabaseRoles = { merchant: 'hengfu_app', system: 'hengfu_system' };
/** The back office works in one role, which sees one merchant, or the views across merchants. */
export const staffRoles: DatabaseRoles = { merchant: 'hengfu_staff', system: 'hengfu_staff' };
/** The accounts of our staff are changed in one role, which sees no merchant. */
export const accountRoles: DatabaseRoles = { merchant: 'hengfu_accounts', system: 'hengfu_accounts' };

/** Settings of a transaction that say which rows it sees. */
type Scope = Readonly<Record<string, string>> & { role: string };

/** Options of a {@link Database}. */
export interface DatabaseOptions {
  /** Those of the application if absent. */
  roles?: DatabaseRoles;
  /** Whether prepared statements outlive their transaction, which some poolers prevent. */
  prepares: boolean;
  /** Whether a pooler is in front of it. */
  isPooled?: boolean;
  /** Notifies nobody if absent. */
  listener?: CommitListener;
  /** One placement for all merchants if absent. */
  placement?: Placement;
}

/**
 * Access to PostgreSQL. Every piece of work runs in one transaction, whose role and merchant are set in the
 * same round trip that begins it. Work may be retried after a deadlock, so it must have no effects outside
 * the database.
 */
export class Database {
  readonly #pool: pg.Pool;
  readonly #options: DatabaseOptions;
  readonly #roles: DatabaseRoles;

  /** Where each merchant's rows are stored. */
  readonly placement: Placement;

  constructor(pool: pg.Pool, options: DatabaseOptions) {
    this.#pool = pool;
    this.#options = options;
    this.#roles = options.roles ?? applicationRoles;
    this.placement = options.placement ?? onePlacement;
  }

  /** Runs work for one merchant. */
  asMerchant<T>(
    merchantId: bigint,
    work: (tx: MerchantTx) => Promise<T>,
    options: TransactionOptions = {},
  ): Promise<T> {
    const scope = { role: this.#roles.merchant, 'app.merchant_id': `${merchantId}` };
    return this.#run(scope, options, (tx) => work(tx.ofMerchant(merchantId)));
  }

  /**
   * Runs one statement for several merchants of one placement, through a function that knows them: anything else it
   * reads sees no merchant's rows. Waits only briefly for locked rows (`lock_not_available`), so that no merchant delays
   * the others.
   */
  asMerchants<T>(
    merchantIds: readonly bigint[],
    work: (tx: Tx) => Promise<T>,
    options: Pick<TransactionOptions, 'relaxed' | 'onExecuted'> = {},
  ): Promise<T> {
    const [first, ...others] = new Set(merchantIds.map(this.placement));
    if (others.length > 0) throw new Error(`a transaction of several placements: ${first}, ${others}`);
    const scope = {
      role: 'hengfu_app',
      'app.merchant_ids': `{${[...new Set(merchantIds)]}}`,
      lock_timeout: `${sharedLockWaitMs}`,
    };
    return this.#run(scope, { ...options, oneStatement: true }, work);
  }

  /** Runs work across merchants: sign-in, key lookup, jobs, operator commands. */
  asSystem<T>(work: (tx: Tx) => Promise<T>, options: TransactionOptions = {}): Promise<T> {
    return this.#run({ role: this.#roles.system }, options, work);
  }

  /** Runs system work that posts to one merchant's ledger. */
  asSystemFor<T>(
    merchantId: bigint,
    work: (tx: MerchantTx) => Promise<T>,
    options: TransactionOptions = {},
  ): Promise<T> {
    const scope = { role: this.#roles.system, 'app.merchant_id': `${merchantId}` };
    return this.#run(scope, options, (tx) => work(tx.ofMerchant(merchantId)));
  }

  /** Resolves if the database replies. */
  async ping(): Promise<void> {
    await this.#pool.query('select 1');
  }

  async #run<T>(scope: Scope, options: TransactionOptions, work: (tx: Tx) => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.#attempt(scope, options, work);
      } catch (error) {
        const state = databaseFault(error)?.state ?? '';
        const isOutdated = state === outdatedPlan && attempt === 1;
        if (isOutdated) discardPreparedStatements();
        // Another connection may lead to the new leader: nothing was done on this one.
        else if (!(retryable.has(state) || error instanceof ReadOnlyServerError) || attempt === maxTries)
          throw error;
      }
    }
  }

  async #attempt<T>(scope: Scope, options: TransactionOptions, work: (tx: Tx) => Promise<T>): Promise<T> {
    const { signal } = options;
    const client = await this.#pool.connect();
    const connection = Connection.of(client, this.#options.prepares);
    const state = new TransactionState(connection);
    const tx = new OpenTransaction(state);
    const close = () => connection.close(new Error('the work was aborted'));
    let result: T;
    try {
      signal?.throwIfAborted();
      signal?.addEventListener('abort', close);
      const opening = this.#openingOf(scope, options);
      result = options.oneStatement
        ? await connection.statement(opening, () => work(tx), options.onExecuted)
        : await connection.transaction(opening, () => work(tx));
    } finally {
      signal?.removeEventListener('abort', close);
      state.end();
      client.release(connection.broken);
    }
    for (const [merchantId, topics] of state.changes)
      this.#options.listener?.changed(merchantId, [...topics]);
    if (state.readyJobs > 0) this.#options.listener?.jobsReady(state.readyJobs);
    return result;
  }

  #openingOf(scope: Scope, { snapshot = false, relaxed, onePlan }: TransactionOptions): Opening {
    const { prepares, isPooled = false } = this.#options;
    return {
      settings: {
        ...scope,
        // Without it the database lets nobody begin anything at a channel for a test merchant: processes of earlier versions know one
        // adapter only.
        'app.knows_test_mode': 'on',
        // A reader that writes to a file may pause for the disk, and holds no locks that others need.
        ...(snapshot ? { idle_in_transaction_session_timeout: '0' } : undefined),
        ...(relaxed ? { synchronous_commit: 'off' } : undefined),
        // Where nothing stays prepared, each statement is planned anyway, so a custom plan is better.
        ...(onePlan && prepares ? { plan_cache_mode: 'force_generic_plan' } : undefined),
      },
      isSnapshot: snapshot,
      // A pooler passes on no parameters of the server behind a transaction.
      asksForWrites: isPooled && !snapshot,
    };
  }
}
