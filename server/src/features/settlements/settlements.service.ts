import type { PageQuery } from '@hengfu/contract/lists';
import type { SettlementQuery } from '@hengfu/contract/settlements';
import type { OpenSettlementQuery } from '@hengfu/contract/settlements.open';
import type { Database, MerchantTx } from '#db/database.ts';
import type { OnwardPage, Page } from '#domain/list.sql.ts';
import { Refusal } from '#domain/refusal.ts';
import { holdSettling } from '#domain/settling.sql.ts';
import type { Recurring, Task } from '#jobs/jobs.ts';
import { post, type Transfer } from '#ledger/ledger.ts';
import {
  advanceCutOff,
  type BatchMove,
  findDueCutOff,
  findDueMerchants,
  findPendingBatches,
  findSettlement,
  insertBatch,
  type LineSqlRow,
  listLines,
  listOpenSettlements,
  listSettlements,
  type NewBatch,
  type SettlementSqlRow,
  settleBatch,
} from './settlements.sql.ts';

const task = 'settlements.run';

export const settlementRecurring: readonly Recurring[] = [{ task, everySeconds: 15 }];

/**
 * Payments, and refunds, of one batch: those that a busy merchant has beyond them are in further batches of the same cut-off. While a batch is
 * created or settled, refunds of the merchant wait: so many take a few seconds on a small machine.
 */
const maxBatchLines = 20_000;

/**
 * Settles in two transactions: the first creates a batch, the second moves its money from unsettled to
 * available funds. The next run picks up a batch that a crash left between the two.
 */
export class SettlementService {
  readonly #database: Database;
  readonly #maxBatchLines: number;

  constructor(database: Database, { batchLines = maxBatchLines }: { batchLines?: number } = {}) {
    this.#database = database;
    this.#maxBatchLines = batchLines;
  }

  readonly tasks: Record<string, Task> = {
    [task]: async () => this.runDue(),
  };

  /** Returns a page of a merchant's batches. */
  list(merchantId: bigint, query: SettlementQuery): Promise<Page<SettlementSqlRow>> {
    return this.#database.asMerchant(merchantId, (tx) => listSettlements(tx, query), { snapshot: true });
  }

  openList(merchantId: bigint, query: OpenSettlementQuery): Promise<OnwardPage<SettlementSqlRow>> {
    return this.#database.asMerchant(merchantId, (tx) => listOpenSettlements(tx, query), { snapshot: true });
  }

  /** Returns one batch. Throws `not_found`. */
  find(merchantId: bigint, settlementNo: string): Promise<SettlementSqlRow> {
    return this.#database.asMerchant(merchantId, (tx) => this.#find(tx, settlementNo));
  }

  /** Returns a page of a batch's payments and refunds. Throws `not_found`. */
  lines(merchantId: bigint, settlementNo: string, query: PageQuery): Promise<Page<LineSqlRow>> {
    return this.#database.asMerchant(
      merchantId,
      async (tx) => listLines(tx, (await this.#find(tx, settlementNo)).id, query),
      { snapshot: true },
    );
  }

  async #find(tx: MerchantTx, settlementNo: string): Promise<SettlementSqlRow> {
    const found = await findSettlement(tx, settlementNo);
    if (!found) throw new Refusal('not_found');
    return found;
  }

  /**
   * Settles every merchant whose cut-off has passed, and every batch that an earlier run left unsettled. A failure for one does not
   * delay others.
   */
  async runDue(): Promise<void> {
    const faults: unknown[] = [];
    const each = async <T>(all: readonly T[], work: (one: T) => Promise<void>) => {
      for (const one of all) await work(one).catch((error: unknown) => faults.push(error));
    };
    const due = await this.#database.asSystem((tx) => findDueMerchants(tx));
    await each(due, async (merchantId) => {
      // The batches of one cut-off, then those of the cut-offs that were missed after it.
      while (await this.#createDue(merchantId)) {}
    });
    const pending = await this.#database.asSystem((tx) => findPendingBatches(tx));
    await each(pending, ({ merchantId, settlementNo }) => this.settle(merchantId, settlementNo));
    if (faults.length > 0) throw new AggregateError(faults, 'settlements failed');
  }

  /**
   * Creates a batch of what is due at a merchant's cut-off, and moves the cut-off on if nothing is left for another batch. Returns whether
   * more may be due.
   */
  #createDue(merchantId: bigint): Promise<boolean> {
    return this.#database.asSystemFor(merchantId, async (tx) => {
      // Under the lock: another process may have created the batches, and moved the cut-off.
      await holdSettling(tx);
      const cutOffAt = await findDueCutOff(tx);
      if (!cutOffAt) return false;
      const batch = await this.#create(tx, cutOffAt);
      tx.changed(merchantId, 'settlements', 'collections');
      return this.#isFull(batch) || advanceCutOff(tx, cutOffAt);
    });
  }

  /**
   * Settles one merchant immediately, outside its schedule; returns the numbers of the batches, none if there is nothing to settle.
   */
  async runNow(merchantId: bigint, cutOffAt: Date): Promise<string[]> {
    const settlementNos: string[] = [];
    for (;;) {
      const batch = await this.#database.asSystemFor(merchantId, (tx) => this.#create(tx, cutOffAt));
      if (!batch) return settlementNos;
      await this.settle(merchantId, batch.settlementNo);
      settlementNos.push(batch.settlementNo);
      if (!this.#isFull(batch)) return settlementNos;
    }
  }

  /** Creates a batch, or a larger one if the first payments alone do not cover a refund that all of them cover. */
  async #create(tx: MerchantTx, cutOffAt: Date): Promise<NewBatch | undefined> {
    return (await insertBatch(tx, cutOffAt, { maxLines: this.#maxBatchLines })) ?? insertBatch(tx, cutOffAt);
  }

  /** Whether there may be something for another batch of the same cut-off. */
  #isFull(batch: NewBatch | undefined): boolean {
    return batch !== undefined && Math.max(batch.openCount, batch.waitingCount) >= this.#maxBatchLines;
  }

  /** Records a past settlement for demo data, in one transaction that a power cut may lose. */
  async recordPast(merchantId: bigint, cutOffAt: Date, settledAt: Date): Promise<void> {
    await this.#database.asSystemFor(
      merchantId,
      async (tx) => {
        const batch = await insertBatch(tx, cutOffAt, { settledAt });
        if (batch) await post(tx, { ...transferOf(batch), at: settledAt });
      },
      { relaxed: true },
    );
  }

  /** Moves a batch's money; does nothing if the batch is already settled. */
  async settle(merchantId: bigint, settlementNo: string): Promise<void> {
    await this.#database.asSystemFor(merchantId, async (tx) => {
      const batch = await settleBatch(tx, settlementNo);
      if (!batch) return;
      await post(tx, transferOf(batch));
      tx.changed(merchantId, 'settlements', 'collections', 'account', 'dashboard');
    });
  }
}

/** The transfer of a batch's money. */
function transferOf({ settlementNo, currency, netMinor }: BatchMove): Transfer {
  return {
    type: 'collection_settlement',
    key: `collection_settlement:${settlementNo}`,
    subjectNo: settlementNo,
    currency,
    entries: [
      { account: 'unsettled', amountMinor: -netMinor },
      { account: 'available', amountMinor: netMinor },
    ],
  };
}
