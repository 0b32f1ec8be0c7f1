import { createHash } from 'node:crypto';
import { Transform } from 'node:stream';
import type { ExportColumn } from '@hengfu/contract/export-columns';
import { exportsAtOnce } from '@hengfu/contract/exports';
import * as z from 'zod';
import type { Home } from '#caller.ts';
import type { Database, MerchantTx } from '#db/database.ts';
import type { FileStore } from '#files/file-store.ts';
import { enqueue, type Task } from '#jobs/jobs.ts';
import { isPhrase, translate } from '#language.ts';
import { type Cell, cellsOf, clockOf, Sums } from './cells.rules.ts';
import { columnsOf, fileKeyOf, fileOf } from './export-file.ts';
import {
  countRunning,
  type ExportTask,
  findExport,
  moveExport,
  noteProgress,
  readHome,
  readNames,
} from './exports.sql.ts';
import { manifestLines } from './manifest.ts';

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
  store: FileStore;
  lists: Readonly<Record<ExportTask['list'], Exportable>>;
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
    change: Parameters<typeof moveExport>[3],
  ): Promise<boolean> {
    return this.#options.database.asMerchant(merchantId, async (tx) => {
      const held = await findExport(tx, task.export_no, { isHeld: true });
      if (held?.status !== 'exporting' || held.attempt !== task.attempt) return false;
      await moveExport(tx, held, to, change);
      tx.changed(merchantId, 'exports');
      return true;
    });
  }

  async #write(merchantId: bigint, task: ExportTask, key: string) {
    const { database, store, lists } = this.#options;
    const columns = columnsOf(task);
    const progress = { written: 0, sums: new Sums(columns) };
    const hash = createHash('sha256');
    let bytes = 0n;
    const measured = new Transform({
      transform(chunk: Buffer, _encoding, done) {
        hash.update(chunk);
        bytes += BigInt(chunk.length);
        done(null, chunk);
      },
    });
    await database.asMerchant(
      merchantId,
      async (tx) => {
        const home = await readHome(tx);
        const names = await readNames(tx);
        const rows = lists[task.list].read(tx, home, task.filters as Record<string, string>);
        const batches = this.#told(merchantId, task, columns, rows, progress);
        const file = fileOf(task, columns, batches, () =>
          manifestLines(task, {
            ...{ rows: progress.written, sums: progress.sums.list(), merchant: home.name },
            createdBy: names.get(task.created_by) ?? task.created_by,
          }),
        );
        file.on('error', (error) => measured.destroy(error));
        await store.put(key, file.pipe(measured));
      },
      { snapshot: true },
    );
    await this.#report(merchantId, task, progress.written);
    return { bytes, sha256: hash.digest(), sums: JSON.stringify(progress.sums.list()) };
  }

  /** Rows as cells; says about once a second how far it is, and ends where nobody wants it any more. */
  async *#told(
    merchantId: bigint,
    task: ExportTask,
    columns: readonly ExportColumn[],
    batches: AsyncIterable<readonly Readonly<Record<string, unknown>>[]>,
    progress: { written: number; sums: Sums },
  ): AsyncGenerator<Cell[][]> {
    const { language, zone } = task;
    const choices = new Map<string, string>();
    const choice = (prefix: string, value: string) => {
      const phrase = `${prefix}.${value}`;
      const known = choices.get(phrase) ?? (isPhrase(phrase) ? translate(language, phrase) : value);
      choices.set(phrase, known);
      return known;
    };
    const telling = { choice, clock: clockOf(zone) };
    let reportedAt = performance.now();
    for await (const batch of batches) {
      yield batch.map((row) => {
        progress.sums.add(row);
        return cellsOf(row, columns, telling);
      });
      progress.written += batch.length;
      if (performance.now() - reportedAt < reportEveryMs) continue;
      reportedAt = performance.now();
      await this.#report(merchantId, task, progress.written);
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
