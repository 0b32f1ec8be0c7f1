import type { Database, Tx } from '@hengfu/server/db/database.ts';
import { asOwner } from '@hengfu/server/db/owner.ts';
import { sql } from 'kysely';

const rowsAtOnce = 250_000;
const days = 365;

/**
 * Fills a merchant with collections of the past year in sets: orders, their batches and the rollups, as they would have
 * come about. Ledger and timelines are left out: lists and dashboard do not read them. Indexes are made anew after it.
 */
export async function loadCollections(
  database: Database,
  ownerUrl: string,
  merchantId: bigint,
  rows: number,
): Promise<void> {
  const indexes = await dropIndexes(ownerUrl);
  await asLoader(database, (tx) => insertBatches(tx, merchantId));
  for (let from = 0; from < rows; from += rowsAtOnce) {
    const to = Math.min(from + rowsAtOnce, rows);
    await asLoader(database, (tx) => insertOrders(tx, merchantId, { from, to, of: rows }));
  }
  await asLoader(database, (tx) => sumUp(tx, merchantId));
  await asOwner(ownerUrl, async (client) => {
    for (const index of indexes) await client.query(index);
    await client.query('vacuum analyze');
  });
}

function asLoader(database: Database, work: (tx: Tx) => Promise<unknown>): Promise<unknown> {
  return database.asSystem(async (tx) => {
    await sql`set local statement_timeout = 0`.execute(tx.query);
    await work(tx);
  });
}

/** Drops the indexes that no constraint needs; returns the statements that make them again. */
async function dropIndexes(ownerUrl: string): Promise<string[]> {
  return asOwner(ownerUrl, async (client) => {
    const { rows } = await client.query<{ name: string; definition: string }>(`
      select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as definition
      from pg_index i left join pg_constraint c on c.conindid = i.indexrelid
      where i.indrelid = 'collection'::regclass and c.oid is null`);
    for (const { name } of rows) await client.query(`drop index ${name}`);
    return rows.map(({ definition }) => definition);
  });
}

function insertBatches(tx: Tx, merchantId: bigint): Promise<unknown> {
  return sql`
    insert into settlement (merchant_id, settlement_no, status, currency, order_count, refund_count, amount_minor,
      fee_minor, refunded_minor, cut_off_at, created_at, settled_at)
    select ${merchantId}, new_trade_no('S', at), 'settled', 'CNY', 0, 0, 0, 0, 0, at, at, at
    from (select date_trunc('day', now()) - back * interval '1 day' as at
      from generate_series(${days}::integer, 1, -1) back) midnights`.execute(tx.query);
}

/** Orders `from` to `to` of a year's `of`: of a hundred 78 succeed, 12 run out, 4 are cancelled, 3 fail, 1 is refunded. */
function insertOrders(
  tx: Tx,
  merchantId: bigint,
  { from, to, of }: { from: number; to: number; of: number },
): Promise<unknown> {
  return sql`
    insert into collection (merchant_id, trade_no, out_trade_no, request_hash, status, settlement_status, currency,
      amount_minor, fee_minor, channel, subject, cashier_token, bank_reference, created_at, expires_at, paid_at,
      refund_requested_at, refunded_at, settlement_id)
    select ${merchantId}, new_trade_no('C', made), 'L' || n, decode(md5(n::text), 'hex'), orders.status,
      case when paid is not null then case when batch.id is null then 'unsettled' else 'settled' end end,
      'CNY', amount, case when paid is not null then amount * 6 / 1000 else 0 end, 'CN_BANK', 'Order ' || n,
      md5('token' || n || random()), case when paid is not null then 'BK' || md5(n::text) end,
      made, made + interval '30 minutes', paid, case when orders.status = 'refunded' then paid + interval '1 hour' end,
      case when orders.status = 'refunded' then paid + interval '1 hour' end, batch.id
    from (
      select n, made, amount,
        case when dice < 78 then 'success' when dice < 90 then 'closed' when dice < 94 then 'cancelled'
          when dice < 97 then 'failed' when dice < 98 then 'refunded' when dice < 99 then 'paid'
          when age < interval '30 minutes' then 'toBePaid' else 'closed' end as status,
        case when dice < 78 or dice between 97 and 98 then made + interval '3 minutes' end as paid
      from (
        select n, now() - (${of} - n) * (${days}::integer * interval '1 day' / ${of}) as made,
          (100 + random() * random() * 1000000)::bigint as amount, floor(random() * 100)::integer as dice,
          (${of} - n) * (${days}::integer * interval '1 day' / ${of}) as age
        from generate_series(${from}::integer, ${to}::integer - 1) n) dated) orders
    left join settlement batch on batch.merchant_id = ${merchantId}
      and batch.cut_off_at = date_trunc('day', orders.paid) + interval '1 day'`.execute(tx.query);
}

function sumUp(tx: Tx, merchantId: bigint): Promise<unknown> {
  return sql`
    insert into order_rollup (merchant_id, kind, currency, bucket, stripe, created_count, created_amount_minor,
      created_succeeded_count, created_lost_count, done_count, done_amount_minor, fee_minor)
    select merchant_id, 'collection', currency, rollup_bucket(created_at), 0, count(*), sum(amount_minor),
      count(paid_at), count(*) filter (where status in ('cancelled', 'closed', 'failed')), count(paid_at),
      coalesce(sum(amount_minor) filter (where paid_at is not null), 0), sum(fee_minor)
    from collection where merchant_id = ${merchantId} group by 1, 3, 4`.execute(tx.query);
}
