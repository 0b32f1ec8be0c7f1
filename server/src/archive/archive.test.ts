import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import S3rver from '@20minutes/s3rver';
import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, it } from 'vitest';
import { asOwner } from '#db/owner.ts';
import { DirectoryStore, type FileStore } from '#files/file-store.ts';
import { type TestMerchant, TestProduct } from '../testing/test-product.ts';
import type { Visitor } from '../testing/visitor.ts';
import { Archiver } from './archiver.ts';

/** Orders of each merchant in the old month; their parts in the file are longer than one. */
const count = 3000;
const after = 4;
/** Audit rows of the service and of each merchant in the old month. */
const auditRows = 7;

const now = new Date();
/** The beginning of the old month. */
const oldMonth = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 6);

let folder: string;
let s3: S3rver;
let bucketUrl: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hengfu-archive-'));
  s3 = new S3rver({
    port: 0,
    address: '127.0.0.1',
    silent: true,
    directory: join(folder, 's3'),
    configureBuckets: [{ name: 'hengfu' }],
  });
  bucketUrl = `s3+http://S3RVER:S3RVER@127.0.0.1:${(await s3.run()).port}/hengfu?region=us-east-1`;
});
afterAll(async () => {
  await s3.close();
  await rm(folder, { recursive: true, force: true });
});

interface World {
  product: TestProduct;
  merchant: TestMerchant;
  other: TestMerchant;
  visitor: Visitor;
}

/** A product with two merchants' orders of half a year ago, and their histories. */
async function newWorld(env: NodeJS.ProcessEnv = {}): Promise<World> {
  const product = await TestProduct.start(inject('ownerUrl'), { env });
  const [merchant, other] = [await product.merchant('old'), await product.merchant('other')];
  const visitor = await product.person(merchant);
  await product.monthsSince(oldMonth);
  for (const id of [0n, merchant.id, other.id])
    await product.services.database.asSystem((tx) =>
      sql`
      insert into audit (merchant_id, at, actor, action, subject, address, request_id, before, after)
      select ${id}, date_trunc('month', now() - interval '6 months') + n * interval '1.000001 hours', 'operator:王芳', 'user.suspend',
        'user:1', '2001:db8::7', 'r' || n, '{"isSuspended": false}', jsonb_build_object('reason', E'line\nand \\ "quoted"')
      from generate_series(1, ${auditRows}::integer) n`.execute(tx.query),
    );
  for (const { id } of [merchant, other])
    await product.services.database.asSystemFor(id, (tx) =>
      sql`
        with made as (
          insert into collection (merchant_id, trade_no, out_trade_no, request_hash, status, currency, amount_minor, cashier_token,
            created_at, expires_at)
          select ${id}, 'C' || ${id} || '-' || n, 'S' || n, '', 'closed', 'CNY', 100, 't' || ${id} || '-' || n, at, at
          from generate_series(1, ${count}::integer) n
          cross join lateral (
            select date_trunc('month', now() - interval '6 months') + interval '3 days' + n * interval '1 minute' as at) moment
          returning *
        ), told as (
          insert into callback_message (merchant_id, subject_kind, subject_no, event, url, body, created_at)
          select merchant_id, 'collection', trade_no, 'collection.closed', 'u', 'b', created_at from made returning *
        ), tried as (
          insert into callback_attempt (merchant_id, message_id, attempt, at, duration_ms, http_status, error)
          select merchant_id, id, n, created_at + n * interval '1 minute', 7, 500 + n, 'a\b "quoted"	text'
          from told, generate_series(1, 2) n
        ), paid as (
          insert into payout (merchant_id, trade_no, out_trade_no, request_hash, status, currency, amount_minor, fee_minor,
            channel, payee, payee_account, account_key, source, created_by, created_at, rejected_at)
          select merchant_id, 'P' || trade_no, out_trade_no, '', 'rejected', 'CNY', 100, 0, 'CN_BANK', '王芳', '1', '1', 'console',
            'user:1', created_at, created_at from made returning *
        ), moved as (
          insert into payout_event (merchant_id, payout_id, at, status, reason, detail)
          select merchant_id, id, created_at + n * interval '1 second', status, 'staff_rejected', 'no ' || n
          from paid, generate_series(1, 2) n
        )
        insert into collection_event (merchant_id, collection_id, at, status, reason, detail)
        select merchant_id, id, created_at + n * interval '1 minute', status, 'expired', E'line\nand \\ 王芳' || n
        from made, generate_series(0, 1) n`.execute(tx.query),
    );
  return { product, merchant, other, visitor };
}

