import { randomBytes } from 'node:crypto';
import pg from 'pg';

export const templateName = 'hengfu_test_template';

/** A database of one test's own. */
export interface TestDatabase {
  /** As the owner. */
  ownerUrl: string;
  drop(): Promise<void>;
}

/** Clones the migrated template: some tens of milliseconds. */
export async function cloneDatabase(ownerUrl: string): Promise<TestDatabase> {
  const name = `hengfu_test_${randomBytes(6).toString('hex')}`;
  await asOwner(ownerUrl, (client) => client.query(`create database ${name} template ${templateName}`));
  const url = new URL(ownerUrl);
  url.pathname = name;
  return {
    ownerUrl: url.href,
    drop: () => asOwner(ownerUrl, (client) => client.query(`drop database if exists ${name} with (force)`)),
  };
}

/** Runs a statement as the owner of the cluster’s databases. Cloning takes the template for itself: one at a time. */
async function asOwner(ownerUrl: string, work: (client: pg.Client) => Promise<unknown>): Promise<void> {
  const client = new pg.Client({ connectionString: ownerUrl });
  await client.connect();
  try {
    await client.query('select pg_advisory_lock(7305002)');
    await work(client);
  } finally {
    await client.end();
  }
}
