import { createHash, createHmac } from 'node:crypto';
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
 * in a transaction of its own. Returns the names of those that ran. Throws if an applied file was changed since.
 */
export async function migrate(ownerUrl: string): Promise<string[]> {
  return asOwner(ownerUrl, async (client) => {
    await client.query('select pg_advisory_lock($1)', [migrationLock]);
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
      const before = applied.get(migration.name);
      if (before === migration.sha256) continue;
      if (before) throw new Error(`migration ${migration.name} was changed after it had run here`);
      await apply(client, migration);
      ran.push(migration.name);
    }
    return ran;
  });
}

async function apply(client: pg.Client, migration: Migration): Promise<void> {
  await client.query('begin');
  try {
    await client.query(migration.text);
    await client.query('insert into schema_migration (name, sha256) values ($1, $2)', [
      migration.name,
      migration.sha256,
    ]);
    await client.query('commit');
  } catch (error) {
    await client.query('rollback');
    throw new Error(`migration ${migration.name} failed`, { cause: error });
  }
}

/**
 * Makes the role that the running server signs in with: no rights of its own, only membership in the application's
 * roles, so that a mistake in the server can't change the schema. Name and password follow from the application's
 * key, so that nothing needs to be stored and two installations in one cluster don't meet. Returns its URL.
 */
export async function ensureLogin(ownerUrl: string, appKey: Buffer): Promise<string> {
  const name = `hengfu_login_${createHmac('sha256', appKey).update('login name').digest('hex').slice(0, 8)}`;
  const password = createHmac('sha256', appKey).update('login password').digest('hex');
  await asOwner(ownerUrl, async (client) => {
    for (let attempt = 1; !(await makeLogin(client, name, password)); attempt++) {
      if (attempt === loginAttempts) throw new Error(`the role ${name} could not be made`);
      // Those that met go their ways after pauses of their own.
      await setTimeout(Math.random() * attempt * loginPauseMs);
    }
  });
  const url = new URL(ownerUrl);
  url.username = name;
  url.password = password;
  return url.href;
}

const loginAttempts = 20;
const loginPauseMs = 20;
/** unique_violation, duplicate_object, and what PostgreSQL says of a catalogue row that two sessions change at once. */
const metAnother: readonly string[] = ['23505', '42710', 'XX000'];

/** False where another session made or changed the role just now: roles are the cluster's, and no lock of ours is. */
async function makeLogin(client: pg.Client, name: string, password: string): Promise<boolean> {
  await client.query('begin');
  try {
    const exists = (await client.query('select from pg_roles where rolname = $1', [name])).rowCount === 1;
    // Identifiers and the password are hexadecimal digits of our own: nothing to escape.
    await client.query(`${exists ? 'alter' : 'create'} role ${name} login noinherit password '${password}'`);
    await client.query(`grant hengfu_app, hengfu_system to ${name}`);
    await client.query('commit');
    return true;
  } catch (error) {
    await client.query('rollback');
    if (metAnother.includes(databaseFault(error)?.state ?? '')) return false;
    throw error;
  }
}

/** The queue's migrations say nothing of use to anybody; their failures are thrown. */
const quiet = new Logger(() => () => {});
