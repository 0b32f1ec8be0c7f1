import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { asOwner } from '#db/owner.ts';
import { Secrets } from '#security/secrets.ts';

/** APP_KEY in tests. */
export const testKey = '0'.repeat(64);
/** The secret that a product with that key shares with the sandbox bank. */
export const sandboxSecret = new Secrets(Buffer.from(testKey, 'hex')).hmac('sandbox', 'secret');

export const templateName = 'hengfu_test_template';

/** A database for one test. */
export interface TestDatabase {
  /** As the owner. */
  ownerUrl: string;
  drop(): Promise<void>;
}

/**
 * Clones the migrated template in some tens of milliseconds. Under a lock: a clone needs exclusive access to
 * it. Copies its files: without fsync the checkpoints that this takes cost less than writing every page to the WAL.
 */
export async function cloneDatabase(ownerUrl: string): Promise<TestDatabase> {
  const name = `hengfu_test_${randomBytes(6).toString('hex')}`;
  await asOwner(ownerUrl, async (client) => {
    await client.query('select pg_advisory_lock(7305002)');
    await client.query(`create database ${name} template ${templateName} strategy file_copy`);
  });
  const url = new URL(ownerUrl);
  url.pathname = name;
  return { ownerUrl: url.href, drop: () => dropDatabase(ownerUrl, name) };
}

const maxDropAttempts = 6;
const objectInUse = '55006';
const queryCanceled = '57014';
/** Every process of the cluster must agree to a drop, and one that waits for a client to read its rows does not until it has sent them. */
const maxDropSeconds = 15;

/**
 * Drops a database and ends its connections. A plain drop ends autovacuum by itself, and waits up to five seconds for everyone
 * else; `with (force)` would be refused, because the owner may not end a process without a role, or of a superuser.
 * A database that other tests keep from being dropped stays until the cluster of the tests is deleted.
 */
export async function dropDatabase(ownerUrl: string, name: string): Promise<void> {
  await asOwner(ownerUrl, async (client) => {
    await client.query(`set statement_timeout = '${maxDropSeconds}s'`);
    for (let attempt = 1; ; attempt++) {
      await client
        .query(
          'select pg_terminate_backend(pid) from pg_stat_activity where datname = $1 and usesysid is not null',
          [name],
        )
        // The drop waits for processes that the owner may not end.
        .catch(() => undefined);
      try {
        await client.query(`drop database if exists ${name}`);
        return;
      } catch (error) {
        const code = error instanceof pg.DatabaseError ? error.code : undefined;
        if (code === queryCanceled)
          return void process.stderr.write(`${name} could not be dropped in time\n`);
        if (code !== objectInUse || attempt === maxDropAttempts) throw error;
      }
    }
  });
}
