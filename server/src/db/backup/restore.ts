import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createZstdDecompress } from 'node:zlib';
import type pg from 'pg';
import { type Guards, guardsOf } from '../guards.ts';
import { ensureLogin } from '../login.ts';
import { migrate, readMigrations } from '../migrate.ts';
import { asOwner, refreshStatistics } from '../owner.ts';
import { copyIn } from './copy.ts';
import { digesting, digestOf } from './digest.ts';
import { type Manifest, readManifest, type TableCopy } from './manifest.ts';
import { inOneMoment, listTables, ownRecords, plainText, readState, type Table } from './tables.ts';

/** What a backup is brought back with. */
export interface RestoreOptions {
  /** Of an empty database. */
  ownerUrl: string;
  appKey: Buffer;
  folder: string;
}

/**
 * Brings a backup back into an empty database: the schema by the migrations that it was made with, all rows in one
 * transaction, each table compared with what was backed up before that is committed, then the migrations that are newer.
 * What fails or is killed leaves an empty database, or an empty schema: it can be begun again. Throws where the database
 * is not empty, where the backup is not whole, and where a newer version made it.
 */
export async function restore({ ownerUrl, appKey, folder }: RestoreOptions): Promise<Manifest> {
  const content = await readManifest(folder);
  await refuseNewer(content);
  await refuseFilled(ownerUrl, appKey);
  await migrate(ownerUrl, { only: content.migrations.map(({ name }) => name) });
  const guards = await guardsOf(
    ownerUrl,
    content.tables.map(({ name }) => name),
  );
  await asOwner(ownerUrl, async (client) => {
    await refuseOther(client, content);
    await fill(client, content, folder, guards);
  });
  await migrate(ownerUrl);
  await ensureLogin(ownerUrl, appKey);
  await refreshStatistics(ownerUrl);
  return content;
}

/** All or nothing. */
async function fill(client: pg.Client, content: Manifest, folder: string, guards: Guards): Promise<void> {
  await client.query(`${plainText}; set maintenance_work_mem = '256MB'; begin`);
  for (const [text] of guards.off) await client.query(text);
  // Files of its own for each table, filled from their beginning: rows lie in the order in which they were backed up.
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
  const { stream, sha256 } = digesting();
  const path = join(folder, table.file);
  await pipeline(createReadStream(path), createZstdDecompress(), stream, copy.stream);
  if (copy.rows() !== table.rows || sha256() !== table.sha256)
    throw new Error(`${path} does not match the manifest: ${copy.rows()} rows of ${table.rows}`);
}

/** A schema that this version does not know can't be made by it. */
async function refuseNewer({ migrations }: Manifest): Promise<void> {
  const known = new Map((await readMigrations()).map(({ name, sha256 }) => [name, sha256]));
  for (const { name, sha256 } of migrations)
    if (known.get(name) !== sha256)
      throw new Error(
        `A different version made the backup: this version does not have its migration ${name}.`,
      );
}

/** The queue's own tables are as this version's queue makes them. */
async function refuseOther(client: pg.Client, { migrations, jobMigrations }: Manifest): Promise<void> {
  const state = await readState(client);
  if (JSON.stringify(state) !== JSON.stringify({ migrations, jobMigrations }))
    throw new Error(
      'The backup’s schema differs from the one this version creates: restore it with the version that made it.',
    );
}

/** Nothing is ever brought back over something: only a new database will do, or one with an empty schema. */
async function refuseFilled(ownerUrl: string, appKey: Buffer): Promise<void> {
  const tables = (await asOwner(ownerUrl, listTables)).filter(({ name }) => !ownRecords.includes(name));
  const refuse = async (client: pg.Client, { name }: Table) => {
    if ((await client.query(`select from ${name} limit 1`)).rowCount !== 0)
      throw new Error(`The database is not empty: ${name} has rows. Restore into a new, empty database.`);
  };
  await asOwner(ownerUrl, async (owner) => {
    for (const table of tables.filter(({ isForced }) => !isForced)) await refuse(owner, table);
  });
  const forced = tables.filter(({ isForced }) => isForced);
  // A schema that was cut short before these has no role yet that could read them.
  if (forced.length === 0) return;
  const login = await ensureLogin(ownerUrl, appKey);
  await inOneMoment(ownerUrl, login, async (_owner, readerOf) => {
    for (const table of forced) await refuse(readerOf(table), table);
  });
}
