import { setTimeout } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { cloneDatabase, type TestDatabase } from '../testing/test-database.ts';
import { migrate } from './migrate.ts';
import { asOwner } from './owner.ts';

let database: TestDatabase;

beforeAll(async () => {
  database = await cloneDatabase(inject('ownerUrl'));
});
afterAll(() => database.drop());

const query = (text: string) => asOwner(database.ownerUrl, (client) => client.query(text));
/** Makes indexes anew: can be run once more. */
const again = '0035_paid_lists.sql';
const indexes = `select indexdef from pg_indexes where indexname = 'collection_by_paid_at'`;

it('a migration that waits for a table lets others at it, and is done once the table is free', {
  timeout: 60_000,
}, async () => {
  await query(`delete from schema_migration where name = '${again}'`);
  const long = new pg.Client({ connectionString: database.ownerUrl });
  await long.connect();
  await long.query('begin; select count(*) from collection');
  let ran: string[] | undefined;
  const migrating = migrate(database.ownerUrl).then((names) => {
    ran = names;
  });
  // One that stays in line would have each of these wait behind it until the end.
  for (let times = 0; times < 4; times++) {
    await setTimeout(500);
    const begunAt = performance.now();
    await query('select count(*) from collection');
    expect(performance.now() - begunAt).toBeLessThan(2500);
  }
  expect(ran).toBeUndefined();
  await long.query('commit');
  await long.end();
  await migrating;
  expect(ran).toEqual([again]);
  expect((await query(indexes)).rowCount).toBe(1);
});

it('two processes migrate one after the other', async () => {
  await query(`delete from schema_migration where name = '${again}'`);
  const both = await Promise.all([migrate(database.ownerUrl), migrate(database.ownerUrl)]);
  expect(both.map(({ length }) => length).sort()).toEqual([0, 1]);
});
