import { sql } from 'kysely';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { type TestMerchant, TestProduct } from '../../../testing/test-product.ts';
import { TestStaff } from '../../../testing/test-staff.ts';
import { until } from '../../../testing/until.ts';
import type { Visitor } from '../../../testing/visitor.ts';

let product: TestProduct;
let staff: TestStaff;
let merchant: TestMerchant;
let finance: Visitor;
let support: Visitor;

beforeAll(async () => {
  product = await TestProduct.start(inject('ownerUrl'), { bank: true, worker: true });
  staff = await TestStaff.start(product);
  merchant = await product.merchant('paying');
  await product.fund(merchant, '10000.00');
  finance = await staff.member('finance', 'FINANCE');
  support = await staff.member('support', 'SUPPORT');
});
afterAll(async () => {
  expect(await product.violations()).toEqual([]);
  await staff.close();
  await product.close();
});

const caseOf = async (no: string) => (await finance.get(`/api/staff/payouts/${no}`)).json.data;
const waiting = async () =>
  (await finance.get('/api/staff/waiting')).json.data.items
    .filter(({ kind }: { kind: string }) => kind === 'payoutContradicted')
    .map(({ number }: { number: string }) => number);
const counted = async () => (await product.services.watch.state()).contradicted;

/** The details of the timeline's events about contradictions. */
const contradictingEvents = async (no: string) => {
  const { rows } = await product.services.database.asMerchant(merchant.id, (tx) =>
    sql<{ detail: string }>`
      select e.detail from payout_event e join payout p on p.merchant_id = e.merchant_id and p.id = e.payout_id
      where p.trade_no = ${no} and e.reason = 'channel_contradicts' order by e.id`.execute(tx.query),
  );
  return rows.map(({ detail }) => detail);
};

/** Has a payout made and paid. Returns its number. */
async function paid(outTradeNo: string, amount: string): Promise<string> {
  const { json } = await merchant.program.post('/openapi/v1/payouts', {
    out_trade_no: outTradeNo,
    currency: 'CNY',
    channel: 'CN_BANK',
    amount,
    payee: '王芳',
    bank: 'ICBC',
    bankName: '中国工商银行',
    payeeAccount: '6222 0212 3456 7890 128',
  });
  await until(
    () => caseOf(json.trade_no),
    ({ status }) => status === 'processed',
  );
  return json.trade_no;
}

it('a report that contradicts an outcome waits, once, until somebody settles it; no money moves', async () => {
  const no = await paid('first', '100.00');
  const report = { reference: no, bankReference: 'REF-1', reason: null, status: 'refused' } as const;
  await Promise.all(Array.from({ length: 5 }, () => product.services.payouts.report(report)));
  expect(await waiting()).toEqual([no]);
  expect(await counted()).toBe(1);
  const shown = await caseOf(no);
  expect(shown).toMatchObject({
    status: 'processed',
    contradictions: [{ source: 'channel', reported: 'failed', bankReference: 'REF-1' }],
  });
  const settle = (by: Visitor, note = 'The bank reversed it, and paid again.') =>
    by.post(`/api/staff/payouts/${no}/contradictions/settle`, { note });
  expect((await settle(support)).status).toBe(403);
  expect((await settle(finance, ' ')).status).toBe(422);
  const answers = await Promise.all(Array.from({ length: 5 }, () => settle(finance)));
  expect(answers.map(({ status }) => status).sort()).toEqual([204, 409, 409, 409, 409]);
  expect([await waiting(), await counted(), (await caseOf(no)).contradictions]).toEqual([[], 0, []]);
  // The same report, repeated later, is known, and the timeline has it once.
  await product.services.payouts.report(report);
  expect(await waiting()).toEqual([]);
  expect(await contradictingEvents(no)).toEqual(['refused (REF-1)']);
  const { rows } = await product.services.database.asSystem((tx) =>
    sql<object>`select actor like 'staff:%' as "isStaff", merchant_id as of, after from audit
      where action = 'payout.settle_contradiction'`.execute(tx.query),
  );
  expect(rows).toEqual([{ isStaff: true, of: 0n, after: { note: 'The bank reversed it, and paid again.' } }]);
});

it('a repeated report of the same outcome contradicts nothing', async () => {
  const no = await paid('second', '110.00');
  await product.services.payouts.report({ reference: no, bankReference: 'x', reason: null, status: 'paid' });
  expect(await counted()).toBe(0);
});

it('a report about another booking of the bank is another contradiction, also after the first one is settled', async () => {
  const no = await paid('fourth', '130.00');
  const report = (bankReference: string) =>
    product.services.payouts.report({ reference: no, bankReference, reason: null, status: 'refused' });
  await report('A');
  await report('B');
  const references = async () =>
    (await caseOf(no)).contradictions.map((each: { bankReference: string }) => each.bankReference);
  expect(await references()).toEqual(['A', 'B']);
  await finance.post(`/api/staff/payouts/${no}/contradictions/settle`, { note: 'reversed' });
  await report('A');
  await report('C');
  expect(await references()).toEqual(['C']);
  expect(await contradictingEvents(no)).toEqual(['refused (A)', 'refused (B)', 'refused (C)']);
  await finance.post(`/api/staff/payouts/${no}/contradictions/settle`, { note: 'reversed' });
});

it('the merchant reads nothing of it, and cannot settle it', async () => {
  const no = await paid('third', '120.00');
  await product.services.payouts.report({
    reference: no,
    bankReference: 'x',
    reason: null,
    status: 'refused',
  });
  const change = product.services.database.asMerchant(merchant.id, (tx) =>
    sql`update payout_contradiction set settled_at = now(), settled_by = 'x', note = 'x'`.execute(tx.query),
  );
  await expect(change).rejects.toThrow('permission denied');
});
