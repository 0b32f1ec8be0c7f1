import { feeOf } from '@hengfu/contract/fees';
import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { asOwner } from '#db/owner.ts';
import { plainApplication } from '../../../testing/plain-application.ts';
import { TestProduct } from '../../../testing/test-product.ts';
import { findPayout } from '../payouts.sql.ts';
import type { Application } from './payout-decisions.sql.ts';
import { take } from './payouts.intake.ts';

let product: TestProduct;

beforeAll(async () => {
  product = await TestProduct.start(inject('ownerUrl'));
});
afterAll(async () => {
  expect(await product.violations()).toEqual([]);
  expect(await product.deadlocks()).toBe(0);
  await product.close();
});

const order = (number: string, amount: string, account: number) => ({
  channel: 'CN_BANK',
  amount,
  payee: '王芳',
  payeeAccount: `95588012${String(account).padStart(6, '0')}`,
  bank: 'ICBC',
  bankName: '中国工商银行',
  currency: 'CNY',
  out_trade_no: number,
});

it('charges the same fee as the contract’s feeOf', async () => {
  const randomCase = fc.record({
    amountMinor: fc.bigInt(1n, 10n ** 14n),
    ratePpm: fc.integer({ min: 0, max: 1_000_000 }),
    fixedMinor: fc.bigInt(0n, 10n ** 6n),
  });
  const cases = [
    ...fc.sample(randomCase, 2000),
    { amountMinor: 250n, ratePpm: 2000, fixedMinor: 0n },
    { amountMinor: 249n, ratePpm: 2000, fixedMinor: 0n },
  ];
  const { rows } = await product.services.database.asSystem((tx) =>
    sql<{ fee: bigint }>`
      select order_fee(amount, rate, fixed) as fee
      from unnest(${cases.map(({ amountMinor }) => String(amountMinor))}::bigint[], ${cases.map(({ ratePpm }) => ratePpm)}::integer[],
        ${cases.map(({ fixedMinor }) => String(fixedMinor))}::bigint[]) with ordinality as c (amount, rate, fixed, place)
      order by place`.execute(tx.query),
  );
  expect(rows.map(({ fee }) => fee)).toEqual(
    cases.map(({ amountMinor, ...terms }) => feeOf(amountMinor, terms)),
  );
});

it('finds look-alikes through an index, although the rule is a SQL function', async () => {
  const { rows } = await product.services.database.asSystem(async (tx) => {
    await sql`set local enable_seqscan = off`.execute(tx.query);
    return sql<Record<string, string>>`explain select * from similar_payout(1, 'a', 1, 24)`.execute(tx.query);
  });
  const plan = rows.map((row) => Object.values(row).join()).join('\n');
  expect(plan).toMatch(/Index Scan|Bitmap Index Scan/);
  expect(plan).not.toContain('Function Scan');
});

describe('many concurrent payouts of one merchant', () => {
  it('are each accepted or refused as if sent alone, and enqueued for sending', async () => {
    const merchant = await product.merchant('many');
    await product.fund(merchant, '100000.00');
    const create = (body: object) => merchant.program.post('/openapi/v1/payouts', body);
    const good = Array.from({ length: 60 }, (_, index) => order(`g-${index}`, `${10 + index}.00`, index));
    const twins = good.slice(0, 10).map((body, index) => ({ ...body, out_trade_no: `t-${index}` }));
    const again = good.slice(10, 20);
    const others = good.slice(20, 30).map((body) => ({ ...body, amount: '999.00' }));
    const rich = [order('r-1', '99999.99', 999)];
    await Promise.all(good.slice(0, 30).map(create));
    const answers = await Promise.all(
      [...good.slice(30), ...twins, ...again, ...others, ...rich].map(create),
    );
    const codes = Map.groupBy(answers, ({ status, json }) => (status === 201 ? 'taken' : json.code));
    expect(Object.fromEntries([...codes].map(([code, of]) => [code, of.length]))).toEqual({
      taken: 40,
      similar_payout: 10,
      out_trade_no_used: 10,
      insufficient_funds: 1,
    });
    const { rows } = await asOwner(product.ownerUrl, (client) =>
      client.query(
        "select count(*)::integer as n, count(distinct key)::integer as keys from graphile_worker.jobs where task_identifier = 'payouts.send'",
      ),
    );
    expect(rows).toEqual([{ n: 60, keys: 60 }]);
  });
});

it('returns of a new payout exactly what is stored', async () => {
  const merchant = await product.merchant('stored');
  await product.fund(merchant, '100.00');
  const application: Application = {
    merchantId: merchant.id,
    outTradeNo: 'stored-1',
    requestHash: Buffer.from([1, 2]),
    amountMinor: 123n,
    currency: 'CNY',
    channel: 'CN_BANK',
    payee: '王芳',
    payeeAccount: '9558 8012',
    accountKey: 'CN_BANK ICBC 95588012',
    confirmSimilar: true,
    ...plainApplication,
    bank: 'ICBC',
    remark: 'rent',
    notifyUrl: 'https://shop.example/callback',
  };
  await product.services.database.asMerchant(merchant.id, async (tx) => {
    const made = await take(tx, application);
    expect(made).toMatchObject({ remark: 'rent', status: 'pending', approvalState: null });
    expect(await findPayout(tx, made)).toEqual(made);
  });
});

it('returns whole payouts to processes of version 0.2.0, for new applications and repeated ones', async () => {
  const merchant = await product.merchant('before');
  await product.fund(merchant, '100.00');
  const { payeeAccount, bankName, amount: _amount, ...given } = order('before-1', '1.00', 1);
  const application = {
    ...given,
    merchant_id: String(merchant.id),
    request_hash: '\\x01',
    amount_minor: '100',
    payee_account: payeeAccount,
    account_key: `CN_BANK ICBC ${payeeAccount}`,
    bank_name: bankName,
    source: 'openApi',
    created_by: 'key:before',
    means_similar: false,
  };
  const accept = () =>
    product.services.database.asMerchant(merchant.id, async (tx) => {
      const applications = JSON.stringify([application]);
      const { rows } = await sql<{ outcome: string; held: object; stored: object }>`
        select d.outcome, to_jsonb(d.held) as held, (select to_jsonb(p) from payout p where p.out_trade_no = 'before-1') as stored
        from accept_payouts(${applications}::json, 24, 'payouts.send', 5) d`.execute(tx.query);
      return rows;
    });
  const [[made], [repeated]] = [await accept(), await accept()];
  expect([made?.outcome, repeated?.outcome]).toEqual(['taken', 'earlier']);
  expect(made?.held).toMatchObject({ out_trade_no: 'before-1', amount_minor: 100, status: 'pending' });
  expect([repeated?.held, repeated?.stored]).toEqual([made?.held, made?.held]);
});
