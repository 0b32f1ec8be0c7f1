import { signatureHeader, signCallback, timestampHeader } from '@hengfu/sandbox/signature';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { bankSecret, type TestMerchant, TestProduct } from '../testing/test-product.ts';
import type { Visitor } from '../testing/visitor.ts';

/** A text that no adapter knows; pages may show it only as technical information. */
const bankText = '<b>insufficient</b> funds ¤';

let product: TestProduct;
let merchant: TestMerchant;
let person: Visitor;

beforeAll(async () => {
  product = await TestProduct.start(inject('ownerUrl'), { bank: true });
  merchant = await product.merchant('refused');
  person = await product.person(merchant);
});
afterAll(() => product.close());

async function bankRefuses(kind: 'collection' | 'payout', reference: string, reason?: string) {
  const event = { type: `${kind}.refused`, reference, bankId: 'b', amountMinor: '10000', currency: 'CNY' };
  const body = JSON.stringify({ ...event, ...(reason !== undefined && { reason }) });
  const timestamp = String(Math.floor(Date.now() / 1000));
  const signature = signCallback(bankSecret, timestamp, body);
  const answer = await fetch(`${product.url}/api/channels/CN_BANK/callback`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      [timestampHeader]: timestamp,
      [signatureHeader]: signature,
    },
    body,
  });
  expect(answer.ok).toBe(true);
}

let count = 0;
async function refusedCollection(reason?: string) {
  const { json } = await merchant.program.create(`refused-${count++}`, { amount: '100.00' });
  const token = json.cashierUrl.split('/pay/')[1];
  const payer = product.visitor();
  await payer.post(`/api/cashier/${token}/pay`, { channel: 'CN_BANK' });
  await bankRefuses('collection', json.trade_no, reason);
  const cashier = await payer.get(`/api/cashier/${token}`);
  const detail = (await person.get(`/api/merchant/collections/${json.trade_no}`)).json.data;
  const open = (await merchant.program.get(`/openapi/v1/collections/${json.trade_no}`)).json;
  return { cashier, detail, open };
}

it.each([
  ['insufficient funds', 'insufficientFunds'],
  ['declined by payer', 'declinedByPayer'],
  ['constructor', 'other'],
  [bankText, 'other'],
  [undefined, 'other'],
])('maps the bank’s refusal "%s" to %s', async (reason, code) => {
  const { cashier, detail, open } = await refusedCollection(reason);
  expect(cashier.json).toMatchObject({ status: 'failed', failureReason: code });
  if (reason) expect(JSON.stringify(cashier.json)).not.toContain(reason);
  expect(detail.timeline.at(-1)).toMatchObject({
    reason: 'channel_refused',
    refusal: code,
    detail: reason ?? null,
  });
  expect(open).toMatchObject({ status: 'failed', failureCode: code, failureReason: reason ?? null });
});

it.each([
  ['contains a null character', `a\0b`, 'a\ufffdb'],
  ['is too long', 'x'.repeat(5000), 'x'.repeat(500)],
])('stores a refusal whose text %s', async (_name, reason, kept) => {
  const { cashier, detail } = await refusedCollection(reason);
  expect(cashier.json).toMatchObject({ status: 'failed', failureReason: 'other' });
  expect(detail.timeline.at(-1)).toMatchObject({ refusal: 'other', detail: kept });
});

it('shows the bank’s text in the console only as the technical part of a detail', async () => {
  await product.fund(merchant, '1000.00');
  await refusedCollection(bankText);
  const order = { channel: 'CN_BANK', currency: 'CNY', amount: '100.00', out_trade_no: 'payout' };
  const payee = { payee: '王芳', payeeAccount: '6222021234567890128', bank: 'ICBC', bankName: '工商银行' };
  const { trade_no } = (await merchant.program.post('/openapi/v1/payouts', { ...order, ...payee })).json;
  await bankRefuses('payout', trade_no, bankText);
  const detail = (await person.get(`/api/merchant/payouts/${trade_no}`)).json.data;
  expect(detail.timeline.at(-1)).toMatchObject({
    reason: 'channel_refused',
    refusal: 'other',
    detail: bankText,
  });
  const open = (await merchant.program.get(`/openapi/v1/payouts/${trade_no}`)).json;
  expect(open).toMatchObject({ status: 'rejected', rejectCode: 'other', rejectReason: bankText });
  for (const list of ['collections', 'payouts', 'notices', 'fund-flow', 'dashboard', `search?q=${trade_no}`])
    expect(JSON.stringify((await person.get(`/api/merchant/${list}`)).json), list).not.toContain(bankText);
  const { timeline: _technical, ...shown } = detail;
  expect(JSON.stringify(shown)).not.toContain(bankText);
});
