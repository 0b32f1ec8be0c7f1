import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { afterEach, beforeEach, expect, inject, it } from 'vitest';
import { OwnMigrations } from '../testing/own-migrations.ts';
import { until } from '../testing/until.ts';
import { migrate, readMigrations } from './migrate.ts';
import { MigrationError } from './migration-error.ts';

let own: OwnMigrations;

beforeEach(async () => {
  own = await OwnMigrations.open(inject('ownerUrl'));
});
afterEach(() => own.close());

const query = (text: string) => own.query(text);
const write = (name: string, text: string) => own.write(name, text);
const migrateOwn = () => own.run();
/** Sessions that wait for a lock on the table. */
const waiting = `select from pg_locks where not granted and relation = 'collection'::regclass`;
const connect = async () => {
  const client = new pg.Client({ connectionString: own.ownerUrl });
  await client.connect();
  return client;
};

it('a migration that waits for a table lets others use it, and completes once the table is free', {
  timeout: 60_000,
}, async () => {
  await write('9001_index.sql', 'create index collection_probe on collection (merchant_id, subject);');
  const [writer, reader] = await Promise.all([connect(), connect()]);
  await writer.query('begin; lock table collection in row exclusive mode');
  let ran: string[] | undefined;
  const migrating = migrateOwn().then((names) => {
    ran = names;
  });
  // Behind a migration that keeps waiting, each of these would wait as well, until it is canceled.
  await reader.query(`set statement_timeout = '10s'`);
  for (let times = 0; times < 3; times++) {
    await until(
      () => reader.query(waiting),
      ({ rowCount }) => rowCount === 1,
    );
    await reader.query('begin; lock table collection in row exclusive mode; rollback');
  }
  expect(ran).toBeUndefined();
  await writer.query('commit');
  await Promise.all([writer.end(), reader.end()]);
  await migrating;
  expect(ran).toEqual(['9001_index.sql']);
  expect((await query(`select from pg_indexes where indexname = 'collection_probe'`)).rowCount).toBe(1);
});

it('two processes migrate one after the other', async () => {
  await write('9001_table.sql', 'create table probes (id bigint);');
  const both = await Promise.all([migrateOwn(), migrateOwn()]);
  expect(both.map(({ length }) => length).sort()).toEqual([0, 1]);
});

it('an `alone` migration recreates its own index after an interrupted attempt, and no other invalid index', async () => {
  const own = 'sign_in_throttle_probe';
  await write(
    '9001_alone.sql',
    `-- alone: an example\ncreate index concurrently ${own} on sign_in_throttle (failures);\n`,
  );
  await query('create table twins (number integer); insert into twins values (1), (1)');
  for (const name of [own, 'somebody_elses'])
    await expect(query(`create unique index concurrently ${name} on twins (number)`)).rejects.toThrow();
  expect(await migrateOwn()).toEqual(['9001_alone.sql']);
  const { rows } = await query(
    `select indexrelid::regclass::text as name, indrelid::regclass::text as on, indisvalid as valid from pg_index
     where indexrelid in ('${own}'::regclass, 'somebody_elses'::regclass) order by name`,
  );
  expect(rows).toEqual([
    { name: own, on: 'sign_in_throttle', valid: true },
    { name: 'somebody_elses', on: 'twins', valid: false },
  ]);
});

it.each([
  ['a table', 'sign_in_throttle', 'sign_in_throttle_probe', 'failures'],
  ['every partition', 'payout_event', 'payout_event_probe', 'merchant_id, reason'],
])(
  'an `alone` migration of %s runs again if it was built and not recorded',
  async (_what, table, name, columns) => {
    await write(
      '9001_alone.sql',
      `-- alone: an example\ncreate index concurrently ${name} on ${table} (${columns});\n`,
    );
    expect(await migrateOwn()).toEqual(['9001_alone.sql']);
    await query(`delete from schema_migration where name = '9001_alone.sql'`);
    expect(await migrateOwn()).toEqual(['9001_alone.sql']);
    const { rows } = await query(
      `select indisvalid as valid from pg_index where indexrelid = '${name}'::regclass`,
    );
    expect(rows).toEqual([{ valid: true }]);
  },
);

