import { createHash } from 'node:crypto';
import { type Readable, Transform } from 'node:stream';
import type { Database, MerchantTx } from '#db/database.ts';
import type { Snapshots } from '#db/snapshots.ts';
import type { Exportable } from '#domain/exportable.sql.ts';
import type { FileStore } from '#files/file-store.ts';
import type { RowBatch } from '#files/row-format.rules.ts';
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

const reportEveryMs = 1000;

/** The file of an attempt: size, hash (32 bytes) and the sums of its amounts as JSON. */
export interface WrittenFile {
  bytes: bigint;
  sha256: Uint8Array;
  sums: string;
}

/** Writes an attempt's file to the store. Returns undefined if the attempt was canceled or given up. */
export type WriteExport = (task: ExportTask, key: string) => Promise<WrittenFile | undefined>;

/** Thrown when an attempt finds that it was canceled or given up. */
class GivenUp extends Error {}

/** The file store failed. Its cause may look like a lost database: both refuse and reset connections. */
export class FileStoreError extends Error {
  constructor(cause: unknown) {
    super(`the file store failed: ${cause instanceof Error ? cause.message : cause}`, { cause });
  }
}

/** Progress of an attempt. */
interface Progress {
  rowCount: number;
  /** Sums of its amounts; complete once all rows are written. */
  sums: Sums;
}

/** Where exports are read from and written to. */
export interface ExportWritingOptions {
  database: Database;
  snapshots: Snapshots;
  store: FileStore;
  lists: Readonly<Record<ExportTask['list'], Exportable>>;
}

/** Writes the files of exports, each in one pass over a snapshot, in constant memory. */
export class ExportWriting {
  readonly #options: ExportWritingOptions;

  constructor(options: ExportWritingOptions) {
    this.#options = options;
  }

  readonly write: WriteExport = (task, key) =>
    this.#write(task, key).catch((error: unknown) => {
      if (error instanceof GivenUp) return undefined;
      throw error;
    });

  async #write(task: ExportTask, key: string): Promise<WrittenFile> {
    const { snapshots, store } = this.#options;
    // The snapshot may restart this work, so its state begins here: an aborted run leaves nothing behind.
    const { progress, bytes, hash } = await snapshots.ofMerchant(task.merchant_id, async (tx) => {
      const progress: Progress = { rowCount: 0, sums: new Sums() };
      const hash = createHash('sha256');
      let bytes = 0n;
      const measured = new Transform({
        transform(chunk: Buffer, _encoding, done) {
          hash.update(chunk);
          bytes += BigInt(chunk.length);
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
        await store.put(key, file.pipe(measured));
      } catch (error) {
        throw readFault ?? new FileStoreError(error);
      } finally {
        // Stops reading if the store fails.
        file.destroy();
      }
      return { progress, bytes, hash };
    });
    await this.#report(task, progress.rowCount);
    return { bytes, sha256: hash.digest(), sums: JSON.stringify(progress.sums.list()) };
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
    return fileOf(task, columns, this.#trackProgress(task, rows, progress), () =>
      manifestLines(task, {
        rows: progress.rowCount,
        sums: progress.sums.list(),
        merchant: home.name,
        mode,
        createdBy: names.get(task.created_by) ?? task.created_by,
      }),
    );
  }

  /** Counts rows and reports progress about once a second. Throws {@link GivenUp} if the attempt is over. */
  async *#trackProgress(
    task: ExportTask,
    batches: AsyncIterable<RowBatch>,
    progress: Progress,
  ): AsyncGenerator<RowBatch> {
    let reportedAt = performance.now();
    for await (const batch of batches) {
      yield batch;
      progress.rowCount += batch.length;
      if (performance.now() - reportedAt < reportEveryMs) continue;
      reportedAt = performance.now();
      await this.#report(task, progress.rowCount);
    }
  }

  async #report(task: ExportTask, rowCount: number): Promise<void> {
    const { merchant_id: merchantId } = task;
    const isActive = await this.#options.database.asMerchant(merchantId, async (tx) => {
      tx.changed(merchantId, 'exports');
      return recordProgress(tx, task, rowCount);
    });
    if (!isActive) throw new GivenUp();
  }
}
