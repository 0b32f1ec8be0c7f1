import { randomUUID } from 'node:crypto';
import { maxSentAgain } from '@hengfu/contract/callback-messages';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, it } from 'vitest';
import { queueCallback } from '#callbacks/callbacks.ts';
import { EndpointServer } from '../../testing/endpoint-server.ts';
import { type TestMerchant, TestProduct } from '../../testing/test-product.ts';
import { until } from '../../testing/until.ts';
import type { Visitor } from '../../testing/visitor.ts';

let product: TestProduct;
let server: EndpointServer;
let merchants = 0;
const path = '/api/merchant/callbacks';

beforeAll(async () => {
  product = await TestProduct.start(inject('ownerUrl'), { worker: true });
});
afterAll(async () => {
  expect(await product.deadlocks()).toBe(0);
  await product.close();
});
beforeEach(async () => {
  server = await EndpointServer.start();
  return () => server.close();
});

async function office(): Promise<{ merchant: TestMerchant; developer: Visitor }> {
  const merchant = await product.merchant(`messages${++merchants}`);
  return { merchant, developer: await product.person(merchant, 'DEVELOPER') };
}

/** Queues messages to the callback URLs of orders; returns the orders' numbers. */
function queue({ id }: TestMerchant, count = 1, event = 'payout.processed'): Promise<string[]> {
  const numbers = Array.from({ length: count }, () => randomUUID());
  return product.services.database.asMerchant(id, async (tx) => {
    for (const subjectNo of numbers) {
      const body = JSON.stringify({ type: event, data: { trade_no: subjectNo } });
      await queueCallback(tx, { subjectKind: 'payout', subjectNo, event, url: server.url, body });
    }
    return numbers;
  });
}

const list = async (person: Visitor, query = '') => (await person.get(`${path}?${query}`)).json;
const allAre = (person: Visitor, state: string) =>
  until(
    () => list(person),
    ({ data }) => data.every((row: { state: string }) => row.state === state),
  );

describe('the list of callbacks', () => {
  it('is read page by page without a gap, although many were made at one moment', async () => {
    const { merchant, developer } = await office();
    const numbers = await queue(merchant, 45);
    const seen: string[] = [];
    let cursor = '';
    do {
      const { data, next, total } = await list(developer, `limit=20${cursor}`);
      expect(total).toEqual({ count: 45, exact: true });
      seen.push(...data.map((row: { trade_no: string }) => row.trade_no));
      cursor = next === null ? '' : `&cursor=${next}`;
    } while (cursor);
    expect(seen.toSorted()).toEqual(numbers.toSorted());
  });

  it('is filtered by order, event, endpoint, state and time', async () => {
    const { merchant, developer } = await office();
    const [one] = await queue(merchant);
    const [other] = await queue(merchant, 1, 'payout.rejected');
    const numbers = async (query: string) =>
      (await list(developer, query)).data.map((row: { trade_no: string }) => row.trade_no);
    expect(await numbers(`order_no=${one}`)).toEqual([one]);
    expect(await numbers('event=payout.rejected')).toEqual([other]);
    expect(await numbers('endpoint=order')).toHaveLength(2);
    expect(await numbers('endpoint=17')).toEqual([]);
    await allAre(developer, 'delivered');
    expect(await numbers('state=delivered')).toHaveLength(2);
    expect(await numbers('state=waiting,givenUp')).toEqual([]);
    const later = encodeURIComponent(new Date(Date.now() + 60_000).toISOString());
    expect(await numbers(`createdFrom=${later}`)).toEqual([]);
    expect(await numbers(`createdTo=${later}`)).toHaveLength(2);
    for (const query of ['event=no.such', 'state=lost', 'endpoint=all', 'endpoint=-1', 'order_no='])
      expect([query, (await developer.get(`${path}?${query}`)).status]).toEqual([query, 422]);
  });

  it('finds an order by the merchant’s own number', async () => {
    const { merchant, developer } = await office();
    const { json } = await merchant.program.create('own-number', { notifyUrl: server.url });
    await product.services.database.asMerchant(merchant.id, (tx) =>
      queueCallback(tx, {
        subjectKind: 'collection',
        subjectNo: json.trade_no,
        event: 'collection.closed',
        url: server.url,
        body: '{}',
      }),
    );
    const { data } = await list(developer, `order_no=${encodeURIComponent(json.out_trade_no)}`);
    expect(data).toMatchObject([{ trade_no: json.trade_no, event: 'collection.closed', endpoint: null }]);
  });
});