/** Reads the pages of an order and a payout, and the operator’s timeline. */
async function shownBy({ product, merchant, visitor }: World, number: number): Promise<unknown[]> {
  const no = `C${merchant.id}-${number}`;
  const answers = [
    await visitor.get(`/api/merchant/collections/${no}`),
    await visitor.get(`/api/merchant/payouts/P${no}`),
  ];
  expect(answers.map(({ status }) => status)).toEqual([200, 200]);
  return [...answers.map(({ json }) => json.data), await product.services.watch.timeline(`P${no}`)];
}

/** The number of partitions of the archived tables that have rows of the old month. */
async function partitions({ product }: World): Promise<number> {
  return asOwner(product.ownerUrl, async (client) => {
    const { rows } = await client.query<{ count: number }>(`
      select count(*)::integer as count from unnest(array['audit', 'callback_attempt', 'collection_event', 'payout_event']) t
      where to_regclass('month.' || month_of(t, (now() - interval '6 months') at time zone 'UTC')) is not null`);
    return rows[0]?.count ?? 0;
  });
}

/** The audit rows of the old month, in the order of the archive. */
async function auditOf({ product, merchant, other }: World): Promise<{ merchant_id: number }[]> {
  const trail: { merchant_id: number }[] = [];
  for (const id of [0n, merchant.id, other.id].toSorted((one, next) => Number(one - next))) {
    const { rows } = await product.services.database.asSystem((tx) =>
      sql<{ row: { merchant_id: number } }>`
        select to_json(a) as row from audit a
        where merchant_id = ${id} and at < date_trunc('month', now() - interval '5 months') order by at, id`.execute(
        tx.query,
      ),
    );
    trail.push(...rows.map(({ row }) => row));
  }
  return trail;
}

describe.each(['directory', 'bucket'])('months in a %s', { timeout: 120_000 }, (place) => {
  let world: World;
  beforeAll(async () => {
    world = await newWorld(place === 'bucket' ? { STORAGE_URL: bucketUrl } : {});
  }, 120_000);
  afterAll(() => world.product.close());

  it('hold the same histories as the tables did, of one merchant each', async () => {
    const { archiver } = world.product.services;
    const numbers = [1, 2, count / 2, count - 1, count];
    const read = async () => {
      const shown: unknown[] = [];
      for (const number of numbers) shown.push(...(await shownBy(world, number)));
      return shown;
    };
    const before = await read();
    const trail = await auditOf(world);
    expect(trail).toHaveLength(3 * auditRows);
    expect(before[0]).toMatchObject({ timeline: [{ reason: 'expired' }, { reason: 'expired' }] });
    expect(before[0]).toMatchObject({ callbacks: [{ httpStatus: 501 }, { httpStatus: 502 }] });
    expect(await partitions(world)).toBe(4);

    const outcomes = await archiver.archiveClosed(after);
    expect(
      outcomes.filter(({ rows }) => rows > 0).map(({ table, outcome, rows }) => [table, outcome, rows]),
    ).toEqual([
      ['audit', 'archived', 3 * auditRows],
      ['callback_attempt', 'archived', 4 * count],
      ['collection_event', 'archived', 4 * count],
      ['payout_event', 'archived', 4 * count],
    ]);
    expect(await partitions(world)).toBe(0);
    expect(await read()).toEqual(before);
    expect(await archiver.verify()).toEqual([]);
    expect(await archiver.archiveClosed(after)).toEqual([]);

    expect(await auditOf(world)).toEqual([]);
    const month = { table: 'audit', month: new Date(oldMonth).toISOString().slice(0, 7) } as const;
    const extracted = async (merchantId?: bigint) =>
      (await Array.fromAsync(archiver.lines(month, merchantId))).flat().map((line) => JSON.parse(line));
    expect(await extracted()).toEqual(trail);
    for (const id of [0n, world.merchant.id])
      expect(await extracted(id)).toEqual(trail.filter((row) => row.merchant_id === Number(id)));
    expect(await extracted(99n)).toEqual([]);
    await expect(archiver.lines({ ...month, month: '2001-01' }).next()).rejects.toThrow('not in the archive');
  });

  it('are not made again, and rows of that time are refused', async () => {
    await world.product.monthsSince(oldMonth);
    expect(await partitions(world)).toBe(0);
    const inserting = world.product.services.database.asSystem((tx) =>
      sql`insert into collection_event (merchant_id, collection_id, at, status)
        select merchant_id, id, created_at, status from collection`.execute(tx.query),
    );
    await expect(inserting).rejects.toThrow('no partition');
  });

  it('are not archived twice if a restore has made an empty partition', async () => {
    await asOwner(world.product.ownerUrl, (client) =>
      client.query(`do $$
        declare
          month timestamp := date_trunc('month', (now() - interval '6 months') at time zone 'UTC');
        begin
          execute format('create table month.%I partition of payout_event for values from (%L) to (%L)',
            month_of('payout_event', month), month at time zone 'UTC', (month + interval '1 month') at time zone 'UTC');
        end $$`),
    );
    expect(await partitions(world)).toBe(1);
    expect(await world.product.services.archiver.archiveClosed(after)).toEqual([]);
  });

  it('are visible to their merchant only', async () => {
    const { database } = world.product.services;
    const merchants = await database.asMerchant(world.merchant.id, (tx) =>
      sql<{ merchant_id: bigint }>`select distinct merchant_id from archived_part`.execute(tx.query),
    );
    expect(merchants.rows).toEqual([{ merchant_id: world.merchant.id }]);
  });
});

