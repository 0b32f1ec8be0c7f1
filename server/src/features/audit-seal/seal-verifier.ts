import { setTimeout } from 'node:timers/promises';
import type { ArchivedMonth } from '#archive/archive.sql.ts';
import type { Archiver } from '#archive/archiver.ts';
import type { Database } from '#db/database.ts';
import {
  hashLines,
  hashRows,
  listBatches,
  listHolders,
  readLastId,
  readLastRoot,
  readUnsealed,
} from './audit-seal.sql.ts';
import { ChainCheck } from './chain-check.ts';
import type { Outside } from './outside.ts';
import type { AcceptedLoss, Root } from './root.rules.ts';
import { idsOf, RowCheck, type SealedBatch } from './row-check.rules.ts';

const batchesAtOnce = 500;
const rowsAtOnce = 5000;
const lowestId = -(2n ** 63n);
/** Rows are sealed within ten seconds. */
const maxUnsealedSeconds = 120;
const patienceMs = 15_000;
const pollMs = 250;

/** A place where the audit trail is not what was sealed. */
export interface SealFault {
  /** The merchant's ID; 0 for the service's own rows. Absent if the fault is one of roots. */
  merchantId?: bigint;
  fault: string;
}

/** The findings of {@link SealVerifier.verify}. */
export interface Verification {
  faults: SealFault[];
  roots: number;
  /** Sealed rows that were read, in the table and in archived months. */
  rows: number;
  /** Rows of months that were archived before the first root: no seal covers them. */
  earlierRows: number;
  /** Rows since the last root, and the age of the oldest. */
  unsealed: { rows: number; seconds: number };
  losses: readonly AcceptedLoss[];
}

type RowFindings = Pick<Verification, 'faults' | 'rows' | 'earlierRows'>;

interface SealVerifierOptions {
  /** This process's clock. */
  now?: () => Date;
  /** How long rows that were written after a quiet time may wait for their seal. */
  patienceMs?: number;
}

/** Proves that the audit trail is what was sealed, row by row. Writes nothing. */
export class SealVerifier {
  readonly #database: Database;
  readonly #outside: Outside;
  readonly #archiver: Archiver;
  readonly #now: () => Date;
  readonly #patienceMs: number;

  constructor(database: Database, outside: Outside, archiver: Archiver, options: SealVerifierOptions = {}) {
    this.#database = database;
    this.#outside = outside;
    this.#archiver = archiver;
    this.#now = options.now ?? (() => new Date());
    this.#patienceMs = options.patienceMs ?? patienceMs;
  }

