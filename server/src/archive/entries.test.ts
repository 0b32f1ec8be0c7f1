import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { gunzipSync, gzipSync } from 'node:zlib';
import { permsOf } from '@hengfu/contract/permissions';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, inject, it, vi } from 'vitest';
import { exportablesOf } from '#composition/exports.ts';
import { asOwner } from '#db/owner.ts';
import { findRange } from '#features/fund-flow/fund-flow.sql.ts';
import { DirectoryStore, type FileStore } from '#files/file-store.ts';
import { nothingArchived } from '../testing/nothing-archived.ts';
import { forceChange, type OldEntries, writeOldEntries } from '../testing/old-entries.ts';
import { TestProduct } from '../testing/test-product.ts';
import { until } from '../testing/until.ts';
import type { Visitor } from '../testing/visitor.ts';
import { readZip } from '../testing/workbook.ts';
import { ArchiveReader } from './archive-reader.ts';
import { Archiver } from './archiver.ts';

/** Transfers between the merchants: the first month's entries of each make up several parts. */
const transfers = 6000;
/** Archives the first three of the seven months. */
const after = 4;

interface World extends OldEntries {
  product: TestProduct;
  visitor: Visitor;
}

async function newWorld(count: number): Promise<World> {
  const product = await TestProduct.start(inject('ownerUrl'), { worker: true });
  const entries = await writeOldEntries(product, count);
  return { product, ...entries, visitor: await product.person(entries.merchant) };
}

type Filters = Readonly<Record<string, string>>;

const path = '/api/merchant/fund-flow';

async function get(visitor: Visitor, address: string) {
  const { status, json } = await visitor.get(address);
  expect([address, status]).toEqual([address, 200]);
  const { at, ...reply } = json;
  return reply;
}

