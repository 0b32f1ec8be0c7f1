import type { PageQuery } from '@hengfu/contract/lists';
import type { SettlementQuery } from '@hengfu/contract/settlements';
import type { Database, MerchantTx } from '#db/database.ts';
import type { Page } from '#domain/list.sql.ts';
import { Refusal } from '#domain/refusal.ts';
import type { Recurring, Task } from '#jobs/jobs.ts';
import { post } from '#ledger/ledger.ts';
import {
  advanceCutOff,
  findDueMerchants,
  findPendingBatches,
  findSettlement,
  insertBatch,
  type LineSqlRow,
  listLines,
  listSettlements,
  type SettlementSqlRow,
  settleBatch,
} from './settlements.sql.ts';

const task = 'settlements.run';

export const settlementRecurring: readonly Recurring[] = [{ task, everySeconds: 15 }];

/**
 * Settlement in two steps, each a transaction: a batch is put together, then its money moves from unsettled to
 * available. What dies between the two is found again by the next run.
 */
export class SettlementService {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  readonly tasks: Record<string, Task> = {
    [task]: async () => this.runDue(),
  };

  /** A page of a merchant's batches. */
  list(merchantId: bigint, query: SettlementQuery): Promise<Page<SettlementSqlRow>> {
    return this.#database.asMerchant(merchantId, (tx) => listSettlements(tx, query));
  }

  /** One batch; throws `not_found`. */
  find(merchantId: bigint, settlementNo: string): Promise<SettlementSqlRow> {
    return this.#database.asMerchant(merchantId, (tx) => this.#find(tx, settlementNo));
  }

  /** A page of a batch's payments and refunds; throws `not_found`. */
  lines(merchantId: bigint, settlementNo: string, query: PageQuery): Promise<Page<LineSqlRow>> {
    return this.#database.asMerchant(merchantId, async (tx) =>
      listLines(tx, (await this.#find(tx, settlementNo)).id, query),
    );
  }

  async #find(tx: MerchantTx, settlementNo: string): Promise<SettlementSqlRow> {
    const found = await findSettlement(tx, settlementNo);
    if (!found) throw new Refusal('not_found');
    return found;
  }

  /** Settles every merchant whose cut-off has come, and every batch left over. What fails for one holds up no other. */
  async runDue(): Promise<void> {
    const faults: unknown[] = [];
    const each = async <T>(all: readonly T[], work: (one: T) => Promise<void>) => {
      for (const one of all) await work(one).catch((error: unknown) => faults.push(error));
    };
    const due = await this.#database.asSystem((tx) => findDueMerchants(tx));
    await each(due, ({ merchantId, cutOffAt }) =>
      this.#database.asSystemFor(merchantId, async (tx) => {
        if (!(await advanceCutOff(tx, cutOffAt))) return;
        await insertBatch(tx, cutOffAt);
        tx.changed(merchantId, 'settlements', 'collections');
      }),
    );
    const pending = await this.#database.asSystem((tx) => findPendingBatches(tx));
    await each(pending, ({ merchantId, settlementNo }) => this.settle(merchantId, settlementNo));
    if (faults.length > 0) throw new AggregateError(faults, 'settlements failed');
  }

  /**
   * Settles one merchant now, besides its schedule; returns the batch's number, undefined where nothing waits. `at` is for
   * demo data: a past that a power cut may lose.
   */
  async runNow(merchantId: bigint, cutOffAt: Date, at?: Date): Promise<string | undefined> {
    const settlementNo = await this.#database.asSystemFor(merchantId, (tx) => insertBatch(tx, cutOffAt, at), {
      relaxed: at !== undefined,
    });
    if (settlementNo) await this.settle(merchantId, settlementNo, at);
    return settlementNo;
  }

  /** Moves a batch's money; nothing happens where that was done before. */
  async settle(merchantId: bigint, settlementNo: string, at?: Date): Promise<void> {
    const work = async (tx: MerchantTx) => {
      const batch = await settleBatch(tx, settlementNo, at);
      if (!batch) return;
      await post(tx, {
        type: 'collection_settlement',
        key: `collection_settlement:${settlementNo}`,
        subjectNo: settlementNo,
        currency: batch.currency,
        entries: [
          { account: 'unsettled', amountMinor: -batch.netMinor },
          { account: 'available', amountMinor: batch.netMinor },
        ],
        ...(at && { at }),
      });
      tx.changed(merchantId, 'settlements', 'collections', 'account', 'dashboard');
    };
    await this.#database.asSystemFor(merchantId, work, { relaxed: at !== undefined });
  }
}
