import { readdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { permsOf } from '@hengfu/contract/permissions';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { ArchiveReader } from '#archive/archive-reader.ts';
import { exportablesOf } from '#composition/exports.ts';
import { DirectoryStore } from '#files/file-store.ts';
import { forceChange } from '../../testing/old-entries.ts';
import { type TestMerchant, TestProduct } from '../../testing/test-product.ts';
import type { Visitor } from '../../testing/visitor.ts';
import { listAudit } from './audit-pages.sql.ts';

const path = '/api/merchant/audit-log';
/** Rows of the oldest month: more than a page may read. Those of one merchant make up 14 parts. */
const many = 66_000;
/** Archives the first two of the months. */
const after = 4;

let product: TestProduct;
let merchant: TestMerchant;
let admin: Visitor;
let stranger: Visitor;
let folder: string;

/** The instant at which a month began, so many months ago. */
const monthStart = (ago: number) => {
  const now = new Date();
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - ago));
};

/** Writes rows in the order of the arguments; their numbers are in that order, whatever their instants. */
function write(merchantId: bigint, rows: { at: Date; subject: string; actor?: string; action?: string }[]) {
  return product.services.database.asSystem(async (tx) => {
    for (const { at, subject, actor = 'key:ak_1', action = 'payout.create' } of rows)
      await sql`insert into audit (merchant_id, at, actor, action, subject, after)
        values (${merchantId}, ${at}, ${actor}, ${action}, ${subject}, '{"reason": "a\\\\b \\"王芳\\"", "amountMinor": "12345678901234567890"}')`.execute(
        tx.query,
      );
  });
}

const fill = (merchantId: bigint, ago: number, count: number) =>
  product.services.database.asSystem(async (tx) => {
    await tx.disableTimeouts();
    await sql`insert into audit (merchant_id, at, actor, action, subject, roles, address, before, after)
      select ${merchantId}, ${monthStart(ago)}::timestamptz + n * interval '27.000001 seconds', 'key:ak_1', 'payout.create',
        'P' || ${merchantId}::bigint || '-' || ${ago}::integer || '-' || n, null, '203.0.113.9', null, jsonb_build_object('amountMinor', n::text)
      from generate_series(1, ${count}::integer) n`.execute(tx.query);
  });

beforeAll(async () => {
  product = await TestProduct.start(inject('ownerUrl'));
  merchant = await product.merchant('keeps');
  const other = await product.merchant('elsewhere');
  [admin, stranger] = [await product.person(merchant), await product.person(other)];
  folder = join(product.dataDirectory, 'archive');
  await product.monthsSince(monthStart(6));
  const { rows } = await product.services.database.asSystem((tx) =>
    sql<{ id: bigint }>`select id from app_user where email = 'merchant_admin@keeps.test'`.execute(tx.query),
  );
  const actor = `user:${rows[0]?.id}`;
  await write(merchant.id, [
    { at: new Date(monthStart(6).getTime() + 1000), subject: 'rare', actor, action: 'terms.set' },
  ]);
  await fill(merchant.id, 6, many);
  await fill(other.id, 6, 300);
  const edge = monthStart(5).getTime();
  // Written at the same time as others, on both sides of the end of a month.
  await write(merchant.id, [
    { at: new Date(edge + 1), subject: 'early' },
    { at: new Date(edge - 1), subject: 'late', actor, action: 'terms.set' },
    { at: new Date(edge + 2), subject: 'early' },
  ]);
  await fill(merchant.id, 5, 700);
  const end = monthStart(4).getTime();
  await write(merchant.id, [
    { at: new Date(end + 1), subject: 'early' },
    { at: new Date(end - 1), subject: 'late' },
    { at: new Date(end - 2), subject: 'merchant_admin@keeps.test', action: 'user.roles' },
    { at: new Date(end + 2), subject: actor, action: 'user.roles' },
  ]);
  await fill(merchant.id, 3, 150);
}, 180_000);
afterAll(() => product.close());

interface Entry {
  entry_no: string;
  subject: string;
}

async function page(query: string, visitor = admin) {
  const { status, json } = await visitor.get(`${path}?${query}`);
  expect([query, status]).toEqual([query, 200]);
  return json as { data: Entry[]; next: string | null; previous: string | null; searchedTo?: string };
}

/** Reads all pages of a list from the first one, or from a cursor; the newest rows first. */
async function walk(query: string, direction: 'next' | 'previous' = 'next', from?: string, visitor = admin) {
  const rows: Entry[] = [];
  const pages: Awaited<ReturnType<typeof page>>[] = [];
  for (let cursor = from; ; ) {
    const read = await page(cursor === undefined ? query : `${query}&cursor=${cursor}`, visitor);
    pages.push(read);
    if (direction === 'next') rows.push(...read.data);
    else rows.unshift(...read.data);
    const following = read[direction];
    if (following === null) return { rows, pages };
    cursor = following;
  }
}

