import type { TableMonth } from '#archive/archive.sql.ts';
import type { Archiver } from '#archive/archiver.ts';
import type { Database } from '#db/database.ts';
import {
  hashLines,
  hashRows,
  listBatches,
  listHolders,
  listRoots,
  listSeals,
  readLastRoot,
  readUnsealed,
} from './audit-seal.sql.ts';
import type { Outside } from './outside.ts';
import { type AcceptedLoss, hashOf, isKeptBy, type Root } from './root.rules.ts';
import { RowCheck, type SealedBatch } from './row-check.rules.ts';

const rootsAtOnce = 500;
const rowsAtOnce = 5000;
/** A root is outside a moment after it is in the database. */
const maxLagMs = 60_000;

/** A place where the audit trail is not what was sealed. */
export interface SealFault {
  /** The merchant's ID; 0 for what concerns the service. Absent if it concerns roots. */
  merchantId?: bigint;
  fault: string;
}

/** The findings of {@link SealVerifier.verify}. */
export interface Verification {
  faults: SealFault[];
  roots: number;
  /** Sealed rows that were read, in the table and in archived months. */
  rows: number;
  /** Archived rows from before the first root: no seal covers them. */
  earlierRows: number;
  /** Rows since the last root, and the age of the oldest. */
  unsealed: { rows: number; seconds: number };
  losses: AcceptedLoss[];
}

/** The first root's beginning, and the last root with its end. */
interface Span extends Pick<Root, 'fromId' | 'toId'> {
  lastRoot: bigint;
}

/** Proves that the audit trail is what was sealed, row by row. */
export class SealVerifier {
  readonly #database: Database;
  readonly #outside: Outside;
  readonly #archiver: Archiver;

  constructor(database: Database, outside: Outside, archiver: Archiver) {
    this.#database = database;
    this.#outside = outside;
    this.#archiver = archiver;
  }

  /** Reads every root, seal and row. Takes as long as reading the whole audit trail. */
  async verify(): Promise<Verification> {
    const last = await this.#database.asSystem(readLastRoot);
    const losses = await this.#outside.losses();
    const faults: SealFault[] = [];
    const { roots, fromId } = await this.#checkRoots(last, losses, faults);
    await this.#checkOutside(last, losses, faults);
    const span = { fromId, toId: last?.toId ?? 0n, lastRoot: last?.number ?? 0n };
    const { faults: faultsOfRows, ...counts } = await this.#checkAllRows(span);
    const unsealed = await this.#database.asSystem((tx) => readUnsealed(tx, span.toId));
    return { faults: [...faults, ...faultsOfRows], roots, ...counts, unsealed, losses };
  }

