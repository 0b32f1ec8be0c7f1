import type { RequestDetail, RequestRow } from '@hengfu/contract/request-log';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { asOwner } from '#db/owner.ts';
import type { Cursor } from '#domain/list-source.sql.ts';
import type { CreatedCall } from '../../http/request-log/blocks/created-calls.ts';
import { defaultBufferLimits, RequestBuffer } from '../../http/request-log/request-buffer.ts';
import { bankPayout } from '../../testing/bank-payout.ts';
import { explainAnalyze } from '../../testing/plans.ts';
import { requestIdAt } from '../../testing/request-id-at.ts';
import { type TestMerchant, TestProduct } from '../../testing/test-product.ts';
import { until } from '../../testing/until.ts';
import type { Visitor } from '../../testing/visitor.ts';
import { blockSearch, blocksBeyond } from './request-blocks.sql.ts';

let product: TestProduct;

beforeAll(async () => {
  product = await TestProduct.start(inject('ownerUrl'), { bank: true });
});
afterAll(() => product.close());

const path = '/api/merchant/requests';
const collections = '/openapi/v1/collections';
let merchants = 0;

async function newMerchant(): Promise<{ merchant: TestMerchant; visitor: Visitor }> {
  const name = `blocks-${++merchants}`;
  const merchant = await product.merchant(name);
  return { merchant, visitor: await product.person(merchant, 'DEVELOPER', name) };
}

const fail = (error: unknown): never => {
  throw error;
};

const twoDigits = (value: number) => String(value).padStart(2, '0');

/** The number of an order of a time, as the database makes it. */
function tradeNoAt(at: Date, number: number): string {
  const parts = [at.getUTCFullYear() % 100, at.getUTCMonth() + 1, at.getUTCDate(), at.getUTCHours()];
  const second = [...parts, at.getUTCMinutes(), at.getUTCSeconds()].map(twoDigits).join('');
  return `C${second}0001${String(number % 100_000).padStart(5, '0')}`;
}

interface Given {
  at: Date;
  number: number;
  keyId?: string;
  address?: string;
  path?: string;
}

/** A call that created an order, as the server hands it to the log. */
function createdCall(merchant: TestMerchant, given: Given): CreatedCall {
  const { at, number, keyId = merchant.program.key.id, address = '127.0.0.1' } = given;
  const body = { out_trade_no: `N-${number}`, amount: '1.00', currency: 'CNY' };
  return {
    merchantId: merchant.id,
    keyId,
    secret: merchant.program.key.secret,
    path: given.path ?? collections,
    address,
    requestId: requestIdAt(at),
    at,
    orderAt: new Date(Math.floor(at.getTime() / 1000) * 1000),
    elapsedMs: 3.4,
    rawBody: Buffer.from(JSON.stringify(body)),
    sentBody: JSON.stringify({ trade_no: tradeNoAt(at, number), ...body, status: 'pending' }),
  };
}

/** Writes calls as processes of their own would, each with its part of them. Returns them in the order of the list. */
async function write(calls: readonly CreatedCall[], processes = 1): Promise<CreatedCall[]> {
  for (let process = 0; process < processes; process++) {
    let buffer = new RequestBuffer(product.services.database, fail);
    for (const call of calls.filter((_, index) => index % processes === process))
      if (!buffer.addCreated(call)) {
        // Calls of later times than one block may have.
        await buffer.stop();
        buffer = new RequestBuffer(product.services.database, fail);
        expect(buffer.addCreated(call)).toBe(true);
      }
    await buffer.stop();
  }
  return calls.toSorted((one, other) => other.at.getTime() - one.at.getTime());
}

const listed = async (visitor: Visitor, filters = '') => (await visitor.get(`${path}?${filters}`)).json;
const idsOf = (rows: readonly { request_id: string }[]) => rows.map(({ request_id: id }) => id);
const requestIds = (calls: readonly CreatedCall[]) => calls.map(({ requestId }) => requestId);

/** Reads the list page by page, onward and back. Returns the rows of both ways, newest first. */
async function readPages(visitor: Visitor, filters: string): Promise<{ onward: string[]; back: string[] }> {
  const onward: string[] = [];
  let page = await listed(visitor, filters);
  for (;;) {
    onward.push(...idsOf(page.data));
    if (page.next === null) break;
    page = await listed(visitor, `${filters}&cursor=${page.next}`);
  }
  const back = [...idsOf(page.data)];
  while (page.previous !== null) {
    page = await listed(visitor, `${filters}&cursor=${page.previous}`);
    back.unshift(...idsOf(page.data));
  }
  return { onward, back };
}

