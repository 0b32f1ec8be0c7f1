import { randomBytes } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { dumpSchema } from '../../testing/schema-dump.ts';
import { dropDatabase, testKey } from '../../testing/test-database.ts';
import { TestProduct } from '../../testing/test-product.ts';
import { ensureLogin } from '../login.ts';
import { asOwner } from '../owner.ts';
import { backUp } from './backup.ts';
import { restore } from './restore.ts';
import { listTables } from './tables.ts';

const appKey = Buffer.from(testKey, 'hex');
const keyMark = 'of the tests';
let product: TestProduct;
let folder: string;
const createdDatabases: string[] = [];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hengfu-backup-'));
  product = await TestProduct.start(inject('ownerUrl'));
  const merchant = await product.merchant('kept');
  await product.fund(merchant, '5000.00');
  await product.person(merchant);
  await asOwner(product.ownerUrl, (client) =>
    client.query('insert into contact_way (kind, value, note_en) values ($1, $2, $3)', [
      'email',
      'help@shop.test',
      'tab\t, line\n, backslash \\N \\. and 王芳',
    ]),
  );
  await merchant.program.post('/openapi/v1/payouts', {
    out_trade_no: 'kept-2',
    currency: 'CNY',
    channel: 'CN_BANK',
    amount: '21.00',
    payee: '王芳',
    bank: 'ICBC',
    bankName: '中国工商银行',
    payeeAccount: '6222 0212 3456 7890 128',
  });
});
afterAll(async () => {
  await product.close();
  for (const name of createdDatabases) await dropDatabase(inject('ownerUrl'), name);
  await rm(folder, { recursive: true });
});

/** Creates an empty database. Returns its owner's URL. */
async function emptyDatabase(): Promise<string> {
  const name = `hengfu_test_${randomBytes(6).toString('hex')}`;
  await asOwner(inject('ownerUrl'), (client) => client.query(`create database ${name} template template0`));
  createdDatabases.push(name);
  const url = new URL(inject('ownerUrl'));
  url.pathname = name;
  return url.href;
}

/** Row count and checksum of a table, computed by the database. */
async function checksumOf(ownerUrl: string, table: string): Promise<string> {
  return asOwner(ownerUrl, async (client) => {
    const { rows } = await client.query<{ sum: string }>(
      `select format('%s rows, %s', count(*), sum(hashtextextended(t::text, 0)::numeric)) as sum from ${table} t`,
    );
    return rows[0]?.sum ?? '';
  });
}

async function backUpTo(name: string, ownerUrl = product.ownerUrl) {
  const login = await ensureLogin(ownerUrl, appKey);
  return backUp({ ownerUrl, login, folder: join(folder, name), keyMark });
}

