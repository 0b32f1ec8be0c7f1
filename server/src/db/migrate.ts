import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { Logger, runMigrations as runJobMigrations } from 'graphile-worker';
import type pg from 'pg';
import { root } from '#folders.ts';
import { MigrationError } from './migration-error.ts';
import { makeMonthsAhead } from './months.ts';
import { asOwner, connectTimeoutMs } from './owner.ts';
import { indexPartitions } from './partitioned-index.ts';
import { databaseFault, openPlainPool } from './pool.ts';

const ownFolder = join(root, 'server/migrations');

/** Any number, the same in every process: one process migrates at a time. */
const migrationLock = 7_305_001;
const lockPollMs = 200;
/**
 * A statement that waits for a table lock blocks every later statement on that table. So a migration gives up as soon as a
 * caller would, then retries after a pause that lets the others proceed.
 */
/** Less than the second after which PostgreSQL looks for deadlocks: the migration gives way, and not a payment that waits for it. */
const lockTimeoutMs = 500;
const lockPauseMs = 1000;
const lockTries = 240;
const lockNotAvailable = '55P03';
/** The first line of a migration that is one statement outside a transaction, such as `create index concurrently`. */
const aloneMark = /^-- alone: /;
/** The name of the index that such a statement creates. */
const ownIndex = /^\s*create\s+(?:unique\s+)?index\s+concurrently\s+(?:if\s+not\s+exists\s+)?([\w."]+)/im;
/** The first line of a function that policies, triggers or defaults call: it is created before the tables. */
const neededMark = '-- needed by tables\n';
const isNeeded = ({ text }: SqlFile) => text.startsWith(neededMark);
/** A migration that only version 0.1.0 had. */
const firstBaseline = '0012_demo_seed.sql';

interface SqlFile {
  name: string;
  text: string;
  sha256: string;
}

interface MigrateOptions {
  /** Applies these migrations only, by name, and only the functions that tables need; for restoring a backup. */
  only?: readonly string[];
  /** Where the migrations are, if not in `server/migrations`. */
  folder?: string;
}

async function readSqlFiles(folder: string): Promise<SqlFile[]> {
  const names = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith('.sql')).sort();
  return Promise.all(
    names.map(async (name) => {
      const text = await readFile(join(folder, name), 'utf8');
      return { name, text, sha256: createHash('sha256').update(text).digest('hex') };
    }),
  );
}

/** Reads the migrations, in order. */
export function readMigrations(folder = ownFolder): Promise<SqlFile[]> {
  return readSqlFiles(folder);
}

/**
 * Brings a database up to date, as its owner: the job queue's own tables, each migration that has not run, each in a
 * transaction of its own, each function whose text has changed (`functions/<name>.sql`), and the partitions of the next
 * months. Leaves a function alone if a newer version has replaced this version's text. Returns the names of the migrations that
 * ran. Throws {@link MigrationError} if a migration fails, if an applied one has been changed since, if a function has a new
 * signature besides its old one, or if version 0.1.0 created the database.
 */
export async function migrate(
  ownerUrl: string,
  { only, folder = ownFolder }: MigrateOptions = {},
): Promise<string[]> {
  const functions = await readSqlFiles(join(folder, 'functions'));
  return asOwner(ownerUrl, async (client) => {
    await waitForLock(client);
    const applied = await readApplied(client);
    if (applied.has(firstBaseline))
      throw new MigrationError(
        'Version 0.1.0 created this database. Its data cannot be upgraded: use a new database.',
      );
    await migrateJobs(ownerUrl);
    await client.query(recordTable('schema_function'));
    await client.query(supersededTable);
    await applyChanged(client, functions.filter(isNeeded));
    const ran: string[] = [];
    for (const migration of await readMigrations(folder)) {
      if (only && !only.includes(migration.name)) continue;
      const before = applied.get(migration.name);
      if (before === migration.sha256) continue;
      if (before) throw new MigrationError(`Migration ${migration.name} was changed after it had run here.`);
      await withRetries(`Migration ${migration.name}`, () =>
        (aloneMark.test(migration.text) ? applyAlone : apply)(client, migration),
      );
      ran.push(migration.name);
    }
    if (only) return ran;
    await applyChanged(client, functions);
    await refuseOverloads(client, await withoutSuperseded(client, functions));
    await withRetries('Creating the partitions of the next months', () =>
      inTransaction(client, () => makeMonthsAhead(client)),
    );
    return ran;
  });
}

async function migrateJobs(ownerUrl: string): Promise<void> {
  const pool = openPlainPool(ownerUrl, {
    max: 1,
    applicationName: 'hengfu migrations',
    connectTimeoutMs,
    onError: () => {},
  });
  await runJobMigrations({ pgPool: pool, logger: quiet }).finally(() => pool.end());
}

const recordTable = (name: string) =>
  `create table if not exists ${name} (name text primary key, sha256 text not null, applied_at timestamptz not null default now())`;

/** The earlier texts of functions, by their hashes. */
const supersededTable = `create table if not exists schema_function_superseded (name text, sha256 text,
  at timestamptz not null default now(), primary key (name, sha256))`;

/** Reads which migrations have run, with their hashes. */
async function readApplied(client: pg.Client): Promise<Map<string, string>> {
  await client.query(recordTable('schema_migration'));
  const { rows } = await client.query('select name, sha256 from schema_migration');
  return new Map(rows.map((row) => [row.name, row.sha256]));
}

/**
 * Takes the lock by polling. A process that waited inside a statement would hold a snapshot, and so delay an index that
 * another one creates concurrently.
 */
async function waitForLock(client: pg.Client): Promise<void> {
  const attempt = 'select pg_try_advisory_lock($1) as taken';
  while ((await client.query<{ taken: boolean }>(attempt, [migrationLock])).rows[0]?.taken !== true)
    await setTimeout(lockPollMs);
}

/** Retries with a pause for as long as another transaction holds a lock that the change needs. */
async function withRetries(step: string, change: () => Promise<void>): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await change();
    } catch (error) {
      if (databaseFault(error)?.state !== lockNotAvailable || attempt === lockTries)
        throw MigrationError.of(step, error);
      await setTimeout(lockPauseMs);
    }
  }
}

