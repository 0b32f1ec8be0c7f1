import type { FileStore } from '#files/file-store.ts';
import { type ArchivedRow, type FoundParts, isRowOf, type PartPlace } from './archive.sql.ts';
import { linesOf } from './archive-file.ts';
import type { ReadParts } from './entry-parts.sql.ts';

/** Reads rows back from the months that were moved to the file store. */
export class ArchiveReader {
  readonly #files: FileStore;

  constructor(files: FileStore) {
    this.#files = files;
  }

  /**
   * Reads the rows of one order or message from the parts that `findParts` has found, in order of time. Opens no transaction:
   * a bucket may be slow. Throws if a file is missing.
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

  /** Reads whole parts, as the lines of each. Throws if a file is missing. */
  readonly readParts: ReadParts = async (places) => {
    const parts: string[][] = [];
    for (const place of places) {
      const part: string[] = [];
      for await (const lines of this.linesAt(place)) part.push(...lines);
      parts.push(part);
    }
    return parts;
  };

  /** Reads a part, as batches of lines. Throws if its file is missing. */
  async *linesAt({ fileKey, offset, bytes }: PartPlace): AsyncGenerator<string[]> {
    const file = await this.#files.get(fileKey, { offset, bytes });
    if (!file) throw new Error(`the archive ${fileKey} is missing`);
    yield* linesOf(file.content);
  }
}
