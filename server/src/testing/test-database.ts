import { randomBytes } from 'node:crypto';
import { asOwner } from '#db/owner.ts';
import { Secrets } from '#security/secrets.ts';

/** The application's key in tests. */
export const testKey = '0'.repeat(64);
/** What a product under that key and the sandbox bank sign with. */
export const sandboxSecret = new Secrets(Buffer.from(testKey, 'hex')).mark('sandbox', 'secret');

export const templateName = 'hengfu_test_template';

/** A database of one test's own. */
export interface TestDatabase {
  /** As the owner. */
  ownerUrl: string;
  drop(): Promise<void>;
}

const dropTries = 20;
const dropPauseMs = 100;

/** Clones the migrated template: some tens of milliseconds. Cloning takes the template for itself: one at a time. */
export async function cloneDatabase(ownerUrl: string): Promise<TestDatabase> {
  const name = `hengfu_test_${randomBytes(6).toString('hex')}`;
  await asOwner(ownerUrl, async (client) => {
    await client.query('select pg_advisory_lock(7305002)');
    await client.query(`create database ${name} template ${templateName}`);
  });
  const url = new URL(ownerUrl);
  url.pathname = name;
  return { ownerUrl: url.href, drop: () => dropDatabase(ownerUrl, name) };
}

/** PostgreSQL's own vacuum may be at work in the database, and that is not the owner's to end: it is soon done. */
async function dropDatabase(ownerUrl: string, name: string): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await asOwner(ownerUrl, (client) => client.query(`drop database if exists ${name} with (force)`));
      return;
    } catch (error) {
      if (attempt === dropTries) throw error;
      await new Promise((resolve) => setTimeout(resolve, dropPauseMs));
    }
  }
}