describe('a callback', () => {
  it('shows each attempt with the beginning of the reply, without control characters and secrets', async () => {
    const { merchant, developer } = await office();
    server.status = 500;
    server.reply = `\u001b[1mboom\u001b[0m password=hunter2 ${'€'.repeat(4096)}`;
    const [number] = await queue(merchant);
    const { data } = await until(
      () => list(developer, `order_no=${number}`),
      ({ data: rows }) => rows[0]?.attempts > 0,
    );
    const { history } = (await developer.get(`${path}/${data[0].id}`)).json.data;
    expect(history[0]).toMatchObject({ attempt: 1, httpStatus: 500, error: null, isResend: false });
    const { reply } = history[0];
    expect(reply.startsWith('\\u001b[1mboom\\u001b[0m password=••• €')).toBe(true);
    expect(Buffer.byteLength(reply)).toBeLessThan(4200);
  });

  it('shows the message without personal data, and names the headers without a signature', async () => {
    const { merchant, developer } = await office();
    const body = JSON.stringify({
      type: 'payout.processed',
      timestamp: '2026-01-02T03:04:05.000Z',
      data: {
        trade_no: 'P-shown',
        amount: '12.50',
        payee: 'Nguyễn Văn An',
        payeeAccount: '1234567890123456',
        bank: 'ICBC',
        remark: 'for Mr. Wu',
      },
    });
    await product.services.database.asMerchant(merchant.id, (tx) =>
      queueCallback(tx, {
        subjectKind: 'payout',
        subjectNo: 'P-shown',
        event: 'payout.processed',
        url: server.url,
        body,
      }),
    );
    const [row] = (await allAre(developer, 'delivered')).data;
    const { message } = (await developer.get(`${path}/${row.id}`)).json.data;
    expect(JSON.parse(message.body)).toEqual({
      type: 'payout.processed',
      timestamp: '2026-01-02T03:04:05.000Z',
      data: {
        trade_no: 'P-shown',
        amount: '12.50',
        payee: 'N•••',
        payeeAccount: '•••3456',
        bank: 'ICBC',
        remark: '•••',
      },
    });
    expect(message.isMasked).toBe(true);
    // The server received everything, signed.
    const [received] = server.about('P-shown');
    expect(received?.body).toBe(body);
    const shown = Object.fromEntries(
      message.headers.map(({ name, value }: { name: string; value: string | null }) => [name, value]),
    );
    expect(shown).toEqual({
      'content-type': 'application/json',
      'user-agent': 'Hengfu-Callbacks/1',
      'webhook-id': row.id,
      'webhook-timestamp': null,
      'webhook-signature': null,
    });
    expect(Object.keys(received?.headers ?? {})).toEqual(expect.arrayContaining(Object.keys(shown)));
    await developer.post(`${path}/send-again`, { ids: [row.id] });
    const again = (await developer.get(`${path}/${row.id}`)).json.data.message;
    expect(again.headers).toContainEqual({ name: 'hengfu-resend', value: '1' });
  });

  it('is sent again under its old ID, marked as a resend, also if it was delivered', async () => {
    const { merchant, developer } = await office();
    await queue(merchant, 3);
    const { data } = await allAre(developer, 'delivered');
    const ids: string[] = data.map((row: { id: string }) => row.id);
    const again = await developer.post(`${path}/send-again`, { ids: [...ids, ids[0]] });
    expect(again.json).toEqual({ data: { sent: 3 } });
    await until(
      async () => server.received.length,
      (length) => length === 6,
    );
    const marked = server.received.filter(({ headers }) => headers['hengfu-resend'] === '1');
    expect(marked.map(({ headers }) => headers['webhook-id']).toSorted()).toEqual(ids.toSorted());
    const row = await until(
      async () => (await developer.get(`${path}/${ids[0]}`)).json.data,
      ({ history }) => history.length === 2,
    );
    expect(row.history.map((attempt: { isResend: boolean }) => attempt.isResend)).toEqual([false, true]);
    const { rows } = await product.services.database.asSystem((tx) =>
      sql`select from audit where merchant_id = ${merchant.id} and action = 'callback.send_again'`.execute(
        tx.query,
      ),
    );
    expect(rows).toHaveLength(3);
  });

  it('of another merchant is neither shown nor sent, and then nothing else is sent either', async () => {
    const [mine, other] = [await office(), await office()];
    await queue(mine.merchant);
    await queue(other.merchant);
    const { data: own } = await allAre(mine.developer, 'delivered');
    const { data: foreign } = await allAre(other.developer, 'delivered');
    const ids = [own[0].id, foreign[0].id];
    expect((await mine.developer.get(`${path}/${ids[1]}`)).status).toBe(404);
    expect((await mine.developer.post(`${path}/send-again`, { ids })).status).toBe(404);
    for (const [index, { developer }] of [mine, other].entries())
      expect((await developer.get(`${path}/${ids[index]}`)).json.data.resentAt).toBeNull();
  });

  it('is one of a hundred at most that one call sends again, sixty times in ten minutes', async () => {
    const { developer } = await office();
    const ids = (count: number) => ({ ids: Array.from({ length: count }, () => randomUUID()) });
    for (const body of [ids(0), ids(maxSentAgain + 1), { ids: ['x'] }, { ids: [1] }, {}])
      expect((await developer.post(`${path}/send-again`, body)).status).toBe(422);
    const codes = new Set<string>();
    for (let call = 0; call < 61; call++)
      codes.add((await developer.post(`${path}/send-again`, ids(1))).json.code);
    expect([...codes]).toEqual(['not_found', 'too_many_attempts']);
  });
});
