import { sql } from 'kysely';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { type TestMerchant, TestProduct } from '../../../testing/test-product.ts';
import type { Visitor } from '../../../testing/visitor.ts';

let product: TestProduct;
let merchant: TestMerchant;
let person: Visitor;

beforeAll(async () => {
  product = await TestProduct.start(inject('ownerUrl'));
  merchant = await product.merchant('ends');
  person = await product.person(merchant);
});
afterAll(() => product.close());

const list = async (filters: Record<string, string>) =>
  (await person.get(`/api/merchant/refunds?${new URLSearchParams(filters)}`)).json;
const dayOf = (at: string) => at.slice(0, 10);

/** Makes a payment of which two parts are refunded, on different days, a third is declined, and a fourth is in progress. */
async function refunds(): Promise<string[]> {
  const { trade_no: reference } = (await merchant.program.create('ends-1', { channel: 'CN_BANK' })).json;
  const report = { status: 'paid', bankReference: 'b', reason: null, currency: 'CNY' } as const;
  await product.services.collections.report({ reference, amountMinor: 10_000n, ...report });
  const numbers: string[] = [];
  for (const amount of ['1.00', '2.00', '4.00', '8.00']) {
    const body = { out_refund_no: amount, trade_no: reference, amount };
    numbers.push((await merchant.program.post('/openapi/v1/refunds', body)).json.refund_no);
  }
  const [first = '', second = '', declined = ''] = numbers;
  for (const refundNo of [first, second])
    await product.services.refundDispatch.report(merchant.id, refundNo, {
      status: 'refunded',
      reason: null,
      bankReference: null,
    });
  const refused = { status: 'refused', reason: 'no', bankReference: null } as const;
  await product.services.refundDispatch.report(merchant.id, declined, refused);
  await product.services.database.asMerchant(merchant.id, (tx) =>
    sql`update refund set ended_at = ended_at - interval '3 days', created_at = created_at - interval '4 days'
      where merchant_id = ${merchant.id} and refund_no = ${first}`.execute(tx.query),
  );
  return numbers;
}

it('are found by their end, and those of a day are the figure of the daily report', async () => {
  const [first, second, declined] = await refunds();
  const from = new Date(Date.now() - 7 * 86_400_000).toISOString();
  const to = new Date(Date.now() + 60_000).toISOString();
  const numbersOf = ({ data }: { data: { refund_no: string }[] }) => data.map(({ refund_no }) => refund_no);
  expect(numbersOf(await list({ endedFrom: from, endedTo: to }))).toEqual([declined, second, first]);
  const made = await list({ status: 'refunded', endedFrom: from, endedTo: to });
  expect([numbersOf(made), made.sum.amount]).toEqual([[second, first], '3.00']);
  const query = new URLSearchParams({ offset: '+00:00', from: dayOf(from), to: dayOf(to) });
  const { json } = await person.get(`/api/merchant/daily-reports?${query}`);
  const days = json.data.filter(({ refundAmount }: { refundAmount: string }) => refundAmount !== '0.00');
  expect(days).toHaveLength(2);
  for (const { date, refundAmount } of days) {
    const end = new Date(Date.parse(`${date}T00:00:00Z`) + 86_400_000).toISOString();
    const ofDay = await list({ status: 'refunded', endedFrom: `${date}T00:00:00Z`, endedTo: end });
    expect([date, ofDay.sum.amount, ofDay.total.count]).toEqual([date, refundAmount, 1]);
  }
});
