import { randomBytes } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { access, mkdir, open, rename, rm } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createZstdCompress } from 'node:zlib';
import type pg from 'pg';
import type { Login } from '../login.ts';
import { asOwner } from '../owner.ts';
import { copyOut } from './copy.ts';
import { digesting } from './digest.ts';
import { type Manifest, type TableCopy, writeManifest } from './manifest.ts';
import { inOneMoment, listTables, ownRecords, readingOf, readState, type Table } from './tables.ts';

/** What a backup is made of. */
export interface BackupOptions {
  ownerUrl: string;
  login: Login;
  /** Where it will stand; must not be there yet. */
  folder: string;
  /** See {@link Manifest}. */
  keyMark: string;
}

/**
 * Backs the whole database up while the product runs: every table as of one moment, in a file of its own, as the text
 * of COPY compressed with zstd. It is written beside its place and put there when it is whole and on the disk, so that
 * what a kill leaves behind is never taken for a backup. Throws where the folder is there, or where a migration changed
 * tables meanwhile.
 */
export async function backUp({ ownerUrl, login, folder, keyMark }: BackupOptions): Promise<Manifest> {
  const place = resolve(folder);
  const isTaken = await access(place).then(
    () => true,
    () => false,
  );
  if (isTaken) throw new Error(`${place} already exists: a backup needs a new folder`);
  await mkdir(dirname(place), { recursive: true });
  const unfinished = join(dirname(place), `.${basename(place)}.unfinished-${randomBytes(4).toString('hex')}`);
  await mkdir(unfinished, { mode: 0o700 });
  try {
    const before = await asOwner(ownerUrl, listTables);
    const content = await inOneMoment(ownerUrl, login, async (owner, readerOf) => {
      const tables: TableCopy[] = [];
      for (const table of before)
        if (!ownRecords.includes(table.name))
          tables.push(await writeTable(readerOf(table), table, unfinished));
      return { ...(await describe(owner)), keyMark, tables };
    });
    // A snapshot does not hold against what rewrites a table: it would have been read as empty.
    const after = await asOwner(ownerUrl, listTables);
    if (JSON.stringify(after) !== JSON.stringify(before))
      throw new Error('A migration changed the tables during the backup. Run it again.');
    await writeManifest(unfinished, content);
    await flush(unfinished);
    await rename(unfinished, place);
    await flush(dirname(place));
    return content;
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true });
    throw error;
  }
}

async function writeTable(client: pg.Client, table: Table, folder: string): Promise<TableCopy> {
  const { name, columns } = table;
  const file = `${name}.copy.zst`;
  const copy = copyOut(client, readingOf(table));
  const { stream, sha256 } = digesting();
  const target = createWriteStream(join(folder, file), { flags: 'wx', mode: 0o600, flush: true });
  await pipeline(copy.stream, stream, createZstdCompress(), target);
  return { name, columns, rows: copy.rows(), sha256: sha256(), file };
}

/** Everything but the rows. Sequences are of no moment: what they tell now is never less than what the rows hold. */
async function describe(
  owner: pg.Client,
): Promise<Pick<Manifest, 'format' | 'madeAt' | 'postgres' | 'migrations' | 'jobMigrations' | 'sequences'>> {
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
    sequences: sequences.rows,
  };
}

/** A directory's entries are on the disk once it is. */
async function flush(directory: string): Promise<void> {
  const handle = await open(directory, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
