import type { FileStore } from '#files/file-store.ts';
import { type ArchivedRow, type FoundParts, isRowOf } from './archive.sql.ts';
import { linesOf } from './archive-file.ts';

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
    for (const { fileKey, offset, bytes } of found.parts) {
      const file = await this.#files.get(fileKey, { offset, bytes });
      if (!file) throw new Error(`the archive ${fileKey} is missing`);
      for await (const lines of linesOf(file.content))
        for (const line of lines) {
          const row: ArchivedRow = JSON.parse(line);
          if (isRowOf(found, row)) rows.push(row);
        }
    }
    return rows;
  }
}