  /** A month that is archived while rows are read would be missed: then they are read again. */
  async #checkAllRows(span: Span): Promise<Pick<Verification, 'faults' | 'rows' | 'earlierRows'>> {
    for (;;) {
      const months = await this.#archivedMonths();
      const found = { faults: [] as SealFault[], rows: 0, earlierRows: 0 };
      for (const merchantId of await this.#database.asSystem(listHolders))
        await this.#checkRows(merchantId, months, span, found);
      if ((await this.#archivedMonths()).length === months.length) return found;
    }
  }

  async #archivedMonths(): Promise<TableMonth[]> {
    return (await this.#archiver.list()).filter(({ table }) => table === 'audit');
  }

  /** Follows the chain from the first root to the last, with the seals of each. */
  async #checkRoots(
    last: Root | undefined,
    losses: readonly AcceptedLoss[],
    faults: SealFault[],
  ): Promise<{ roots: number; fromId: bigint }> {
    let previous: Root | undefined;
    let fromId: bigint | undefined;
    let count = 0;
    for (;;) {
      const roots = await this.#database.asSystem((tx) => listRoots(tx, previous?.number ?? 0n, rootsAtOnce));
      const [first, end] = [roots[0], roots.at(-1)];
      if (!first || !end || (last && first.number > last.number)) break;
      const seals = await this.#database.asSystem((tx) => listSeals(tx, first.number, end.number));
      const byRoot = Map.groupBy(seals, ({ rootNumber }) => rootNumber);
      for (const root of roots) {
        fromId ??= root.fromId;
        const reason = breakBetween(previous, root, losses);
        if (reason !== undefined) faults.push({ fault: `root ${root.number} ${reason}` });
        const ofRoot = byRoot.get(root.number) ?? [];
        const isWhole = ofRoot.every(({ fromId, toId }) => fromId === root.fromId && toId === root.toId);
        if (!(isWhole && hashOf({ ...root, previous }, ofRoot).equals(root.sha256)))
          faults.push({ fault: `root ${root.number}, or one of its seals, was altered` });
        previous = root;
        count++;
      }
    }
    // Each root contains the hash of the one before: the HMAC of the last one proves them all, those of former keys, too.
    if (previous && !this.#outside.isOurs(previous))
      faults.push({ fault: `root ${previous.number}, the last one, was not made with this APP_KEY` });
    return { roots: count, fromId: fromId ?? 0n };
  }

  async #checkOutside(
    last: Root | undefined,
    losses: readonly AcceptedLoss[],
    faults: SealFault[],
  ): Promise<void> {
    const outside = await this.#outside.all();
    const known = new Map<bigint, Root>();
    for (const { number } of outside)
      for (const root of await this.#database.asSystem((tx) => listRoots(tx, number - 1n, 1)))
        known.set(root.number, root);
    for (const { number, sha256, sealedAt } of outside) {
      const root = known.get(number);
      const isLost = losses.some(({ kept, lost }) => BigInt(kept) < number && number <= BigInt(lost));
      if (root && root.sha256.toString('hex') !== sha256)
        faults.push({ fault: `root ${number} differs from its copy outside` });
      if (!root && !isLost)
        faults.push({
          fault: `root ${number} of ${sealedAt} is known outside, and missing: the end of the audit trail was cut off, or the database was restored to an earlier moment`,
        });
    }
    const lagMs = last ? Date.now() - last.sealedAt.getTime() : 0;
    if (last && lagMs > maxLagMs && (outside.at(-1)?.number ?? 0n) < last.number)
      faults.push({ fault: `root ${last.number}, the last one, has no copy outside` });
  }

  /** Compares a merchant's rows, archived and in the table, with its seals. */
  async #checkRows(
    merchantId: bigint,
    months: readonly TableMonth[],
    { fromId, toId, lastRoot }: Span,
    found: Pick<Verification, 'faults' | 'rows' | 'earlierRows'>,
  ): Promise<void> {
    const check = new RowCheck(this.#batches(merchantId, lastRoot));
    for (const month of months)
      for await (const lines of this.#archiver.lines(month, merchantId)) {
        const rows = await this.#database.asSystem((tx) => hashLines(tx, lines));
        found.earlierRows += rows.filter(({ id }) => id <= fromId).length;
        for (const row of rows) if (fromId < row.id && row.id <= toId) await check.add(row);
      }
    for (let after = 0n; ; ) {
      const range = { fromId: after, toId, limit: rowsAtOnce };
      const rows = await this.#database.asSystem((tx) => hashRows(tx, merchantId, range));
      for (const row of rows) await check.add(row);
      const end = rows.at(-1);
      if (!end) break;
      after = end.id;
    }
    found.rows += check.rows;
    found.faults.push(...(await check.finish()).map((fault) => ({ merchantId, fault })));
  }

  async *#batches(merchantId: bigint, upTo: bigint): AsyncGenerator<SealedBatch> {
    for (let after = 0n; ; ) {
      const range = { after, upTo, limit: rootsAtOnce };
      const batches = await this.#database.asSystem((tx) => listBatches(tx, merchantId, range));
      yield* batches;
      const end = batches.at(-1);
      if (!end) return;
      after = end.rootNumber;
    }
  }
}

/** Says why a root cannot follow another; undefined if it can. */
function breakBetween(
  previous: Root | undefined,
  root: Root,
  losses: readonly AcceptedLoss[],
): string | undefined {
  const before = previous?.number ?? 0n;
  const isNext = root.number === before + 1n;
  const follows = losses.some((loss) => isKeptBy(loss, previous) && BigInt(loss.lost) === root.number - 1n);
  if (root.previousNumber !== (previous?.number ?? null) || !(isNext || follows))
    return `does not follow root ${before}: roots were removed`;
  if (previous && root.fromId !== previous.toId) return `does not begin where root ${before} ends`;
  return undefined;
}
