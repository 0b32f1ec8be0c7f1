import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createZstdDecompress } from 'node:zlib';
import type pg from 'pg';
import { type Guards, guardsOf } from '../guards.ts';
import { ensureLogin } from '../login.ts';
import { migrate, readMigrations } from '../migrate.ts';
import { makeMonths } from '../months.ts';
import { asOwner, refreshStatistics } from '../owner.ts';
import { copyIn } from './copy.ts';
import { digestOf, hashingStream } from './digest.ts';
import { type Manifest, readManifest, type TableCopy } from './manifest.ts';
import { copySettings, excludedTables, inSnapshot, listTables, readState, type Table } from './tables.ts';

/** Parameters of {@link restore}. */
export interface RestoreOptions {
  /** Owner's URL of an empty database. */
  ownerUrl: string;
  appKey: Buffer;
  folder: string;
}

/**
 * Restores a backup into an empty database: creates the schema with the backup's own migrations, loads all
 * rows in one transaction, compares each table with the manifest before committing, then runs newer
 * migrations. If it fails or is killed, it leaves an empty database or an empty schema, and can be run again.
 * Throws if the database is not empty, the backup is damaged, or a newer version made it.
 */
export async function restore({ ownerUrl, appKey, folder }: RestoreOptions): Promise<Manifest> {
  const content = await readManifest(folder);
  await refuseNewer(content);
  await refuseNonEmpty(ownerUrl, appKey);
  await migrate(ownerUrl, { only: content.migrations.map(({ name }) => name) });
  const { from, to } = content.months;
  await asOwner(ownerUrl, (client) => makeMonths(client, new Date(from), new Date(to)));
  const guards = await guardsOf(
    ownerUrl,
    content.tables.map(({ name }) => name),
  );
  await asOwner(ownerUrl, async (client) => {
    await refuseDifferentSchema(client, content);
    await fill(client, content, folder, guards);
  });
  await migrate(ownerUrl);
  await ensureLogin(ownerUrl, appKey);
  await refreshStatistics(ownerUrl);
  return content;
}

/** Loads and verifies all rows in one transaction. */
async function fill(client: pg.Client, content: Manifest, folder: string, guards: Guards): Promise<void> {
  await client.query(`${copySettings}; set maintenance_work_mem = '256MB'; begin`);
  for (const [text] of guards.off) await client.query(text);
  // A truncated table fills a new file from the start, so rows keep the physical order of the backup.
  await client.query(`truncate ${content.tables.map(({ name }) => name).join(', ')}`);
  for (const table of content.tables) await readTable(client, table, folder);
  for (const { step } of guards.on) await client.query(step[0]);
  for (const { name, last } of content.sequences)
    await client.query('select setval($1::regclass, $2::bigint)', [name, last]);
  for (const table of content.tables) {
    const { rows, sha256 } = await digestOf(client, table);
    if (rows !== table.rows || sha256 !== table.sha256)
      throw new Error(
        `${table.name} does not match its hash after the restore: ${rows} rows of ${table.rows}`,
      );
  }
  for (const [text] of guards.closed) await client.query(text);
  await client.query('commit');
}

async function readTable(client: pg.Client, table: TableCopy, folder: string): Promise<void> {
  const copy = copyIn(client, `copy ${table.name} (${table.columns.join(', ')}) from stdin`);
  const { stream, sha256 } = hashingStream();
  const path = join(folder, table.file);
  await pipeline(createReadStream(path), createZstdDecompress(), stream, copy.stream);
  if (copy.rows() !== table.rows || sha256() !== table.sha256)
    throw new Error(`${path} does not match the manifest: ${copy.rows()} rows of ${table.rows}`);
}

/** Throws if this version lacks a migration of the backup, or has changed it. */
async function refuseNewer({ migrations }: Manifest): Promise<void> {
  const known = new Map((await readMigrations()).map(({ name, sha256 }) => [name, sha256]));
  for (const { name, sha256 } of migrations)
    if (known.get(name) !== sha256)
      throw new Error(
        `A different version made the backup: this version does not have its migration ${name}.`,
      );
}

/** Throws unless the new schema, including the job queue's tables, is the one that was backed up. */
async function refuseDifferentSchema(
  client: pg.Client,
  { migrations, jobMigrations }: Manifest,
): Promise<void> {
  const state = await readState(client);
  if (JSON.stringify(state) !== JSON.stringify({ migrations, jobMigrations }))
    throw new Error(
      'The backup’s schema differs from the one this version creates: restore it with the version that made it.',
    );
}

/** Throws if any table has rows: a backup is only restored into a new database or an empty schema. */
async function refuseNonEmpty(ownerUrl: string, appKey: Buffer): Promise<void> {
  const tables = (await asOwner(ownerUrl, listTables)).filter(({ name }) => !excludedTables.includes(name));
  const refuse = async (client: pg.Client, { name }: Table) => {
    if ((await client.query(`select from ${name} limit 1`)).rowCount !== 0)
      throw new Error(`The database is not empty: ${name} has rows. Restore into a new, empty database.`);
  };
  await asOwner(ownerUrl, async (owner) => {
    for (const table of tables.filter(({ isForced }) => !isForced)) await refuse(owner, table);
  });
  const forced = tables.filter(({ isForced }) => isForced);
  // If an earlier run stopped before creating these tables, the role that reads them does not exist yet.
  if (forced.length === 0) return;
  const login = await ensureLogin(ownerUrl, appKey);
  await inSnapshot(ownerUrl, login, async (_owner, readerOf) => {
    for (const table of forced) await refuse(readerOf(table), table);
  });
}