  /** Reads every root, seal and row. Takes as long as reading the whole audit trail. */
  async verify(): Promise<Verification> {
    const last = await this.#database.asSystem(readLastRoot);
    const chain = await new ChainCheck(this.#database, this.#outside, this.#now).run(last);
    const { faults, ...counts } = await this.#checkAllRows(chain.first, last);
    const { unsealed, faults: late } = await this.#checkUnsealed();
    return {
      faults: [...[...chain.faults, ...late].map((fault) => ({ fault })), ...faults],
      roots: chain.roots,
      ...counts,
      unsealed,
      losses: chain.losses,
    };
  }

  /** A month that is archived while rows are read would be missed: then they are read again. */
  async #checkAllRows(first: Root | undefined, last: Root | undefined): Promise<RowFindings> {
    for (;;) {
      const months = await this.#archivedMonths();
      const found: RowFindings = { faults: [], rows: 0, earlierRows: 0 };
      for (const merchantId of await this.#database.asSystem(listHolders))
        await this.#checkRows(merchantId, { months, first, last, found });
      if ((await this.#archivedMonths()).length === months.length) return found;
    }
  }

  async #archivedMonths(): Promise<ArchivedMonth[]> {
    return (await this.#archiver.list()).filter(({ table }) => table === 'audit');
  }

  /** Compares a merchant's rows, archived and in the table, with its seals. */
  async #checkRows(
    merchantId: bigint,
    span: {
      months: readonly ArchivedMonth[];
      first: Root | undefined;
      last: Root | undefined;
      found: RowFindings;
    },
  ): Promise<void> {
    const { months, first, last, found } = span;
    const check = new RowCheck(this.#batches(merchantId, last?.number ?? 0n));
    for (const month of months) {
      const isEarlier = !first || month.archivedAt < first.sealedAt;
      const add = async (row: { id: bigint; sha256: Buffer }) => {
        if (isEarlier) found.earlierRows++;
        else await check.add(row);
      };
      check.faults.push(...(await this.#readMonth(month, merchantId, add)));
    }
    const toId = last?.toId ?? 0n;
    for (let from = lowestId; from <= toId; ) {
      const range = { from, toId, limit: rowsAtOnce };
      const rows = await this.#database.asSystem((tx) => hashRows(tx, merchantId, range));
      for (const row of rows) await check.add(row);
      const end = rows.at(-1);
      if (!end) break;
      from = end.id + 1n;
    }
    found.rows += check.rows;
    found.faults.push(...(await check.finish()).map((fault) => ({ merchantId, fault })));
  }

  /** Reads a merchant's rows of an archived month. Returns what is wrong with the month itself. */
  async #readMonth(
    month: ArchivedMonth,
    merchantId: bigint,
    add: (row: { id: bigint; sha256: Buffer }) => Promise<void>,
  ): Promise<string[]> {
    const strange: { id: bigint }[] = [];
    try {
      for await (const lines of this.#archiver.lines(month, merchantId)) {
        const rows = await this.#database.asSystem((tx) => hashLines(tx, lines));
        strange.push(...rows.filter((row) => row.month !== month.month));
        for (const row of rows) await add(row);
      }
    } catch (error) {
      return [`the archived month ${month.month} cannot be read: ${(error as Error).message}`];
    }
    return strange.length === 0
      ? []
      : [`the archived month ${month.month} has rows of another month: ${idsOf(strange)}`];
  }

  /**
   * Reads the rows that no root covers yet, and says why that is wrong. The row and the sealer may be a moment apart, so rows after
   * a quiet time are given some seconds to be sealed.
   */
  async #checkUnsealed(): Promise<{ unsealed: Verification['unsealed']; faults: string[] }> {
    for (const until = Date.now() + this.#patienceMs; ; await setTimeout(pollMs)) {
      const { last, found, lastId } = await this.#database.asSystem(async (tx) => {
        const last = await readLastRoot(tx);
        const found = await readUnsealed(tx, last?.toId ?? 0n);
        // Read after the rows: each of them had its ID by then.
        return { last, found, lastId: await readLastId(tx) };
      });
      const nowSeconds = this.#now().getTime() / 1000;
      const seconds = found.oldestAt === null ? 0 : nowSeconds - found.oldestAt;
      // The database's owner can make rows look young, but not a root, whose time its HMAC proves.
      const rootSeconds = last ? nowSeconds - last.sealedAt.getTime() / 1000 : 0;
      const isLate = found.rows > 0 && Math.max(Math.abs(seconds), rootSeconds) > maxUnsealedSeconds;
      if (isLate && Date.now() < until) continue;
      const faults: string[] = [];
      if (isLate)
        faults.push(
          `${found.rows} rows are not sealed, the oldest is of ${Math.round(seconds)} s ago` +
            `${last ? `, the last root of ${Math.round(rootSeconds)} s ago` : ''}: sealing has stopped`,
        );
      if (found.lastId !== null && found.lastId > lastId)
        faults.push(
          `a row has the ID ${found.lastId}, but the sequence is at ${lastId}: it was reset or replaced, or the row was added`,
        );
      if (last && lastId < last.toId)
        faults.push(
          `root ${last.number} covers IDs up to ${last.toId}, but their sequence is at ${lastId}: it was reset or replaced`,
        );
      return { unsealed: { rows: found.rows, seconds }, faults };
    }
  }

  async *#batches(merchantId: bigint, upTo: bigint): AsyncGenerator<SealedBatch> {
    for (let after = 0n; ; ) {
      const range = { after, upTo, limit: batchesAtOnce };
      const batches = await this.#database.asSystem((tx) => listBatches(tx, merchantId, range));
      yield* batches;
      const end = batches.at(-1);
      if (!end) return;
      after = end.rootNumber;
    }
  }
}
