import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { asOwner } from '#db/owner.ts';
import { dumpSchema } from '../testing/schema-dump.ts';
import { TestProduct } from '../testing/test-product.ts';
import { withLightTables } from './light-tables.sql.ts';
import { demoMerchants } from './people.ts';
import { prepareDemo } from './prepare.ts';

// At any time of day, payouts of more than two days ago are among them.
const days = 5;
const printed: string[] = [];
let product: TestProduct;
let twin: TestProduct;
let schema: string;

const schemaOf = (of: TestProduct) => asOwner(of.ownerUrl, dumpSchema);
const prepare = (of: TestProduct, sandboxUrl = 'http://127.0.0.1:9') =>
  prepareDemo(of.services, {
    ownerUrl: of.ownerUrl,
    appUrl: 'http://127.0.0.1:8080',
    sandbox: { url: sandboxUrl, secret: 'a-secret-of-the-tests' },
    say: (line) => printed.push(line),
    days,
  });

beforeAll(async () => {
  product = await TestProduct.start(inject('ownerUrl'));
  twin = await TestProduct.start(inject('ownerUrl'));
  schema = await schemaOf(product);
  await prepare(product);
});
afterAll(async () => {
  await product.close();
  await twin.close();
});

/** A number without its last five digits, which count all orders of the installation, today's included. */
const withoutCount = (column: string) => sql`regexp_replace(${sql.ref(column)}, '([CP]\\d+)\\d{5}', '\\1')`;

/** Reads orders, payouts and entries of earlier days, which do not depend on the time of day. */
async function contentOf(of: TestProduct): Promise<unknown[][]> {
  const queries = [
    sql`select ${withoutCount('trade_no')} no, status, settlement_status, amount_minor, fee_minor, created_at, paid_at
      from collection where created_at < current_date - 2 order by no, amount_minor`,
    sql`select ${withoutCount('trade_no')} no, status, payee, amount_minor, created_at from payout
      where created_at < current_date - 2 order by no, amount_minor`,
    sql`select settlement_no, status, order_count, net_minor, settled_at from settlement
      where created_at < current_date - 2 order by 1`,
    sql`select a.merchant_id, kind, reference, e.version, ${withoutCount('idempotency_key')} key, balance_after_minor,
        e.created_at
      from ledger_entry e join ledger_account a on a.id = account_id join ledger_transfer t on t.id = transfer_id
      where e.created_at < current_date - 2 order by 1, 2, 3, 4`,
  ];
  return of.services.database.asSystem(async (tx) => {
    const parts: unknown[][] = [];
    for (const query of queries) parts.push((await query.execute(tx.query)).rows);
    return parts;
  });
}

describe('demo data', () => {
  it('passes the ledger proof for every demo merchant, and prints how long it took', async () => {
    expect(await product.violations()).toEqual([]);
    for (const { merchant } of demoMerchants) {
      const { id } = await product.admin().find(merchant.code);
      const { rows } = await product.services.database.asMerchant(id, (tx) =>
        sql<{ kind: string; balance_minor: bigint }>`
          select kind, balance_minor from ledger_account where currency = ${merchant.currency}
          union all
          -- Less the refunds that the next settlement deducts.
          select 'awaiting settlement', (
            (select coalesce(sum(amount_minor - fee_minor), 0) from collection where settlement_status <> 'settled' and not never_settles)
            - (select coalesce(sum(amount_minor - fee_minor - available_minor), 0) from refund
              where status in ('processing', 'refunded') and settlement_id is null and not never_settles))::bigint`.execute(
          tx.query,
        ),
      );
      const balances = new Map(rows.map((row) => [row.kind, row.balance_minor]));
      expect(balances.get('available')).toBeGreaterThan(0n);
      // Nothing awaits its settlement in the first minutes after a cut-off.
      expect(balances.get('unsettled')).toBe(balances.get('awaiting settlement'));
      expect(balances.get('fees')).toBeGreaterThan(0n);
    }
    expect(printed.at(-1)).toMatch(/^Demo data written in \d+\.\d s$/);
  });

  it('has its callbacks received by the sandbox of the last start', async () => {
    const urls = async () => {
      const { rows } = await product.services.database.asSystem((tx) =>
        sql<{ url: string }>`select url from callback_endpoint order by id`.execute(tx.query),
      );
      return rows.map(({ url }) => url);
    };
    const [, stock] = await urls();
    await prepare(product, 'http://127.0.0.1:5081');
    expect(await urls()).toEqual(['http://127.0.0.1:5081/shop/callbacks', stock]);
    await prepare(product);
    expect(await urls()).toEqual(['http://127.0.0.1:9/shop/callbacks', stock]);
  });

  it('has an endpoint that works and one that is paused, with messages in every state', async () => {
    const { id } = await product.admin().find('demo');
    const { rows } = await product.services.database.asMerchant(id, (tx) =>
      sql<{ state: string; message: string; count: number }>`
        select e.state, case when m.delivered_at is not null then 'delivered' when m.is_skipped then 'skipped'
            when m.given_up_at is not null then 'givenUp' when h.message_id is not null then 'held' else 'lost' end as message,
          count(*)::integer
        from callback_message m join callback_endpoint e on e.merchant_id = m.merchant_id and e.id = m.endpoint_id
        left join callback_held h on h.merchant_id = m.merchant_id and h.message_id = m.id
        group by 1, 2 order by 1, 2`.execute(tx.query),
    );
    expect(rows.map(({ state, message }) => `${state} ${message}`)).toEqual([
      'autoPaused held',
      'autoPaused skipped',
      'on delivered',
      'on givenUp',
    ]);
    for (const { count } of rows) expect(count).toBeGreaterThan(0);
    // Nothing of the past is sent at the first start.
    const jobs = await product.services.database.asSystem((tx) =>
      sql`select from merchant_job where line = 'callbacks' and merchant_id = ${id}`.execute(tx.query),
    );
    expect(jobs.rows).toHaveLength(0);
    const page = await product.services.callbackMessages.list(id, { limit: 100 });
    for (const { id: messageId, attempts } of page.rows) {
      const { history } = await product.services.callbackMessages.find(id, messageId);
      expect(history.map(({ attempt }) => attempt)).toEqual(
        Array.from({ length: attempts }, (_, nth) => nth + 1),
      );
    }
  });

  it('leaves tables, indexes, constraints and policies as they were', async () => {
    expect(await schemaOf(product)).toBe(schema);
  });

  it('is written once', async () => {
    const [before, lines] = [await contentOf(product), printed.length];
    await prepare(product);
    expect(await contentOf(product)).toEqual(before);
    expect(printed).toHaveLength(lines);
  });

  it('is the same at every first start', async () => {
    await prepare(twin);
    const content = await contentOf(product);
    for (const part of content) expect(part.length).toBeGreaterThan(0);
    expect(await contentOf(twin)).toEqual(content);
  });
});

it('tables get their indexes and foreign keys back even if the work fails', async () => {
  let meanwhile = schema;
  const work = withLightTables(product.ownerUrl, async () => {
    meanwhile = await schemaOf(product);
    throw new Error('failed');
  });
  await expect(work).rejects.toThrow('failed');
  expect(meanwhile).not.toBe(schema);
  expect(await schemaOf(product)).toBe(schema);
});
