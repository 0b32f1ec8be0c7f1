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
  hasOpenOrders,
  listArchived,
  listClosedMonths,
  rowsOfMonth,
  type TableMonth,
} from './archive.sql.ts';
import { ArchiveRows, ArchiveWriter, readFacts } from './archive-file.ts';

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

/** Moves closed months of the history tables to the file store. */
export class Archiver {
  readonly #database: Database;
  readonly #files: FileStore;

  constructor(database: Database, files: FileStore) {
    this.#database = database;
    this.#files = files;
  }

  /** Archives every month that ended at least so many months ago, unless an order of that time is unfinished. */
  async archiveClosed(afterMonths: number): Promise<MonthOutcome[]> {
    const outcomes: MonthOutcome[] = [];
    for (const month of await this.#database.asSystem((tx) => listClosedMonths(tx, afterMonths))) {
      const isOpen = await this.#database.asSystem((tx) => hasOpenOrders(tx, month.month));
      if (isOpen) outcomes.push({ ...month, outcome: 'hasOpenOrders', rows: 0, bytes: 0 });
      else outcomes.push({ ...month, outcome: 'archived', ...(await this.#archive(month)) });
    }
    return outcomes;
  }

  /** Lists the archived months, oldest first. */
  list(): Promise<ArchivedMonth[]> {
    return this.#database.asSystem(listArchived);
  }

  /** Reads every file again; returns those that are missing or differ from what was recorded. */
  async verify(): Promise<ArchiveFault[]> {
    const faults: ArchiveFault[] = [];
    for (const { table, month, fileKey, ...recorded } of await this.list()) {
      const found = await this.#readBack(fileKey).catch((error: unknown) => String(error));
      const fault = typeof found === 'string' ? found : differenceOf(recorded, found);
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
    const writer = new ArchiveWriter();
    await this.#database.asSystem(
      async (tx) => {
        await tx.disableTimeouts();
        const rows = tx.copy(rowsOfMonth(month), new ArchiveRows());
        await this.#files.put(fileKey, Readable.from(writer.members(rows)));
      },
      { snapshot: true },
    );
    const facts = writer.facts();
    const difference = differenceOf(facts, await this.#readBack(fileKey));
    if (difference !== undefined)
      throw new Error(`the archive ${fileKey} is not what was written: ${difference}`);
    await this.#end(month, { fileKey, facts, parts: writer.parts });
    return facts;
  }

  /** Retries while others hold the table. */
  async #end(month: TableMonth, content: Parameters<typeof endArchive>[2]): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.#database.asSystem((tx) => endArchive(tx, month, content));
      } catch (error) {
        if (databaseFault(error)?.state !== lockNotAvailable || attempt === lockTries) throw error;
        await setTimeout(lockPauseMs);
      }
    }
  }

  async #readBack(fileKey: string): Promise<FileFacts> {
    const file = await this.#files.get(fileKey);
    if (!file) throw new Error('the file is missing');
    return readFacts(file.content);
  }
}

function differenceOf(expected: FileFacts, found: FileFacts): string | undefined {
  if (found.rows !== expected.rows) return `${found.rows} rows, not ${expected.rows}`;
  if (found.bytes !== expected.bytes) return `${found.bytes} bytes, not ${expected.bytes}`;
  return found.sha256.equals(expected.sha256) ? undefined : 'another SHA-256';
}
