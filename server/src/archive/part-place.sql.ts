import { sql } from 'kysely';

/** Where a part of the archive lies in the file store. */
export interface PartPlace {
  fileKey: string;
  offset: number;
  bytes: number;
  /** Absent for a whole file, and in files that are older than these hashes. */
  sha256?: Buffer | null;
}

/** A part’s place as PostgreSQL returns it. */
export interface PlaceRow {
  fileKey: string;
  offset: bigint;
  bytes: bigint;
  sha256: Buffer | null;
}

/** The columns of a part’s place; aliases are `m` for its month, `p` for the part. */
export const placeColumns = sql`m.file_key as "fileKey", p.offset_bytes as offset, p.length_bytes as bytes, p.sha256`;

/** Maps {@link placeColumns}. */
export function toPlace({ fileKey, offset, bytes, sha256 }: PlaceRow): PartPlace {
  return { fileKey, offset: Number(offset), bytes: Number(bytes), sha256 };
}
