import type { FundFlowQuery } from '@hengfu/contract/fund-flow';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { listAttempts } from '#callbacks/attempts.sql.ts';
import type { MerchantTx } from '#db/database.ts';
import { asOwner } from '#db/owner.ts';
import { readRows } from '#domain/list.sql.ts';
import type { Cursor } from '#domain/list-source.sql.ts';
import { readAll } from '#domain/list-whole.sql.ts';
import { balancesBefore } from '#features/account/account.sql.ts';
import { listAudit } from '#features/audit-log/audit-pages.sql.ts';
import { findCollection, listEvents } from '#features/collections/collections.sql.ts';
import { type EntrySqlRow, entrySource, findRange, listEntries } from '#features/fund-flow/fund-flow.sql.ts';
import { findTimelineOrder, readTimeline } from '#features/watch/watch.sql.ts';
import { nothingArchived } from '../testing/nothing-archived.ts';
import { TestProduct } from '../testing/test-product.ts';

/** An order with all its records every 18 hours, for 36 months. */
const count = 1440;
const hours = 18;
const months = 36;
const dayMs = 86_400_000;
/** A page and the row that shows whether another follows. */
const pageRows = 21;

let product: TestProduct;
let merchantId: bigint;

beforeAll(async () => {
  product = await TestProduct.start(inject('ownerUrl'));
  const merchant = await product.merchant('years');
  await product.person(merchant);
  merchantId = merchant.id;
  await product.monthsSince(ago(count * (hours / 24) + 1));
  await product.services.database.asSystemFor(merchantId, fill);
  await asOwner(product.ownerUrl, (client) => client.query('analyze'));
}, 120_000);
afterAll(() => product.close());

/** Writes the orders and their records. */
async function fill(tx: MerchantTx): Promise<void> {
  const orders = sql`generate_series(1, ${count}::integer) n
    cross join lateral (select (now() - (${count} - n) * ${hours} * interval '1 hour')::timestamptz(3) as at) made`;
  await sql`
    with posted as (
      select 'many:' || n as key, at, kind, amount from ${orders}
      cross join (values ('available', 100), ('adjustments', -100)) leg (kind, amount))
    select ledger_post_series('CNY', array_agg(key order by at), array_agg('topup'::text), array_agg(key order by at),
      array_agg(at order by at), array_agg(kind order by at), array_agg(''::text), array_agg(amount order by at))
    from posted`.execute(tx.query);
  await sql`
    with made as (
      insert into collection (merchant_id, trade_no, out_trade_no, request_hash, currency, amount_minor, cashier_token, created_at,
        expires_at)
      select ${merchantId}, 'C' || n, 'S' || n, '', 'CNY', 100, 't' || n, at, at from ${orders} returning *
    ), told as (
      insert into callback_message (merchant_id, subject_kind, subject_no, event, url, body, created_at)
      select merchant_id, 'collection', trade_no, 'e', 'u', 'b', created_at from made returning *
    ), tried as (
      insert into callback_attempt (merchant_id, message_id, attempt, at, duration_ms)
      select merchant_id, id, n, created_at + n * interval '1 minute', 1 from told, generate_series(1, 2) n
    ), paid as (
      insert into payout (merchant_id, trade_no, out_trade_no, request_hash, currency, amount_minor, fee_minor, channel, payee,
        payee_account, account_key, source, created_by, created_at)
      select merchant_id, 'P' || id, out_trade_no, '', 'CNY', 100, 0, 'CN_BANK', 'x', '1', '1', 'console', 'user:1', created_at
      from made returning *
    ), moved as (
      insert into payout_event (merchant_id, payout_id, at, status) select merchant_id, id, created_at, status from paid
    )
    insert into collection_event (merchant_id, collection_id, at, status)
    select merchant_id, id, created_at + n * interval '1 minute', status from made, generate_series(0, 1) n`.execute(
    tx.query,
  );
  await sql`insert into audit (merchant_id, at, actor, action, subject)
    select ${merchantId}, at, 'key:x', 'payout.create', 'P' || n from ${orders}`.execute(tx.query);
  // Pages are looked for in the nearest months of merchants that are older than those.
  await sql`update merchant set created_at = now() - interval '36 months' where id = ${merchantId}`.execute(
    tx.query,
  );
}

/** Counts the partitions that work scans, by table. Those of the months ahead are empty and do not count. */
async function scans(work: (tx: MerchantTx) => Promise<unknown>): Promise<Record<string, number>> {
  return product.services.database.asMerchant(merchantId, async (tx) => {
    // Includes what the session has not reported yet, so only the difference counts.
    const read = async () => {
      const { rows } = await sql<{ part: string; scans: bigint }>`
        select relname as part, coalesce(seq_scan, 0) + coalesce(idx_scan, 0) as scans
        from pg_stat_xact_user_tables
        where schemaname = 'month' and right(relname, 8) <= to_char(now() at time zone 'UTC', '_YYYY_MM')`.execute(
        tx.query,
      );
      return new Map(rows.map(({ part, scans }) => [part, scans]));
    };
    const before = await read();
    await work(tx);
    const scanned = [...(await read())].filter(([part, times]) => times > (before.get(part) ?? 0n));
    const tables = Map.groupBy(scanned, ([part]) => part.replace(/_\d{4}_\d\d$/, ''));
    return Object.fromEntries([...tables].map(([table, parts]) => [table, parts.length]));
  });
}