const blocksOf = async ({ id }: TestMerchant) =>
  (
    await product.services.database.asMerchant(id, (tx) =>
      sql<{
        calls: number;
      }>`select calls from api_request_block where merchant_id = ${id} order by last_at`.execute(tx.query),
    )
  ).rows.map(({ calls }) => calls);

describe('calls that created orders', () => {
  it('are in blocks, and shown like any others', async () => {
    const { merchant, visitor } = await newMerchant();
    await product.fund(merchant, '100.00');
    const created = await merchant.program.create('one', { subject: 'Tea for "two" at 0084 912 345 678' });
    const payout = { ...bankPayout('two', '1.00'), payeeAccount: '123456789012' };
    const paid = await merchant.program.post('/openapi/v1/payouts', payout);
    expect([created.status, paid.status]).toEqual([201, 201]);
    const missing = await merchant.program.get(`${collections}/none`);
    const { data, total } = await until(
      () => listed(visitor),
      (page) => page.data.length === 3,
    );
    expect(total).toEqual({ count: 3, exact: true });
    const answers = [missing, paid, created];
    expect(idsOf(data)).toEqual(answers.map(({ headers }) => headers.get('x-request-id')));
    expect(await blocksOf(merchant)).toEqual([1, 1]);
    const details = await Promise.all(
      [created, paid].map(
        async ({ headers }): Promise<RequestDetail> =>
          (await visitor.get(`${path}/${headers.get('x-request-id')}`)).json.data,
      ),
    );
    const bodies = details.map(({ request, response }) =>
      [request.text, response.text].map((text) => JSON.parse(text ?? '')),
    );
    expect(bodies).toMatchObject([
      [
        { out_trade_no: 'one', subject: 'Tea for "two" at •••5678' },
        { ...created.json, subject: 'Tea for "two" at •••5678', cashierUrl: `${product.url}/•••` },
      ],
      [
        { payee: '王•••', payeeAccount: '•••9012' },
        { trade_no: paid.json.trade_no, payee: '王•••', payeeAccount: '•••9012' },
      ],
    ]);
    expect(details.map(({ status, method, trade_no: number }) => [status, method, number])).toEqual([
      [201, 'POST', created.json.trade_no],
      [201, 'POST', paid.json.trade_no],
    ]);
    const other = (await newMerchant()).visitor;
    expect((await listed(other)).data).toEqual([]);
    expect((await other.get(`${path}/${created.headers.get('x-request-id')}`)).status).toBe(404);
  });

  it('can be read whatever addresses were sent with them, and although a block is damaged', async () => {
    const { merchant, visitor } = await newMerchant();
    const odd = await merchant.program.create('odd', { notifyUrl: 'https://a%22%2cb.com/x' });
    const plain = await merchant.program.create('plain');
    expect([odd.status, plain.status]).toEqual([201, 201]);
    const { data } = await until(
      () => listed(visitor),
      (page) => page.data?.length === 2,
    );
    expect(data.map(({ out_trade_no: number }: RequestRow) => number)).toEqual(['plain', 'odd']);
    const { request } = (await visitor.get(`${path}/${odd.headers.get('x-request-id')}`)).json.data;
    expect(JSON.parse(request.text).notifyUrl).toBe('•••');
    const start = Date.now() - 60_000;
    const [damaged] = await write([createdCall(merchant, { number: 1, at: new Date(start) })]);
    await product.services.database.asSystem((tx) =>
      sql`
        insert into api_request_block (merchant_id, key_id, method, path, status, address, first_at, last_at, first_order_at, last_order_at,
          calls, content)
        select merchant_id, key_id, method, path, status, address, at, at, at, at, 3, '\\x00ff'
        from api_request_block, lateral (select first_at - interval '1 s' as at) earlier
        where merchant_id = ${merchant.id} and first_at < ${new Date(start + 1)}::timestamptz`.execute(
        tx.query,
      ),
    );
    const page = await listed(visitor);
    expect(idsOf(page.data)).toEqual([...idsOf(data), damaged?.requestId]);
    expect((await visitor.get(`${path}/${requestIdAt(new Date(start - 1000))}`)).status).toBe(404);
  });

  it('are found by their order, also if they repeat an earlier call', async () => {
    const { merchant, visitor } = await newMerchant();
    const first = await merchant.program.create('again');
    await merchant.program.create('other');
    // From here on, the order is too old for a block.
    await new Promise((resolve) => setTimeout(resolve, 6100));
    const second = await merchant.program.create('again');
    await merchant.program.create('third');
    expect(second.json.trade_no).toBe(first.json.trade_no);
    await until(
      () => listed(visitor),
      (page) => page.data.length === 4,
    );
    const ids = [second, first].map(({ headers }) => headers.get('x-request-id'));
    const { rows } = await product.services.database.asMerchant(merchant.id, (tx) =>
      sql`select request_id::text as id from api_request where merchant_id = ${merchant.id}`.execute(
        tx.query,
      ),
    );
    expect(rows).toEqual([{ id: ids[0] }]);
    for (const number of ['again', first.json.trade_no]) {
      const { data, total } = await listed(visitor, `order_no=${number}`);
      expect([idsOf(data), total.count]).toEqual([ids, 2]);
    }
    for (const number of ['nobody', 'C261128132200', tradeNoAt(new Date(0), 1)])
      expect((await listed(visitor, `order_no=${number}`)).data).toEqual([]);
  });
});