describe('a backup', { timeout: 60_000 }, () => {
  it('restores every table with the same hash, and the schema, sequences and jobs', async () => {
    const content = await backUpTo('whole');
    const rowsOf = (name: string) => content.tables.find((table) => table.name === name)?.rows;
    expect(rowsOf('public.payout')).toBe(1);
    expect(rowsOf('public.ledger_entry')).toBeGreaterThan(4);
    const target = await emptyDatabase();
    await restore({ ownerUrl: target, appKey, folder: join(folder, 'whole') });

    const again = await backUpTo('again', target);
    expect(again.tables).toEqual(content.tables);
    expect(again.sequences).toEqual(content.sequences);
    expect(await asOwner(target, dumpSchema)).toBe(await asOwner(product.ownerUrl, dumpSchema));
    const jobs = await asOwner(target, (client) =>
      client.query(
        `select task_identifier, key from graphile_worker.jobs where task_identifier = 'payouts.send'`,
      ),
    );
    expect(jobs.rows).toHaveLength(1);
    const next = await asOwner(target, (client) =>
      client.query('insert into contact_way (kind, value) values ($1, $2) returning id', [
        'email',
        'a@b.test',
      ]),
    );
    expect(next.rowCount).toBe(1);
  });

  it('preserves long tables and long rows', async () => {
    await asOwner(product.ownerUrl, (client) =>
      client.query(`insert into contact_way (kind, value, note_en)
        select 'email', n || '@many.test', repeat(md5(n::text), case n % 5000 when 0 then 20000 else 1 + n % 40 end)
        from generate_series(1, 20000) n`),
    );
    await backUpTo('long');
    const target = await emptyDatabase();
    await restore({ ownerUrl: target, appKey, folder: join(folder, 'long') });
    const sum = await checksumOf(product.ownerUrl, 'contact_way');
    expect(sum).toMatch(/^20001 rows, -?\d+$/);
    expect(await checksumOf(target, 'contact_way')).toBe(sum);
  });

  it('contains every table of the schema', async () => {
    const content = await backUpTo('tables');
    const names = (await asOwner(product.ownerUrl, listTables)).map(({ name }) => name);
    const left = names.filter((name) => !content.tables.some((table) => table.name === name));
    expect(left).toEqual([
      'graphile_worker.migrations',
      'public.api_request',
      'public.api_request_block',
      'public.failing_task',
      'public.job_worker',
      'public.schema_function',
      'public.schema_function_superseded',
      'public.schema_migration',
    ]);
  });

  it('is only restored into an empty database', async () => {
    await backUpTo('over');
    const options = { ownerUrl: product.ownerUrl, appKey, folder: join(folder, 'over') };
    await expect(restore(options)).rejects.toThrow(/not empty/);
  });

  it('is rejected if a file is truncated, and leaves the database empty', async () => {
    const content = await backUpTo('broken');
    const backupFolder = join(folder, 'broken');
    const target = await emptyDatabase();
    const file = join(backupFolder, content.tables.find(({ name }) => name === 'public.payout')?.file ?? '');
    await truncate(file, 40);
    await expect(restore({ ownerUrl: target, appKey, folder: backupFolder })).rejects.toThrow();
    await backUpTo('sound');
    await restore({ ownerUrl: target, appKey, folder: join(folder, 'sound') });
  });

  it('is rejected if a file was altered', async () => {
    const content = await backUpTo('swapped');
    const backupFolder = join(folder, 'swapped');
    const fileOf = (name: string) =>
      join(backupFolder, content.tables.find((table) => table.name === name)?.file ?? '');
    const audit = zstdDecompressSync(await readFile(fileOf('public.audit'))).toString();
    await writeFile(
      fileOf('public.audit'),
      zstdCompressSync(audit.replace('operator:test', 'operator:best')),
    );
    const target = await emptyDatabase();
    await expect(restore({ ownerUrl: target, appKey, folder: backupFolder })).rejects.toThrow(/audit/);
  });

  it.each([
    ['a table', { name: 'public.contact_way (id) from program $ --' }],
    ['a column', { columns: ['id) from program $ --'] }],
  ])('runs no SQL from the name of %s', async (what, change) => {
    const backupFolder = join(folder, what);
    const content = await backUpTo(what);
    const mark = join(folder, 'ran');
    const [first, ...others] = content.tables;
    const text = JSON.stringify({ ...content, tables: [{ ...first, ...change }, ...others] });
    await writeFile(join(backupFolder, 'manifest.json'), text.replace('$', `'touch ${mark}'`));
    const target = await emptyDatabase();
    const [outcome] = await Promise.allSettled([restore({ ownerUrl: target, appKey, folder: backupFolder })]);
    expect(await readdir(folder)).not.toContain('ran');
    expect(String(outcome.status === 'rejected' && outcome.reason)).toContain(
      'cannot read its manifest.json',
    );
  });

  it('leaves nothing behind if it fails, and is rejected without a manifest', async () => {
    const ownerUrl = product.ownerUrl;
    const login = { name: 'hengfu_login_nobody', password: 'x' };
    await expect(backUp({ ownerUrl, login, folder: join(folder, 'failed'), keyMark })).rejects.toThrow();
    expect((await readdir(folder)).filter((name) => /failed/.test(name))).toEqual([]);
    await backUpTo('headless');
    await rm(join(folder, 'headless', 'manifest.json'));
    const target = await emptyDatabase();
    await expect(restore({ ownerUrl: target, appKey, folder: join(folder, 'headless') })).rejects.toThrow(
      /is not a complete backup/,
    );
  });

  it('does not overwrite an existing folder', async () => {
    await expect(backUpTo('whole')).rejects.toThrow(/already exists/);
  });
});