const ago = (days: number) => new Date(Date.now() - days * dayMs);
const page = { limit: 20 } as FundFlowQuery;

async function statementPage(tx: MerchantTx, query: FundFlowQuery, cursor?: Cursor): Promise<EntrySqlRow[]> {
  const range = await findRange(tx, 'CNY', query, nothingArchived);
  if (!range) throw new Error('the merchant has no funds');
  const rows = await readRows<EntrySqlRow>(tx, entrySource(tx, range, query), pageRows, cursor);
  expect(rows).toHaveLength(pageRows);
  return rows;
}

const statements: [what: string, most: number, work: (tx: MerchantTx) => Promise<unknown>][] = [
  ['the newest page of the statement', 3, (tx) => statementPage(tx, page)],
  [
    'a page of the statement of one type',
    3,
    (tx) => statementPage(tx, { ...page, type: ['recharge'] } as FundFlowQuery),
  ],
  [
    'a page of the statement two years back',
    3,
    (tx) => statementPage(tx, page, { direction: 'next', at: ago(730), id: '470' }),
  ],
  [
    'the page before it',
    3,
    (tx) => statementPage(tx, page, { direction: 'previous', at: ago(730), id: '470' }),
  ],
  [
    'a month of the statement with its totals',
    3,
    async (tx) => {
      const month = { ...page, createdFrom: ago(430).toISOString(), createdTo: ago(400).toISOString() };
      const range = await findRange(tx, 'CNY', month, nothingArchived);
      if (!range) throw new Error('the merchant has no funds');
      expect((await listEntries(tx, range, month, nothingArchived)).total).toEqual({
        count: 40,
        exact: true,
      });
    },
  ],
  [
    'an export of a month of the statement',
    3,
    async (tx) => {
      const month = { createdFrom: ago(430).toISOString(), createdTo: ago(400).toISOString() };
      const range = await findRange(tx, 'CNY', month, nothingArchived);
      if (!range) throw new Error('the merchant has no funds');
      let rows = 0;
      for await (const batch of readAll(tx, entrySource(tx, range, month))) rows += batch.length;
      expect(rows).toBe(40);
    },
  ],
  [
    'the balance a year ago',
    2,
    async (tx) => {
      const { available } = await balancesBefore(tx, 'CNY', ago(365).toISOString(), nothingArchived);
      expect(available).toBeGreaterThan(90_000n);
    },
  ],
  [
    'a month of the audit log',
    2,
    async (tx) => {
      const month = { limit: 50, createdFrom: ago(430).toISOString(), createdTo: ago(400).toISOString() };
      expect((await listAudit(tx, month, nothingArchived)).total).toEqual({ count: 40, exact: true });
    },
  ],
  [
    'a day of the audit log with a filter',
    2,
    async (tx) => {
      const day = { limit: 20, createdFrom: ago(401).toISOString(), createdTo: ago(400).toISOString() };
      const found = await listAudit(tx, { ...day, action: ['payout_create'] }, nothingArchived);
      expect(found.rows.length).toBeGreaterThan(0);
      expect((await listAudit(tx, { ...day, subject: 'P1' }, nothingArchived)).rows).toEqual([]);
    },
  ],
  [
    'the timeline of a new order',
    2,
    async (tx) => {
      const order = await findCollection(tx, { tradeNo: `C${count}` });
      expect(order && (await listEvents(tx, order))).toHaveLength(2);
    },
  ],
  [
    'the callbacks of a new order',
    2,
    async (tx) => {
      expect(await listAttempts(tx, { tradeNo: `C${count}`, createdAt: ago(0) })).toHaveLength(2);
    },
  ],
  [
    'the timeline of a payout for an operator',
    2,
    async (tx) => {
      const { rows } = await sql<{ no: string }>`
        select trade_no as no from payout order by created_at desc limit 1`.execute(tx.query);
      const order = await findTimelineOrder(tx, rows[0]?.no ?? '');
      expect(order && (await readTimeline(tx, order))).toHaveLength(1);
    },
  ],
];

it('has records in 36 months', async () => {
  const { rows } = await product.services.database.asSystem((tx) =>
    sql<{ months: bigint }>`select count(distinct tableoid) as months from ledger_entry`.execute(tx.query),
  );
  expect(Number(rows[0]?.months)).toBeGreaterThanOrEqual(months);
});

// The first month after these may not have ended yet, and an entry may be the last one of the month before.
it.each(statements)('%s reads at most %i months of a table', async (_what, most, work) => {
  // A prepared statement gets its generic plan after five executions.
  for (let times = 0; times < 7; times++) {
    const read = await scans(work);
    expect(Object.keys(read)).toHaveLength(1);
    for (const parts of Object.values(read)) expect(parts).toBeLessThanOrEqual(most);
  }
});

it('an order of two years ago reads the months since', async () => {
  const { collection_event: read = 0 } = await scans(async (tx) => {
    const order = await findCollection(tx, { tradeNo: `C${count - Math.round((730 * 24) / hours)}` });
    expect(order && (await listEvents(tx, order))).toHaveLength(2);
  });
  expect(read).toBeGreaterThanOrEqual(24);
  expect(read).toBeLessThanOrEqual(30);
});
