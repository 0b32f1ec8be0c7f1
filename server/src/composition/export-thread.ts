import { pathToFileURL } from 'node:url';
import type { FastifyBaseLogger } from 'fastify';
import type { ExportTask } from '#features/exports/exports.sql.ts';
import type { WriteExport, WrittenFile } from '#features/exports/exports.writing.ts';
import { entryFile } from '#folders.ts';
import { withSmallHeaps } from '#threads/heap-growth.ts';
import { OwnThread } from '#threads/own-thread.ts';
import type { DatabaseSettings } from './databases.ts';
import type { ExportStorage } from './export-store.ts';

/** The data that the thread starts with. */
export interface ExportThreadSettings {
  databases: DatabaseSettings;
  storage: ExportStorage;
  logLevel: string;
}

/** A request to the thread: write the file of an attempt under a key of the store. */
export interface ExportQuestion {
  task: ExportTask;
  key: string;
}

const idleMs = 60_000;

/**
 * Writes exports in a separate thread with its own connections, so that large files do not delay requests.
 */
export class ExportThread {
  readonly #thread: OwnThread<ExportQuestion, WrittenFile | undefined>;

  constructor(databases: DatabaseSettings, storage: ExportStorage, log: FastifyBaseLogger) {
    const given: ExportThreadSettings = { databases, storage, logLevel: log.level };
    const module = pathToFileURL(entryFile('exportThread'));
    this.#thread = new OwnThread({ module, given, idleMs });
  }

  readonly write: WriteExport = (task, key) => withSmallHeaps(() => this.#thread.ask({ task, key }));

  /** Stops the thread; exports in progress fail. */
  close(): Promise<void> {
    return this.#thread.close();
  }
}
