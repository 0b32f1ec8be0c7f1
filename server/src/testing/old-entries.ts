import { sql } from 'kysely';
import { asOwner } from '#db/owner.ts';
import type { TestMerchant, TestProduct } from './test-product.ts';

/** Changes rows that nobody may change: the owner first takes the guards away. */
export async function forceChange(product: TestProduct, statements: readonly string[]): Promise<void> {
  await asOwner(product.ownerUrl, async (client) => {
    const tables = (kinds: string) =>
      client.query<{ name: string }>(
        `select c.oid::regclass::text as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
          where c.relkind = any('{${kinds}}') and n.nspname in ('public', 'month') and c.relforcerowsecurity`,
      );
    const { rows } = await tables('r,p');
    await client.query('begin');
    for (const { name } of rows)
      await client.query(`alter table ${name} no force row level security, disable trigger user`);
    for (const statement of statements) await client.query(statement);
    for (const { name } of rows)
      await client.query(`alter table ${name} force row level security, enable trigger user`);
    await client.query('commit');
  });
}

const subjectOf = (number: number) => `F${String(number).padStart(21, '0')}`;

/** Two merchants with entries of seven months, half of them in the first. */
export interface OldEntries {
  merchant: TestMerchant;
  other: TestMerchant;
  /** The order number of a transfer between them, from 1. */
  subjectOf: (number: number) => string;
  /** The first of the seven months, as an instant. */
  start: Date;
}

/**
 * Writes entries of the last seven months: settlements, a top-up, and transfers from one merchant to the other. The entries of
 * two transfers are in two months: the first and the second, the third and the fourth.
 */
export async function writeOldEntries(product: TestProduct, transfers: number): Promise<OldEntries> {
  const [merchant, other] = [await product.merchant('old'), await product.merchant('other')];
  for (const amount of ['1000.00', '20.05', '7.77']) await product.fund(merchant, amount);
  await product.fund(other, '1000000.00');
  const { database } = product.services;
  await database.asSystemFor(merchant.id, async (tx) => {
    await sql`insert into topup (merchant_id, trade_no, status, usdt_minor, arrived_usdt_minor, currency, amount_minor, usdt_rate,
        network, address, transaction_id, created_by, reviewed_at, paid_at)
      values (${merchant.id}, 'T1', 'paid', 1, 1, 'CNY', 4321, 7, 'TRC20', 'a', 'b', 'user:1', now(), now())`.execute(
      tx.query,
    );
    await sql`select ledger_post('topup', 'topup:T1', 'T1', 'CNY', array['available', 'crypto'], array['', 'TRC20'],
      array[4321, -4321], now())`.execute(tx.query);
  });
  for (const [{ id }, type, sign] of [
    [merchant, 'funds_transfer_in', 1],
    [other, 'funds_transfer_out', -1],
  ] as const)
    await database.asSystemFor(id, async (tx) => {
      await tx.disableTimeouts();
      await sql`select ledger_post(${type}, ${type} || n, 'F' || lpad(n::text, 21, '0'), 'CNY', array['available', 'adjustments'],
          array['', ''], array[${sign}::integer * (1 + n % 97), -${sign}::integer * (1 + n % 97)], now())
        from generate_series(1, ${transfers}::integer) n`.execute(tx.query);
    });
  const { rows } = await database.asSystem((tx) =>
    sql<{ start: Date }>`
      select date_trunc('month', now() at time zone 'UTC' - interval '7 months') at time zone 'UTC' as start`.execute(
      tx.query,
    ),
  );
  const start = rows[0]?.start ?? new Date(Number.NaN);
  await product.monthsSince(start);
  const monthStart = (number: number) => `(timestamp '${start.toISOString().slice(0, 19)}'
    + interval '${number} months') at time zone 'UTC'`;
  const split = (month: number) => `
    update ledger_entry e set created_at = ${monthStart(month)}
    from ledger_account a
    where a.merchant_id = e.merchant_id and a.id = e.account_id and a.kind = 'adjustments' and e.merchant_id = ${merchant.id}
      and e.transfer_id = (select max(transfer_id) from ledger_entry
        where merchant_id = ${merchant.id} and created_at < ${monthStart(month)})`;
  await forceChange(product, [
    `create temp table moved on commit drop as
      select merchant_id, id, date_trunc('milliseconds', timestamptz '${start.toISOString()}'
        + (now() - timestamptz '${start.toISOString()}') * power(place / (count + 1)::double precision, 3)) as at
      from (select merchant_id, id, row_number() over (partition by merchant_id order by id) as place,
        count(*) over (partition by merchant_id) as count from ledger_transfer) t`,
    `update ledger_transfer t set created_at = m.at from moved m where m.merchant_id = t.merchant_id and m.id = t.id`,
    `update ledger_entry e set created_at = m.at from moved m where m.merchant_id = e.merchant_id and m.id = e.transfer_id`,
    split(1),
    split(3),
    `update ledger_account a set last_at = (select max(created_at) from ledger_entry e
      where e.merchant_id = a.merchant_id and e.account_id = a.id)`,
  ]);
  // As autovacuum would have done in the meantime: without statistics, PostgreSQL plans for empty tables.
  await asOwner(product.ownerUrl, (client) => client.query('analyze'));
  return { merchant, other, subjectOf, start };
}
