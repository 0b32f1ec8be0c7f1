import { createHmac } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import type pg from 'pg';
import { asOwner } from './owner.ts';
import { databaseFault, statementTimeoutMs } from './pool.ts';

/** Whom the running server signs in as. */
export interface Login {
  name: string;
  password: string;
}

/**
 * A transaction whose owner says nothing for so long is ended: where the network has swallowed an owner, what it held
 * would stand in everybody's way for hours. The server itself never pauses in one that writes.
 */
const idleTransactionMs = 8000;

/** The login that follows from the application's key. */
export function loginOf(appKey: Buffer): Login {
  const digest = (text: string) => createHmac('sha256', appKey).update(text).digest('hex');
  return { name: `hengfu_login_${digest('login name').slice(0, 8)}`, password: digest('login password') };
}

/**
 * Makes the role that the running server signs in with: no rights of its own, only membership in the application's
 * roles, so that a mistake in the server can't change the schema. Name and password follow from the application's
 * key, so that nothing needs to be stored and two installations in one cluster don't meet.
 */
export async function ensureLogin(ownerUrl: string, appKey: Buffer): Promise<Login> {
  const login = loginOf(appKey);
  await asOwner(ownerUrl, async (client) => {
    for (let attempt = 1; !(await makeLogin(client, login)); attempt++) {
      if (attempt === loginAttempts) throw new Error(`Could not create the role ${login.name}`);
      // Those that met go their ways after pauses of their own.
      await setTimeout(Math.random() * attempt * loginPauseMs);
    }
  });
  return login;
}

/**
 * Removes the login of a key that nobody uses any more. Returns the number of sessions that still do; then it stays.
 */
export async function dropLogin(ownerUrl: string, appKey: Buffer): Promise<number> {
  const { name } = loginOf(appKey);
  return asOwner(ownerUrl, async (client) => {
    const { rows } = await client.query<{ count: number }>(
      'select count(*)::integer as count from pg_stat_activity where usename = $1',
      [name],
    );
    const sessions = rows[0]?.count ?? 0;
    if (sessions === 0) await client.query(`drop role if exists ${name}`);
    return sessions;
  });
}

/** The same address, with this login. */
export function urlAs(url: string, { name, password }: Login): string {
  const changed = new URL(url);
  changed.username = name;
  changed.password = password;
  return changed.href;
}

const loginAttempts = 20;
const loginPauseMs = 20;
/** unique_violation, duplicate_object, and what PostgreSQL says of a catalogue row that two sessions change at once. */
const metAnother: readonly string[] = ['23505', '42710', 'XX000'];

/** False where another session made or changed the role just now: roles are the cluster's, and no lock of ours is. */
async function makeLogin(client: pg.Client, { name, password }: Login): Promise<boolean> {
  await client.query('begin');
  try {
    const exists = (await client.query('select from pg_roles where rolname = $1', [name])).rowCount === 1;
    // Identifiers and the password are hexadecimal digits of our own: nothing to escape.
    await client.query(`${exists ? 'alter' : 'create'} role ${name} login noinherit password '${password}'`);
    // Not the connection's own to say: a pooler's connections are everybody's.
    await client.query(`alter role ${name} set statement_timeout = ${statementTimeoutMs}`);
    await client.query(`alter role ${name} set idle_in_transaction_session_timeout = ${idleTransactionMs}`);
    await client.query(`grant hengfu_app, hengfu_system to ${name}`);
    await client.query('commit');
    return true;
  } catch (error) {
    await client.query('rollback');
    if (metAnother.includes(databaseFault(error)?.state ?? '')) return false;
    throw error;
  }
}
