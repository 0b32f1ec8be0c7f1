import { createHash } from 'node:crypto';
import type { FileStore } from '#files/file-store.ts';
import { type ArchivedRow, type FoundParts, isRowOf } from './archive.sql.ts';
import { linesOf, observe } from './archive-file.ts';
import { ArchiveUnreadable } from './archive-unreadable.ts';
import type { ReadParts } from './entry-parts.sql.ts';
import type { PartPlace } from './part-place.sql.ts';

/** Reads rows back from the months that were moved to the file store. */
export class ArchiveReader {
  readonly #files: FileStore;

  constructor(files: FileStore) {
    this.#files = files;
  }

  /**
   * Reads the rows of one order or message from the parts that `findParts` has found, in order of time. Opens no transaction:
   * a bucket may be slow. Throws {@link ArchiveUnreadable}.
   */
  async read(found: FoundParts): Promise<ArchivedRow[]> {
    const rows: ArchivedRow[] = [];
    for (const place of found.parts)
      for await (const lines of this.linesAt(place))
        for (const line of lines) {
          const row: ArchivedRow = JSON.parse(line);
          if (isRowOf(found, row)) rows.push(row);
        }
    return rows;
  }

  /** Reads whole parts, as the lines of each. Throws {@link ArchiveUnreadable}. */
  readonly readParts: ReadParts = async (places) => {
    const parts: string[][] = [];
    for (const place of places) {
      const part: string[] = [];
      for await (const lines of this.linesAt(place)) part.push(...lines);
      parts.push(part);
    }
    return parts;
  };

  /** Reads a part, as batches of lines. Throws {@link ArchiveUnreadable} if it is missing, or at its end if it is not what was written. */
  async *linesAt({ fileKey, offset, bytes, sha256 }: PartPlace): AsyncGenerator<string[]> {
    const hash = createHash('sha256');
    try {
      const file = await this.#files.get(fileKey, { offset, bytes });
      if (!file) throw new ArchiveUnreadable(`the archive ${fileKey} is missing`);
      yield* linesOf(observe(file.content, (piece) => hash.update(piece)));
    } catch (cause) {
      if (cause instanceof ArchiveUnreadable) throw cause;
      throw new ArchiveUnreadable(`the archive ${fileKey} cannot be read at ${offset}`, { cause });
    }
    if (sha256 && !hash.digest().equals(sha256))
      throw new ArchiveUnreadable(`the archive ${fileKey} is not what was written at ${offset}`);
  }
}
