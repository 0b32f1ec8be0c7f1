import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { type TestMerchant, TestProduct } from '../testing/test-product.ts';
import { makeMonths } from './months.ts';
import { asOwner } from './owner.ts';

const migrationOfStatistics = join(import.meta.dirname, '../../migrations/0149_rarer_statistics.sql');

let product: TestProduct;
let merchant: TestMerchant;

beforeAll(async () => {
  product = await TestProduct.start(inject('ownerUrl'));
  merchant = await product.merchant('months');
});
afterAll(() => product.close());

const query = async <R extends object>(text: string, values: unknown[] = []): Promise<R[]> =>
  (await asOwner(product.ownerUrl, (client) => client.query(text, values))).rows;
const tables = async () =>
  (
    await query<{ name: string }>(
      `select relname as name from pg_class where relkind = 'p' and relnamespace = 'public'::regnamespace
        and relname not in ('api_request', 'api_request_block') order by 1`,
    )
  ).map(({ name }) => name);
const partsOf = async (suffix: string) =>
  (
    await query<{ name: string }>(
      `select relname as name from pg_class where relnamespace = 'month'::regnamespace and relkind = 'r'
        and right(relname, 8) = $1 order by 1`,
      [suffix],
    )
  ).map(({ name }) => name);

describe('months', () => {
  it('are ready in a new database: of the tables that grow with the orders, the last one, this one and three more', async () => {
    expect(await tables()).toEqual([
      'audit',
      'callback_attempt',
      'collection_event',
      'ledger_entry',
      'payout_event',
    ]);
    const found = await query<{ month: string; count: number }>(`
      select to_char(date_trunc('month', now() at time zone 'UTC') + n * interval '1 month', '_YYYY_MM') as month,
        (select count(*)::integer from pg_class where relnamespace = 'month'::regnamespace and relkind = 'r' and right(relname, 8)
          = to_char(date_trunc('month', now() at time zone 'UTC') + n * interval '1 month', '_YYYY_MM')) as count
      from generate_series(-2, 4) n order by n`);
    expect(found.map(({ count }) => count)).toEqual([0, 5, 5, 5, 5, 5, 0]);
    const watched = await product.services.watch.state();
    expect(watched.monthsReady).toBe(3);
  });

  it('have their statistics gathered when they have grown by a quarter, from the current one on in a database of before', async () => {
    const rare = 'autovacuum_analyze_scale_factor=0.25';
    const month = new Date().toISOString().slice(0, 7).replace('-', '_');
    const optionsOf = async (name: string) => {
      const [found] = await query<{ reloptions: string[] | null }>(
        `select reloptions from pg_class where oid = to_regclass($1)`,
        [name],
      );
      return found?.reloptions;
    };
    const all = await query(
      `select distinct reloptions from pg_class where relnamespace = 'month'::regnamespace and relkind = 'r'`,
    );
    expect(all).toEqual([{ reloptions: [rare] }]);
    await query('select make_months($1, $1)', ['2018-05-01']);
    for (const name of [`month.audit_${month}`, 'month.audit_2018_05', 'payout'])
      await query(`alter table ${name} reset (autovacuum_analyze_scale_factor)`);
    await query(await readFile(migrationOfStatistics, 'utf8'));
    expect(await optionsOf(`month.audit_${month}`)).toEqual([rare]);
    expect(await optionsOf('payout')).toEqual([rare]);
    expect(await optionsOf('month.audit_2018_05')).toBeNull();
  });

  it('are made once, also by callers at the same moment', async () => {
    const [from, to] = [new Date('2019-12-31T23:59:59Z'), new Date('2020-02-01T00:00:00Z')];
    const make = () => asOwner(product.ownerUrl, (client) => makeMonths(client, from, to));
    await Promise.all([make(), make(), make()]);
    await make();
    for (const month of ['_2019_12', '_2020_01', '_2020_02'])
      expect(await partsOf(month)).toEqual((await tables()).map((table) => table + month));
    expect(await partsOf('_2020_03')).toEqual([]);
  });

  it('are made again by the job if one is missing', async () => {
    const [dropped] = await query<{ name: string }>(`
      select 'month.' || month_of('audit', (now() at time zone 'UTC') + interval '3 months') as name`);
    await query(`drop table ${dropped?.name}`);
    expect((await product.services.watch.state()).monthsReady).toBe(2);
    await product.services.tasks['months.make']?.({});
    expect((await product.services.watch.state()).monthsReady).toBe(3);
  });

  it('begin and end at midnight UTC, whatever the zone of the session', async () => {
    await asOwner(product.ownerUrl, async (client) => {
      await client.query(`set timezone = 'Asia/Shanghai'`);
      await makeMonths(client, new Date('2018-03-01T00:00:00Z'), new Date('2018-03-31T23:59:59Z'));
    });
    await query(`set timezone = 'UTC'`);
    const [row] = await query<{ bound: string }>(`
      select pg_get_expr(relpartbound, oid) as bound from pg_class where relname = 'audit_2018_03'`);
    const instants = [...(row?.bound ?? '').matchAll(/'([^']+)'/g)].map(([, text = '']) =>
      new Date(text.replace(' ', 'T').replace(/([+-]\d\d)$/, '$1:00')).toISOString(),
    );
    expect(instants).toEqual(['2018-03-01T00:00:00.000Z', '2018-04-01T00:00:00.000Z']);
    expect(await partsOf('_2018_04')).toEqual([]);
  });

  it('refuse a row of a month without partitions', async () => {
    await expect(
      query(`insert into audit (merchant_id, at, actor, action) values (1, '2001-01-01', 'test', 'test')`),
    ).rejects.toThrow('no partition of relation "audit" found');
  });
});

