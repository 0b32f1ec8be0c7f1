import { createHash } from 'node:crypto';
import { type Readable, Transform } from 'node:stream';
import type { Database, MerchantTx } from '#db/database.ts';
import type { Snapshots } from '#db/snapshots.ts';
import type { Exportable } from '#domain/exportable.sql.ts';
import type { FileStore } from '#files/file-store.ts';
import { Sums } from './cells.rules.ts';
import { csvOf, exportColumnsOf, linesOf, manifestLines, toldOf, workbookOf } from './export-file.ts';
import { type ExportTask, noteProgress, readHome, readNames } from './exports.sql.ts';
import { readCells, readLines } from './lines.sql.ts';

const reportEveryMs = 1000;

/** What an attempt wrote: size, hash (32 bytes) and the sums of its amounts as JSON. */
export interface WrittenFile {
  bytes: bigint;
  sha256: Uint8Array;
  sums: string;
}

/** Writes an attempt's file under a key of the store; undefined where nobody wants it any more. */
export type WriteExport = (task: ExportTask, key: string) => Promise<WrittenFile | undefined>;

/** Thrown where an attempt finds that it was cancelled or given up. */
class GivenUp extends Error {}

/** How far an attempt is. */
interface Progress {
  written: number;
  /** What its amounts add up to; whole once all is written. */
  sums: Sums;
}

/** Where exports are read from and written to. */
export interface ExportWritingOptions {
  database: Database;
  snapshots: Snapshots;
  store: FileStore;
  lists: Readonly<Record<ExportTask['list'], Exportable>>;
}

/** Writes the files of exports: each in one pass over one moment's rows, in flat memory. */
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
    // Begun anew with each reading: what could not go on leaves nothing behind in it.
    const { progress, bytes, hash } = await snapshots.ofMerchant(task.merchant_id, async (tx) => {
      const progress: Progress = { written: 0, sums: new Sums(exportColumnsOf(task)) };
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
      file.on('error', (error) => measured.destroy(error));
      try {
        await store.put(key, file.pipe(measured));
      } finally {
        // What can't be kept is not read any further.
        file.destroy();
      }
      return { progress, bytes, hash };
    });
    await this.#report(task, progress.written);
    return { bytes, sha256: hash.digest(), sums: JSON.stringify(progress.sums.list()) };
  }

  /** The file, made as it is read: of rows as the database writes them where it can, else of the wire's. */
  async #fileOf(tx: MerchantTx, task: ExportTask, progress: Progress): Promise<Readable> {
    const list = this.#options.lists[task.list];
    const columns = exportColumnsOf(task);
    const filters = task.filters as Record<string, string>;
    const home = await readHome(tx);
    const { sums } = progress;
    const written = await list.written?.(tx, home, filters);
    if (written && task.format === 'csv')
      return csvOf(task, columns, this.#counted(task, readLines(tx, written, columns, task, sums), progress));
    const names = await readNames(tx);
    const cells = written
      ? this.#counted(task, readCells(tx, written, columns, task, sums), progress)
      : toldOf(task, columns, this.#counted(task, list.read(tx, home, filters), progress), sums);
    if (task.format === 'csv') return csvOf(task, columns, linesOf(cells));
    return workbookOf(task, columns, cells, () =>
      manifestLines(task, {
        rows: progress.written,
        sums: progress.sums.list(),
        merchant: home.name,
        createdBy: names.get(task.created_by) ?? task.created_by,
      }),
    );
  }

  /** What is read, counted: says about once a second how far it is, and ends where nobody wants it any more. */
  async *#counted<B extends { readonly length: number }>(
    task: ExportTask,
    batches: AsyncIterable<B>,
    progress: Progress,
  ): AsyncGenerator<B> {
    let reportedAt = performance.now();
    for await (const batch of batches) {
      yield batch;
      progress.written += batch.length;
      if (performance.now() - reportedAt < reportEveryMs) continue;
      reportedAt = performance.now();
      await this.#report(task, progress.written);
    }
  }

  async #report(task: ExportTask, written: number): Promise<void> {
    const { merchant_id: merchantId } = task;
    const isWanted = await this.#options.database.asMerchant(merchantId, async (tx) => {
      tx.changed(merchantId, 'exports');
      return noteProgress(tx, task, written);
    });
    if (!isWanted) throw new GivenUp();
  }
}
