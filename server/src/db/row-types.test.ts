import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { cloneDatabase, type TestDatabase } from '../testing/test-database.ts';

/** A column of the catalog. */
interface Column {
  table: string;
  column: string;
  /** PostgreSQL's short name of the type; those of arrays begin with an underscore. */
  type: string;
  isNullable: boolean;
  hasDefault: boolean;
  /** The database fills it in and refuses a value: an identity that is always generated, or a computed column. */
  isAlways: boolean;
  /** The catalog calls a computed column nullable, whatever it is computed from. */
  isComputed: boolean;
}

/** Tables that only migrations and maintenance use. */
const untyped = [
  'schema_migration',
  'schema_function',
  'schema_function_superseded',
  'demo_seed',
  'job_worker',
];

/** How the driver returns each type (`client-dialect.ts`). */
const scalars: Readonly<Record<string, string>> = {
  int8: 'bigint',
  int4: 'number',
  int2: 'number',
  float8: 'number',
  bool: 'boolean',
  timestamptz: 'Date',
  bytea: 'Buffer',
  text: 'string',
  varchar: 'string',
  bpchar: 'string',
  uuid: 'string',
  date: 'Date',
  time: 'string',
  numeric: 'string',
  inet: 'string',
  cidr: 'string',
  json: 'unknown',
  jsonb: 'unknown',
};

let database: TestDatabase;
let columns: Column[];
let text: string;

beforeAll(async () => {
  database = await cloneDatabase(inject('ownerUrl'));
  const client = new pg.Client({ connectionString: database.ownerUrl });
  await client.connect();
  const { rows } = await client.query<Column>(
    `select table_name::text as table, column_name::text as column, udt_name::text as type,
            is_nullable = 'YES' as "isNullable", (column_default is not null or is_identity = 'YES') as "hasDefault",
            coalesce(identity_generation = 'ALWAYS', false) or is_generated = 'ALWAYS' as "isAlways",
            is_generated = 'ALWAYS' as "isComputed"
     from information_schema.columns
     where table_schema = 'public' and table_name <> all($1)
       and table_name in (select tablename from pg_tables where schemaname = 'public')
     order by table_name, ordinal_position`,
    [untyped],
  );
  columns = rows;
  await client.end();
  const folder = join(import.meta.dirname, 'tables');
  const files = await readdir(folder);
  text = (await Promise.all(files.map((file) => readFile(join(folder, file), 'utf8')))).join('');
});
afterAll(() => database.drop());

/** The columns that a table's interface declares, with their types. */
function typesOf(table: string): Map<string, string> {
  const name = new RegExp(`^  ${table}: (\\w+Table);$`, 'm').exec(text)?.[1];
  const body = new RegExp(`^interface ${name} \\{$([^}]*)^\\}$`, 'm').exec(text)?.[1] ?? '';
  return new Map(
    [...body.matchAll(/^ {2}(\w+): (.*);$/gm)].map(([, column = '', type = '']) => [column, type]),
  );
}

/** Splits a column's type into what a reader gets and what an insert may leave out. */
function parse(type: string): { base: string; isNullable: boolean; filled: 'always' | 'default' | 'never' } {
  const wrapped = /^(GeneratedAlways|Generated)<(.*)>$/.exec(type);
  const inner = wrapped?.[2] ?? type;
  const parts = inner.split(' | ').filter((part) => part !== 'null');
  const filled = wrapped ? (wrapped[1] === 'GeneratedAlways' ? 'always' : 'default') : 'never';
  return { base: parts.join(' | '), isNullable: / \| null$/.test(inner), filled };
}

/** A literal, the name of a union of literals, or the members of a list of literals. */
const textUnion = /^('\w+'|[A-Z]\w*|\(typeof \w+\)\[number\])$/;

/** Whether a type of ours describes the values of a type of PostgreSQL's; unions of names stand for texts. */
function fits(base: string, type: string): boolean {
  const isArray = type.startsWith('_');
  if (isArray !== base.endsWith('[]')) return scalars[type] === 'unknown';
  const expected = scalars[type.replace(/^_/, '')];
  const element = base.replace(/\[\]$/, '');
  if (element === expected || expected === 'unknown') return true;
  const isText = (member: string) => textUnion.test(member) && member !== 'Date' && member !== 'Buffer';
  return expected === 'string' && element.split(' | ').every(isText);
}

it('rows have the types, the nulls and the defaults of the schema', () => {
  const faults = columns.flatMap((column) => {
    const type = typesOf(column.table).get(column.column);
    if (type === undefined) return [`${column.table}.${column.column}: no type`];
    const { base, isNullable, filled } = parse(type);
    const wrong = [
      !fits(base, column.type) && `${base}, not ${column.type}`,
      base !== 'unknown' &&
        !column.isComputed &&
        isNullable !== column.isNullable &&
        (column.isNullable ? 'may be null' : 'is never null'),
      (filled === 'always') !== column.isAlways &&
        (column.isAlways ? 'always generated' : 'not always generated'),
      // A column that may be null can be left out of an insert whether or not it has a default.
      filled === 'default' && !column.hasDefault && 'has no default',
      filled === 'never' && column.hasDefault && !column.isNullable && 'has a default',
    ].filter((fault) => fault !== false);
    return wrong.map((fault) => `${column.table}.${column.column}: ${fault}`);
  });
  const known = new Set(columns.map(({ table, column }) => `${table}.${column}`));
  for (const table of new Set(columns.map((column) => column.table)))
    for (const column of typesOf(table).keys())
      if (!known.has(`${table}.${column}`)) faults.push(`${table}.${column}: not in the schema`);
  expect(columns.length).toBeGreaterThan(300);
  expect(faults).toEqual([]);
});

it.each([
  ['bigint', 'int4', false],
  ['number', 'int8', false],
  ['string', 'timestamptz', false],
  ['Date', 'text', false],
  ['Buffer', 'text', false],
  ['string[]', 'text', false],
  ['string', '_text', false],
  ['number[]', '_int8', false],
  ['Currency', 'int8', false],
  ["'a' | 'b'", 'bool', false],
  ['Currency', 'text', true],
  ["'a' | 'b'", 'text', true],
  ['bigint[]', '_int8', true],
  ['Role[]', '_text', true],
  ['unknown', 'jsonb', true],
])('%s for %s fits: %s', (base, type, isFitting) => {
  expect(fits(base, type)).toBe(isFitting);
});
