import { createHash } from 'node:crypto';
import { Transform, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type pg from 'pg';
import { copyOut } from './copy.ts';
import { copyStatement, type Table } from './tables.ts';

/** Returns a pass-through stream, and a function that returns the SHA-256 of its data at the end. */
export function hashingStream(): { stream: Transform; sha256: () => string } {
  const hash = createHash('sha256');
  const stream = new Transform({
    transform(piece: Buffer, _encoding, done) {
      hash.update(piece);
      done(null, piece);
    },
  });
  return { stream, sha256: () => hash.digest('hex') };
}

/** Counts and hashes the rows of a table as it is now. */
export async function digestOf(
  client: pg.Client,
  table: Pick<Table, 'name' | 'columns'>,
): Promise<{ rows: number; sha256: string }> {
  const copy = copyOut(client, copyStatement(table));
  const { stream, sha256 } = hashingStream();
  await pipeline(copy.stream, stream, new Writable({ write: (_piece: Buffer, _encoding, done) => done() }));
  return { rows: copy.rows(), sha256: sha256() };
}
