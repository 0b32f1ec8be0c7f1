import { createHash } from 'node:crypto';
import { Transform, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type pg from 'pg';
import { copyOut } from './copy.ts';
import { readingOf, type Table } from './tables.ts';

/** Passes on what comes, and tells the SHA-256 of all of it in the end. */
export function digesting(): { stream: Transform; sha256: () => string } {
  const hash = createHash('sha256');
  const stream = new Transform({
    transform(piece: Buffer, _encoding, done) {
      hash.update(piece);
      done(null, piece);
    },
  });
  return { stream, sha256: () => hash.digest('hex') };
}

/** Rows and SHA-256 of a table as it stands. */
export async function digestOf(
  client: pg.Client,
  table: Pick<Table, 'name' | 'columns'>,
): Promise<{ rows: number; sha256: string }> {
  const copy = copyOut(client, readingOf(table));
  const { stream, sha256 } = digesting();
  await pipeline(copy.stream, stream, new Writable({ write: (_piece: Buffer, _encoding, done) => done() }));
  return { rows: copy.rows(), sha256: sha256() };
}