const home = () =>
  ({
    merchantId: merchant.id,
    code: merchant.code,
    name: merchant.code,
    currency: 'CNY',
    zone: 'Asia/Shanghai',
  }) as const;

async function count(filters: Record<string, string>): Promise<number> {
  const person = { home: home(), perms: permsOf(['MERCHANT_ADMIN']) };
  const { signal } = new AbortController();
  return (await product.services.totals.count(person, 'auditLog', filters, signal)).count;
}

async function exported(filters: Record<string, string>): Promise<Entry[]> {
  const { auditLog } = exportablesOf(new ArchiveReader(new DirectoryStore(folder)).readParts);
  return product.services.database.asMerchant(
    merchant.id,
    async (tx) =>
      (await Array.fromAsync(auditLog.read(tx, home(), filters, 'en'))).flat() as never as Entry[],
    { snapshot: true },
  );
}

const iso = (ms: number) => new Date(ms).toISOString();
const edgeOf = (ago: number) => monthStart(ago).getTime();

/** Filters, each with whether the rows are few enough to be read as a list. */
const filters: Record<string, string>[] = [
  { createdFrom: iso(edgeOf(5) - 60_000), createdTo: iso(edgeOf(4) + 60_000) },
  { createdFrom: iso(edgeOf(5) - 1), createdTo: iso(edgeOf(5) + 2) },
  { createdTo: iso(edgeOf(6) + 3_600_000) },
  { subject: 'late' },
  { subject: 'rare' },
  { subject: 'merchant_admin@keeps.test' },
  { person: 'merchant_admin@keeps.test' },
  { person: 'nobody@keeps.test' },
  { action: 'terms_set,user_roles' },
  { action: 'payout_create', createdFrom: iso(edgeOf(5)) },
  { subject: 'early', action: 'payout_create', createdTo: iso(edgeOf(4) + 2) },
];
const queryOf = (filter: Record<string, string>) => String(new URLSearchParams({ ...filter, limit: '50' }));