/** Exports the statement; returns the file. */
async function exported(
  { product, visitor }: World,
  format: 'csv' | 'xlsx',
  filters: object,
): Promise<Buffer> {
  const { status, json } = await visitor.post('/api/merchant/exports', {
    list: 'fundFlow',
    format,
    filters,
    language: 'en',
    zone: 'Asia/Kolkata',
  });
  expect(status).toBe(201);
  const exportNo: string = json.data.export_no;
  const found = await until(
    async () =>
      (await visitor.get('/api/merchant/exports')).json.data.find(
        (row: { export_no: string }) => row.export_no === exportNo,
      ),
    (row) => row.status === 'successful' || row.status === 'failed',
    60_000,
  );
  expect(found.status).toBe('successful');
  const response = await fetch(`${product.url}/api/merchant/exports/${exportNo}/file`, {
    headers: { cookie: [...visitor.cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
  });
  return Buffer.from(await response.arrayBuffer());
}

/** A person of the merchant who may read every list. */
const callerOf = ({ merchant: { id, code } }: World) => ({
  home: { merchantId: id, code, name: code, currency: 'CNY', zone: 'Asia/Shanghai' } as const,
  perms: permsOf(['MERCHANT_ADMIN']),
});

/** Reads the rows of an export as the API would return them. */
async function rowsOf(world: World, filters: Filters): Promise<unknown[]> {
  const { readParts } = new ArchiveReader(new DirectoryStore(join(world.product.dataDirectory, 'archive')));
  const { fundFlow } = exportablesOf(readParts);
  const { home } = callerOf(world);
  return world.product.services.database.asMerchant(
    home.merchantId,
    async (tx) => (await Array.fromAsync(fundFlow.read(tx, home, filters, 'en'))).flat(),
    { snapshot: true },
  );
}

/** An instant as many months after the first one, and some milliseconds. */
function monthsOn({ start }: World, months: number, ms = 0): string {
  const at = new Date(start);
  at.setUTCMonth(at.getUTCMonth() + months);
  return new Date(at.getTime() + ms).toISOString();
}

/** Instants of single entries of the merchant, with those beside them. */
async function moments(world: World): Promise<string[]> {
  const { rows } = await world.product.services.database.asSystem((tx) =>
    sql<{ at: string }>`
      select to_char((created_at + shift * interval '1 microsecond') at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as at
      from ledger_entry, unnest(array[-1000, -1, 0, 1, 1000]) shift
      where merchant_id = ${world.merchant.id} and version in (1, 2, 4999, 5000, 5001)`.execute(tx.query),
  );
  expect(rows.length).toBeGreaterThan(25);
  return rows.map(({ at }) => at);
}

/** The number of partitions of entries that are left of the first three months. */
async function oldPartitions({ product, start }: World): Promise<number> {
  return asOwner(product.ownerUrl, async (client) => {
    const { rows } = await client.query<{ count: number }>(
      `select count(*)::integer as count from generate_series(0, 2) n
        where to_regclass('month.' || month_of('ledger_entry', $1::timestamptz at time zone 'UTC' + n * interval '1 month')) is not null`,
      [start],
    );
    return rows[0]?.count ?? 0;
  });
}

describe('archived entries', { timeout: 240_000 }, () => {
  let world: World;
  let readCalls: () => Promise<unknown[]>;
  /** An export of each format, and the rows with their totals, for each set of filters. */
  let readSets: (sets: readonly Filters[]) => Promise<unknown[]>;
  let readAll: () => Promise<unknown[]>;
  let before: unknown[];
  /** The sets of filters whose entries are in the past: nothing is added to them. */
  let pastSets: readonly Filters[];
  let otherSets: readonly Filters[];
  let pastBefore: unknown[];
  const read: { key: string; offset: number | undefined }[] = [];

  beforeAll(async () => {
    world = await newWorld(transfers);
    expect(await world.product.violations()).toEqual([]);
    const instants = [
      ...(await moments(world)),
      ...[0, 1, 2, 3, 4].flatMap((months) => [-1, 0, 1].map((ms) => monthsOn(world, months, ms))),
      monthsOn(world, 0.5),
      monthsOn(world, 0, 20 * 86_400_000),
      monthsOn(world, 2, 9 * 86_400_000),
    ];
    const { visitor, subjectOf } = world;
    const numbers = [1, 2, 2500, 2501, 2999, 3000, 3600, 4500, transfers].map(subjectOf);
    const sets: readonly Filters[] = [
      {},
      { type: 'recharge,collectionSettlement' },
      { subject_no: subjectOf(1).slice(0, -2) },
      { subject_no: subjectOf(2500) },
      { createdFrom: monthsOn(world, 0, 12 * 86_400_000), createdTo: monthsOn(world, 1, 86_400_000) },
      { createdFrom: monthsOn(world, 2, 86_400_000), createdTo: monthsOn(world, 4), type: 'transferIn' },
    ];
    readCalls = async () => {
      const shown: unknown[] = [];
      for (const at of instants) {
        shown.push(await get(visitor, `/api/merchant/account/at?at=${at}`));
        shown.push(await get(visitor, `${path}/sums?createdFrom=${at}`));
        shown.push(
          await get(visitor, `${path}/sums?createdFrom=${monthsOn(world, 0, 86_400_000)}&createdTo=${at}`),
        );
      }
      for (const number of [...numbers, 'T1', 'F999999999999999999999'])
        for (const more of ['', '&type=transferIn', `&createdFrom=${monthsOn(world, 1)}`])
          if (number !== 'T1') shown.push(await get(visitor, `${path}?subject_no=${number}${more}`));
      return shown;
    };
    readSets = async (sets) => {
      const shown: unknown[] = [];
      for (const filters of sets) {
        shown.push((await exported(world, 'csv', filters)).toString());
        // The second sheet names the export.
        const workbook = readZip(await exported(world, 'xlsx', filters));
        shown.push(workbook.get('xl/worksheets/sheet1.xml') ?? expect.fail('no sheet'));
        const { count, sumMinor } = await world.product.services.totals.count(
          callerOf(world),
          'fundFlow',
          filters,
          new AbortController().signal,
        );
        const rows = await rowsOf(world, filters);
        expect(rows).toHaveLength(count);
        shown.push({ filters, count, sumMinor, rows });
      }
      return shown;
    };
    pastSets = sets.filter(({ createdTo }) => createdTo !== undefined);
    otherSets = sets.filter((set) => !pastSets.includes(set));
    readAll = async () => [...(await readCalls()), ...(await readSets(sets))];
    before = await readAll();
    pastBefore = await readSets(pastSets);
    const outcomes = await world.product.services.archiver.archiveClosed(after);
    expect(outcomes.filter(({ rows }) => rows > 0).map(({ table, outcome }) => [table, outcome])).toEqual(
      Array.from({ length: 3 }, () => ['ledger_entry', 'archived']),
    );
    const original = DirectoryStore.prototype.get;
    vi.spyOn(DirectoryStore.prototype, 'get').mockImplementation(function (this: DirectoryStore, key, range) {
      if (key.startsWith('ledger_entry')) read.push({ key, offset: range?.offset });
      return original.call(this, key, range);
    });
  }, 240_000);
  afterAll(async () => {
    vi.restoreAllMocks();
    await world.product.close();
  });

  it('are out of the database, in several parts of a month', async () => {
    expect(await oldPartitions(world)).toBe(0);
    const { rows } = await world.product.services.database.asSystem((tx) =>
      sql<{ parts: bigint; splits: bigint }>`
        select (select count(*) from archived_part where merchant_id = ${world.merchant.id} and table_name = 'ledger_entry') as parts,
          (select count(*) from archived_split_transfer where merchant_id = ${world.merchant.id}) as splits`.execute(
        tx.query,
      ),
    );
    expect(Number(rows[0]?.parts)).toBeGreaterThan(3);
    // Both months of the first split, and the archived one of the second.
    expect(Number(rows[0]?.splits)).toBe(3);
  });

  it('leave every export, search, sum and past balance as it was', async () => {
    const now = await readAll();
    for (const [index, shown] of now.entries()) expect([index, shown]).toEqual([index, before[index]]);
  });

  it('are read for their merchant alone', async () => {
    const { rows } = await world.product.services.database.asMerchant(world.merchant.id, (tx) =>
      sql<{ key: string; offset: bigint }>`select file_key as key, offset_bytes as offset
        from archived_part p join archived_month m on m.table_name = p.table_name and m.month = p.month`.execute(
        tx.query,
      ),
    );
    const own = new Set(rows.map(({ key, offset }) => `${key} ${offset}`));
    const places = new Set(read.map(({ key, offset }) => `${key} ${offset}`));
    expect(places.size).toBeGreaterThan(2);
    expect([...places].filter((place) => !own.has(place))).toEqual([]);
  });

  it('are left out of a page, which says so, unless one order is looked for', async () => {
    const { visitor, subjectOf } = world;
    const newest = await get(visitor, path);
    const { rows } = await world.product.services.database.asSystem((tx) =>
      sql<{ version: bigint; balance: bigint }>`
        select version, balance_minor as balance from ledger_account
        where merchant_id = ${world.merchant.id} and kind = 'available'`.execute(tx.query),
    );
    const { version = 0n, balance = 0n } = rows[0] ?? {};
    expect(newest.archivedBefore).toBe(monthsOn(world, 3));
    expect(newest.total).toEqual({ count: Number(version), exact: true });
    expect(newest.sum.amount).toBe(`${balance / 100n}.${String(balance % 100n).padStart(2, '0')}`);
    // Totals with a filter take the second call; a number that is too small is never shown as the whole.
    const ofType = await get(visitor, `${path}?type=recharge`);
    expect(ofType).toMatchObject({ data: [], total: { count: 0, exact: false } });
    expect(ofType.sum).toBeUndefined();
    const recent = await get(visitor, `${path}?createdFrom=${monthsOn(world, 3)}`);
    expect(recent.archivedBefore).toBeUndefined();
    expect(await get(visitor, `${path}?createdTo=${monthsOn(world, 2)}`)).toMatchObject({
      data: [],
      archivedBefore: monthsOn(world, 3),
    });
    const found = await get(visitor, `${path}?subject_no=${subjectOf(1)}`);
    expect(found.data).toHaveLength(1);
    expect(found.archivedBefore).toBeUndefined();
  });

  it('page through exactly the entries of the tables', async () => {
    const seen: string[] = [];
    let cursor: string | null = null;
    do {
      const page = await get(world.visitor, `${path}?limit=200${cursor ? `&cursor=${cursor}` : ''}`);
      seen.push(...page.data.map(({ entry_no }: { entry_no: string }) => entry_no));
      cursor = page.next;
    } while (cursor);
    const { rows } = await world.product.services.database.asSystem((tx) =>
      sql<{ no: string }>`select version::text as no from ledger_entry
        where merchant_id = ${world.merchant.id} and statement_type is not null order by version desc`.execute(
        tx.query,
      ),
    );
    expect(seen.length).toBeGreaterThan(1000);
    expect(seen).toEqual(rows.map(({ no }) => no));
  });

  it('read few parts for one order', async () => {
    read.length = 0;
    await get(world.visitor, `${path}?subject_no=${world.subjectOf(5)}`);
    expect(read.length).toBeGreaterThan(0);
    expect(read.length).toBeLessThanOrEqual(2);
  });

  it('are proved by their sums, together with the entries in the database', async () => {
    expect(await world.product.violations()).toEqual([]);
    expect(await world.product.services.archiver.verify()).toEqual([]);
    await world.product.fund(world.merchant, '11.00');
    expect(await world.product.violations()).toEqual([]);
  });

  it('are found by a snapshot that is older than their archiving', async () => {
    const { database, archiver } = world.product.services;
    const all = { limit: 20 };
    let attempts = 0;
    const ranges = await database.asMerchant(
      world.merchant.id,
      async (tx) => {
        attempts++;
        await sql`select now()`.execute(tx.query);
        if (attempts === 1) await archiver.archiveClosed(after - 1);
        return findRange(tx, 'CNY', { ...all, createdTo: monthsOn(world, 4) }, nothingArchived);
      },
      { snapshot: true },
    );
    expect(attempts).toBe(2);
    expect((await archiver.list()).filter(({ rows }) => rows > 0)).toHaveLength(4);
    const { rows } = await database.asSystem((tx) =>
      sql<{ version: bigint }>`select max(s.last_version) as version from archived_entry_sum s
        join ledger_account a on a.merchant_id = s.merchant_id and a.id = s.account_id
        where s.merchant_id = ${world.merchant.id} and a.kind = 'available'`.execute(tx.query),
    );
    expect(ranges?.to.version).toBe(rows[0]?.version);
    expect(await readCalls()).not.toEqual([]);
    expect(await readSets(pastSets)).toEqual(pastBefore);
    expect(await readSets(otherSets)).toHaveLength(3 * otherSets.length);
  });
});

describe('archiving entries', { timeout: 120_000 }, () => {
  let world: World;
  let files: DirectoryStore;
  let directory: string;
  beforeAll(async () => {
    world = await newWorld(120);
    directory = join(world.product.dataDirectory, 'archive');
    files = new DirectoryStore(directory);
  }, 120_000);
  afterAll(() => world.product.close());

  const archiverWith = (change: Partial<FileStore>) => {
    const store: FileStore = {
      put: (key, content) => files.put(key, content),
      get: (key, range) => files.get(key, range),
      delete: (key) => files.delete(key),
      ...change,
    };
    return new Archiver(world.product.services.database, store);
  };
  const intact = async () => {
    expect(await oldPartitions(world)).toBe(3);
    expect(await world.product.violations()).toEqual([]);
    const { rows } = await world.product.services.database.asSystem((tx) =>
      sql<{ sums: bigint }>`select count(*) as sums from archived_entry_sum`.execute(tx.query),
    );
    expect(rows).toEqual([{ sums: 0n }]);
  };

  it('changes nothing if it ends while the file is written, or before it was read back', async () => {
    const broken = archiverWith({
      put: async (key, content) => {
        const some = async function* () {
          for await (const piece of content) {
            yield piece;
            throw new Error('killed');
          }
        };
        await files.put(key, Readable.from(some()));
      },
    });
    await expect(broken.archiveClosed(after)).rejects.toThrow('killed');
    await intact();
    const unread = archiverWith({ get: () => Promise.reject(new Error('killed')) });
    await expect(unread.archiveClosed(after)).rejects.toThrow('killed');
    await intact();
  });

  it('changes nothing if the file holds other amounts than the database', async () => {
    const altered = archiverWith({
      get: async (key) => {
        const text = gunzipSync(await readFile(join(directory, key))).toString();
        const content = gzipSync(text.replace(/"amount_minor":-?/, '"amount_minor":1'));
        return { bytes: content.length, content: Readable.from([content]) };
      },
    });
    await expect(altered.archiveClosed(after)).rejects.toThrow('not what was written');
    await intact();
  });

  it('changes nothing if an entry was added since the file was written', async () => {
    const late = archiverWith({
      put: async (key, content) => {
        await files.put(key, content);
        await world.product.services.database.asSystemFor(world.other.id, (tx) =>
          sql`select ledger_post('correction', 'late', 'late', 'CNY', array['fees', 'clearing'], array['', 'late'],
            array[1, -1], ${world.start}::timestamptz + interval '1 hour')`.execute(tx.query),
        );
      },
    });
    await expect(late.archiveClosed(after)).rejects.toThrow();
    await intact();
  });

  it('refuses a month whose transfers do not sum to zero', async () => {
    const change = (by: number) =>
      forceChange(world.product, [
        `update ledger_entry set amount_minor = amount_minor + ${by} where merchant_id = ${world.merchant.id} and version = 1
          and statement_type is not null`,
      ]);
    await change(1);
    await expect(world.product.services.archiver.archiveClosed(after)).rejects.toThrow('sum to zero');
    await change(-1);
    await intact();
  });

  it('refuses a month while entries of an earlier one are in the database', async () => {
    const mark = (facts: string) =>
      asOwner(world.product.ownerUrl, (client) =>
        client.query(
          `update archived_month set (archived_at, row_count, bytes, sha256) = (${facts})
            where table_name = 'ledger_entry' and month = $1`,
          [`${world.start.toISOString().slice(0, 7)}-01`],
        ),
      );
    // The earlier attempts have left its row.
    await mark(`now(), 0, 0, ''::bytea`);
    await expect(world.product.services.archiver.archiveClosed(after)).rejects.toThrow('not archived yet');
    await mark('null, null, null, null');
    await intact();
  });

  it('completes what an earlier attempt began, and its figures prove the ledger', async () => {
    const outcomes = await world.product.services.archiver.archiveClosed(after);
    expect(outcomes.filter(({ table, rows }) => table === 'ledger_entry' && rows > 0)).toHaveLength(3);
    expect(await oldPartitions(world)).toBe(0);
    expect(await world.product.violations()).toEqual([]);
    expect(await world.product.services.archiver.verify()).toEqual([]);
  });

  it('finds a sum that was altered, in the ledger and by the file', async () => {
    const change = (by: number) =>
      forceChange(world.product, [
        `update archived_entry_sum set credit_minor = credit_minor + ${by}, debit_minor = debit_minor + ${by}
          where (merchant_id, account_id, month) = (select merchant_id, account_id, month from archived_entry_sum
            order by account_id, month limit 1)`,
      ]);
    await change(5);
    expect((await world.product.violations()).map(({ rule }) => rule)).toContain('archived_running_totals');
    const faults = await world.product.services.archiver.verify();
    expect(faults).toMatchObject([{ table: 'ledger_entry', fault: expect.stringContaining('creditMinor') }]);
    await change(-5);
    expect(await world.product.services.archiver.verify()).toEqual([]);
    expect(await world.product.violations()).toEqual([]);
  });

  it('finds sums that agree with each other but not with the balances', async () => {
    const change = (by: number) =>
      forceChange(world.product, [
        `update archived_entry_sum set credit_minor = credit_minor + ${by}, balance_after_minor = balance_after_minor + ${by},
            inflow_after_minor = inflow_after_minor + ${by}
          where (merchant_id, account_id, month) in (select distinct on (account_id) merchant_id, account_id, month
            from archived_entry_sum order by account_id, month desc)`,
      ]);
    await change(100);
    const rules = (await world.product.violations()).map(({ rule }) => rule);
    for (const rule of ['balance_is_sum_of_entries', 'running_balance', 'archived_month_sums_to_zero'])
      expect(rules).toContain(rule);
    await change(-100);
    expect(await world.product.violations()).toEqual([]);
  });

  it('finds a removed split, and removed sums', async () => {
    for (const [table, rule] of [
      ['archived_split_transfer', 'archived_month_sums_to_zero'],
      ['archived_entry_sum', 'archived_rows_have_sums'],
    ]) {
      await forceChange(world.product, [
        `create table kept as select * from ${table} limit 1`,
        `delete from ${table} where exists (select from kept k where k = ${table})`,
      ]);
      expect((await world.product.violations()).map((found) => found.rule)).toContain(rule);
      await forceChange(world.product, [`insert into ${table} select * from kept`, 'drop table kept']);
    }
    expect(await world.product.violations()).toEqual([]);
  });

  it('finds an altered file, even if its hash was recorded anew', async () => {
    const { archiver } = world.product.services;
    const [month] = (await archiver.list()).filter(({ table, rows }) => table === 'ledger_entry' && rows > 0);
    const fileKey = month?.fileKey ?? '';
    const original = await readFile(join(directory, fileKey));
    const text = gunzipSync(original).toString();
    const forged = gzipSync(
      text.replace(/"amount_minor":(\d+)/, (_, amount: string) => `"amount_minor":${BigInt(amount) + 1n}`),
    );
    await files.put(fileKey, Readable.from([forged]));
    expect(await archiver.verify()).toMatchObject([{ fault: expect.stringContaining('bytes') }]);
    const record = (content: Buffer) =>
      asOwner(world.product.ownerUrl, (client) =>
        client.query('update archived_month set bytes = $1, sha256 = $2 where file_key = $3', [
          content.length,
          createHash('sha256').update(content).digest(),
          fileKey,
        ]),
      );
    await record(forged);
    expect(await archiver.verify()).toMatchObject([{ fault: expect.stringContaining('creditMinor') }]);
    await record(original);
    await files.put(fileKey, Readable.from([original]));
    expect(await archiver.verify()).toEqual([]);
  });
});
