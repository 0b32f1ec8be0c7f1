import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { setTimeout } from 'node:timers/promises';
import type { Database } from '#db/database.ts';
import { databaseFault } from '#db/pool.ts';
import type { FileStore } from '#files/file-store.ts';
import {
  type ArchivedMonth,
  beginArchive,
  endArchive,
  type FileFacts,
  type FileRecord,
  hasOpenOrders,
  listArchived,
  listClosedMonths,
  listParts,
  rowsOfMonth,
  type TableMonth,
  archivableTables as tables,
} from './archive.sql.ts';
import { ArchiveRows, ArchiveWriter, readFacts } from './archive-file.ts';
import { ArchiveReader } from './archive-reader.ts';
import { indexOf } from './audit-index.rules.ts';
import { EntryAdder, type EntrySum } from './entry.rules.ts';
import { listEntrySums, sumEntries } from './entry-sums.sql.ts';

/** The tables whose closed months can be moved to the file store. */
export const archivableTables = tables;

const lockNotAvailable = '55P03';
const lockTries = 60;
const lockPauseMs = 1000;

/** A closed month, and what became of it. */
export interface MonthOutcome extends TableMonth {
  outcome: 'archived' | 'hasOpenOrders';
  rows: number;
  bytes: number;
}

/** A file that differs from what was recorded when it was written. */
export interface ArchiveFault extends TableMonth {
  fault: string;
}

/** Moves closed months of entries, timelines, callback attempts and the audit trail to the file store. */
export class Archiver {
  readonly #database: Database;
  readonly #files: FileStore;

  constructor(database: Database, files: FileStore) {
    this.#database = database;
    this.#files = files;
  }

  /**
   * Archives every month that ended at least so many months ago, unless an order of that time is unfinished. The months of a
   * table in their order.
   */
  async archiveClosed(afterMonths: number): Promise<MonthOutcome[]> {
    const outcomes: MonthOutcome[] = [];
    let isOpen = false;
    for (const month of await this.#database.asSystem((tx) => listClosedMonths(tx, afterMonths))) {
      // An order of a month also keeps the later ones, even if it is finished by the time they are looked at.
      isOpen ||= await this.#database.asSystem((tx) => hasOpenOrders(tx, month.month));
      if (isOpen) outcomes.push({ ...month, outcome: 'hasOpenOrders', rows: 0, bytes: 0 });
      else outcomes.push({ ...month, outcome: 'archived', ...(await this.#archive(month)) });
    }
    return outcomes;
  }

  /** Lists the archived months, oldest first. */
  list(): Promise<ArchivedMonth[]> {
    return this.#database.asSystem(listArchived);
  }

  /**
   * Reads an archived month, as batches of JSON lines; only one merchant's rows if it is given (0 for those of the service).
   * Throws if the month is not archived, or its file is missing.
   */
  async *lines(month: TableMonth, merchantId?: bigint): AsyncGenerator<string[]> {
    const recorded = (await this.list()).find(
      (one) => one.table === month.table && one.month === month.month,
    );
    if (!recorded) throw new Error(`${month.table} of ${month.month} is not in the archive.`);
    const places =
      merchantId === undefined
        ? [{ fileKey: recorded.fileKey, offset: 0, bytes: recorded.bytes }]
        : await this.#database.asSystem((tx) => listParts(tx, month, merchantId));
    const reader = new ArchiveReader(this.#files);
    for (const place of places) yield* reader.linesAt(place);
  }

  /** Reads every file again; returns those that are missing or differ from what was recorded, entries also by their sums. */
  async verify(): Promise<ArchiveFault[]> {
    const faults: ArchiveFault[] = [];
    for (const { table, month, fileKey, ...recorded } of await this.list()) {
      const sums =
        table === 'ledger_entry'
          ? await this.#database.asSystem((tx) => listEntrySums(tx, month))
          : undefined;
      const fault = await this.#differenceOf(fileKey, recorded, sums).catch((error: unknown) =>
        String(error),
      );
      if (fault !== undefined) faults.push({ table, month, fault: `${fileKey}: ${fault}` });
    }
    return faults;
  }

  /**
   * Writes a month to a file, reads the file back, and only then drops the partition, in the transaction that records the
   * file. If the process dies before that, the rows are where they were, and the next attempt deletes the file.
   */
  async #archive(month: TableMonth): Promise<FileFacts> {
    const fileKey = `${month.table}-${month.month}-${randomBytes(4).toString('hex')}.jsonl.gz`;
    const left = await this.#database.asSystem((tx) => beginArchive(tx, month, fileKey));
    if (left !== undefined) await this.#files.delete(left);
    const writer = new ArchiveWriter(month.table === 'audit' ? indexOf : undefined);
    const sums = await this.#database.asSystem(
      async (tx) => {
        await tx.disableTimeouts();
        const sums = month.table === 'ledger_entry' ? await sumEntries(tx, month.month) : undefined;
        const rows = tx.copy(rowsOfMonth(month), new ArchiveRows());
        await this.#files.put(fileKey, Readable.from(writer.members(rows)));
        return sums;
      },
      { snapshot: true },
    );
    const facts = writer.facts();
    const difference = await this.#differenceOf(fileKey, facts, sums?.accounts);
    if (difference !== undefined)
      throw new Error(`the archive ${fileKey} is not what was written: ${difference}`);
    await this.#end(month, { fileKey, facts, parts: writer.parts, sums });
    return facts;
  }

  /** Retries while others hold the table. */
  async #end(month: TableMonth, content: FileRecord): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.#database.asSystem((tx) => endArchive(tx, month, content));
      } catch (error) {
        if (databaseFault(error)?.state !== lockNotAvailable || attempt === lockTries) throw error;
        await setTimeout(lockPauseMs);
      }
    }
  }

  /** Reads a file; describes how it differs from what is expected; returns undefined if it does not. */
  async #differenceOf(
    fileKey: string,
    expected: FileFacts,
    sums: readonly EntrySum[] | undefined,
  ): Promise<string | undefined> {
    const file = await this.#files.get(fileKey);
    if (!file) throw new Error('the file is missing');
    const adder = sums && new EntryAdder();
    const found = await readFacts(file.content, adder?.add);
    if (found.rows !== expected.rows) return `${found.rows} rows, not ${expected.rows}`;
    if (found.bytes !== expected.bytes) return `${found.bytes} bytes, not ${expected.bytes}`;
    if (!found.sha256.equals(expected.sha256)) return 'another SHA-256';
    return sums && adder?.differenceFrom(sums);
  }
}