it('an `alone` migration indexes every partition of a table, also after an interrupted attempt', async () => {
  const name = 'payout_event_probe';
  await write(
    '9001_alone.sql',
    `-- alone: an example\ncreate index concurrently ${name} on payout_event (merchant_id, reason);\n`,
  );
  await query(`create index ${name} on only payout_event (merchant_id, reason)`);
  await query(`select make_months(now() + interval '4 months', now() + interval '4 months')`);
  expect(await migrateOwn()).toEqual(['9001_alone.sql']);
  const { rows } = await query(`
    select (select indisvalid from pg_index where indexrelid = '${name}'::regclass) as valid,
      (select count(*)::integer from pg_inherits where inhparent = '${name}'::regclass) as indexes,
      (select count(*)::integer from pg_inherits where inhparent = 'payout_event'::regclass) as partitions`);
  expect(rows).toEqual([{ valid: true, indexes: rows[0]?.partitions, partitions: 6 }]);
});

it('rejects a migration that was changed after it had run', async () => {
  await write('9001_table.sql', 'create table probes (id bigint);');
  await migrateOwn();
  await write('9001_table.sql', 'create table probes (id integer);');
  await expect(migrateOwn()).rejects.toThrow('9001_table.sql was changed after it had run here');
});

it('a function or migration that fails changes nothing, and the next attempt starts there', async () => {
  await write(
    'functions/afine.sql',
    'create or replace function afine() returns integer language sql as $$ select 1 $$;',
  );
  await write(
    'functions/broken.sql',
    'create or replace function broken() returns integer language sql as $$',
  );
  await write('9001_table.sql', 'create table probes (id bigint); select 1 / 0;');
  const failures = await Promise.allSettled([migrateOwn(), migrateOwn()]);
  expect(failures.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  await write('9001_table.sql', 'create table probes (id bigint);');
  await expect(migrateOwn()).rejects.toThrow('Replacing the SQL functions failed: ');
  const made = `select proname from pg_proc where proname in ('afine', 'broken')`;
  expect((await query(made)).rows).toEqual([]);
  await rm(join(own.folder, 'functions/broken.sql'));
  expect(await migrateOwn()).toEqual([]);
  expect((await query(made)).rows).toEqual([{ proname: 'afine' }]);
});

it('a migration that fails says why, with the SQLSTATE and without the rows of the database', async () => {
  await write('9001_table.sql', 'create table probes (id text unique);');
  await migrateOwn();
  await write('9002_rows.sql', `insert into probes values ('secret'), ('secret');`);
  await expect(migrateOwn()).rejects.toThrow(
    new MigrationError(
      'Migration 9002_rows.sql failed: duplicate key value violates unique constraint "probes_id_key" (SQLSTATE 23505)',
    ),
  );
});

it('creates functions that tables need before the migrations', async () => {
  await write(
    'functions/probe.sql',
    '-- needed by tables\ncreate or replace function probe() returns integer language sql as $$ select 7 $$;',
  );
  await write('9001_table.sql', 'create table probes (id integer default probe());');
  expect(await migrateOwn()).toEqual(['9001_table.sql']);
});

it('refuses a database of version 0.1.0', async () => {
  await query(`insert into schema_migration (name, sha256) values ('0012_demo_seed.sql', 'any')`);
  await expect(migrate(own.ownerUrl)).rejects.toThrow('Version 0.1.0 created this database');
});

it('has the whole baseline, and nothing is left to do on a database that has it', async () => {
  expect((await readMigrations()).length).toBeGreaterThan(9);
  expect(await migrate(own.ownerUrl)).toEqual([]);
});
