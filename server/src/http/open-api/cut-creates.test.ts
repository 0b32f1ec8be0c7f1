import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { CuttingNetwork } from '../../testing/cutting-network.ts';
import { type TestMerchant, TestProduct } from '../../testing/test-product.ts';

let network: CuttingNetwork;
let product: TestProduct;
let merchant: TestMerchant;

beforeAll(async () => {
  network = await CuttingNetwork.open(Number(new URL(inject('ownerUrl')).port));
  product = await TestProduct.start(inject('ownerUrl'), { networkUrl: (url) => network.urlOf(url) });
  merchant = await product.merchant('cut');
  await product.fund(merchant, '1000.00');
});
afterAll(async () => {
  expect(await product.violations()).toEqual([]);
  await product.close();
  await network.close();
});

const accounts = new Map<string, string>();

/** Returns an account of its own for each order, so that no payout looks like another. */
function accountOf(number: string): string {
  const account = accounts.get(number) ?? `95588012${String(accounts.size).padStart(6, '0')}`;
  accounts.set(number, account);
  return account;
}

const bodies = {
  collections: (number: string) => ({ out_trade_no: number, amount: '100.00', currency: 'CNY' }),
  payouts: (number: string) => ({
    channel: 'CN_BANK',
    amount: '1.00',
    payee: '王芳',
    payeeAccount: accountOf(number),
    bank: 'ICBC',
    bankName: '中国工商银行',
    currency: 'CNY',
    out_trade_no: number,
  }),
};
const tables = { collections: 'collection', payouts: 'payout' };

const countOf = async (kind: keyof typeof tables, numbers: readonly string[]) => {
  const { rows } = await product.services.database.asSystem((tx) =>
    sql<{ count: number }>`select count(*)::integer as count from ${sql.table(tables[kind])}
      where out_trade_no = any(${numbers})`.execute(tx.query),
  );
  return rows[0]?.count;
};

describe.each(['collections', 'payouts'] as const)('creates of %s', (kind) => {
  const create = (number: string, headers: Record<string, string> = {}) =>
    merchant.program.post(`/openapi/v1/${kind}`, bodies[kind](number), { headers });

  it('are refused wherever their statement’s reply is cut off, and one order comes of the retry', async () => {
    await create('first');
    network.cutOnce({ marker: `${kind}-whole`, side: 'reply', after: Number.POSITIVE_INFINITY });
    expect((await create(`${kind}-whole`)).status).toBe(201);
    const messages = network.passed;
    expect(messages).toMatch(/^[12]+DC[12]+TD+CZ$/);
    for (let after = 0; after < messages.length; after++) {
      const number = `${kind}-cut-${after}.`;
      network.cutOnce({ marker: number, side: 'reply', after, isBeforeEnd: true });
      const headers: Record<string, string> = after % 2 ? { 'idempotency-key': number } : {};
      const refused = await create(number, headers);
      expect({ after, status: refused.status, code: refused.json.code }).toEqual({
        after,
        status: 503,
        code: 'unavailable',
      });
      expect(await countOf(kind, [number])).toBe(1);
      const again = await create(number, headers);
      expect({ after, status: again.status }).toEqual({ after, status: 201 });
      expect((await create(number, headers)).json).toEqual(again.json);
      expect(await countOf(kind, [number])).toBe(1);
    }
  });

  it('are refused if their request is cut off, and leave nothing before the retry', async () => {
    const number = `${kind}-unsent`;
    network.cutOnce({ marker: number, side: 'request', after: 4 });
    expect((await create(number)).status).toBe(503);
    expect(await countOf(kind, [number])).toBe(0);
    expect((await create(number)).status).toBe(201);
    expect(await countOf(kind, [number])).toBe(1);
  });

  it('that share a statement are refused together, and retried each once', async () => {
    let refused = 0;
    // The first call to arrive has a statement of its own.
    for (let round = 0; refused < 2 && round < 10; round++) {
      const cuts = network.cuts;
      network.cutOnce({ marker: `${kind}-many-${round}-7`, side: 'reply', after: 1 });
      const numbers = Array.from({ length: 12 }, (_, index) => `${kind}-many-${round}-${index}`);
      const statuses = (await Promise.all(numbers.map((number) => create(number)))).map(
        ({ status }) => status,
      );
      expect(network.cuts).toBe(cuts + 1);
      expect(statuses[7]).toBe(503);
      expect(statuses.filter((status) => status !== 503 && status !== 201)).toEqual([]);
      refused = statuses.filter((status) => status === 503).length;
      const retried = await Promise.all(numbers.map((number) => create(number)));
      expect(new Set(retried.map(({ status }) => status))).toEqual(new Set([201]));
      expect(await countOf(kind, numbers)).toBe(numbers.length);
    }
    expect(refused).toBeGreaterThan(1);
  });
});