describe('the audit log', { timeout: 240_000 }, () => {
  const before = new Map<string, { rows: Entry[]; count: number; exported: Entry[] }>();
  let newest: { data: Entry[] };

  beforeAll(async () => {
    for (const filter of filters)
      before.set(queryOf(filter), {
        rows: (await walk(queryOf(filter))).rows,
        count: await count(filter),
        exported: await exported(filter),
      });
    before.set('all', { rows: [], count: await count({}), exported: [] });
    newest = await page('limit=200');
    const outcomes = await product.services.archiver.archiveClosed(after);
    expect(outcomes.filter(({ rows }) => rows > 0).map(({ table }) => table)).toEqual(['audit', 'audit']);
  }, 240_000);

  it.each(filters)('shows the same rows when they are in the archive: %j', async (filter) => {
    const query = queryOf(filter);
    const expected = before.get(query);
    const { rows, pages } = await walk(query);
    expect(rows).toEqual(expected?.rows);
    expect(pages.every(({ searchedTo }) => searchedTo === undefined)).toBe(true);
    expect(await count(filter)).toBe(expected?.count);
    const found = await exported(filter);
    expect(found.toSorted(byNumber)).toEqual(expected?.exported.toSorted(byNumber));
    const last = pages.at(-2)?.next;
    if (!last) return;
    // From the last page back to the first.
    const end = await page(`${query}&cursor=${last}`);
    const back = await walk(query, 'previous', end.previous ?? '');
    expect([...back.rows, ...end.data]).toEqual(expected?.rows);
  });

  it('reads no file for a page that the table fills, and counts everything', async () => {
    expect((await page('limit=200')).data).toEqual(newest.data);
    expect(await count({})).toBe(before.get('all')?.count);
  });

  it('has each entry in detail, and no other merchant’s', async () => {
    const { rows } = await walk(queryOf({ subject: 'late' }));
    expect(rows).toHaveLength(2);
    for (const row of rows) {
      const { status, json } = await admin.get(`${path}/${row.entry_no}`);
      expect([status, json.data]).toEqual([200, row]);
      expect((await stranger.get(`${path}/${row.entry_no}`)).status).toBe(404);
    }
    const theirs = await walk('limit=200', 'next', undefined, stranger);
    expect(theirs.rows.length).toBeGreaterThan(300);
    expect(theirs.rows.filter(({ subject }) => subject?.startsWith(`P${merchant.id}-`))).toEqual([]);
    const archived = theirs.rows.find(({ subject }) => subject?.includes('-6-'))?.entry_no;
    expect((await admin.get(`${path}/${archived}`)).status).toBe(404);
    expect((await stranger.get(`${path}/${archived}`)).status).toBe(200);
  });

  it('is whole for a snapshot that is older than the archiving of a month', async () => {
    const { database, archiver } = product.services;
    const reader = new ArchiveReader(new DirectoryStore(folder));
    const query = { limit: 50, createdTo: iso(edgeOf(2)), createdFrom: iso(edgeOf(3)) };
    const expected = await page(queryOf({ createdTo: query.createdTo, createdFrom: query.createdFrom }));
    let attempts = 0;
    const found = await database.asMerchant(
      merchant.id,
      async (tx) => {
        attempts++;
        await sql`select 1`.execute(tx.query);
        if (attempts === 1) await archiver.archiveClosed(2);
        return listAudit(tx, query, reader.readParts);
      },
      { snapshot: true },
    );
    expect(attempts).toBe(2);
    expect(found.rows.map(({ id }) => String(id))).toEqual(expected.data.map(({ entry_no }) => entry_no));
  });

  it('finds rows in files without an index, a limited number of parts at a time, and says how far it has come', async () => {
    const filter = { subject: 'rare' };
    const { rows } = await walk(queryOf(filter));
    await forceChange(product, [
      'create table kept as select * from archived_part',
      'update archived_part set terms = null, lowest_id = null, highest_id = null, sha256 = null',
    ]);
    try {
      const first = await page(queryOf(filter));
      expect(first.data).toEqual([]);
      const reached = Date.parse(first.searchedTo ?? '');
      expect(reached).toBeGreaterThan(edgeOf(6));
      expect(reached).toBeLessThan(edgeOf(5));
      const all = await walk(queryOf(filter));
      expect(all.rows).toEqual(rows);
      expect(all.pages).toHaveLength(2);
      expect(await count(filter)).toBe(1);
      for (const given of filters) {
        const { rows: shown } = await walk(queryOf(given));
        expect(shown).toEqual(before.get(queryOf(given))?.rows);
      }
    } finally {
      await forceChange(product, [
        `update archived_part p set terms = k.terms, lowest_id = k.lowest_id, highest_id = k.highest_id, sha256 = k.sha256 from kept k
          where k.merchant_id = p.merchant_id and k.table_name = p.table_name and k.month = p.month and k.number = p.number`,
        'drop table kept',
      ]);
    }
  });

  it('says that a file is missing or was altered, and shows nothing in its place', async () => {
    const month = iso(edgeOf(6)).slice(0, 7);
    const name = (await readdir(folder)).find((file) => file.startsWith(`audit-${month}`)) ?? '';
    const file = join(folder, name);
    const query = queryOf({ createdTo: iso(edgeOf(6) + 3_600_000) });
    const { rows } = await walk(query);
    const entry = rows[0]?.entry_no;
    const unreadable = async () => {
      for (const address of [`${path}?${query}`, `${path}/${entry}`]) {
        const { status, json } = await admin.get(address, { 'accept-language': 'en' });
        expect([status, json.code]).toEqual([500, 'archive_unreadable']);
        expect(json.message).toContain('cannot be read from the archive');
      }
      await expect(exported({ createdTo: iso(edgeOf(6) + 3_600_000) })).rejects.toThrow(name);
      // Newer entries are as they were.
      expect((await page(queryOf({ subject: 'early' }))).data).toHaveLength(3);
    };
    await rename(file, `${file}.away`);
    await unreadable();
    const content = await readFile(`${file}.away`);
    const { rows: parts } = await product.services.database.asSystem((tx) =>
      sql<{ offset: bigint }>`select offset_bytes as offset from archived_part
        where merchant_id = ${merchant.id} and table_name = 'audit' and number in (
          select min(number) from archived_part where merchant_id = ${merchant.id} and table_name = 'audit'
            and month = ${`${month}-01`}::date) and month = ${`${month}-01`}::date`.execute(tx.query),
    );
    const altered = Buffer.from(content);
    // The operating system in the header of gzip: its content is the same, so that only the hash tells the difference.
    altered.writeUInt8(altered.readUInt8(Number(parts[0]?.offset) + 9) ^ 1, Number(parts[0]?.offset) + 9);
    await writeFile(file, altered);
    await unreadable();
    await writeFile(file, content.subarray(0, Number(parts[0]?.offset) + 100));
    await unreadable();
    await writeFile(file, content);
    expect((await walk(query)).rows).toEqual(rows);
  });

  it('is closed without the permission, also for what the archive has', async () => {
    const viewer = await product.person(merchant, 'MERCHANT_VIEWER');
    expect(permsOf(['MERCHANT_VIEWER'])).not.toContain('audit.read');
    expect((await viewer.get(`${path}?${queryOf({ subject: 'late' })}`)).status).toBe(403);
  });
});

const byNumber = (one: Entry, other: Entry) => Number(other.entry_no) - Number(one.entry_no);