describe('archiving', { timeout: 120_000 }, () => {
  let world: World;
  let files: DirectoryStore;
  let directory: string;
  beforeAll(async () => {
    world = await newWorld();
    directory = join(world.product.dataDirectory, 'archive');
    files = new DirectoryStore(directory);
  }, 120_000);
  afterAll(() => world.product.close());
  let before: unknown[];
  beforeEach(async () => {
    before = await shownBy(world, 7);
  });

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
    expect(await partitions(world)).toBe(4);
    expect(await shownBy(world, 7)).toEqual(before);
    expect(await world.product.services.archiver.list()).toEqual([]);
  };

  it('leaves months alone as long as an order of that time is unfinished', async () => {
    const { database, archiver } = world.product.services;
    const open = (status: string) =>
      database.asSystem((tx) =>
        sql`update payout set status = ${status}, sent_at = created_at,
            rejected_at = case when ${status} = 'rejected' then created_at end
          where id = (select min(id) from payout)`.execute(tx.query),
      );
    await open('processing');
    const outcomes = await archiver.archiveClosed(after);
    expect(outcomes.filter(({ outcome }) => outcome === 'archived')).toEqual([]);
    await open('rejected');
    await intact();
  });

  it('changes nothing if it ends while the file is written', async () => {
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
  });

  it('changes nothing if it ends after the file was written, or if the file reads differently', async () => {
    await expect(
      archiverWith({ get: () => Promise.reject(new Error('killed')) }).archiveClosed(after),
    ).rejects.toThrow('killed');
    await intact();
    const cut = archiverWith({
      get: async (key) => {
        const file = await files.get(key);
        return file && { ...file, content: Readable.from(file.content.take(0)) };
      },
    });
    await expect(cut.archiveClosed(after)).rejects.toThrow();
    await intact();
  });

  it('changes nothing if a row was added since the file was written', async () => {
    const late = archiverWith({
      put: async (key, content) => {
        await files.put(key, content);
        await world.product.services.database.asSystem((tx) =>
          sql`insert into audit (merchant_id, at, actor, action)
            select merchant_id, created_at, 'nobody', 'test' from callback_message limit 1`.execute(tx.query),
        );
      },
    });
    await expect(late.archiveClosed(after)).rejects.toThrow('has changed');
    await intact();
  });

  it('waits for a reader of the table, and completes what earlier attempts began, without their files', async () => {
    const reader = new pg.Client({ connectionString: world.product.ownerUrl });
    await reader.connect();
    await reader.query('begin; lock table callback_attempt in access share mode');
    let isDone = false;
    const archiving = world.product.services.archiver.archiveClosed(after).then((outcomes) => {
      isDone = true;
      return outcomes;
    });
    // While it waits, others write to the table.
    for (let times = 0; times < 3; times++) {
      await new Promise((resolve) => setTimeout(resolve, 700));
      await reader.query(
        'savepoint s; lock table callback_attempt in row exclusive mode; rollback to savepoint s',
      );
    }
    expect(isDone).toBe(false);
    await reader.query('commit');
    await reader.end();
    expect((await archiving).filter(({ rows }) => rows > 0)).toHaveLength(4);
    const listed = (await world.product.services.archiver.list()).map(({ fileKey }) => fileKey);
    expect((await readdir(directory)).toSorted()).toEqual(listed.toSorted());
    expect(await shownBy(world, 7)).toEqual(before);
  });

  it('finds a file that is missing or was altered', async () => {
    const { archiver } = world.product.services;
    const [altered, missing] = (await archiver.list()).filter(({ rows }) => rows > 0);
    const path = join(directory, altered?.fileKey ?? '');
    const bytes = await readFile(path);
    bytes.writeUInt8(bytes.readUInt8(9) ^ 1, 9);
    await writeFile(path, bytes);
    await files.delete(missing?.fileKey ?? '');
    const faults = await archiver.verify();
    expect(faults.map(({ table }) => table)).toEqual([altered?.table, missing?.table]);
    expect(faults[0]?.fault).toContain('SHA-256');
    expect(faults[1]?.fault).toContain('missing');
  });
});