describe('every partition', () => {
  it('has its table’s columns, keys, indexes and triggers, and its row-level security', async () => {
    const differences = await query(`
      with part as (
        select p.oid as part, i.inhparent as parent, p.relrowsecurity and p.relforcerowsecurity as is_secure, p.relowner
        from pg_class p join pg_inherits i on i.inhrelid = p.oid where p.relnamespace = 'month'::regnamespace and p.relkind = 'r'
      ), described as (
        select part, parent, is_secure, t.relowner = part.relowner as is_owned,
          array(select (attname, atttypid, atttypmod, attnotnull)::text from pg_attribute
            where attrelid = part and attnum > 0 order by attname)
            = array(select (attname, atttypid, atttypmod, attnotnull)::text from pg_attribute
            where attrelid = parent and attnum > 0 order by attname) as has_columns,
          array(select contype::text from pg_constraint where conrelid = part and contype <> 'n' order by 1)
            = array(select contype::text from pg_constraint where conrelid = parent and contype <> 'n' order by 1) as has_keys,
          array(select i.inhparent from pg_index x join pg_inherits i on i.inhrelid = x.indexrelid where x.indrelid = part order by 1)
            = array(select indexrelid from pg_index where indrelid = parent order by 1) as has_indexes,
          array(select tgname::text from pg_trigger where tgrelid = part and not tgisinternal order by 1)
            = array(select tgname::text from pg_trigger where tgrelid = parent and not tgisinternal order by 1) as has_triggers
        from part join pg_class t on t.oid = parent)
      select part::regclass::text, d.* from described d
      where (is_secure and is_owned and has_columns and has_keys and has_indexes and has_triggers) is not true`);
    expect(differences).toEqual([]);
    expect((await partsOf('_2020_01')).length).toBeGreaterThan(0);
  });

  it('is out of reach of the application, which may not even use its schema', async () => {
    const granted = await query(`
      select c.relname, a.grantee::regrole::text as grantee from pg_class c cross join lateral aclexplode(c.relacl) a
      where c.relnamespace = 'month'::regnamespace and a.grantee <> c.relowner
      union all
      select nspname, a.grantee::regrole::text from pg_namespace n cross join lateral aclexplode(nspacl) a
      where nspname = 'month' and a.grantee <> nspowner`);
    expect(granted).toEqual([]);
  });

  it('is append-only for its owner, too', async () => {
    await product.fund(merchant, '10.00');
    const [{ name } = { name: '' }] = await query<{ name: string }>(`
      select 'month.' || month_of('ledger_entry', now() at time zone 'UTC') as name`);
    for (const change of [`delete from ${name}`, `update ${name} set amount_minor = 1`, `truncate ${name}`])
      await expect(query(change), change).rejects.toThrow(/append-only/);
  });
});

it('the ledger’s verification finds a missing and a repeated version, also across months', async () => {
  await product.fund(merchant, '20.00');
  const faultsAfter = (change: string) =>
    asOwner(product.ownerUrl, async (client) => {
      await client.query(`begin; select make_months(now() - interval '2 months', now())`);
      const forced = await client.query<{ name: string }>(
        'select oid::regclass::text as name from pg_class where relforcerowsecurity',
      );
      for (const { name } of forced.rows)
        await client.query(`alter table ${name} no force row level security`);
      const all = [
        'ledger_entry',
        `month.${(await client.query(`select month_of('ledger_entry', now() at time zone 'UTC') as name`)).rows[0]?.name}`,
      ];
      for (const name of all) await client.query(`alter table ${name} disable trigger user`);
      await client.query(change);
      const { rows } = await client.query<{ rule: string }>('select rule from ledger_violations()');
      await client.query('rollback');
      return rows.map(({ rule }) => rule);
    });
  expect(await faultsAfter('select 1')).toEqual([]);
  const ofAccount = `account_id = (select account_id from ledger_entry where version = 2 limit 1)`;
  expect(
    await faultsAfter(`update ledger_entry set version = 3 where version = 2 and ${ofAccount}`),
  ).toContain('running_balance');
  expect(
    await faultsAfter(
      `insert into ledger_entry select merchant_id, account_id, version, transfer_id, amount_minor, balance_after_minor,
        created_at - interval '1 month', inflow_after_minor, statement_type from ledger_entry where version = 2 and ${ofAccount}`,
    ),
  ).toContain('running_balance');
});
