import { createHash } from 'node:crypto';
import { type RawBuilder, sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, it } from 'vitest';
import { asOwner } from '#db/owner.ts';
import { type TestMerchant, TestProduct } from '../../testing/test-product.ts';
import { deleteOldCalls } from './repeated-calls.sql.ts';

let product: TestProduct;
let merchant: TestMerchant;
let count = 0;

beforeAll(async () => {
  product = await TestProduct.start(inject('ownerUrl'));
});
afterAll(async () => {
  expect(await product.violations()).toEqual([]);
  expect(await product.deadlocks()).toBe(0);
  await product.close();
});
beforeEach(async () => {
  merchant = await product.merchant(`repeats${++count}`);
});

const collections = '/openapi/v1/collections';
const order = (outTradeNo: string, more: object = {}) => ({
  out_trade_no: outTradeNo,
  amount: '10.00',
  currency: 'CNY',
  ...more,
});
const post = (path: string, body: unknown, key: string, program = merchant.program) =>
  program.post(path, body, { headers: { 'idempotency-key': key } });
const run = <T>(statement: RawBuilder<T>) =>
  product.services.database.asSystem((tx) => statement.execute(tx.query));
const stored = async () => {
  const { rows } = await run(sql<{ n: bigint }>`
    select count(*) as n from repeated_call where merchant_id = ${merchant.id}`);
  return Number(rows[0]?.n);
};

