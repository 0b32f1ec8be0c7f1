import { createHash } from 'node:crypto';

/** A sealed batch of one merchant's rows: those above `fromId`, up to `toId`. */
export interface SealedBatch {
  rootNumber: bigint;
  fromId: bigint;
  toId: bigint;
  rows: number;
  sha256: Buffer;
}

/** A row's ID, and the SHA-256 of all its values. */
export interface HashedRow {
  id: bigint;
  sha256: Buffer;
}

interface OpenBatch extends SealedBatch {
  found: HashedRow[];
}

const maxIdsNamed = 5;

/**
 * Compares the rows of one merchant with their sealed batches. Batches come in the order of their roots; rows may come in any
 * order, yet only batches whose rows have not all been seen are held in memory.
 */
export class RowCheck {
  readonly #batches: AsyncIterator<SealedBatch>;
  readonly #open: OpenBatch[] = [];
  readonly #added: bigint[] = [];
  readonly faults: string[] = [];
  /** The last number that the batches read so far cover. */
  #coveredTo = 0n;
  rows = 0;

  constructor(batches: AsyncIterable<SealedBatch>) {
    this.#batches = batches[Symbol.asyncIterator]();
  }

  /** Takes one row. */
  async add(row: HashedRow): Promise<void> {
    this.rows++;
    while (this.#coveredTo < row.id && (await this.#readNext()));
    const batch = this.#open.find(({ fromId, toId }) => fromId < row.id && row.id <= toId);
    if (!batch) {
      this.#added.push(row.id);
      return;
    }
    batch.found.push(row);
    if (batch.found.length < batch.rows) return;
    this.#open.splice(this.#open.indexOf(batch), 1);
    if (!hashOfRows(batch.found).equals(batch.sha256))
      this.faults.push(`a row of root ${batch.rootNumber} was altered, or replaced: ${idsOf(batch.found)}`);
  }

  /** Call it after the last row: what is missing by then was removed. Returns all faults. */
  async finish(): Promise<string[]> {
    while (await this.#readNext());
    for (const { rootNumber, rows, found } of this.#open)
      this.faults.push(
        `rows of root ${rootNumber} were removed: ${found.length} of ${rows} are left${found.length > 0 ? `, ${idsOf(found)}` : ''}`,
      );
    if (this.#added.length > 0)
      this.faults.push(`rows were added that no root covers: ${idsOf(this.#added.map((id) => ({ id })))}`);
    return this.faults;
  }

  /** Reads one more batch; false if there is none. */
  async #readNext(): Promise<boolean> {
    const next = await this.#batches.next();
    if (next.done) return false;
    this.#open.push({ ...next.value, found: [] });
    this.#coveredTo = next.value.toId;
    return true;
  }
}

/** Returns the SHA-256 of the rows' own SHA-256s, in the order of their IDs. */
export function hashOfRows(rows: readonly HashedRow[]): Buffer {
  const hash = createHash('sha256');
  for (const { sha256 } of rows.toSorted((one, other) => (one.id < other.id ? -1 : 1))) hash.update(sha256);
  return hash.digest();
}

/** Names IDs in their order, at most five of them. */
export function idsOf(rows: readonly Pick<HashedRow, 'id'>[]): string {
  const ids = rows.map(({ id }) => id).toSorted((one, other) => (one < other ? -1 : 1));
  const named = ids.slice(0, maxIdsNamed).join(', ');
  return ids.length > maxIdsNamed ? `IDs ${named} and ${ids.length - maxIdsNamed} more` : `IDs ${named}`;
}
