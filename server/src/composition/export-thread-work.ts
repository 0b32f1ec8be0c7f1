import { workerData } from 'node:worker_threads';
import { ArchiveReader } from '#archive/archive-reader.ts';
import { ExportWriting, type WrittenFile } from '#features/exports/exports.writing.ts';
import { openLog } from '#observability/log.ts';
import { collectDuring } from '#threads/heap-growth.ts';
import { answerCalls, lowerThreadPriority } from '#threads/own-thread.ts';
import { openDatabases } from './databases.ts';
import { openArchiveStore, openExportStore } from './export-store.ts';
import type { ExportQuestion, ExportThreadSettings } from './export-thread.ts';
import { exportablesOf } from './exports.ts';

/** Maximum connections: one for each export in progress, and some for progress updates. */
const poolSize = 6;

const { databases, storage, logLevel }: ExportThreadSettings = workerData;
const { database, snapshots } = openDatabases(databases, poolSize, openLog(logLevel));
const writing = new ExportWriting({
  database,
  snapshots,
  store: await openExportStore(storage),
  lists: exportablesOf(new ArchiveReader(await openArchiveStore(storage)).readParts),
});

lowerThreadPriority();
answerCalls<ExportQuestion, WrittenFile | undefined>(({ task, key }) =>
  collectDuring(() => writing.write(task, key)),
);
