import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { dumpSchema } from '../testing/schema-dump.ts';
import { cloneDatabase, type TestDatabase } from '../testing/test-database.ts';

const dumpFile = join(import.meta.dirname, '../../migrations/schema.txt');

let database: TestDatabase;
let client: pg.Client;

beforeAll(async () => {
  database = await cloneDatabase(inject('ownerUrl'));
  client = new pg.Client({ connectionString: database.ownerUrl });
  await client.connect();
});
afterAll(async () => {
  await client.end();
  await database.drop();
});

describe('the schema', () => {
  // After adding a migration, run UPDATE_SCHEMA=1 npm test -- --only=server db/schema and review the diff.
  it('matches the dump in the repository', async () => {
    const dump = await dumpSchema(client);
    if (process.env.UPDATE_SCHEMA) await writeFile(dumpFile, dump);
    expect(dump).toBe(await readFile(dumpFile, 'utf8'));
  });
});

/** A change for each kind of object that the dump covers, and the section that must show it. */
const changes: [what: string, section: string, statement: string][] = [
  [
    'a function’s body',
    'functions',
    `create or replace function probe() returns integer language sql as 'select 2'`,
  ],
  ['a function’s search_path', 'functions', `alter function probe() set search_path = pg_temp`],
  ['a function’s SECURITY DEFINER', 'functions', 'alter function probe() security definer'],
  [
    'a function’s language',
    'functions',
    `create or replace function probe() returns integer language plpgsql as 'begin return 1; end'`,
  ],
  ['a function’s volatility', 'functions', 'alter function probe() immutable'],
  ['a function’s owner', 'functions', 'alter function probe() owner to hengfu_ledger'],
  ['a right to a function', 'rights to functions', 'grant execute on function probe() to hengfu_app'],
  [
    'a right of everybody to a function',
    'rights to functions',
    'grant execute on function probe() to public',
  ],
  [
    'another function',
    'functions',
    `create function probe(integer) returns integer language sql as 'select 1'`,
  ],
  ['a table’s owner', 'tables and views', 'alter table probes owner to hengfu_ledger'],
  ['a table’s row-level security', 'tables and views', 'alter table probes disable row level security'],
  ['forced row-level security', 'tables and views', 'alter table probes no force row level security'],
  ['a table’s options', 'tables and views', 'alter table probes set (fillfactor = 50)'],
  ['a view', 'tables and views', 'create view seen as select id from probes'],
  ['a right to a table', 'rights to tables', 'grant select on probes to hengfu_app'],
  [
    'a right with grant option',
    'rights to tables',
    'grant delete on probes to hengfu_system with grant option',
  ],
  ['a right to a column', 'rights to columns', 'grant update (id) on probes to hengfu_app'],
  ['a right to a sequence', 'rights to tables', 'grant usage on sequence probe_number to hengfu_app'],
  ['a right to a schema', 'rights to schemas', 'grant create on schema public to hengfu_app'],
  ['a right to the queue', 'rights to tables', 'grant select on graphile_worker.jobs to hengfu_app'],
  ['default rights', 'rights by default', 'alter default privileges grant select on tables to hengfu_app'],
  ['a policy’s command', 'row-level security', policy('for select to hengfu_app using (id = 1)')],
  [
    'a policy’s roles',
    'row-level security',
    policy('for all to hengfu_system using (id = 1) with check (id = 1)'),
  ],
  ['a policy’s USING', 'row-level security', 'alter policy mine on probes using (id = 2)'],
  ['a policy’s WITH CHECK', 'row-level security', 'alter policy mine on probes with check (true)'],
  [
    'a restrictive policy',
    'row-level security',
    policy('as restrictive for all to hengfu_app using (id = 1) with check (id = 1)'),
  ],
  ['a dropped trigger', 'triggers', 'drop trigger stamp on probes'],
  ['a disabled trigger', 'triggers', 'alter table probes disable trigger stamp'],
  [
    'a trigger’s events',
    'triggers',
    'create or replace trigger stamp before insert or update on probes for each row execute function stamp()',
  ],
  ['a sequence’s step', 'sequences', 'alter sequence probe_number increment by 5'],
  ['a sequence’s end', 'sequences', 'alter sequence probe_number maxvalue 99 cycle'],
  ['a column', 'columns', 'alter table probes add column more text'],
  ['a column’s default', 'columns', 'alter table probes alter column id set default 7'],
  ['a column’s null', 'columns', 'alter table probes alter column id drop not null'],
  ['a constraint', 'constraints', 'alter table probes add constraint small check (id < 9) not valid'],
  ['an index', 'indexes', 'create index probe_by_id on probes (id)'],
  ['a type', 'types', `alter type mood add value 'sad'`],
  ['a schema', 'schemas', 'create schema other'],
];

function policy(definition: string): string {
  return `drop policy mine on probes; create policy mine on probes ${definition}`;
}

const probes = `
  grant create on schema public to hengfu_ledger;
  create sequence probe_number;
  create type mood as enum ('glad');
  create table probes (id bigint not null);
  alter table probes enable row level security, force row level security;
  create policy mine on probes for all to hengfu_app using (id = 1) with check (id = 1);
  create function stamp() returns trigger language plpgsql as 'begin return new; end';
  create trigger stamp before insert on probes for each row execute function stamp();
  create function probe() returns integer language sql as 'select 1';
  revoke execute on function probe() from public`;

/** Sections of a dump by their titles. */
function sectionsOf(dump: string): Map<string, string> {
  return new Map(dump.split(/^-- (?=[a-z])/m).map((text) => [text.split('\n', 1)[0] ?? '', text]));
}

it.each(changes)('the dump of the schema reflects %s', async (_what, section, statement) => {
  await client.query('begin');
  try {
    await client.query(probes);
    const before = sectionsOf(await dumpSchema(client));
    await client.query(statement);
    const after = sectionsOf(await dumpSchema(client));
    const changed = [...after].filter(([title, text]) => before.get(title) !== text).map(([title]) => title);
    expect(changed.filter((title) => title.startsWith(section))).toHaveLength(1);
  } finally {
    await client.query('rollback');
  }
});
