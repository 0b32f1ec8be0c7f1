import type pg from 'pg';

/** Notes that demo data is being written. */
export async function noteSeedBegun(client: pg.Client): Promise<void> {
  await client.query('insert into demo_seed default values');
}

/** Notes that it is there, whole. */
export async function noteSeedFinished(client: pg.Client): Promise<void> {
  await client.query('update demo_seed set finished_at = now()');
}

/** Whether writing demo data was cut short. */
export async function isSeedHalfDone(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query('select from demo_seed where finished_at is null');
  return rows.length > 0;
}

/** Empties a database that holds nothing but ours; it is to be migrated again. */
export async function emptyDatabase(client: pg.Client): Promise<void> {
  await client.query(`
    drop schema if exists graphile_worker cascade;
    drop schema if exists quiet cascade;
    drop schema public cascade;
    create schema public`);
}
