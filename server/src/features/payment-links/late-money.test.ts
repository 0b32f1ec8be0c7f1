import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, expect, inject, it } from 'vitest';
import { asOwner } from '#db/owner.ts';
import { type TestMerchant, TestProduct } from '../../testing/test-product.ts';

let product: TestProduct;
let merchant: TestMerchant;
let attempts = 0;

beforeAll(async () => {
  product = await TestProduct.start(inject('ownerUrl'), { env: { TRUST_PROXY: '127.0.0.1' } });
  merchant = await product.merchant('late-money');
});
afterAll(async () => {
  expect(await product.deadlocks()).toBe(0);
  await product.close();
});
afterEach(async () => {
  expect(await product.violations()).toEqual([]);
});

const asMerchant = async <T>(statement: ReturnType<typeof sql<T>>) =>
  (await product.services.database.asMerchant(merchant.id, (tx) => statement.execute(tx.query))).rows;
const refundsOf = (tradeNo: string) =>
  asMerchant(sql<{ amount: string; fee: string; by: string }>`
    select r.amount_minor::text as amount, r.fee_minor::text as fee, r.requested_by as by
    from refund r join collection c on c.merchant_id = r.merchant_id and c.id = r.collection_id
    where c.trade_no = ${tradeNo}`);
const pay = (reference: string) =>
  product.services.collections.report({
    reference,
    status: 'paid',
    bankReference: `b-${reference}`,
    amountMinor: 1000n,
    currency: 'CNY',
    reason: null,
  });

/** Makes an order of a link that is given up, and another one that takes the link's only use; the first is then paid. */
async function lateOrder(): Promise<string> {
  const finance = await product.person(merchant, 'FINANCE', `finance${attempts}`);
  const link = await finance.post('/api/merchant/payment-links', {
    title: 'Seat',
    amount: '10.00',
    maxUses: 1,
  });
  const token = link.json.data.url.split('/pay/link/')[1];
  const order = async () => {
    const { json } = await product
      .visitor()
      .post(
        `/api/pay-links/${token}/orders`,
        { attempt: `attempt-${String(attempts).padStart(12, '0')}` },
        { 'x-forwarded-for': `192.0.2.${++attempts}` },
      );
    const [row] = await asMerchant(
      sql<{
        no: string;
      }>`select trade_no as no from collection where cashier_token = ${json.cashierUrl.split('/pay/')[1]}`,
    );
    return row?.no ?? expect.fail('no such order');
  };
  const late = await order();
  expect((await finance.post(`/api/merchant/collections/${late}/cancel`)).status).toBe(204);
  const first = await order();
  await asMerchant(sql`update collection set channel = 'CN_BANK' where trade_no in (${late}, ${first})`);
  await pay(first);
  return late;
}

/** Books a late payment as a process of the version before does, which gives nothing back. */
async function payAsBefore(tradeNo: string): Promise<void> {
  await product.services.database.asMerchant(merchant.id, async (tx) => {
    await sql`update collection set status = 'success', settlement_status = 'unsettled', paid_at = now(), fee_minor = 6,
        bank_reference = 'b' where merchant_id = ${merchant.id} and trade_no = ${tradeNo}`.execute(tx.query);
    await sql`select ledger_post('collection_payment', ${`collection_payment:${tradeNo}`}, ${tradeNo}, 'CNY',
      '{clearing,unsettled,fees}', '{CN_BANK,"",""}'::text[], '{-1000,994,6}'::bigint[], now())`.execute(
      tx.query,
    );
  });
}
const settle = () => product.services.settlements.runNow(merchant.id, new Date(Date.now() + 1000));

it('late money that the version before has booked goes back once, with its fee', async () => {
  const late = await lateOrder();
  await payAsBefore(late);
  expect(await refundsOf(late)).toEqual([]);
  await Promise.all([1, 2, 3].map(() => product.services.lateReturns.run()));
  expect(await refundsOf(late)).toEqual([{ amount: '1000', fee: '6', by: 'service' }]);
  expect(await product.services.lateReturns.run()).toBe(0);
  const [order] = await asMerchant(
    sql<{ minor: string }>`select refunding_minor::text as minor from collection where trade_no = ${late}`,
  );
  expect(order?.minor).toBe('1000');
});

it('waits for funds if it was settled, and is not tried again after it has failed', async () => {
  const late = await lateOrder();
  await payAsBefore(late);
  await settle();
  expect(await product.services.lateReturns.run()).toBe(0);
  expect(await refundsOf(late)).toEqual([]);
  const { json } = await merchant.program.create('funds', { amount: '50.00', channel: 'CN_BANK' });
  await product.services.collections.report({
    reference: json.trade_no,
    status: 'paid',
    bankReference: 'b-funds',
    amountMinor: 5000n,
    currency: 'CNY',
    reason: null,
  });
  expect(await product.services.lateReturns.run()).toBe(1);
  const refused = { status: 'refused', reason: 'no such account', bankReference: null } as const;
  await product.services.refundDispatch.report(merchant.id, `${late}-R1`, refused);
  expect(await product.services.lateReturns.run()).toBe(0);
  expect(await refundsOf(late)).toHaveLength(1);
});

it('goes back an hour later if its refund never reached the channel', async () => {
  const late = await lateOrder();
  await payAsBefore(late);
  expect(await product.services.lateReturns.run()).toBe(1);
  const voided = { status: 'voided', reason: null, bankReference: null } as const;
  await product.services.refundDispatch.report(merchant.id, `${late}-R1`, voided);
  expect(await product.services.lateReturns.run()).toBe(0);
  await asMerchant(
    sql`update refund set ended_at = ended_at - interval '61 minutes' where refund_no = ${`${late}-R1`}`,
  );
  expect(await Promise.all([1, 2].map(() => product.services.lateReturns.run()))).toContain(1);
  expect(await refundsOf(late)).toHaveLength(2);
  const refunded = { status: 'refunded', reason: null, bankReference: 'b-late' } as const;
  await product.services.refundDispatch.report(merchant.id, `${late}-R2`, refunded);
  expect(await product.services.lateReturns.run()).toBe(0);
});

it('is found by an index of its own', async () => {
  const plan = await asOwner(product.ownerUrl, async (client) => {
    await client.query(
      'begin; grant hengfu_system to current_user; set local role hengfu_system; set local enable_seqscan = off',
    );
    const { rows } =
      await client.query(`explain select from collection c where not c.holds_link_use and c.paid_at is not null
      and c.refunded_minor = 0 and c.refunding_minor = 0 order by c.merchant_id, c.id limit 100`);
    await client.query('rollback');
    return JSON.stringify(rows);
  });
  expect(plan).toContain('collection_late_link_money');
});
