import type { Readable } from 'node:stream';
import { type CreateExport, type ExportQuery, exportMoves } from '@hengfu/contract/exports';
import { canMove } from '@hengfu/contract/moves';
import type { Database, MerchantTx } from '#db/database.ts';
import { auditPerson } from '#domain/audit.sql.ts';
import type { Person, RequestInfo } from '#domain/caller.ts';
import type { Exportable } from '#domain/exportable.sql.ts';
import type { Page } from '#domain/list.sql.ts';
import { assertWithinQuota } from '#domain/quota.sql.ts';
import { readableLists } from '#domain/readable-lists.ts';
import { Refusal } from '#domain/refusal.ts';
import type { FileStore } from '#files/file-store.ts';
import { manifestLines } from './export-file.ts';
import { assertMayRead, chosenColumns, enqueueRun, queueExport } from './exports.making.ts';
import {
  countUnfinished,
  type ExportTask,
  findExport,
  listExports,
  moveExport,
  readNames,
} from './exports.sql.ts';

/** An export with the name of its creator. */
export interface NamedExport {
  task: ExportTask;
  createdBy: string;
}

/** A file to download. */
export interface ExportFile {
  task: ExportTask;
  bytes: number;
  content: Readable;
}

type Step = (tx: MerchantTx) => Promise<void>;
const nothing: Step = async () => {};

/** Use cases of exports: queue, list, cancel, retry, download. */
export class ExportService {
  readonly #database: Database;
  readonly #store: FileStore;
  readonly #lists: Readonly<Record<ExportTask['list'], Exportable>>;

  constructor(database: Database, store: FileStore, lists: Readonly<Record<ExportTask['list'], Exportable>>) {
    this.#database = database;
    this.#store = store;
    this.#lists = lists;
  }

  /**
   * Queues an export. Throws `forbidden` for a list that the person may not read, `validation_failed`,
   * `quota_reached`.
   */
  async create(person: Person, request: RequestInfo, body: CreateExport): Promise<NamedExport> {
    const { home, userId } = person;
    const { list, format, language, zone, filters } = body;
    assertMayRead(person, list);
    this.#lists[list].check(filters);
    const columns = chosenColumns(list, body.columns);
    const createdBy = `user:${userId}`;
    const task = await this.#database.asMerchant(home.merchantId, async (tx) => {
      await assertMayExport(tx, userId);
      const made = await queueExport(tx, {
        list,
        format,
        language,
        zone,
        filters,
        columns,
        created_by: createdBy,
      });
      await auditPerson(tx, person, request, 'export.create', {
        subject: made.export_no,
        after: { list, filters },
      });
      tx.changed(home.merchantId, 'exports');
      return made;
    });
    return { task, createdBy: person.name };
  }

  /** Lists the merchant's exports of lists that the person may read. */
  list(person: Person, query: ExportQuery): Promise<Page<NamedExport>> {
    const lists = readableLists(person);
    return this.#database.asMerchant(person.home.merchantId, async (tx) => {
      const [page, names] = await Promise.all([listExports(tx, query, lists), readNames(tx)]);
      return { ...page, rows: page.rows.map((task) => named(task, names)) };
    });
  }

  /** Cancels a waiting or running export. Throws `not_found`, `invalid_transition`. */
  cancel(person: Person, request: RequestInfo, exportNo: string): Promise<NamedExport> {
    return this.#move(person, request, exportNo, 'failed', { change: { reason: 'cancelled' } });
  }

  /** Queues a failed export again. Throws `not_found`, `invalid_transition`, `quota_reached`. */
  retry(person: Person, request: RequestInfo, exportNo: string): Promise<NamedExport> {
    return this.#move(person, request, exportNo, 'waiting', {
      before: (tx) => assertMayExport(tx, person.userId),
      after: (tx) => enqueueRun(tx, exportNo),
    });
  }

  /** Opens the finished file. Throws `not_found` before it exists and after it was deleted, `forbidden`. */
  async file(person: Person, exportNo: string): Promise<ExportFile> {
    const { task } = await this.#find(person, exportNo);
    const found = task.file_key === null ? undefined : await this.#store.get(task.file_key);
    if (!found) throw new Refusal('not_found');
    return { task, ...found };
  }

  /** Returns a finished file's manifest as names and values. Throws `not_found`, `forbidden`. */
  async manifest(person: Person, exportNo: string): Promise<{ task: ExportTask; lines: [string, string][] }> {
    const { task, createdBy } = await this.#find(person, exportNo);
    if (task.status !== 'successful') throw new Refusal('not_found');
    const lines = manifestLines(task, {
      rows: Number(task.written_rows),
      sums: task.sums as { key: string; currency: string; amount: string }[],
      mode: person.mode,
      createdBy,
      merchant: person.home.name,
      sha256: task.sha256?.toString('hex') ?? '',
    });
    return { task, lines };
  }

  async #find(person: Person, exportNo: string): Promise<NamedExport> {
    const found = await this.#database.asMerchant(person.home.merchantId, async (tx) => {
      const task = await findExport(tx, exportNo);
      return task && named(task, await readNames(tx));
    });
    if (!found) throw new Refusal('not_found');
    assertMayRead(person, found.task.list);
    return found;
  }

  async #move(
    person: Person,
    request: RequestInfo,
    exportNo: string,
    to: 'waiting' | 'failed',
    {
      before = nothing,
      change = {},
      after = nothing,
    }: { before?: Step; change?: { reason?: 'cancelled' }; after?: Step },
  ): Promise<NamedExport> {
    const { merchantId } = person.home;
    return this.#database.asMerchant(merchantId, async (tx) => {
      await before(tx);
      const held = await findExport(tx, exportNo, { isHeld: true });
      if (!held) throw new Refusal('not_found');
      assertMayRead(person, held.list);
      const moved = canMove(exportMoves, held.status, to)
        ? await moveExport(tx, held, to, change)
        : undefined;
      if (!moved || (to === 'waiting' && held.status !== 'failed'))
        throw new Refusal('invalid_transition', { values: { status: `exports.status.${held.status}` } });
      await after(tx);
      await auditPerson(tx, person, request, `export.${to}`, {
        subject: exportNo,
        before: { status: held.status },
        after: { status: to },
      });
      tx.changed(merchantId, 'exports');
      return named(moved, await readNames(tx));
    });
  }
}

/** Throws `quota_reached` if the merchant or the user has too many unfinished exports. */
async function assertMayExport(tx: MerchantTx, userId: bigint): Promise<void> {
  await assertWithinQuota(tx, 'exportsOfMerchant', tx.merchantId, () => countUnfinished(tx));
  await assertWithinQuota(tx, 'exportsOfUser', userId, () => countUnfinished(tx, `user:${userId}`));
}

function named(task: ExportTask, names: ReadonlyMap<string, string>): NamedExport {
  return { task, createdBy: names.get(task.created_by) ?? task.created_by };
}