describe('the list of calls', () => {
  it('has each call once, onward and back, whatever the blocks and rows', async () => {
    const { merchant, visitor } = await newMerchant();
    const start = Date.now() - 600_000;
    // Several of one millisecond; blocks that overlap, of keys, addresses and processes; a gap.
    const given = Array.from({ length: 300 }, (_, number) => ({
      number,
      at: new Date(start + Math.floor(number / 3) * 40 + (number > 200 ? 60_000 : 0)),
      keyId: number % 7 === 0 ? 'ak_other' : merchant.program.key.id,
      address: number % 5 === 0 ? '192.0.2.1' : '127.0.0.1',
      path: number % 11 === 0 ? '/openapi/v1/payouts' : collections,
    }));
    const all = await write(
      given.map((one) => createdCall(merchant, one)),
      3,
    );
    // Rows among them.
    await product.services.database.asSystem((tx) =>
      sql`
        insert into api_request (merchant_id, at, request_id, key_id, method, path, status, duration_ms, request_bytes, response_bytes)
        select ${merchant.id}, to_timestamp(${start / 1000}::float8 + n * 0.04), gen_random_uuid(), ${merchant.program.key.id}, 'GET',
          '/openapi/v1/collections/list', 200, 1, 0, 0
        from generate_series(0, 60) n`.execute(tx.query),
    );
    const whole = await listed(visitor, 'limit=200');
    expect(whole.total).toEqual({ count: 361, exact: true });
    for (const limit of [20, 50, 100]) {
      const { onward, back } = await readPages(visitor, `limit=${limit}`);
      expect(onward).toHaveLength(361);
      expect(new Set(onward).size).toBe(361);
      expect(back).toEqual(onward);
      const ofBlocks = new Map(all.map(({ requestId, at }) => [requestId, at.getTime()]));
      const times = onward.flatMap((id) => ofBlocks.get(id) ?? []);
      expect(times).toEqual(times.toSorted((one, other) => other - one));
      expect(times).toHaveLength(300);
    }
    const matching: [string, (call: CreatedCall) => boolean][] = [
      ['keyId=ak_other', ({ keyId }) => keyId === 'ak_other'],
      ['address=192.0.2.1', ({ address }) => address === '192.0.2.1'],
      ['address=fe80::1%25eth0', () => false],
      ['path=/openapi/v1/pay', ({ path: called }) => called === '/openapi/v1/payouts'],
      ['method=POST&result=done', () => true],
      ['method=POST', () => true],
      ['result=refused', () => false],
      ['code=not_found', () => false],
      ['method=DELETE', () => false],
    ];
    const instants = [50, 1234, 2680, 62_000].map((ms) => new Date(start + ms));
    for (const from of instants)
      for (const to of instants.filter((end) => end > from))
        matching.push([
          `method=POST&createdFrom=${from.toISOString()}&createdTo=${to.toISOString()}`,
          ({ at }) => at >= from && at < to,
        ]);
    for (const [filters, isMatch] of matching) {
      const expected = requestIds(all.filter(isMatch));
      const { onward, back } = await readPages(visitor, `limit=20&${filters}`);
      expect([filters, onward.toSorted()]).toEqual([filters, expected.toSorted()]);
      expect(back).toEqual(onward);
      const { total } = await listed(visitor, `limit=20&${filters}`);
      expect([filters, total]).toEqual([filters, { count: expected.length, exact: true }]);
    }
    for (const call of all.filter((_, index) => index % 29 === 0)) {
      const { data } = await listed(visitor, `request_id=${call.requestId.toUpperCase()}`);
      expect(idsOf(data)).toEqual([call.requestId]);
      const found: RequestRow = (await visitor.get(`${path}/${call.requestId}`)).json.data;
      expect([found.keyId, found.address, Date.parse(found.at)]).toEqual([
        call.keyId,
        call.address,
        call.at.getTime(),
      ]);
    }
  });

  it('counts no more calls in blocks than any others', async () => {
    const { merchant, visitor } = await newMerchant();
    const start = Date.now() - 300_000;
    await write(
      Array.from({ length: 9990 }, (_, number) =>
        createdCall(merchant, { number, at: new Date(start + number) }),
      ),
    );
    expect((await listed(visitor, 'limit=20')).total).toEqual({ count: 9990, exact: true });
    await write(
      Array.from({ length: 100 }, (_, number) =>
        createdCall(merchant, { number, at: new Date(start - 60_000 + number) }),
      ),
    );
    expect((await listed(visitor, 'limit=20')).total).toEqual({ count: 10_000, exact: false });
    expect(Math.max(...(await blocksOf(merchant)))).toBeLessThanOrEqual(200);
  });
});

