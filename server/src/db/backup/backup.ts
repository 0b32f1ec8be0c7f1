import { randomBytes } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { access, mkdir, rename, rm } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createZstdCompress } from 'node:zlib';
import type pg from 'pg';
import { flushDirectory } from '../flush-directory.ts';
import type { Login } from '../login.ts';
import { asOwner } from '../owner.ts';
import { copyOut } from './copy.ts';
import { hashingStream } from './digest.ts';
import { type Manifest, type TableCopy, writeManifest } from './manifest.ts';
import {
  copyStatement,
  excludedTables,
  inSnapshot,
  listStored,
  listTables,
  readMonths,
  readState,
  type Table,
} from './tables.ts';

/** Parameters of {@link backUp}. */
export interface BackupOptions {
  ownerUrl: string;
  login: Login;
  /** Folder to create. Must not exist yet. */
  folder: string;
  /** See {@link Manifest}. */
  keyMark: string;
}

/**
 * Backs up the whole database while the product runs: every table as of one snapshot, each in its own file,
 * as COPY text compressed with zstd. Writes to a temporary folder beside the target and renames it once
 * everything is complete and flushed, so an interrupted run never leaves something that looks like a backup.
 * Throws if the folder exists, or if a migration changed tables meanwhile.
 */
export async function backUp({ ownerUrl, login, folder, keyMark }: BackupOptions): Promise<Manifest> {
  const destination = resolve(folder);
  const isTaken = await access(destination).then(
    () => true,
    () => false,
  );
  if (isTaken) throw new Error(`${destination} already exists: a backup needs a new folder`);
  await mkdir(dirname(destination), { recursive: true });
  const unfinished = join(
    dirname(destination),
    `.${basename(destination)}.unfinished-${randomBytes(4).toString('hex')}`,
  );
  await mkdir(unfinished, { mode: 0o700 });
  try {
    const tablesBefore = await asOwner(ownerUrl, listTables);
    const storedBefore = await asOwner(ownerUrl, listStored);
    const content = await inSnapshot(ownerUrl, login, async (owner, readerOf) => {
      const tables: TableCopy[] = [];
      for (const table of tablesBefore)
        if (!excludedTables.includes(table.name))
          tables.push(await writeTable(readerOf(table), table, unfinished));
      return { ...(await describe(owner)), keyMark, tables };
    });
    const tablesAfter = await asOwner(ownerUrl, listTables);
    // A table rewrite is not MVCC-safe: the snapshot would have read the table as empty. New partitions do no harm.
    const storedAfter = await asOwner(ownerUrl, listStored);
    const isUnchanged = storedBefore.every(({ name, fileNode }) =>
      storedAfter.some((table) => table.name === name && table.fileNode === fileNode),
    );
    if (!isUnchanged || JSON.stringify(tablesAfter) !== JSON.stringify(tablesBefore))
      throw new Error('A migration changed the tables during the backup. Run it again.');
    await writeManifest(unfinished, content);
    await flushDirectory(unfinished);
    await rename(unfinished, destination);
    await flushDirectory(dirname(destination));
    return content;
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true });
    throw error;
  }
}

async function writeTable(client: pg.Client, table: Table, folder: string): Promise<TableCopy> {
  const { name, columns } = table;
  const file = `${name}.copy.zst`;
  const copy = copyOut(client, copyStatement(table));
  const { stream, sha256 } = hashingStream();
  const target = createWriteStream(join(folder, file), { flags: 'wx', mode: 0o600, flush: true });
  await pipeline(copy.stream, stream, createZstdCompress(), target);
  return { name, columns, rows: copy.rows(), sha256: sha256(), file };
}

/** Reads everything but the rows. Sequences ignore snapshots, but are never behind the copied rows. */
async function describe(
  owner: pg.Client,
): Promise<
  Pick<Manifest, 'format' | 'madeAt' | 'postgres' | 'migrations' | 'jobMigrations' | 'months' | 'sequences'>
> {
  const { rows } = await owner.query<{ madeAt: Date; postgres: string }>(
    `select now() as "madeAt", current_setting('server_version') as postgres`,
  );
  const sequences = await owner.query<{ name: string; last: string }>(`
    select format('%I.%I', schemaname, sequencename) as name, last_value::text as last from pg_sequences
    where schemaname in ('public', 'graphile_worker') and last_value is not null order by 1`);
  return {
    format: 1,
    madeAt: rows[0]?.madeAt.toISOString() ?? '',
    postgres: rows[0]?.postgres ?? '',
    ...(await readState(owner)),
    months: await readMonths(owner),
    sequences: sequences.rows,
  };
}
