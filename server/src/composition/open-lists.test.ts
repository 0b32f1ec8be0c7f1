import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { asOwner } from '#db/owner.ts';
import type { Home } from '#domain/caller.ts';
import { pageStatement } from '#domain/list-source.sql.ts';
import { fillWithOrders } from '../testing/many-orders.ts';
import { openLists } from '../testing/open-lists.ts';
import { explainAnalyze } from '../testing/plans.ts';
import { type TestMerchant, TestProduct } from '../testing/test-product.ts';

let product: TestProduct;
let merchant: TestMerchant;
let other: TestMerchant;

const rows = 47;
const many = 6000;
/** Orders that arrived while a list was read. */
let arrivals = rows;

beforeAll(async () => {
  product = await TestProduct.start(inject('ownerUrl'), { env: { SIGNED_LISTS_PER_MINUTE: '10000' } });
  merchant = await product.merchant('listed');
  other = await product.merchant('others');
  for (const each of [merchant, other]) {
    await product.fund(each, '10000.00');
    for (let n = 0; n < rows; n++) await pay(each, n);
    await fillWithOrders(product.services.database, each.id, rows);
  }
});
afterAll(() => product.close());

/** Makes two entries of available funds. */
async function pay({ program }: TestMerchant, n: number): Promise<void> {
  const { status, json } = await program.post('/openapi/v1/payouts', {
    out_trade_no: `entry-${n}`,
    currency: 'CNY',
    channel: 'CN_BANK',
    amount: `${n + 1}.00`,
    payee: '王芳',
    payeeAccount: '123456789012',
    bank: 'ICBC',
    bankName: 'ICBC',
  });
  expect(status, JSON.stringify(json)).toBe(201);
}

interface Page {
  items: Record<string, string>[];
  next_cursor: string | null;
}

async function read(path: string, query: Record<string, string>, { program } = merchant): Promise<Page> {
  const { status, json } = await program.get(`${path}?${new URLSearchParams(query)}`);
  expect(status, JSON.stringify(json)).toBe(200);
  return json;
}

/** Reads a whole list, page by page. */
async function readWhole(
  path: string,
  query: Record<string, string>,
  betweenPages: () => Promise<unknown> = async () => {},
): Promise<Record<string, string>[]> {
  const found: Record<string, string>[] = [];
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const page: Page = await read(path, { ...query, ...(cursor !== undefined && { cursor }) });
    expect(page.items.length).toBeLessThanOrEqual(Number(query.limit ?? 20));
    if (page.next_cursor !== null) expect(page.items).toHaveLength(Number(query.limit ?? 20));
    found.push(...page.items);
    cursor = page.next_cursor;
    await betweenPages();
  }
  return found;
}

describe.each(openLists)('the list of $name', ({ path, numberField, table, status }) => {
  const numberOf = (row: Record<string, string>) => String(row[numberField]);
  const expected = async () => {
    const { rows: all } = await product.services.database.asSystem((tx) =>
      sql<{ no: string }>`${sql.raw(table(merchant.id))}`.execute(tx.query),
    );
    return all.map(({ no }) => String(no));
  };

  it('has every row of the merchant once, newest first, whatever the page size', async () => {
    const all = await expected();
    expect(all.length).toBeGreaterThanOrEqual(rows);
    for (const limit of ['1', '7', '100'])
      expect((await readWhole(path, { limit })).map(numberOf)).toEqual(all);
    expect((await readWhole(path, {})).map(numberOf)).toEqual(all);
  });

  it('skips and repeats nothing while rows arrive', async () => {
    const all = await expected();
    const found = await readWhole(path, { limit: '10' }, async () => {
      arrivals++;
      await pay(merchant, arrivals);
      await merchant.program.create(`arrives-${arrivals}`);
    });
    expect(found.map(numberOf)).toEqual(all);
  });

  it('is bounded by times of creation, of which the end is exclusive', async () => {
    const all = await readWhole(path, {});
    const [newer, older] = [all[10]?.createdAt ?? '', all[30]?.createdAt ?? ''];
    const found = await readWhole(path, { created_from: older, created_to: newer });
    const within = all.filter(({ createdAt = '' }) => createdAt >= older && createdAt < newer);
    expect(found).toEqual(within);
  });

  it('is filtered by one or several states', async () => {
    const all = await readWhole(path, {});
    const [filter, ...values] = status;
    const [one = '', two = ''] = values;
    for (const wanted of [one, two, `${one},${two}`]) {
      const found = await readWhole(path, { [filter]: wanted, limit: '9' });
      const field = filter === 'type' ? 'type' : 'status';
      expect(found).toEqual(all.filter((row) => wanted.split(',').includes(String(row[field]))));
    }
  });

  it('shows nothing of another merchant, whose cursor is only a position', async () => {
    const theirs = await read(path, { limit: '5' }, other);
    const own = new Set((await readWhole(path, {})).map(numberOf));
    const anywhere = ['n,0,1', 'n,999999999999999,999999999999999999'].map((text) =>
      Buffer.from(text).toString('base64url'),
    );
    for (const cursor of [String(theirs.next_cursor), ...anywhere]) {
      const page = await read(path, { limit: '100', cursor });
      expect(page.items.every((row) => own.has(numberOf(row)))).toBe(true);
    }
  });

  it.each([
    ['limit', '0'],
    ['limit', '101'],
    ['limit', '1e1'],
    ['limit', '-5'],
    ['cursor', 'x'],
    ['cursor', Buffer.from('n,1,1;select 1').toString('base64url')],
    ['cursor', Buffer.from('p,1795190400000,1').toString('base64url')],
    ['created_from', 'yesterday'],
    ['created_to', '99999-01-01T00:00:00Z'],
    ['offset', '10'],
    ['merchant_id', '1'],
  ])('refuses %s=%s', async (name, value) => {
    const { status: refused, json } = await merchant.program.get(
      `${path}?${new URLSearchParams({ [name]: value })}`,
    );
    expect([refused, json.code, Object.keys(json.errors)]).toEqual([422, 'validation_failed', [name]]);
  });
});

it('each list reads a page from few rows, by an index', async () => {
  const big = await product.merchant('many');
  await fillWithOrders(product.services.database, big.id, many);
  await asOwner(product.ownerUrl, (client) => client.query('analyze'));
  const home: Home = { merchantId: big.id, code: 'many', name: 'Many', currency: 'CNY', zone: 'UTC' };
  await product.services.database.asMerchant(big.id, async (tx) => {
    for (const way of ['seqscan', 'bitmapscan', 'sort'])
      await sql`set local ${sql.raw(`enable_${way}`)} = off`.execute(tx.query);
    for (const { name, source, status } of openLists) {
      const [filter, ...values] = status;
      for (const query of [{}, { [filter]: values.join(',') }, { created_from: '2020-01-01T00:00:00Z' }]) {
        const built = await source(tx, home, query);
        const nodes = built ? await explainAnalyze(tx, pageStatement(built, 21)) : [];
        const scans = nodes.filter((node) => node['Node Type'] === 'Seq Scan');
        expect([name, scans.map((node) => node['Relation Name'])]).toEqual([name, []]);
        expect(Math.max(0, ...nodes.map((node) => node['Actual Rows']))).toBeLessThan(200);
      }
    }
  });
});