it('an order is looked for in many blocks of its second, but not in all if they are thousands', async () => {
  const { merchant, visitor } = await newMerchant();
  const at = new Date(Date.now() - 60_000);
  const calls = await write(
    Array.from({ length: 250 }, (_, number) => ({
      ...createdCall(merchant, { number: 1, at, address: `192.0.2.${number}` }),
      sentBody: JSON.stringify({ trade_no: tradeNoAt(at, 1), out_trade_no: 'N-1' }),
    })),
  );
  expect(await blocksOf(merchant)).toHaveLength(250);
  const { data, total } = await listed(visitor, `limit=200&order_no=${tradeNoAt(at, 1)}`);
  expect(data).toHaveLength(200);
  expect(total).toEqual({ count: 250, exact: true });
  const { onward } = await readPages(visitor, 'limit=100');
  expect(onward.toSorted()).toEqual(requestIds(calls).toSorted());
  const oldest = await visitor.get(`${path}/${calls.at(-1)?.requestId}`);
  expect(oldest.status).toBe(200);
  await product.services.database.asSystem((tx) =>
    sql`
      insert into api_request_block (merchant_id, key_id, method, path, status, address, first_at, last_at, first_order_at, last_order_at,
        calls, content)
      select merchant_id, key_id, method, path, status, address, first_at, last_at, first_order_at, last_order_at, calls, content
      from api_request_block, generate_series(1, 9) where merchant_id = ${merchant.id}`.execute(tx.query),
  );
  const more = await listed(visitor, `limit=200&order_no=${tradeNoAt(at, 1)}`);
  expect(more.data).toHaveLength(200);
  expect(more.total.exact).toBe(false);
});

