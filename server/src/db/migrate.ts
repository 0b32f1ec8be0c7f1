import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { Logger, runMigrations as runJobMigrations } from 'graphile-worker';
import type pg from 'pg';
import { asOwner } from './owner.ts';
import { databaseFault } from './pool.ts';

const folder = join(import.meta.dirname, '../../migrations');

/** An arbitrary number, the same in every process: one migrates, the others wait. */
const migrationLock = 7_305_001;
const migrationLockPollMs = 200;
/**
 * A statement that waits for a table blocks everybody who comes after it. A migration therefore waits no
 * longer than a caller would, and retries after a pause in which others proceed.
 */
const lockTimeoutMs = 1500;
const lockPauseMs = 1000;
const maxLockAttempts = 240;
const lockNotAvailable = '55P03';
/** The first line of a migration that is one statement outside a transaction, such as `create index concurrently`. */
const aloneMark = /^-- alone: /;
/** The name of the index that such a statement creates. */
const ownIndex = /^\s*create\s+(?:unique\s+)?index\s+concurrently\s+(?:if\s+not\s+exists\s+)?([\w."]+)/im;

interface Migration {
  name: string;
  text: string;
  sha256: string;
}

/** Reads the migration files, in order. */
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
 * Brings a database up to date, as its owner: the job queue's own tables first, then each migration that has
 * not run, in its own transaction. `only` limits that to some names. Returns the names of those that ran.
 * Throws if an applied file has changed.
 */
export async function migrate(ownerUrl: string, only?: readonly string[]): Promise<string[]> {
  return asOwner(ownerUrl, async (client) => {
    await waitForLock(client);
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
      await applyWithRetries(client, migration);
      ran.push(migration.name);
    }
    return ran;
  });
}

/** Polls for the lock: a session that waits inside a statement would delay a concurrent index build. */
async function waitForLock(client: pg.Client): Promise<void> {
  const ask = 'select pg_try_advisory_lock($1) as taken';
  while ((await client.query<{ taken: boolean }>(ask, [migrationLock])).rows[0]?.taken !== true)
    await setTimeout(migrationLockPollMs);
}

/** Retries while a long transaction holds a table, so that nobody waits long behind the migration. */
async function applyWithRetries(client: pg.Client, migration: Migration): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await (aloneMark.test(migration.text) ? applyAlone : apply)(client, migration);
    } catch (error) {
      if (databaseFault(error)?.state !== lockNotAvailable || attempt === maxLockAttempts)
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
    await recordMigration(client, migration);
    await client.query('commit');
  } catch (error) {
    await client.query('rollback');
    throw error;
  }
}

/**
 * Runs one statement that PostgreSQL only accepts outside a transaction. First drops an invalid index that an
 * earlier attempt left. Any other invalid index may still be under construction.
 */
async function applyAlone(client: pg.Client, migration: Migration): Promise<void> {
  const own = ownIndex.exec(migration.text)?.[1];
  const { rows } = await client.query<{ name: string }>(
    'select indexrelid::regclass::text as name from pg_index where not indisvalid and indexrelid = to_regclass($1)',
    [own ?? null],
  );
  for (const { name } of rows) await client.query(`drop index concurrently ${name}`);
  await client.query(migration.text);
  await recordMigration(client, migration);
}

async function recordMigration(client: pg.Client, { name, sha256 }: Migration): Promise<void> {
  await client.query('insert into schema_migration (name, sha256) values ($1, $2)', [name, sha256]);
}

/** Discards the log of the queue's migrations. Their failures are thrown. */
const quiet = new Logger(() => () => {});
