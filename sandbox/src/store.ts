import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { migrations } from './store-migrations.ts';

/** The bank's database: one SQLite file, whose integers are read as bigint. */
export type Store = {
  db: DatabaseSync;
  /** Runs work in one durable transaction; an error rolls it back. Cannot be nested. */
  transaction<Result>(work: () => Result): Result;
  close(): void;
};

/**
 * Opens `sandbox.sqlite` in a directory, which is created if it is missing. A commit is on disk when it
 * returns. The file is locked exclusively, so that two processes never send the same callbacks; a successor
 * waits 5 s for the lock, and then fails.
 */
export function openStore(directory: string): Store {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const db = new DatabaseSync(join(directory, 'sandbox.sqlite'), { readBigInts: true, timeout: 5000 });
  try {
    db.exec('PRAGMA locking_mode = EXCLUSIVE');
    db.exec('PRAGMA journal_mode = WAL');
    db.exec('PRAGMA synchronous = FULL');
    db.exec('PRAGMA foreign_keys = ON');
    migrate(db);
  } catch (error) {
    db.close();
    throw error;
  }
  return { db, transaction: (work) => inTransaction(db, work), close: () => db.close() };
}

function inTransaction<Result>(db: DatabaseSync, work: () => Result): Result {
  db.exec('BEGIN IMMEDIATE');
  try {
    const result = work();
    db.exec('COMMIT');
    return result;
  } catch (error) {
    // A full disk makes SQLite roll back automatically; a second ROLLBACK would hide the first error.
    if (db.isTransaction) db.exec('ROLLBACK');
    throw error;
  }
}

function migrate(db: DatabaseSync): void {
  const version = Number(db.prepare('PRAGMA user_version').get()?.user_version ?? 0);
  if (version > migrations.length) throw new Error('The data was written by a newer version of the sandbox.');
  inTransaction(db, () => {
    for (const statement of migrations.slice(version)) db.exec(statement);
    db.exec(`PRAGMA user_version = ${migrations.length}`);
  });
}