it('a page, a call and an order are found in few of many blocks', async () => {
  const { merchant } = await newMerchant();
  const { database } = product.services;
  const start = new Date(Date.now() - 20 * 86_400_000);
  await asOwner(product.ownerUrl, (client) => client.query('select make_request_days($1, now())', [start]));
  await database.asSystem((tx) =>
    sql`
      insert into api_request_block (merchant_id, key_id, method, path, status, address, first_at, last_at, first_order_at, last_order_at,
        calls, content)
      select ${merchant.id}, 'ak_1', 'POST', '/openapi/v1/collections', 201, '127.0.0.1', at, at + interval '1 s', at, at + interval '1 s',
        40, '\\x00'
      from generate_series(0, 19999) n, lateral (select ${start}::timestamptz + n * interval '86 s' as at) t`.execute(
      tx.query,
    ),
  );
  await asOwner(product.ownerUrl, (client) => client.query('analyze api_request_block'));
  await database.asMerchant(merchant.id, async (tx) => {
    const middle = new Date(start.getTime() + 10 * 86_400_000);
    const cursorOf = (direction: Cursor['direction']): Cursor => ({ direction, at: middle, id: '1' });
    const search = async (filters: object) => (await blockSearch(tx, filters)) ?? expect.fail('no search');
    const place = { behind: undefined, wanted: 201 };
    const whole = await search({});
    const ofRequest = await search({ request_id: requestIdAt(middle) });
    const ofOrder = await search({ order_no: tradeNoAt(middle, 1) });
    const ofKey = await search({ keyId: 'ak_1' });
    const statements = [
      blocksBeyond(whole, { ...place, cursor: undefined }),
      blocksBeyond(ofKey, { ...place, cursor: undefined }),
      blocksBeyond(whole, { ...place, cursor: cursorOf('next') }),
      blocksBeyond(whole, { ...place, cursor: cursorOf('previous') }),
      blocksBeyond(ofRequest, { ...place, cursor: undefined }),
      blocksBeyond(ofOrder, { ...place, cursor: undefined }),
    ];
    for (const statement of statements) {
      const nodes = await explainAnalyze(tx, statement);
      const read = nodes.filter((node) => node['Relation Name']?.startsWith('api_request_block'));
      const rows = read.map(
        (node) => (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops'],
      );
      // Of days without blocks, a plan may read the whole.
      const full = read.filter((node, index) => node['Node Type'] === 'Seq Scan' && rows[index] !== 0);
      expect(full).toEqual([]);
      expect(rows.reduce((sum, count) => sum + count, 0)).toBeLessThan(200);
    }
  });
});

describe('calls that wait for their block', () => {
  it('are written at once if they are few, after a while if they are not, and before there are too many', async () => {
    const { merchant } = await newMerchant();
    const limits = { ...defaultBufferLimits, flushMs: 60_000, fewCalls: 5, blockMs: 300, blockedCalls: 30 };
    const buffer = new RequestBuffer(product.services.database, fail, limits);
    const call = (number: number) => createdCall(merchant, { number, at: new Date() });
    const addCalls = (count: number) =>
      Array.from({ length: count }, (_, number) => buffer.addCreated(call(number)));
    addCalls(5);
    await buffer.flush();
    expect(await blocksOf(merchant)).toEqual([5]);
    addCalls(6);
    await buffer.flush();
    expect(await blocksOf(merchant)).toEqual([5]);
    await new Promise((resolve) => setTimeout(resolve, 310));
    await buffer.flush();
    expect(await blocksOf(merchant)).toEqual([5, 6]);
    addCalls(30);
    await until(
      () => blocksOf(merchant),
      (blocks) => blocks.length === 3,
    );
    expect(await blocksOf(merchant)).toEqual([5, 6, 30]);
    await buffer.stop();
  });

  it('are not written with every batch of rows', async () => {
    const { merchant } = await newMerchant();
    const limits = { ...defaultBufferLimits, flushMs: 60_000, batch: 5 };
    const buffer = new RequestBuffer(product.services.database, fail, limits);
    buffer.addCreated(createdCall(merchant, { number: 0, at: new Date() }));
    await buffer.flush();
    for (let number = 1; number < 10; number++) {
      buffer.addCreated(createdCall(merchant, { number, at: new Date() }));
      await buffer.flush();
    }
    expect(await blocksOf(merchant)).toEqual([1]);
    await buffer.stop();
    expect(await blocksOf(merchant)).toEqual([1, 9]);
  });

  it('begin another block when they come too late for one', async () => {
    const { merchant } = await newMerchant();
    const start = Date.now() - 10_000;
    const buffer = new RequestBuffer(product.services.database, fail);
    const added = [0, 2900, 3100, 7000, 4100, 3900].map((ms, number) =>
      buffer.addCreated(createdCall(merchant, { number, at: new Date(start + ms) })),
    );
    expect(added).toEqual([true, true, true, true, true, false]);
    await buffer.stop();
    expect(await blocksOf(merchant)).toEqual([2, 1, 2]);
  });

  it('are masked in a thread if they are many, and none of them is lost', async () => {
    const { merchant, visitor } = await newMerchant();
    const at = new Date();
    const calls = Array.from({ length: 450 }, (_, number) => ({
      ...createdCall(merchant, { number, at: new Date(at.getTime() + (number % 100)) }),
      rawBody: Buffer.from(
        JSON.stringify({
          out_trade_no: `N-${number}`,
          amount: '1.00',
          currency: 'CNY',
          subject: `ann${number}@shop.test`,
        }),
      ),
    }));
    await write(calls);
    const { onward } = await readPages(visitor, 'limit=200');
    expect(onward.toSorted()).toEqual(requestIds(calls).toSorted());
    const { request } = (await visitor.get(`${path}/${calls[123]?.requestId}`)).json.data;
    expect(JSON.parse(request.text)).toEqual({
      out_trade_no: 'N-123',
      amount: '1.00',
      currency: 'CNY',
      subject: '•••',
    });
  });
});
