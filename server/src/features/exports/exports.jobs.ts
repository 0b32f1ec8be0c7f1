import { maxConcurrentExports } from '@hengfu/contract/exports';
import * as z from 'zod';
import type { Database, MerchantTx } from '#db/database.ts';
import { isDatabaseAway } from '#db/pool.ts';
import type { FileStore } from '#files/file-store.ts';
import { enqueue, type Recurring, type Task } from '#jobs/jobs.ts';
import { fileKeyOf } from './export-file.ts';
import { enqueueRun, runPayload, runTask } from './exports.making.ts';
import {
  clearFile,
  countRunning,
  type ExportTask,
  endExport,
  findExpired,
  findExport,
  findStalled,
  moveExport,
  noticeFinished,
  readProgress,
} from './exports.sql.ts';
import { FileStoreError, type WriteExport } from './exports.writing.ts';

const sweepTask = 'exports.sweep';
export const exportRecurring: readonly Recurring[] = [{ task: sweepTask, everySeconds: 10 }];
const requeueSeconds = 2;
/** A worker without a heartbeat for this long is considered dead. */
const heartbeatTimeoutSeconds = 30;
/** Pauses before an export that lost its database is attempted again. Together they outlast a failover. */
const pausesSeconds = [5, 15, 40];
const expiryBatchSize = 100;

const noticeTask = 'exports.notice';
const noticePayload = z.object({
  merchantId: z.string().transform(BigInt),
  userId: z.string().transform(BigInt),
});
/** How long the notice about a finished export waits for the same person's other exports. */
const longestWaitSeconds = 300;
const firstPauseSeconds = 2;
const longestPauseSeconds = 30;

export interface ExportJobOptions {
  database: Database;
  store: FileStore;
  write: WriteExport;
}

/** Runs exports, requeues those whose worker died, and deletes expired files. */
export class ExportJobs {
  readonly #options: ExportJobOptions;

  constructor(options: ExportJobOptions) {
    this.#options = options;
  }

  readonly tasks: Record<string, Task> = {
    [runTask]: async (input) => {
      const { merchantId, exportNo } = runPayload.parse(input);
      await this.#run(merchantId, exportNo);
    },
  };

  readonly sweeps: Record<string, Task> = {
    [noticeTask]: async (input) => {
      const { merchantId, userId } = noticePayload.parse(input);
      await this.#notify(merchantId, userId);
    },
    [sweepTask]: async () => {
      await this.#requeueStalled();
      await this.#deleteExpired();
    },
  };

  async #run(merchantId: bigint, exportNo: string): Promise<void> {
    const { store, write } = this.#options;
    const task = await this.#claim(merchantId, exportNo);
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
      if (!isKept)
        await store.delete(key).catch((error: unknown) => {
          throw new FileStoreError(error);
        });
    } catch (error) {
      if (isDatabaseAway(error)) return this.#requeue(merchantId, task, pausesSeconds[task.attempt - 1]);
      // The export ends even if its store fails to delete what it has written so far.
      await store.delete(key).catch(() => undefined);
      await this.#end(merchantId, task, 'failed', { reason: 'fault' });
      throw error;
    }
  }

  /** Claims a waiting export. Returns undefined if it no longer waits, or has to wait for others to end. */
  #claim(merchantId: bigint, exportNo: string): Promise<ExportTask | undefined> {
    return this.#options.database.asMerchant(merchantId, async (tx) => {
      const found = await findExport(tx, exportNo, { isHeld: true });
      if (found?.status !== 'waiting') return undefined;
      if ((await countRunning(tx)) >= maxConcurrentExports) {
        await enqueueRun(tx, exportNo, requeueSeconds);
        return undefined;
      }
      tx.changed(merchantId, 'exports');
      return moveExport(tx, found, 'exporting');
    });
  }

  /** Ends an attempt. Returns false if it was canceled or given up in the meantime. */
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
      await planNotice(tx, held.created_by);
      tx.changed(merchantId, 'exports');
      return true;
    });
  }

  /** Requeues exports whose worker died. After the fourth lost worker, an export fails. */
  async #requeueStalled(): Promise<void> {
    const stalled = await this.#options.database.asSystem((tx) => findStalled(tx, heartbeatTimeoutSeconds));
    for (const task of stalled) await this.#requeue(task.merchant_id, task);
  }

  /**
   * Requeues an export that lost its worker or its database. If the attempt has ended after all, because only
   * the reply to its commit was lost, its result and its file stay.
   */
  async #requeue(
    merchantId: bigint,
    { export_no: exportNo, attempt }: Pick<ExportTask, 'export_no' | 'attempt'>,
    pauseSeconds = 0,
  ): Promise<void> {
    await this.#options.database.asMerchant(merchantId, async (tx) => {
      const held = await findExport(tx, exportNo, { isHeld: true });
      if (held?.status !== 'exporting' || held.attempt !== attempt) return;
      await this.#options.store.delete(fileKeyOf(held));
      if (attempt > pausesSeconds.length) {
        await endExport(tx, held, 'failed', { reason: 'lost' });
        await planNotice(tx, held.created_by);
      } else {
        await moveExport(tx, held, 'waiting');
        await enqueueRun(tx, exportNo, pauseSeconds);
      }
      tx.changed(merchantId, 'exports');
    });
  }

  /** Sends a person one notice about all finished exports, once the others have ended, too. */
  async #notify(merchantId: bigint, userId: bigint): Promise<void> {
    await this.#options.database.asMerchant(merchantId, async (tx) => {
      const createdBy = `user:${userId}`;
      const { unfinished, waitingSeconds } = await readProgress(tx, createdBy);
      if (waitingSeconds === null) return;
      if (unfinished === 0 || waitingSeconds >= longestWaitSeconds) return noticeFinished(tx, userId);
      const pauseSeconds = firstPauseSeconds + Math.ceil(waitingSeconds / 4);
      await planNotice(tx, createdBy, Math.min(longestPauseSeconds, pauseSeconds));
    });
  }

  async #deleteExpired(): Promise<void> {
    const { database, store } = this.#options;
    for (const { merchant_id: merchantId, id, file_key: key } of await database.asSystem((tx) =>
      findExpired(tx, expiryBatchSize),
    )) {
      if (key !== null) await store.delete(key);
      await database.asSystem((tx) => clearFile(tx, merchantId, id));
    }
  }
}

/**
 * Schedules the notice about a creator's finished exports. One that is already planned is postponed, so that
 * exports that finish at about the same time share it.
 */
async function planNotice(
  tx: MerchantTx,
  createdBy: string,
  delaySeconds = firstPauseSeconds,
): Promise<void> {
  const userId = /^user:(\d+)$/.exec(createdBy)?.[1];
  if (userId === undefined) return;
  const payload = { merchantId: String(tx.merchantId), userId };
  await enqueue(tx, noticeTask, payload, { key: `export notice:${tx.merchantId}:${userId}`, delaySeconds });
}
