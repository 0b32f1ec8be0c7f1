import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, inject, it } from 'vitest';
import { OwnMigrations } from '../testing/own-migrations.ts';

let own: OwnMigrations;

beforeEach(async () => {
  own = await OwnMigrations.open(inject('ownerUrl'));
});
afterEach(() => own.close());

const query = (text: string) => own.query(text);
const write = (name: string, text: string) => own.write(name, text);
const migrateOwn = () => own.run();

it('applies a function again when its text has changed, and not otherwise', async () => {
  const body = (value: number) =>
    `create or replace function probe() returns integer language sql as $$ select other() + ${value} $$;`;
  await write('functions/probe.sql', body(1));
  await write(
    'functions/zother.sql',
    'create or replace function other() returns integer language sql as $$ select 1 $$;',
  );
  await migrateOwn();
  const applied = `select name, applied_at from schema_function where name in ('probe.sql', 'zother.sql') order by 1`;
  const first = (await query(applied)).rows;
  expect((await query('select probe() as value')).rows).toEqual([{ value: 2 }]);
  await migrateOwn();
  expect((await query(applied)).rows).toEqual(first);
  await write('functions/probe.sql', body(2));
  await migrateOwn();
  expect((await query('select probe() as value')).rows).toEqual([{ value: 3 }]);
  const second = (await query(applied)).rows;
  expect(second[0].applied_at).not.toEqual(first[0].applied_at);
  expect(second[1]).toEqual(first[1]);
});

/** Writes a function that returns a number, as a version has it. */
const writeProbe = (value: number, { name = 'probe', mark = '', parameters = '' } = {}) =>
  write(
    `functions/${name}.sql`,
    `${mark}create or replace function ${name}(${parameters}) returns integer language sql as $$ select ${value} $$;`,
  );
const probe = async () => (await query('select probe() as value')).rows[0]?.value;

it('an older process leaves a function alone that a newer one has replaced', async () => {
  for (const value of [1, 2, 3]) {
    await writeProbe(value);
    await migrateOwn();
  }
  await writeProbe(4, { name: 'added' });
  await migrateOwn();
  await rm(join(own.folder, 'functions/added.sql'));
  const recorded = `select name, sha256, applied_at from schema_function where name in ('probe.sql', 'added.sql') order by 1`;
  const before = (await query(recorded)).rows;
  for (const value of [1, 2]) {
    await writeProbe(value);
    expect(await migrateOwn()).toEqual([]);
    expect(await probe()).toBe(3);
  }
  expect((await query(recorded)).rows).toEqual(before);
  expect((await query('select added() as value')).rows).toEqual([{ value: 4 }]);
  // A text that no version had is newer, whatever else its process knows.
  await writeProbe(5);
  await migrateOwn();
  expect(await probe()).toBe(5);
});

it('a newer process repairs a function that version 0.2.0 has put back', async () => {
  await writeProbe(1);
  await migrateOwn();
  const { rows: old } = await query(`select sha256 from schema_function where name = 'probe.sql'`);
  await writeProbe(2);
  await migrateOwn();
  // Version 0.2.0 applies its own text and knows no record of superseded ones.
  await query(`create or replace function probe() returns integer language sql as $$ select 1 $$;
    update schema_function set sha256 = '${old[0]?.sha256}' where name = 'probe.sql'`);
  expect(await probe()).toBe(1);
  await migrateOwn();
  expect(await probe()).toBe(2);
  await writeProbe(1);
  await migrateOwn();
  expect(await probe()).toBe(2);
});

it('a function whose replacement fails is not superseded', async () => {
  await writeProbe(1);
  await migrateOwn();
  await writeProbe(2);
  await write('functions/zbroken.sql', 'create or replace function zbroken() returns integer as $$');
  await expect(migrateOwn()).rejects.toThrow('Replacing the SQL functions failed');
  expect((await query('select from schema_function_superseded')).rowCount).toBe(0);
});

it.each([
  ['', ['drop function probe(bigint);']],
  ['-- needed by tables\n', ['drop function probe(bigint);']],
  ['-- needed by tables\n', ['select 1 / 0;', 'drop function probe(bigint);']],
])(
  'an older process starts after a newer one has given a function other parameters (%j, %j)',
  async (mark, migrations) => {
    await writeProbe(1, { mark, parameters: 'merchant bigint' });
    await migrateOwn();
    await writeProbe(2, { mark, parameters: 'merchant bigint, at timestamptz' });
    for (const [index, text] of migrations.entries()) await write(`900${index}_probe.sql`, text);
    const [outcome] = await Promise.allSettled([migrateOwn()]);
    expect(outcome?.status).toBe(migrations.length > 1 ? 'rejected' : 'fulfilled');
    await rm(own.folder, { recursive: true });
    await writeProbe(1, { mark, parameters: 'merchant bigint' });
    const signatures = `select oid::regprocedure::text as name from pg_proc where proname = 'probe' order by oid`;
    const before = (await query(signatures)).rows;
    expect(await migrateOwn()).toEqual([]);
    expect((await query(signatures)).rows).toEqual(before);
  },
);

it.each([
  ['', ['probe(bigint)']],
  ['-- needed by tables\n', ['probe(bigint)', 'probe(bigint,timestamp with time zone)']],
])(
  'refuses a function with new parameters until a migration drops the old one (%j)',
  async (mark, before) => {
    await writeProbe(1, { mark, parameters: 'merchant bigint' });
    await migrateOwn();
    await writeProbe(1, { mark, parameters: 'merchant bigint, at timestamptz' });
    for (let times = 0; times < 2; times++)
      await expect(migrateOwn()).rejects.toSatisfy((error: Error) =>
        String(error.cause ?? error).includes('probe(bigint) and probe(bigint,timestamp with time zone)'),
      );
    const signatures = `select oid::regprocedure::text as name from pg_proc where proname = 'probe' order by oid`;
    expect((await query(signatures)).rows.map(({ name }) => name)).toEqual(before);
    await write('9001_drop.sql', 'drop function probe(bigint);');
    expect(await migrateOwn()).toEqual(['9001_drop.sql']);
    expect((await query(signatures)).rows).toEqual([{ name: 'probe(bigint,timestamp with time zone)' }]);
  },
);
