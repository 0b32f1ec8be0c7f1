import { maxConcurrentExports } from '@hengfu/contract/exports';
import type { Database } from '#db/database.ts';
import type { FileStore } from '#files/file-store.ts';
import type { Recurring, Task } from '#jobs/jobs.ts';
import { fileKeyOf } from './export-file.ts';
import { planToRun, runPayload, runTask } from './exports.making.ts';
import {
  countRunning,
  type ExportTask,
  endExport,
  findExpired,
  findExport,
  findSilent,
  forgetFile,
  moveExport,
} from './exports.sql.ts';
import type { WriteExport } from './exports.writing.ts';

const sweepTask = 'exports.sweep';
export const exportRecurring: readonly Recurring[] = [{ task: sweepTask, everySeconds: 10 }];
const waitSeconds = 2;
/** A worker that has said nothing for so long is gone. */
const silentSeconds = 30;
const maxAttempts = 3;
const expiredAtOnce = 100;

export interface ExportJobOptions {
  database: Database;
  store: FileStore;
  write: WriteExport;
}

/** Has exports written, looks after those whose worker is gone, and deletes files whose time is over. */
export class ExportJobs {
  readonly #options: ExportJobOptions;

  constructor(options: ExportJobOptions) {
    this.#options = options;
  }

  readonly tasks: Record<string, Task> = {
    [runTask]: async (given) => {
      const { merchantId, exportNo } = runPayload.parse(given);
      await this.#run(merchantId, exportNo);
    },
  };

  readonly sweeps: Record<string, Task> = {
    [sweepTask]: async () => {
      await this.#takeUpSilent();
      await this.#deleteExpired();
    },
  };

  async #run(merchantId: bigint, exportNo: string): Promise<void> {
    const { store, write } = this.#options;
    const task = await this.#take(merchantId, exportNo);
    if (!task) return;
    const key = fileKeyOf(task);
    try {
      const written = await write(task, key);
      const isKept =
        written !== undefined &&
        (await this.#end(merchantId, task, 'successful', {
          file_key: key,
          bytes: written.bytes,
          sums: written.sums,
          sha256: Buffer.from(written.sha256),
        }));
      if (!isKept) await store.delete(key);
    } catch (error) {
      await store.delete(key);
      await this.#end(merchantId, task, 'failed', { reason: 'fault' });
      throw error;
    }
  }

  /** Takes up one that waits; undefined where it does not any more, or has to wait on. */
  #take(merchantId: bigint, exportNo: string): Promise<ExportTask | undefined> {
    return this.#options.database.asMerchant(merchantId, async (tx) => {
      const found = await findExport(tx, exportNo, { isHeld: true });
      if (found?.status !== 'waiting') return undefined;
      if ((await countRunning(tx)) >= maxConcurrentExports) {
        await planToRun(tx, exportNo, waitSeconds);
        return undefined;
      }
      tx.changed(merchantId, 'exports');
      return moveExport(tx, found, 'exporting');
    });
  }

  /** Ends an attempt; false where it was cancelled or given up in between. */
  async #end(
    merchantId: bigint,
    task: ExportTask,
    to: 'successful' | 'failed',
    change: Parameters<typeof endExport>[3],
  ): Promise<boolean> {
    return this.#options.database.asMerchant(merchantId, async (tx) => {
      const held = await findExport(tx, task.export_no, { isHeld: true });
      if (held?.status !== 'exporting' || held.attempt !== task.attempt) return false;
      await endExport(tx, held, to, change);
      tx.changed(merchantId, 'exports');
      return true;
    });
  }

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
