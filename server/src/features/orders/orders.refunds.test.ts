import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { SandboxAdapter } from '#channels/sandbox/sandbox-adapter.ts';
import { bankSecret, type TestMerchant, TestProduct } from '../../testing/test-product.ts';
import { TestStaff } from '../../testing/test-staff.ts';
import { until } from '../../testing/until.ts';
import type { Visitor } from '../../testing/visitor.ts';

let product: TestProduct;
let staff: TestStaff;
let one: TestMerchant;
let other: TestMerchant;
let reviewer: Visitor;
let bank: SandboxAdapter;

beforeAll(async () => {
  product = await TestProduct.start(inject('ownerUrl'), { bank: true, worker: true });
  staff = await TestStaff.start(product);
  bank = new SandboxAdapter({ url: product.bank?.url ?? '', secret: bankSecret });
  one = await product.merchant('one');
  other = await product.merchant('other');
  reviewer = await staff.member('reviewer', 'REVIEWER');
});
afterAll(async () => {
  expect(await product.violations()).toEqual([]);
  expect(await product.deadlocks()).toBe(0);
  await staff.close();
  await product.close();
});

const caseOf = async (tradeNo: string) => (await reviewer.get(`/api/staff/collections/${tradeNo}`)).json.data;
const refundsOf = async (tradeNo: string) => (await caseOf(tradeNo)).refunds;
const find = async (search: string, more: Record<string, string> = {}): Promise<string[]> => {
  const { status, json } = await reviewer.get(
    `/api/staff/orders?${new URLSearchParams({ search, ...more })}`,
  );
  expect([status, json.code]).toEqual([200, undefined]);
  return json.data.map(({ trade_no }: { trade_no: string }) => trade_no);
};

/** Makes a collection that its payer pays at the bank. Returns its number. */
async function paid(outTradeNo: string, by: TestMerchant): Promise<string> {
  const { json } = await by.program.create(outTradeNo, { amount: '100.00' });
  const token = json.cashierUrl.split('/pay/')[1];
  await product.visitor().post(`/api/cashier/${token}/pay`, { channel: 'CN_BANK' });
  await bank.playPayer(json.trade_no, 'confirm');
  await until(
    () => caseOf(json.trade_no),
    ({ paidAt }) => paidAt !== null,
  );
  return json.trade_no;
}

/** Has a merchant's system refund a part of a collection. Returns the refund's number. */
async function refund(tradeNo: string, outRefundNo: string, amount: string, by: TestMerchant) {
  const body = { out_refund_no: outRefundNo, trade_no: tradeNo, amount, reason: 'Returned goods' };
  const { status, json } = await by.program.post('/openapi/v1/refunds', body);
  expect([status, json.code]).toEqual([201, undefined]);
  return json.refund_no as string;
}

it('leads from any number of a refund to its collection, and shows how each refund stands', async () => {
  const [tradeNo, theirs] = [await paid('basket-1', one), await paid('basket-1', other)];
  const untouched = await paid('basket-2', one);
  const made = await refund(tradeNo, 'return-7', '12.50', one);
  // The bank accepts it and does not decide (sandbox/README.md).
  const pending = await refund(tradeNo, 'return-8', '9.09', one);
  const namesake = await refund(theirs, 'return-7', '1.00', other);
  const refunds = await until(
    () => refundsOf(tradeNo),
    (all) => all[1].status === 'refunded' && all[0].bankReference !== null,
  );
  expect(refunds).toMatchObject([
    { refund_no: pending, out_refund_no: 'return-8', amount: '9.09', status: 'processing', endedAt: null },
    { refund_no: made, out_refund_no: 'return-7', amount: '12.50', status: 'refunded', source: 'openApi' },
  ]);
  const [, { bankReference, sentAt, endedAt, reason }] = refunds;
  expect([bankReference, sentAt, endedAt, reason]).toEqual([
    (await bank.queryRefund(made))?.bankReference,
    expect.any(String),
    expect.any(String),
    'Returned goods',
  ]);
  expect(await refundsOf(untouched)).toEqual([]);

  for (const number of [made, made.toLowerCase(), pending, bankReference, refunds[0].bankReference])
    expect([number, await find(number)]).toEqual([number, [tradeNo]]);
  expect(await find(namesake)).toEqual([theirs]);
  expect(await find('return-7')).toEqual([theirs, tradeNo]);
  expect(await find('return-7', { merchant: 'one' })).toEqual([tradeNo]);
  expect(await find('return-7', { kind: 'payout' })).toEqual([]);
  expect(await find('return-7', { status: 'failed' })).toEqual([]);
  for (const text of [
    'return',
    'return-',
    `${tradeNo}-R`,
    `${made}1`,
    `${tradeNo}-R3`,
    bankReference.slice(1),
  ])
    expect([text, await find(text)]).toEqual([text, []]);
});

it('shows merchants the channel’s number of a refund, too', async () => {
  const tradeNo = await paid('basket-3', one);
  const refundNo = await refund(tradeNo, 'return-9', '3.00', one);
  await until(
    () => refundsOf(tradeNo),
    (all) => all[0].status === 'refunded',
  );
  const person = await product.person(one);
  const { json } = await person.get(`/api/merchant/refunds/${refundNo}`);
  expect(json.data.bankReference).toBe((await bank.queryRefund(refundNo))?.bankReference);
});
