import pg from 'pg';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { cloneDatabase, type TestDatabase } from '../testing/test-database.ts';
import { until } from '../testing/until.ts';
import { migrate } from './migrate.ts';
import { asOwner } from './owner.ts';

let database: TestDatabase;

beforeAll(async () => {
  database = await cloneDatabase(inject('ownerUrl'));
});
afterAll(() => database.drop());

const query = (text: string) => asOwner(database.ownerUrl, (client) => client.query(text));
/** Recreates indexes, so it can run again. */
const repeatable = '0035_paid_lists.sql';
/** Sessions that wait for a lock on the table. */
const waiting = `select from pg_locks where not granted and relation = 'collection'::regclass`;
const connect = async () => {
  const client = new pg.Client({ connectionString: database.ownerUrl });
  await client.connect();
  return client;
};
const indexes = `select indexdef from pg_indexes where indexname = 'collection_by_paid_at'`;

it('a migration that waits for a table does not block others, and finishes once the table is free', {
  timeout: 60_000,
}, async () => {
  await query(`delete from schema_migration where name = '${repeatable}'`);
  const [long, reader] = await Promise.all([connect(), connect()]);
  await long.query('begin; select count(*) from collection');
  let ran: string[] | undefined;
  const migrating = migrate(database.ownerUrl).then((names) => {
    ran = names;
  });
  // If the migration kept waiting for its lock, each of these would queue behind it until canceled.
  await reader.query(`set statement_timeout = '10s'`);
  for (let times = 0; times < 3; times++) {
    await until(
      () => reader.query(waiting),
      ({ rowCount }) => rowCount === 1,
    );
    await reader.query('select count(*) from collection');
  }
  expect(ran).toBeUndefined();
  await long.query('commit');
  await Promise.all([long.end(), reader.end()]);
  await migrating;
  expect(ran).toEqual([repeatable]);
  expect((await query(indexes)).rowCount).toBe(1);
});

it('two processes migrate one after the other', async () => {
  await query(`delete from schema_migration where name = '${repeatable}'`);
  const both = await Promise.all([migrate(database.ownerUrl), migrate(database.ownerUrl)]);
  expect(both.map(({ length }) => length).sort()).toEqual([0, 1]);
});

it('a migration outside a transaction recreates its own invalid index, and no other', async () => {
  const migration = '0042_sign_in_throttle_expiry.sql';
  const ownIndex = 'sign_in_throttle_expiry';
  await query('create table twins (number integer); insert into twins values (1), (1)');
  await query(`drop index ${ownIndex}`);
  for (const name of [ownIndex, 'somebody_elses'])
    await expect(query(`create unique index concurrently ${name} on twins (number)`)).rejects.toThrow();
  await query(`delete from schema_migration where name = '${migration}'`);
  expect(await migrate(database.ownerUrl)).toEqual([migration]);
  const { rows } = await query(
    `select indexrelid::regclass::text as name, indrelid::regclass::text as on, indisvalid as valid from pg_index
     where indexrelid in ('${ownIndex}'::regclass, 'somebody_elses'::regclass) order by name`,
  );
  expect(rows).toEqual([
    { name: ownIndex, on: 'sign_in_throttle', valid: true },
    { name: 'somebody_elses', on: 'twins', valid: false },
  ]);
});
