import { createHash } from 'node:crypto';

/** An index of the audit rows in a part of the archive. */
export interface AuditIndex {
  lowestId: bigint;
  highestId: bigint;
  /** A Bloom filter of the rows' terms: it has all of them, and rarely seems to have another one. */
  terms: Buffer;
}

/** The columns of an audit row by which lists are filtered, as they are in the archive. */
const indexed = ['action', 'actor', 'subject'] as const;
export type IndexedColumn = (typeof indexed)[number];

/** About one part in 300 seems to have a term that it has not. */
const bitsPerTerm = 12;
const hashes = 8;
const hashBytes = 4;

/** A value of a column, as one text. */
export const termOf = (column: IndexedColumn, value: string): string => `${column}:${value}`;

/** Numbers of 32 bits that stand for a term. A filter has the term if each, modulo its bits, is the position of a set bit. */
export function hashesOf(term: string): number[] {
  const digest = createHash('sha256').update(term).digest();
  return Array.from({ length: hashes }, (_, index) => digest.readUInt32BE(index * hashBytes));
}

/** Indexes the rows of a part. Keys end with the 20 digits of the row's number. */
export function indexOf(rows: readonly { key: string; json: string }[]): AuditIndex {
  const terms = new Set<string>();
  // Somebody who owns the database can give a row a negative number, which stands behind the zeros.
  const ids = rows.map(({ key }) => BigInt(key.slice(-20).replace(/^0+(?=-)/, '')));
  for (const { json } of rows) {
    const row: Readonly<Record<string, unknown>> = JSON.parse(json);
    for (const column of indexed) {
      const value = row[column];
      if (typeof value === 'string') terms.add(termOf(column, value));
    }
  }
  const inOrder = ids.toSorted((one, other) => (one < other ? -1 : 1));
  return {
    lowestId: inOrder[0] ?? 0n,
    highestId: inOrder.at(-1) ?? 0n,
    terms: filterOf(terms),
  };
}

function filterOf(terms: ReadonlySet<string>): Buffer {
  const filter = Buffer.alloc(Math.ceil((Math.max(terms.size, 1) * bitsPerTerm) / 8));
  for (const term of terms)
    for (const hash of hashesOf(term)) {
      const bit = hash % (filter.length * 8);
      // As PostgreSQL's get_bit counts them: from the least significant bit of the first byte.
      filter[bit >> 3] = (filter[bit >> 3] ?? 0) | (1 << (bit & 7));
    }
  return filter;
}
