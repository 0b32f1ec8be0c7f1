import type pg from 'pg';

/** Records that demo data is being written. */
export async function markSeedStarted(client: pg.Client): Promise<void> {
  await client.query('insert into demo_seed default values');
}

/** Records that demo data is complete. */
export async function markSeedFinished(client: pg.Client): Promise<void> {
  await client.query('update demo_seed set finished_at = now()');
}

/** Whether writing demo data was interrupted. */
export async function isSeedPartial(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query('select from demo_seed where finished_at is null');
  return rows.length > 0;
}

/** Drops everything in a database that only the product uses. It must be migrated again. */
export async function emptyDatabase(client: pg.Client): Promise<void> {
  await client.query(`
    drop schema if exists graphile_worker cascade;
    drop schema if exists quiet cascade;
    drop schema if exists month cascade;
    drop schema if exists day cascade;
    drop schema public cascade;
    create schema public`);
}