async function inTransaction(client: pg.Client, change: () => Promise<void>): Promise<void> {
  await client.query('begin');
  try {
    await client.query(`set local lock_timeout = ${lockTimeoutMs}`);
    await change();
    await client.query('commit');
  } catch (error) {
    await client.query('rollback');
    throw error;
  }
}

async function apply(client: pg.Client, migration: SqlFile): Promise<void> {
  await inTransaction(client, async () => {
    await client.query(migration.text);
    await record(client, migration);
  });
}

/**
 * Runs a statement that PostgreSQL accepts only outside a transaction. First drops what an earlier attempt left of its own
 * index, which is complete if the process ended before it recorded the migration. An invalid index of another name may be one that is
 * being built.
 */
async function applyAlone(client: pg.Client, migration: SqlFile): Promise<void> {
  if (await indexPartitions(client, migration.text.replaceAll(/^--.*$/gm, '')))
    return record(client, migration);
  const own = ownIndex.exec(migration.text)?.[1];
  const { rows } = await client.query<{ name: string }>(
    'select indexrelid::regclass::text as name from pg_index where indexrelid = to_regclass($1)',
    [own ?? null],
  );
  for (const { name } of rows) await client.query(`drop index concurrently ${name}`);
  await client.query(migration.text);
  await record(client, migration);
}

async function record(client: pg.Client, { name, sha256 }: SqlFile): Promise<void> {
  await client.query('insert into schema_migration (name, sha256) values ($1, $2)', [name, sha256]);
}

/**
 * Creates or replaces the functions whose text has changed, all in one transaction, and records each text that it replaces as
 * superseded. Their bodies are not checked, because they may call functions that follow, and tables that do not exist yet.
 */
async function applyChanged(client: pg.Client, functions: readonly SqlFile[]): Promise<void> {
  const { rows } = await client.query<SqlFile>('select name, sha256 from schema_function');
  const known = new Map(rows.map(({ name, sha256 }) => [name, sha256]));
  const different = functions.filter(({ name, sha256 }) => known.get(name) !== sha256);
  const changed = await withoutSuperseded(client, different);
  if (changed.length === 0) return;
  await withRetries('Replacing the SQL functions', () =>
    inTransaction(client, async () => {
      await client.query('set local check_function_bodies = off');
      for (const { name, text, sha256 } of changed) {
        await client.query(text);
        await client.query(
          `insert into schema_function_superseded (name, sha256)
           select name, sha256 from schema_function where name = $1 on conflict do nothing`,
          [name],
        );
        await client.query(
          `insert into schema_function (name, sha256) values ($1, $2)
           on conflict (name) do update set sha256 = excluded.sha256, applied_at = now()`,
          [name, sha256],
        );
      }
      // The migration that drops an old one runs after the functions that tables need, and before the others.
      await refuseOverloads(
        client,
        changed.filter((file) => !isNeeded(file)),
      );
    }),
  );
}

/**
 * Omits the functions of which a newer version has replaced this very text: this process is an older one, started beside newer
 * processes or after them, and would put back what they have mended. So an earlier text never applies again. To return to
 * one, change it, such as its comment. Version 0.2.0 does not know this record and puts its own texts back. They stay recorded,
 * and a newer process replaces them again when it starts.
 */
async function withoutSuperseded(client: pg.Client, functions: readonly SqlFile[]): Promise<SqlFile[]> {
  const { rows } = await client.query<SqlFile>('select name, sha256 from schema_function_superseded');
  const superseded = new Set(rows.map(({ name, sha256 }) => `${name} ${sha256}`));
  return functions.filter(({ name, sha256 }) => !superseded.has(`${name} ${sha256}`));
}

/**
 * Throws if a function exists with several signatures. `create or replace` with other parameters creates a second function
 * and leaves the first one callable, with its old body and grants. A migration has to drop it.
 */
async function refuseOverloads(client: pg.Client, functions: readonly SqlFile[]): Promise<void> {
  const { rows } = await client.query<{ signatures: string[] }>(
    `select array_agg(oid::regprocedure::text order by oid) as signatures from pg_proc
     where pronamespace = 'public'::regnamespace and proname || '.sql' = any($1)
     group by proname having count(*) > 1`,
    [functions.map(({ name }) => name)],
  );
  for (const { signatures } of rows)
    throw new MigrationError(
      `Two functions have one name: ${signatures.join(' and ')}. A migration must drop the old one.`,
    );
}

/** The queue logs nothing useful while it migrates; its failures are thrown. */
const quiet = new Logger(() => () => {});
