import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { Logger, runMigrations as runJobMigrations } from 'graphile-worker';
import type pg from 'pg';
import { asOwner } from './owner.ts';
import { databaseFault } from './pool.ts';

const folder = join(import.meta.dirname, '../../migrations');

/** Any number, the same in every process: one migrates, the others wait. */
const migrationLock = 7_305_001;
const turnPollMs = 200;
/**
 * A statement that waits for a table has everybody wait who comes after it: a migration waits for no longer than a caller
 * would, and tries again after a pause in which the others go on.
 */
const lockTimeoutMs = 1500;
const lockPauseMs = 1000;
const lockTries = 240;
const lockNotAvailable = '55P03';
/** The first line of a migration that is one statement outside a transaction, such as `create index concurrently`. */
const aloneMark = /^-- alone: /;
/** The name of the index that such a statement makes. */
const ownIndex = /^\s*create\s+(?:unique\s+)?index\s+concurrently\s+(?:if\s+not\s+exists\s+)?([\w."]+)/im;

interface Migration {
  name: string;
  text: string;
  sha256: string;
}

/** The migrations as files, in their order. */
export async function readMigrations(): Promise<Migration[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort();
  return Promise.all(
    names.map(async (name) => {
      const text = await readFile(join(folder, name), 'utf8');
      return { name, text, sha256: createHash('sha256').update(text).digest('hex') };
    }),
  );
}

/**
 * Brings a database up to date, as its owner: the job queue's own tables, then each migration that has not run, each
 * in a transaction of its own; of those given by name alone, where some are. Returns the names of those that ran. Throws
 * if an applied file was changed since.
 */
export async function migrate(ownerUrl: string, only?: readonly string[]): Promise<string[]> {
  return asOwner(ownerUrl, async (client) => {
    await takeTurn(client);
    await runJobMigrations({ connectionString: ownerUrl, logger: quiet });
    await client.query(
      'create table if not exists schema_migration (name text primary key, sha256 text not null, applied_at timestamptz not null default now())',
    );
    const applied = new Map<string, string>(
      (await client.query('select name, sha256 from schema_migration')).rows.map((row) => [
        row.name,
        row.sha256,
      ]),
    );
    const ran: string[] = [];
    for (const migration of await readMigrations()) {
      if (only && !only.includes(migration.name)) continue;
      const before = applied.get(migration.name);
      if (before === migration.sha256) continue;
      if (before) throw new Error(`migration ${migration.name} was changed after it had run here`);
      await applyPatiently(client, migration);
      ran.push(migration.name);
    }
    return ran;
  });
}

/** One migrates, the others ask again: whoever waited inside a statement would hold up an index made concurrently. */
async function takeTurn(client: pg.Client): Promise<void> {
  const ask = 'select pg_try_advisory_lock($1) as taken';
  while ((await client.query<{ taken: boolean }>(ask, [migrationLock])).rows[0]?.taken !== true)
    await setTimeout(turnPollMs);
}

/** Goes out of everybody's way and comes back, as long as something that runs for long holds a table. */
async function applyPatiently(client: pg.Client, migration: Migration): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await (aloneMark.test(migration.text) ? applyAlone : apply)(client, migration);
    } catch (error) {
      if (databaseFault(error)?.state !== lockNotAvailable || attempt === lockTries)
        throw new Error(`migration ${migration.name} failed`, { cause: error });
      await setTimeout(lockPauseMs);
    }
  }
}

async function apply(client: pg.Client, migration: Migration): Promise<void> {
  await client.query('begin');
  try {
    await client.query(`set local lock_timeout = ${lockTimeoutMs}`);
    await client.query(migration.text);
    await note(client, migration);
    await client.query('commit');
  } catch (error) {
    await client.query('rollback');
    throw error;
  }
}

/**
 * Runs one statement that PostgreSQL takes outside a transaction alone. Drops first what an earlier try left of its own index;
 * another index that is invalid may be one that somebody is building.
 */
async function applyAlone(client: pg.Client, migration: Migration): Promise<void> {
  const own = ownIndex.exec(migration.text)?.[1];
  const { rows } = await client.query<{ name: string }>(
    'select indexrelid::regclass::text as name from pg_index where not indisvalid and indexrelid = to_regclass($1)',
    [own ?? null],
  );
  for (const { name } of rows) await client.query(`drop index concurrently ${name}`);
  await client.query(migration.text);
  await note(client, migration);
}

async function note(client: pg.Client, { name, sha256 }: Migration): Promise<void> {
  await client.query('insert into schema_migration (name, sha256) values ($1, $2)', [name, sha256]);
}

/** The queue's migrations say nothing of use to anybody; their failures are thrown. */
const quiet = new Logger(() => () => {});
