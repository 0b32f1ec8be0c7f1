import { createHmac } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import type pg from 'pg';
import { withLogin } from '#security/database-url.ts';
import { asOwner } from './owner.ts';
import { databaseFault, statementTimeoutMs } from './pool.ts';

/** The role that the running server signs in as. */
export interface Login {
  name: string;
  password: string;
}

/**
 * PostgreSQL ends a transaction that has been idle for this long: if the network has lost its client, its
 * locks would block others for hours. The server itself never pauses in a transaction that writes.
 */
const idleTransactionMs = 8000;

/** The door that a login is for, with the roles that it may take. */
const rolesOf = {
  application: ['hengfu_app', 'hengfu_system'],
  staff: ['hengfu_staff'],
  accounts: ['hengfu_accounts'],
} as const;
export type LoginDoor = keyof typeof rolesOf;

/** Derives a login from the application's key. */
export function loginOf(appKey: Buffer, door: LoginDoor = 'application'): Login {
  const digest = (text: string) => createHmac('sha256', appKey).update(text).digest('hex');
  const name = `hengfu_login_${digest('login name').slice(0, 8)}`;
  if (door === 'application') return { name, password: digest('login password') };
  return { name: `${name}_${door}`, password: digest(`${door} login password`) };
}

/**
 * Creates the role that the running server signs in as. It has no privileges of its own, only membership in
 * the application's roles, so that a mistake in the server cannot change the schema. Name and password are
 * derived from the application's key, so nothing is stored and two installations in one cluster don't
 * collide.
 */
export async function ensureLogin(
  ownerUrl: string,
  appKey: Buffer,
  door: LoginDoor = 'application',
): Promise<Login> {
  const login = loginOf(appKey, door);
  await asOwner(ownerUrl, async (client) => {
    for (let attempt = 1; !(await makeLogin(client, login, rolesOf[door])); attempt++) {
      if (attempt === loginAttempts) throw new Error(`Could not create the role ${login.name}`);
      // A random pause, so that servers that collided do not collide again.
      await setTimeout(Math.random() * attempt * loginPauseMs);
    }
  });
  return login;
}

/** Drops the logins of an unused key. Returns the number of sessions that still use one; with any, it stays. */
export async function dropLogin(ownerUrl: string, appKey: Buffer): Promise<number> {
  const doors = Object.keys(rolesOf) as LoginDoor[];
  const sessions = await Promise.all(doors.map((door) => dropLoginOf(ownerUrl, appKey, door)));
  return sessions.reduce((sum, each) => sum + each, 0);
}

/** Whether a key has a login for a door. */
export function hasLogin(ownerUrl: string, appKey: Buffer, door: LoginDoor): Promise<boolean> {
  const { name } = loginOf(appKey, door);
  return asOwner(ownerUrl, async (client) => {
    const { rowCount } = await client.query('select from pg_roles where rolname = $1', [name]);
    return rowCount === 1;
  });
}

/** Drops the login of an unused key for one door, likewise. */
export function dropLoginOf(ownerUrl: string, appKey: Buffer, door: LoginDoor): Promise<number> {
  const { name } = loginOf(appKey, door);
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

/** Returns the URL with this login. */
export function urlAs(url: string, { name, password }: Login): string {
  return withLogin(url, name, password);
}

const loginAttempts = 20;
const loginPauseMs = 20;
/** unique_violation, duplicate_object, and internal_error, for a catalog row that two sessions change. */
const concurrentChangeStates: readonly string[] = ['23505', '42710', 'XX000'];

/**
 * Creates or updates the role. Returns false if another session did so at the same time: roles belong to the
 * cluster, and our locks to a database.
 */
async function makeLogin(
  client: pg.Client,
  { name, password }: Login,
  roles: readonly string[],
): Promise<boolean> {
  await client.query('begin');
  try {
    const exists = (await client.query('select from pg_roles where rolname = $1', [name])).rowCount === 1;
    // Name and password are hexadecimal digits of our own, so nothing needs escaping.
    await client.query(`${exists ? 'alter' : 'create'} role ${name} login noinherit password '${password}'`);
    // Set on the role, not the connection, because clients of a pooler share connections.
    await client.query(`alter role ${name} set statement_timeout = ${statementTimeoutMs}`);
    await client.query(`alter role ${name} set idle_in_transaction_session_timeout = ${idleTransactionMs}`);
    await client.query(`grant ${roles.join(', ')} to ${name}`);
    await client.query('commit');
    return true;
  } catch (error) {
    await client.query('rollback');
    if (concurrentChangeStates.includes(databaseFault(error)?.state ?? '')) return false;
    throw error;
  }
}
