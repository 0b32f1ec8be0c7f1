import { createHash } from 'node:crypto';
import { type Readable, Transform } from 'node:stream';
import { exportsAtOnce } from '@hengfu/contract/exports';
import * as z from 'zod';
import type { Home } from '#caller.ts';
import type { Database, MerchantTx } from '#db/database.ts';
import type { Snapshots } from '#db/snapshots.ts';
import type { FileStore } from '#files/file-store.ts';
import { enqueue, type Task } from '#jobs/jobs.ts';
import { type AmountSum, Sums } from './cells.rules.ts';
import { columnsOf, csvOf, fileKeyOf, linesOf, manifestLines, toldOf, workbookOf } from './export-file.ts';
import {
  countRunning,
  type ExportTask,
  endExport,
  findExport,
  moveExport,
  noteProgress,
  readHome,
  readNames,
} from './exports.sql.ts';
import { readLines, readSums, type WrittenList } from './lines.sql.ts';

const runTask = 'exports.run';
const payload = z.object({ merchantId: z.string().transform(BigInt), exportNo: z.string() });

const waitSeconds = 2;
const reportEveryMs = 1000;

/** A list as it is read whole: of one moment, in the order of the console. */
export interface Exportable {
  /** Rows as the wire has them, some at a time. Throws `validation_failed` for filters that the list would refuse. */
  read: (
    tx: MerchantTx,
    home: Home,
    filters: Readonly<Record<string, string>>,
  ) => AsyncIterable<readonly Readonly<Record<string, unknown>>[]>;
  /** The same where the database can write the lines of a CSV file itself; undefined for an empty list. */
  written?: (
    tx: MerchantTx,
    home: Home,
    filters: Readonly<Record<string, string>>,
  ) => Promise<WrittenList | undefined>;
  /** Throws `validation_failed` for filters that the list would refuse. */
  check: (filters: Readonly<Record<string, string>>) => void;
}

/** Plans the writing of an export, in the transaction that puts it in line. */
export async function planToRun(tx: MerchantTx, exportNo: string, delaySeconds = 0): Promise<void> {
  const { merchantId } = tx;
  await enqueue(
    tx,
    runTask,
    { merchantId: String(merchantId), exportNo },
    { key: `export:${exportNo}`, delaySeconds },
  );
}

/** Thrown where an attempt finds that it was cancelled or given up. */
class GivenUp extends Error {}

export interface ExportJobOptions {
  database: Database;
  snapshots: Snapshots;
  store: FileStore;
  lists: Readonly<Record<ExportTask['list'], Exportable>>;
}

/** How far an attempt is. */
interface Progress {
  written: number;
  /** What its amounts add up to; whole once all is written. */
  sums: () => AmountSum[];
}

/** Writes exports: each in one pass over one moment's rows, in flat memory. */
export class ExportJob {
  readonly #options: ExportJobOptions;

  constructor(options: ExportJobOptions) {
    this.#options = options;
  }

  readonly tasks: Record<string, Task> = {
    [runTask]: async (given) => this.#run(payload.parse(given)),
  };

  async #run({ merchantId, exportNo }: z.output<typeof payload>): Promise<void> {
    const { database } = this.#options;
    const task = await database.asMerchant(merchantId, async (tx) => {
      const found = await findExport(tx, exportNo, { isHeld: true });
      if (found?.status !== 'waiting') return undefined;
      if ((await countRunning(tx)) >= exportsAtOnce) {
        await planToRun(tx, exportNo, waitSeconds);
        return undefined;
      }
      tx.changed(merchantId, 'exports');
      return moveExport(tx, found, 'exporting');
    });
    if (!task) return;
    const key = fileKeyOf(task);
    try {
      const written = await this.#write(merchantId, task, key);
      const isKept = await this.#end(merchantId, task, 'successful', { file_key: key, ...written });
      if (!isKept) await this.#options.store.delete(key);
    } catch (error) {
      await this.#options.store.delete(key);
      if (error instanceof GivenUp) return;
      await this.#end(merchantId, task, 'failed', { reason: 'fault' });
      throw error;
    }
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

  async #write(merchantId: bigint, task: ExportTask, key: string) {
    const { snapshots, store } = this.#options;
    // Begun anew with each reading: what could not go on leaves nothing behind in it.
    const { progress, bytes, hash } = await snapshots.ofMerchant(merchantId, async (tx) => {
      const progress: Progress = { written: 0, sums: () => [] };
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
    await this.#report(merchantId, task, progress.written);
    return { bytes, sha256: hash.digest(), sums: JSON.stringify(progress.sums()) };
  }

  /** The file, made as it is read: lines of the database's own where it can write them, else rows told here. */
  async #fileOf(tx: MerchantTx, task: ExportTask, progress: Progress): Promise<Readable> {
    const list = this.#options.lists[task.list];
    const columns = columnsOf(task);
    const filters = task.filters as Record<string, string>;
    const home = await readHome(tx);
    const written = task.format === 'csv' ? await list.written?.(tx, home, filters) : undefined;
    if (written) {
      const sums = await readSums(tx, written, columns);
      progress.sums = () => sums;
      return csvOf(task, columns, this.#counted(task, readLines(tx, written, columns, task), progress));
    }
    const names = await readNames(tx);
    const sums = new Sums(columns);
    progress.sums = () => sums.list();
    const cells = toldOf(task, columns, this.#counted(task, list.read(tx, home, filters), progress), sums);
    if (task.format === 'csv') return csvOf(task, columns, linesOf(cells));
    return workbookOf(task, columns, cells, () =>
      manifestLines(task, {
        ...{ rows: progress.written, sums: progress.sums(), merchant: home.name },
        createdBy: names.get(task.created_by) ?? task.created_by,
      }),
    );
  }

  /** What is read, counted: says about once a second how far it is, and ends where nobody wants it any more. */
  async *#counted<B extends readonly unknown[]>(
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
      await this.#report(task.merchant_id, task, progress.written);
    }
  }

  async #report(merchantId: bigint, task: ExportTask, written: number): Promise<void> {
    const isWanted = await this.#options.database.asMerchant(merchantId, async (tx) => {
      tx.changed(merchantId, 'exports');
      return noteProgress(tx, task, written);
    });
    if (!isWanted) throw new GivenUp();
  }
}
