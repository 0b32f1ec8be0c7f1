import type { Database } from '#db/database.ts';
import type { FileStore } from '#files/file-store.ts';
import type { Recurring, Task } from '#jobs/jobs.ts';
import { fileKeyOf } from './export-file.ts';
import { planToRun } from './exports.job.ts';
import { endExport, findExpired, findExport, findSilent, forgetFile, moveExport } from './exports.sql.ts';

const task = 'exports.sweep';
export const exportRecurring: readonly Recurring[] = [{ task, everySeconds: 10 }];
/** A worker that has said nothing for so long is gone. */
const silentSeconds = 30;
const maxAttempts = 3;
const expiredAtOnce = 100;

/** Looks after exports whose worker is gone, and deletes files whose time is over. */
export class ExportSweep {
  readonly #options: { database: Database; store: FileStore };

  constructor(options: { database: Database; store: FileStore }) {
    this.#options = options;
  }

  readonly tasks: Record<string, Task> = {
    [task]: async () => {
      await this.#takeUpSilent();
      await this.#deleteExpired();
    },
  };

  /** Takes up exports whose worker is gone; one that has lost three of them has failed. */
  async #takeUpSilent(): Promise<void> {
    const { database } = this.#options;
    for (const { merchant_id: merchantId, export_no: exportNo, attempt } of await database.asSystem((tx) =>
      findSilent(tx, silentSeconds),
    )) {
      await database.asMerchant(merchantId, async (tx) => {
        const held = await findExport(tx, exportNo, { isHeld: true });
        if (held?.status !== 'exporting' || held.attempt !== attempt) return;
        await this.#options.store.delete(fileKeyOf(held));
        if (attempt >= maxAttempts) await endExport(tx, held, 'failed', { reason: 'lost' });
        else {
          await moveExport(tx, held, 'waiting');
          await planToRun(tx, exportNo);
        }
        tx.changed(merchantId, 'exports');
      });
    }
  }

  async #deleteExpired(): Promise<void> {
    const { database, store } = this.#options;
    for (const { merchant_id: merchantId, id, file_key: key } of await database.asSystem((tx) =>
      findExpired(tx, expiredAtOnce),
    )) {
      if (key !== null) await store.delete(key);
      await database.asSystem((tx) => forgetFile(tx, merchantId, id));
    }
  }
}