describe('a repeated call with the same Idempotency-Key', () => {
  it('gets the first reply, even if the order has changed since, and says that it is a repetition', async () => {
    const first = await post(collections, order('a'), 'key-1');
    expect([first.status, first.headers.get('idempotency-replayed')]).toEqual([201, null]);
    await merchant.program.post(`${collections}/${first.json.trade_no}/cancel`);
    // The order of the fields and white space do not matter.
    const repeated = await post(
      collections,
      '{"currency":"CNY", "amount":"10.00","out_trade_no":"a"}',
      'key-1',
    );
    expect([repeated.status, repeated.headers.get('idempotency-replayed')]).toEqual([201, 'true']);
    expect(repeated.json).toEqual(first.json);
    // Without the key, the number decides, and the reply is the order as it is now.
    const { json } = await merchant.program.post(collections, order('a'));
    expect([json.trade_no, json.status]).toEqual([first.json.trade_no, 'cancelled']);
  });

  it('is accepted by every call that writes', async () => {
    await product.fund(merchant, '100.00');
    const payout = {
      ...order('p', { amount: '1.00' }),
      channel: 'CN_BANK',
      payee: '王芳',
      payeeAccount: '123456789012',
      bank: 'ICBC',
      bankName: 'ICBC',
    };
    const { json: made } = await merchant.program.create('to-cancel');
    const calls: [string, unknown][] = [
      [collections, order('b')],
      ['/openapi/v1/payouts', payout],
      [`${collections}/${made.trade_no}/cancel`, undefined],
    ];
    for (const [index, [path, body]] of calls.entries()) {
      const first = await post(path, body, `key-${index}`);
      const again = await post(path, body, `key-${index}`);
      expect([first.status, again.json]).toEqual([again.status, first.json]);
      expect(again.headers.get('idempotency-replayed')).toBe('true');
    }
    const { rows } = await run(sql`select from payout where merchant_id = ${merchant.id}`);
    expect(rows).toHaveLength(1);
  });

  it.each([
    ['another body', collections, () => order('c', { amount: '11.00' })],
    ['another call', `${collections}/C1/cancel`, () => undefined],
  ])('is refused with %s', async (_, path, body) => {
    await post(collections, order('c'), 'key');
    const { status, json } = await post(path, body(), 'key');
    expect([status, json.code]).toEqual([422, 'idempotency_key_reused']);
  });

  it('does the work again if the first one was refused, which changed nothing', async () => {
    const refused = await post('/openapi/v1/refunds', { out_refund_no: 'r', trade_no: 'C1' }, 'key');
    expect([refused.status, await stored()]).toEqual([404, 0]);
    expect((await post(collections, order('d'), 'key')).status).toBe(201);
    const invalid = await post(collections, { out_trade_no: 'e' }, 'other-key');
    expect([invalid.status, await stored()]).toEqual([422, 1]);
  });

  it('does the work once, if twenty are sent at once; the others get `idempotency_in_flight` or the reply', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => post(collections, order('f'), 'key')));
    const made = answers.filter(({ status }) => status === 201);
    const others = answers.filter(({ status }) => status !== 201);
    expect(made.filter(({ headers }) => headers.get('idempotency-replayed') === null)).toHaveLength(1);
    expect(new Set(made.map(({ json }) => json.trade_no)).size).toBe(1);
    for (const { status, json, headers } of others)
      expect([status, json.code, headers.get('retry-after')]).toEqual([409, 'idempotency_in_flight', '1']);
  });

  it('is another call if another merchant sends it', async () => {
    const other = await product.merchant(`other${count}`);
    const mine = await post(collections, order('g'), 'key');
    const theirs = await post(collections, order('g'), 'key', other.program);
    expect([theirs.status, theirs.headers.get('idempotency-replayed')]).toEqual([201, null]);
    expect(theirs.json.trade_no).not.toBe(mine.json.trade_no);
  });

  it('is another call in another scope, so that a key cannot read what another key of the merchant did', async () => {
    await post(collections, order('scoped'), 'key');
    const { rows } = await run<{ key_hash: Buffer }>(sql`
      select key_hash from repeated_call where merchant_id = ${merchant.id}`);
    const hash = (scope: string) => createHash('sha256').update(`${scope}\nkey`).digest();
    expect(rows.map(({ key_hash }) => key_hash)).toEqual([hash('collections')]);
    const payout = { ...order('scoped'), channel: 'CN_BANK' };
    expect((await post('/openapi/v1/payouts', payout, 'key')).json.code).not.toBe('idempotency_key_reused');
  });

  it('is answered as it went, even if neither its reply can be stored nor its claim released', async () => {
    const refuse = (statement: string) => asOwner(product.ownerUrl, (client) => client.query(statement));
    await refuse(`
      create function fail_here() returns trigger language plpgsql as $$ begin raise exception 'no room'; end $$;
      create trigger fail_here before update or delete on repeated_call for each row execute function fail_here()`);
    try {
      expect((await post(collections, order('unkept'), 'key-1')).status).toBe(201);
      expect((await post(`${collections}/C1/cancel`, undefined, 'key-2')).status).toBe(404);
      expect(await stored()).toBe(2);
    } finally {
      await refuse('drop function fail_here cascade');
    }
  });

  it.each(['', 'x'.repeat(65), 'with space', 'ключ', 'tab\there'])(
    'is refused if the key is %j',
    async (key) => {
      const sent = Buffer.from(key).toString('latin1');
      const { status, json } = await post(collections, order('h'), sent);
      // An empty header, and white space around it, is no key at all for HTTP clients: it is refused, not ignored.
      expect([status, json.code, Object.keys(json.errors ?? {})]).toEqual([
        422,
        'validation_failed',
        ['Idempotency-Key'],
      ]);
    },
  );

  it('waits for a call in progress, and takes over from one whose process has died', async () => {
    const first = await post(collections, order('i'), 'key');
    await claim(sql`now() - interval '119 seconds'`);
    expect((await post(collections, order('i'), 'key')).json.code).toBe('idempotency_in_flight');
    expect((await post(collections, order('other'), 'key')).json.code).toBe('idempotency_key_reused');
    await claim(sql`now() - interval '121 seconds'`);
    const again = await post(collections, order('i'), 'key');
    expect([again.status, again.headers.get('idempotency-replayed')]).toEqual([201, null]);
    expect(again.json.trade_no).toBe(first.json.trade_no);
  });

  it('is kept for a day at least, and for two at most', async () => {
    await post(collections, order('j'), 'old');
    await claim(sql`now() - interval '49 hours'`);
    await post(collections, order('k'), 'new');
    await product.services.database.asSystem((tx) => deleteOldCalls(tx));
    expect(await stored()).toBe(1);
    expect((await post(collections, order('k'), 'new')).headers.get('idempotency-replayed')).toBe('true');
  });

  it('costs nothing without the header', async () => {
    await merchant.program.create('plain');
    expect(await stored()).toBe(0);
  });
});

/** Pretends that the merchant's calls are in progress since an instant. */
async function claim(at: RawBuilder<unknown>): Promise<void> {
  await product.services.database.asMerchant(merchant.id, (tx) =>
    sql`update repeated_call set reply = null, claimed_at = ${at} where merchant_id = ${merchant.id}`.execute(
      tx.query,
    ),
  );
}
