import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { createGunzip, gzip } from 'node:zlib';
import type { RowAccumulator } from '#db/copy-rows.ts';
import type { FileFacts, Part } from './archive.sql.ts';
import type { AuditIndex } from './audit-index.rules.ts';

const compress = promisify(gzip);

/** A row on its way into an archive. */
export interface ArchiveRow {
  merchantId: bigint;
  key: string;
  /** The transfer of an entry; null for other tables. */
  transferId: bigint | null;
  /** The row as JSON, without a line feed. */
  json: string;
}

/** Rows per gzip member: what a reader of one order decompresses. */
const rowsPerPart = 5000;

/** Collects rows of {@link rowsOfMonth}. */
export class ArchiveRows implements RowAccumulator<ArchiveRow[]> {
  #rows: ArchiveRow[] = [];

  add(row: Buffer): void {
    const [merchant = '', key = '', transfer = '', json = ''] = row
      .toString('utf8')
      .replace(/\n$/, '')
      .split('\t');
    this.#rows.push({
      merchantId: BigInt(merchant),
      key,
      transferId: transfer === '' ? null : BigInt(transfer),
      // JSON has no control characters, so COPY escapes its backslashes only.
      json: json.replaceAll('\\\\', '\\'),
    });
  }

  take(): ArchiveRow[] {
    const rows = this.#rows;
    this.#rows = [];
    return rows;
  }
}

/** Compresses rows as they arrive, and describes the file that they make up. Memory holds one part. */
export class ArchiveWriter {
  readonly parts: Part[] = [];
  readonly #hash = createHash('sha256');
  readonly #indexOf: ((rows: readonly ArchiveRow[]) => AuditIndex) | undefined;
  #bytes = 0;
  #rows = 0;

  /** @param indexOf indexes each part */
  constructor(indexOf?: (rows: readonly ArchiveRow[]) => AuditIndex) {
    this.#indexOf = indexOf;
  }

  /** Yields the gzip members of the file. A part ends with its merchant, or after some thousand rows, never within a key. */
  async *members(batches: AsyncIterable<ArchiveRow[]>): AsyncGenerator<Buffer> {
    let pending: ArchiveRow[] = [];
    for await (const batch of batches)
      for (const row of batch) {
        const last = pending.at(-1);
        const isFull = pending.length >= rowsPerPart && row.key !== last?.key;
        if (last && (isFull || row.merchantId !== last.merchantId)) {
          yield await this.#member(pending);
          pending = [];
        }
        pending.push(row);
      }
    if (pending.length > 0) yield await this.#member(pending);
    // A file is never empty.
    else if (this.#rows === 0) yield this.#add(await compress(''));
  }

  /** Rows, bytes and hash of everything that was yielded. */
  facts(): FileFacts {
    return { rows: this.#rows, bytes: this.#bytes, sha256: this.#hash.copy().digest() };
  }

  async #member(rows: readonly ArchiveRow[]): Promise<Buffer> {
    const [first, last] = [rows[0], rows.at(-1)];
    if (!(first && last)) throw new Error('a part has rows');
    const member = await compress(rows.map(({ json }) => `${json}\n`).join(''));
    let [lowestTransferId, highestTransferId] = [first.transferId, first.transferId];
    for (const { transferId } of rows) {
      if (transferId === null || lowestTransferId === null || highestTransferId === null) continue;
      if (transferId < lowestTransferId) lowestTransferId = transferId;
      if (transferId > highestTransferId) highestTransferId = transferId;
    }
    this.parts.push({
      merchantId: first.merchantId,
      offset: this.#bytes,
      bytes: member.length,
      rows: rows.length,
      firstKey: first.key,
      lastKey: last.key,
      sha256: createHash('sha256').update(member).digest(),
      lowestTransferId,
      highestTransferId,
      audit: this.#indexOf?.(rows),
    });
    this.#rows += rows.length;
    return this.#add(member);
  }

  #add(piece: Buffer): Buffer {
    this.#hash.update(piece);
    this.#bytes += piece.length;
    return piece;
  }
}

/**
 * Counts the rows of an archive's file and hashes its bytes, in flat memory; passes each row to `onRow`. Throws if the file is
 * damaged.
 */
export async function readFacts(content: Readable, onRow?: (json: string) => void): Promise<FileFacts> {
  const hash = createHash('sha256');
  let bytes = 0;
  let rows = 0;
  const observed = observe(content, (piece) => {
    hash.update(piece);
    bytes += piece.length;
  });
  for await (const lines of linesOf(observed)) {
    rows += lines.length;
    if (onRow) for (const line of lines) onRow(line);
  }
  return { rows, bytes, sha256: hash.digest() };
}

/** Passes a stream on, and reports each piece of it. */
export function observe(content: Readable, onPiece: (piece: Buffer) => void): Readable {
  return Readable.from(
    (async function* () {
      for await (const piece of content as AsyncIterable<Buffer>) {
        onPiece(piece);
        yield piece;
      }
    })(),
  );
}

/** Decompresses a file or a part of it into lines, in batches. */
export async function* linesOf(content: Readable): AsyncGenerator<string[]> {
  const text = content.pipe(createGunzip());
  content.on('error', (error) => text.destroy(error));
  let rest = '';
  for await (const piece of text.setEncoding('utf8')) {
    const lines = (rest + piece).split('\n');
    rest = lines.pop() ?? '';
    yield lines;
  }
  if (rest !== '') throw new Error('an archive’s last row is incomplete');
}
