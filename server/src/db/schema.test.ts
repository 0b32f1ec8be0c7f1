import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { dumpSchema } from '../testing/schema-dump.ts';
import { cloneDatabase, type TestDatabase } from '../testing/test-database.ts';
import { migrate, readMigrations } from './migrate.ts';

const dumpFile = join(import.meta.dirname, '../../migrations/schema.txt');
const tablesFolder = join(import.meta.dirname, 'tables');

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
  // After a migration of yours: UPDATE_SCHEMA=1 npm test -- --only=unit, and look at the difference.
  it('is the one that is checked in', async () => {
    const dump = await dumpSchema(client);
    if (process.env.UPDATE_SCHEMA) await writeFile(dumpFile, dump);
    expect(dump).toBe(await readFile(dumpFile, 'utf8'));
  });

  it('has the columns that TypeScript believes in', async () => {
    const files = await readdir(tablesFolder);
    const texts = await Promise.all(files.map((file) => readFile(join(tablesFolder, file), 'utf8')));
    const { rows } = await client.query<{ table: string; columns: string[] }>(`
      select table_name as table, array_agg(column_name::text order by column_name::text) as columns
      from information_schema.columns where table_schema = 'public' and table_name not in ('schema_migration', 'demo_seed', 'job_worker') group by table_name`);
    for (const { table, columns } of rows)
      expect([table, columnsInTypes(texts.join(''), table).sort()]).toEqual([table, columns]);
  });

  it('is migrated once: the second time nothing runs', async () => {
    expect(await migrate(database.ownerUrl)).toEqual([]);
  });

  it('is not migrated further where an applied migration was changed', async () => {
    await client.query("update schema_migration set sha256 = 'another' where name = '0002_ledger.sql'");
    await expect(migrate(database.ownerUrl)).rejects.toThrow(
      '0002_ledger.sql was changed after it had run here',
    );
    expect((await readMigrations()).length).toBeGreaterThan(7);
  });
});

/** The column names of a table in its interface's lines. */
function columnsInTypes(text: string, table: string): string[] {
  const name = new RegExp(`^  ${table}: (\\w+);$`, 'm').exec(text)?.[1];
  const body = new RegExp(`^interface ${name} \\{$([^}]*)^\\}$`, 'm').exec(text)?.[1] ?? '';
  return [...body.matchAll(/^ {2}(\w+):/gm)].map(([, column]) => column ?? '');
}
