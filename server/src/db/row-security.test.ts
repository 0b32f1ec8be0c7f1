import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { asOwner } from '#db/owner.ts';
import { type TestMerchant, TestProduct } from '../testing/test-product.ts';
import type { Database } from './database.ts';

let product: TestProduct;
let database: Database;
let merchant: TestMerchant;
let other: TestMerchant;
/** Every table with a merchant_id, and whether the application may read and insert. */
let tables: { name: string; isReadable: boolean; isWritable: boolean }[];

beforeAll(async () => {
  product = await TestProduct.start(inject('ownerUrl'), { bank: true, hasOnePlacement: true });
  database = product.services.database;
  merchant = await product.merchant('inside');
  other = await product.merchant('outside');
  for (const one of [merchant, other]) {
    await product.person(one);
    await one.program.create('order', { notifyUrl: 'http://127.0.0.1:1/', channel: 'CN_BANK' });
  }
  tables = await asOwner(product.ownerUrl, async (client) => {
    const { rows } = await client.query(`
      select c.relname as name, has_table_privilege('hengfu_app', c.oid, 'select') as "isReadable",
        has_table_privilege('hengfu_app', c.oid, 'insert') as "isWritable"
      from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'merchant_id'
      where c.relkind in ('r', 'p') and c.relnamespace = 'public'::regnamespace order by 1`);
    return rows;
  });
});
afterAll(() => product.close());

describe('row-level security', () => {
  it('is enabled and forced on every table with a merchant_id', async () => {
    expect(tables.length).toBeGreaterThan(10);
    const open = await asOwner(product.ownerUrl, async (client) => {
      const { rows } = await client.query(
        `select relname from pg_class where relname = any($1) and not (relrowsecurity and relforcerowsecurity)`,
        [tables.map(({ name }) => name)],
      );
      return rows;
    });
    expect(open).toEqual([]);
  });

  it('shows the application nothing if no merchant is set', async () => {
    for (const { name } of tables.filter(({ isReadable }) => isReadable)) {
      const { rows } = await database.asSystem(async (tx) => {
        await sql`set local role hengfu_app`.execute(tx.query);
        return sql<{ count: bigint }>`select count(*) from ${sql.table(name)}`.execute(tx.query);
      });
      expect([name, rows[0]?.count]).toEqual([name, 0n]);
    }
  });

  it('shows a transaction of several merchants nothing, except through their functions', async () => {
    for (const { name } of tables.filter(({ isReadable }) => isReadable)) {
      const { rows } = await database.asMerchants([merchant.id, other.id], (tx) =>
        sql<{ count: bigint }>`select count(*) from ${sql.table(name)}`.execute(tx.query),
      );
      expect([name, rows[0]?.count]).toEqual([name, 0n]);
    }
  });

  it('shows only the merchant’s own rows to a query for all', async () => {
    let seen = 0;
    for (const { name } of tables.filter(({ isReadable }) => isReadable)) {
      const { rows } = await database.asMerchant(merchant.id, (tx) =>
        sql<{ merchant_id: bigint }>`select merchant_id from ${sql.table(name)}`.execute(tx.query),
      );
      expect(rows.filter((row) => row.merchant_id !== merchant.id)).toEqual([]);
      seen += rows.length;
    }
    expect(seen).toBeGreaterThan(5);
  });

  it('rejects inserting a row for another merchant and moving one to it', async () => {
    for (const { name } of tables.filter(({ isWritable }) => isWritable)) {
      const inserting = database.asMerchant(merchant.id, (tx) =>
        sql`insert into ${sql.table(name)} (merchant_id) overriding system value values (${other.id})`.execute(
          tx.query,
        ),
      );
      await expect(inserting, name).rejects.toThrow('row-level security');
    }
    const moving = database.asMerchant(merchant.id, (tx) =>
      sql`update collection set merchant_id = ${other.id}`.execute(tx.query),
    );
    await expect(moving).rejects.toThrow(/row-level security|foreign key/);
  });
});
