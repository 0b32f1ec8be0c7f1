import { signatureHeader, signCallback, timestampHeader } from '@hengfu/sandbox/signature';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { SandboxAdapter } from '#channels/sandbox/sandbox-adapter.ts';
import { bankPayout } from '../../../testing/bank-payout.ts';
import { bankSecret, type TestMerchant, TestProduct } from '../../../testing/test-product.ts';
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

/** Settles what a payout's page shows. */
const settleShown = async (no: string, by: Visitor, note: string) => {
  const { contradictions } = await caseOf(no);
  const reports = contradictions.map(({ at: _, ...report }: { at: string }) => report);
  return by.post(`/api/staff/payouts/${no}/contradictions/settle`, { note, reports });
};

/** Sends a signed callback of the bank about a paid payout. */
async function callBack(report: object): Promise<void> {
  const text = JSON.stringify({ type: 'payout.paid', ...report });
  const timestamp = String(Math.floor(Date.now() / 1000));
  const { status } = await fetch(`${product.url}/api/channels/CN_BANK/callback`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      [timestampHeader]: timestamp,
      [signatureHeader]: signCallback(bankSecret, timestamp, text),
    },
    body: text,
  });
  expect(status).toBeLessThan(300);
}

/** Has a payout made and paid. Returns its number. */
async function paid(outTradeNo: string, amount: string): Promise<string> {
  const { json } = await merchant.program.post('/openapi/v1/payouts', bankPayout(outTradeNo, amount));
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
  const reports = [{ source: 'channel', reported: 'failed', bankReference: 'REF-1' }];
  const settle = (by: Visitor, note = 'The bank reversed it, and paid again.') =>
    by.post(`/api/staff/payouts/${no}/contradictions/settle`, { note, reports });
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

it('a report that came after the page was read stays open', async () => {
  const no = await paid('late', '105.00');
  const report = { reference: no, reason: null, status: 'refused' } as const;
  await product.services.payouts.report({ ...report, bankReference: 'REF-A' });
  const path = `/api/staff/payouts/${no}/contradictions/settle`;
  const read = { source: 'channel', reported: 'failed', bankReference: 'REF-A' };
  await product.services.payouts.report({ ...report, bankReference: 'REF-B' });
  expect((await finance.post(path, { note: 'The bank erred.', reports: [] })).status).toBe(422);
  const unknown = { ...read, bankReference: 'REF-C' };
  expect((await finance.post(path, { note: 'The bank erred.', reports: [read, unknown] })).json.code).toBe(
    'conflict',
  );
  expect((await finance.post(path, { note: 'The bank erred.', reports: [read] })).status).toBe(204);
  expect((await caseOf(no)).contradictions).toMatchObject([{ bankReference: 'REF-B' }]);
  expect(await waiting()).toEqual([no]);
  expect((await settleShown(no, finance, 'Again.')).status).toBe(204);
  expect(await waiting()).toEqual([]);
});

it('a repeated report of the same outcome contradicts nothing', async () => {
  const no = await paid('second', '110.00');
  await product.services.payouts.report({ reference: no, bankReference: 'x', reason: null, status: 'paid' });
  expect(await counted()).toBe(0);
});

it('a payment of another amount or currency waits for our staff, and moves nothing; the channel’s own amount does', async () => {
  const { json } = await merchant.program.post('/openapi/v1/payouts', bankPayout('fifth', '140.09'));
  const no = json.trade_no;
  await until(
    () => caseOf(no),
    ({ status }) => status === 'pendingSettlement',
  );
  const funds = async () => (await merchant.program.get('/openapi/v1/balance')).json;
  const before = await funds();
  const report = { reference: no, currency: 'CNY', amountMinor: '14000' };
  await Promise.all(Array.from({ length: 5 }, () => callBack({ ...report, bankId: 'REF-5' })));
  await callBack({ ...report, bankId: 'REF-6', amountMinor: '14009', currency: 'JPY' });
  expect(await waiting()).toEqual([no]);
  const shown = await caseOf(no);
  expect(shown).toMatchObject({
    status: 'pendingSettlement',
    contradictions: [
      { source: 'channel', reported: 'paid', bankReference: 'REF-5' },
      { source: 'channel', reported: 'paid', bankReference: 'REF-6' },
    ],
  });
  const mismatches = shown.timeline.filter(({ reason }: { reason: string }) => reason === 'amount_mismatch');
  expect(mismatches.map(({ detail }: { detail: string }) => detail)).toEqual([
    '140.00 CNY (REF-5)',
    '140.09 JPY (REF-6)',
  ]);
  expect(await funds()).toEqual(before);
  await callBack({ ...report, bankId: 'REF-7', amountMinor: '14009' });
  expect((await caseOf(no)).status).toBe('processed');
  await settleShown(no, finance, 'The bank corrected it.');
  expect(await waiting()).toEqual([]);
});

it('a query that finds the payment of another amount moves nothing either', async () => {
  const bank = new SandboxAdapter({ url: product.bank?.url ?? expect.fail('no bank'), secret: bankSecret });
  const no = await paid('sixth', '150.00');
  const found = (await bank.queryPayout(no)) ?? expect.fail('unknown to the bank');
  expect(found).toMatchObject({ status: 'paid', amountMinor: 15000n, currency: 'CNY' });
  await product.services.payouts.report(found);
  expect((await caseOf(no)).contradictions).toEqual([]);
  await product.services.payouts.report({ ...found, amountMinor: 14900n });
  expect((await caseOf(no)).contradictions).toMatchObject([{ reported: 'paid' }]);
  await settleShown(no, finance, 'The bank erred.');
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
  await settleShown(no, finance, 'reversed');
  await report('A');
  await report('C');
  expect(await references()).toEqual(['C']);
  expect(await contradictingEvents(no)).toEqual(['refused (A)', 'refused (B)', 'refused (C)']);
  await settleShown(no, finance, 'reversed');
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
