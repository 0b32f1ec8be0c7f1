import type { FastifyBaseLogger } from 'fastify';
import type { ExportTask } from '#features/exports/exports.sql.ts';
import type { WriteExport, WrittenFile } from '#features/exports/exports.writing.ts';
import { OwnThread } from '#threads/own-thread.ts';
import type { DatabaseSettings } from './databases.ts';
import type { ExportPlace } from './export-store.ts';

/** What the thread is begun with. */
export interface ExportThreadSettings {
  databases: DatabaseSettings;
  place: ExportPlace;
  logLevel: string;
}

/** What the thread is asked for: an attempt's file, under a key of the store. */
export interface ExportQuestion {
  task: ExportTask;
  key: string;
}

const idleMs = 60_000;

/**
 * Writes exports in a thread of its own, by connections of its own: nobody's call waits for the rows of somebody else's
 * file.
 */
export class ExportThread {
  readonly #thread: OwnThread<ExportQuestion, WrittenFile | undefined>;

  constructor(databases: DatabaseSettings, place: ExportPlace, log: FastifyBaseLogger) {
    const given: ExportThreadSettings = { databases, place, logLevel: log.level };
    const module = new URL('./export-thread-work.ts', import.meta.url);
    this.#thread = new OwnThread({ module, given, idleMs });
  }

  readonly write: WriteExport = (task, key) => this.#thread.ask({ task, key });

  /** Ends the thread; what is under way in it has failed. */
  close(): Promise<void> {
    return this.#thread.close();
  }
}
