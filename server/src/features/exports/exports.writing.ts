import { createHash } from 'node:crypto';
import { type Readable, Transform } from 'node:stream';
import type { Database, MerchantTx } from '#db/database.ts';
import type { Snapshots } from '#db/snapshots.ts';
import type { Exportable } from '#domain/exportable.sql.ts';
import type { FileStore } from '#files/file-store.ts';
import type { RowBatch } from '#files/row-format.rules.ts';
import { Heartbeat } from '#jobs/heartbeat.ts';
import { withRests } from '#threads/rests.ts';
import {
  exportColumnsOf,
  fileOf,
  manifestLines,
  rowFormatOf,
  testColumn,
  testMarkOf,
} from './export-file.ts';
import { type ExportTask, readHome, readMode, readNames, recordProgress } from './exports.sql.ts';
import { readRows } from './rows.sql.ts';
import { Sums } from './sums.rules.ts';

/** Longer than PostgreSQL sorts the largest list before its first row, or a store keeps a part that it accepts in the end. */
const stalledAfterMs = 15 * 60_000;

/** The file of an attempt: size, hash (32 bytes) and the sums of its amounts as JSON. */
export interface WrittenFile {
  bytes: bigint;
  sha256: Uint8Array;
  sums: string;
}

/** Writes an attempt's file to the store. Returns undefined if the attempt was canceled or given up. */
export type WriteExport = (task: ExportTask, key: string) => Promise<WrittenFile | undefined>;

/** The file store failed. Its cause may look like a lost database: both refuse and reset connections. */
export class FileStoreError extends Error {
  constructor(cause: unknown) {
    super(`the file store failed: ${cause instanceof Error ? cause.message : cause}`, { cause });
  }
}

/** Progress of an attempt. */
interface Progress {
  rowCount: number;
  bytes: bigint;
  /** Sums of its amounts; complete once all rows are written. */
  sums: Sums;
}

/** Where exports are read from and written to. */
export interface ExportWritingOptions {
  database: Database;
  snapshots: Snapshots;
  store: FileStore;
  lists: Readonly<Record<ExportTask['list'], Exportable>>;
  /** How long an attempt may write nothing before it ends; 15 minutes if absent. */
  stalledAfterMs?: number;
}

/** Writes the files of exports, each in one pass over a snapshot, in constant memory. */
export class ExportWriting {
  readonly #options: ExportWritingOptions;

  constructor(options: ExportWritingOptions) {
    this.#options = options;
  }

  readonly write: WriteExport = async (task, key) => {
    let progress = newProgress();
    const heartbeat = new Heartbeat({
      beat: () => this.#report(task, progress.rowCount),
      written: () => progress.bytes,
      stalledAfterMs: this.#options.stalledAfterMs ?? stalledAfterMs,
    });
    try {
      // The snapshot may restart this work, so its state begins here: an aborted run leaves nothing behind.
      const sha256 = await this.#options.snapshots.ofMerchant(
        task.merchant_id,
        (tx) => {
          progress = newProgress();
          return this.#write(tx, task, key, { progress, signal: heartbeat.over });
        },
        { signal: heartbeat.over },
      );
      await heartbeat.stop();
      if (!(await this.#report(task, progress.rowCount))) return undefined;
      return { bytes: progress.bytes, sha256, sums: JSON.stringify(progress.sums.list()) };
    } catch (error) {
      if (heartbeat.over.aborted) return undefined;
      throw error;
    } finally {
      await heartbeat.stop();
    }
  };

  /** Writes the file from one snapshot; returns its hash. */
  async #write(
    tx: MerchantTx,
    task: ExportTask,
    key: string,
    { progress, signal }: { progress: Progress; signal: AbortSignal },
  ): Promise<Uint8Array> {
    const hash = createHash('sha256');
    const measured = new Transform({
      transform(chunk: Buffer, _encoding, done) {
        hash.update(chunk);
        progress.bytes += BigInt(chunk.length);
        done(null, chunk);
      },
    });
    const file = await this.#fileOf(tx, task, progress);
    let readFault: Error | undefined;
    file.on('error', (error) => {
      readFault = error;
      measured.destroy(error);
    });
    try {
      await this.#put(key, file.pipe(measured), signal);
    } catch (error) {
      throw readFault ?? new FileStoreError(error);
    } finally {
      // Stops reading if the store fails.
      file.destroy();
    }
    return hash.digest();
  }

  /** Stores a stream until the signal is aborted, even if the store hangs. */
  async #put(key: string, content: Transform, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    const aborted = Promise.withResolvers<never>();
    const abort = () => {
      const error = new Error('the attempt is over');
      content.destroy(error);
      aborted.reject(error);
    };
    signal.addEventListener('abort', abort);
    try {
      await Promise.race([this.#options.store.put(key, content), aborted.promise]);
    } finally {
      signal.removeEventListener('abort', abort);
    }
  }

  async #fileOf(tx: MerchantTx, task: ExportTask, progress: Progress): Promise<Readable> {
    const list = this.#options.lists[task.list];
    const home = await readHome(tx);
    const mode = await readMode(tx);
    const names = await readNames(tx);
    const { language, zone } = task;
    const isTest = mode === 'test';
    const columns = [...(isTest ? [testColumn] : []), ...exportColumnsOf(task)];
    const constants = isTest ? { [testColumn.key]: testMarkOf(language) } : {};
    const request = { format: rowFormatOf(task), columns, constants, language, zone };
    const rows = readRows(tx, home, list, task.filters as Record<string, string>, request, progress.sums);
    // A workbook's compression keeps only us busy.
    const read = task.format === 'csv' ? withRests(rows) : rows;
    return fileOf(task, columns, this.#trackProgress(read, progress), () =>
      manifestLines(task, {
        rows: progress.rowCount,
        sums: progress.sums.list(),
        merchant: home.name,
        mode,
        createdBy: names.get(task.created_by) ?? task.created_by,
      }),
    );
  }

  /** Counts rows as they are written. */
  async *#trackProgress(batches: AsyncIterable<RowBatch>, progress: Progress): AsyncGenerator<RowBatch> {
    for await (const batch of batches) {
      yield batch;
      progress.rowCount += batch.length;
    }
  }

  /** Records that an attempt goes on, and its progress. Returns false if it was canceled or given up. */
  #report(task: ExportTask, rowCount: number): Promise<boolean> {
    const { merchant_id: merchantId } = task;
    return this.#options.database.asMerchant(merchantId, async (tx) => {
      tx.changed(merchantId, 'exports');
      return recordProgress(tx, task, rowCount);
    });
  }
}

const newProgress = (): Progress => ({ rowCount: 0, bytes: 0n, sums: new Sums() });
