import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest';
import { asOwner } from '#db/owner.ts';
import { writeAudit } from '#domain/audit.sql.ts';
import { SealedTrail, writeRows } from '../../testing/sealed-trail.ts';
import { type TestMerchant, TestProduct } from '../../testing/test-product.ts';
import { until } from '../../testing/until.ts';

let trail: SealedTrail;
let product: TestProduct;
let merchant: TestMerchant;
let other: TestMerchant;

beforeEach(async () => {
  trail = await SealedTrail.start();
  ({ product, merchant, other } = trail);
});
afterEach(() => trail.close());

const seal = () => trail.seal();
const verify = () => trail.verify();
const act = (by: TestMerchant, subject: string, rows: number) => trail.act(by, subject, rows);

describe('sealing', () => {
  it('covers every column of the table', async () => {
    const columns = await product.services.database.asSystem((tx) =>
      sql<{ name: string }>`select attname as name from pg_attribute
        where attrelid = 'audit'::regclass and attnum > 0 and not attisdropped order by 1`.execute(tx.query),
    );
    const covered = /jsonb_build_array\(([\s\S]*?)\)::text, 'UTF8'/.exec(
      await readFile(join(import.meta.dirname, 'audit-seal.sql.ts'), 'utf8'),
    )?.[1];
    const names = [...(covered ?? '').matchAll(/\ba\.(\w+)/g)].map(([, name]) => name);
    expect(names.toSorted()).toEqual(columns.rows.map(({ name }) => name));
  });

  it('misses no row of a transaction that ends after later ones, and waits for nothing else', async () => {
    const [taken, ended] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const slow = product.services.database.asSystem(async (tx) => {
      await writeAudit(tx, { merchantId: merchant.id, actor: 'operator:test', action: 'terms.set' });
      taken.resolve();
      await ended.promise;
    });
    await taken.promise;
    await act(merchant, 'quick', 1);
    // A lower number is still open: this run gives up, and others write meanwhile.
    const givenUp = seal();
    await act(merchant, 'quicker', 1);
    expect(await givenUp).toBe(0);
    const sealed = seal();
    ended.resolve();
    await slow;
    expect(await sealed).toBe(1);
    const { faults, unsealed } = await verify();
    expect({ faults, unsealed: unsealed.rows }).toEqual({ faults: [], unsealed: 0 });
  }, 30_000);

  it('covers each row once while many write and two seal', async () => {
    const before = Number(await trail.ask('select count(*) from audit'));
    let isWriting = true;
    const sealAll = async () => {
      // One of two that make the same root fails, and tries again.
      while (isWriting) await seal().catch((error: { code?: string }) => expect(error.code).toBe('23505'));
    };
    const writers = Array.from({ length: 12 }, async (_, n) => {
      for (let round = 0; round < 15; round++)
        await product.services.database
          .asSystem(async (tx) => {
            await writeAudit(tx, {
              merchantId: n % 2 ? merchant.id : other.id,
              actor: 'operator:test',
              action: 'terms.set',
            });
            await sql`select pg_sleep(random() * 0.03)`.execute(tx.query);
            // Its number is taken, and never used.
            if (round % 5 === 4) throw new Error('rolled back');
          })
          .catch((error: Error) => expect(error.message).toBe('rolled back'));
    });
    const sealers = [sealAll(), sealAll()];
    await Promise.all(writers);
    isWriting = false;
    await Promise.all(sealers);
    await seal();
    expect(await verify()).toMatchObject({ faults: [], rows: before + 12 * 12, unsealed: { rows: 0 } });
  }, 60_000);

  it('covers months that are moved to the archive, also by a root that covers later rows', async () => {
    const at = new Date(Date.now() - 200 * 86_400_000);
    await product.monthsSince(at);
    const month = at.toISOString().slice(0, 7);
    await product.services.database.asSystem((tx) =>
      sql`insert into audit (merchant_id, at, actor, action, address, before, after, roles)
        select m.id, ${at}::timestamptz + n * interval '1 second', 'user:7', 'terms.set', '10.0.0.1', '{"b": 1.50}', '{"名": "茶"}', '{FINANCE}'
        from merchant m, generate_series(1, 30) n`.execute(tx.query),
    );
    await act(merchant, 'now', 3);
    expect(await seal()).toBe(1);
    const before = await verify();
    expect(before.faults).toEqual([]);
    const outcomes = await product.services.archiver.archiveClosed(3);
    expect(outcomes.find(({ table, month: of }) => table === 'audit' && of === month)).toMatchObject({
      rows: 60,
    });
    expect(await verify()).toMatchObject({ faults: [], rows: before.rows, roots: before.roots });
    await asOwner(product.ownerUrl, async (client) => {
      await client.query('alter table archived_part no force row level security');
      await client.query(`delete from archived_part where merchant_id = ${other.id}`);
    });
    expect((await verify()).faults).toEqual([
      {
        merchantId: other.id,
        fault: expect.stringMatching(/^rows of root 4 were removed: 0 of 30 are left/),
      },
    ]);
  }, 60_000);

  it('begins with the oldest row of the table: what was archived before is told apart', async () => {
    const late = await TestProduct.start(inject('ownerUrl'));
    const at = new Date(Date.now() - 200 * 86_400_000);
    await late.monthsSince(at);
    const { id } = await late.merchant('late');
    await late.services.database.asSystem((tx) =>
      sql`insert into audit (id, merchant_id, at, actor, action)
        select -n, ${id}, ${at}::timestamptz + n * interval '1 second', 'user:7', 'terms.set' from generate_series(1, 4) n`.execute(
        tx.query,
      ),
    );
    await late.services.archiver.archiveClosed(3);
    await late.services.auditSeal.seal();
    expect(await late.services.auditSeal.verify()).toMatchObject({ faults: [], earlierRows: 4 });
    await late.close();
  }, 60_000);

  it('reads little of a long audit trail', async () => {
    await product.services.database.asSystem((tx) =>
      sql`insert into audit (merchant_id, actor, action, after)
        select ${merchant.id}, 'key:1', 'payout.create', jsonb_build_object('note', repeat('x', 200)) from generate_series(1, 60000)`.execute(
        tx.query,
      ),
    );
    // As autovacuum does after every 128 pages.
    const pages = await asOwner(product.ownerUrl, async (client) => {
      await client.query('vacuum analyze audit');
      const { rows } = await client.query<{ pages: number }>(
        `select sum(relpages)::integer as pages from pg_class where oid in (select inhrelid from pg_inherits where inhparent = 'audit'::regclass)`,
      );
      return rows[0]?.pages ?? 0;
    });
    expect(pages).toBeGreaterThan(1500);
    await seal();
    const { rows } = await product.services.database.asSystem((tx) =>
      sql<{ 'QUERY PLAN': [{ Plan: Record<string, number> }] }>`explain (analyze, buffers, format json)
        select count(*) from audit where id > (select to_id - 50 from audit_root order by number desc limit 1)`.execute(
        tx.query,
      ),
    );
    const { 'Shared Hit Blocks': hit = 0, 'Shared Read Blocks': read = 0 } =
      rows[0]?.['QUERY PLAN'][0].Plan ?? {};
    expect(hit + read).toBeLessThan(400);
    expect((await verify()).faults).toEqual([]);
  }, 60_000);

  it('is done by the workers, within ten seconds', async () => {
    const worked = await TestProduct.start(inject('ownerUrl'), { worker: true });
    const busy = await worked.merchant('busy');
    const seconds: number[] = [];
    for (const subject of ['first', 'second']) {
      await writeRows(worked, busy.id, subject, 3);
      const begunAt = Date.now();
      await until(
        async () => (await worked.services.auditSeal.verify()).unsealed.rows,
        (left) => left === 0,
        30_000,
      );
      seconds.push((Date.now() - begunAt) / 1000);
    }
    await worked.close();
    expect(Math.max(...seconds)).toBeLessThan(10);
  }, 60_000);
});
