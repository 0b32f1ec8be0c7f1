import { randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, inject, it, vi } from 'vitest';
import { somePdf } from '../../../testing/evidence.ts';
import { runOperator } from '../../../testing/operator-run.ts';
import { testKey } from '../../../testing/test-database.ts';
import { type TestMerchant, TestProduct } from '../../../testing/test-product.ts';
import { TestStaff } from '../../../testing/test-staff.ts';

let product: TestProduct;
let staff: TestStaff;
let merchant: TestMerchant;
const line = join(tmpdir(), `line-${randomUUID()}.pdf`);

beforeAll(async () => {
  product = await TestProduct.start(inject('ownerUrl'), { bank: true });
  staff = await TestStaff.start(product);
  merchant = await product.merchant('shop');
  await product.fund(merchant, '1000.00');
  await writeFile(line, somePdf);
  vi.stubEnv('DATABASE_URL', product.ownerUrl);
  vi.stubEnv('APP_KEY', testKey);
  vi.stubEnv('DATA_DIR', product.dataDirectory);
  vi.stubEnv('USER', 'ann');
});
afterAll(async () => {
  vi.unstubAllEnvs();
  expect(await product.violations()).toEqual([]);
  await staff.close();
  await product.close();
});

let count = 0;
/** A payout that was sent and whose outcome nobody knows. */
async function unknown(): Promise<string> {
  const { json } = await merchant.program.post('/openapi/v1/payouts', {
    out_trade_no: `alone-${++count}`,
    currency: 'CNY',
    channel: 'CN_BANK',
    amount: `${100 + count}.00`,
    payee: '王芳',
    bank: 'ICBC',
    bankName: '中国工商银行',
    payeeAccount: '6222021234567890128',
  });
  await product.services.database.asMerchant(merchant.id, (tx) =>
    sql`update payout set status = 'processing', sent_at = now() where trade_no = ${json.trade_no}`.execute(
      tx.query,
    ),
  );
  return json.trade_no;
}

/** The status of a payout, its latest event and posting. */
async function stateOf(tradeNo: string) {
  return product.services.database.asMerchant(merchant.id, async (tx) => {
    const { rows } = await sql<{ status: string; event: string; posting: string }>`
      select p.status,
        (select reason from payout_event e where e.merchant_id = p.merchant_id and e.payout_id = p.id order by e.id desc limit 1) as event,
        (select type from ledger_transfer t where t.merchant_id = p.merchant_id and t.subject_no = p.trade_no order by t.id desc limit 1) as posting
      from payout p where p.trade_no = ${tradeNo}`.execute(tx.query);
    return rows[0];
  });
}

const available = () =>
  product.services.database.asMerchant(merchant.id, async (tx) => {
    const { rows } = await sql<{ minor: bigint }>`
      select balance_minor as minor from ledger_account where merchant_id = ${merchant.id} and kind = 'available'`.execute(
      tx.query,
    );
    return rows[0]?.minor ?? 0n;
  });

const decide = async (tradeNo: string, outcome: string, ...more: string[]) => {
  const args = ['--outcome', outcome, '--bank-reference', 'LINE-9', '--reason', 'page 9', '--evidence', line];
  return JSON.parse((await runOperator('payout', 'outcome', tradeNo, ...args, ...more, '--json')).text);
};

it('an operator decides an outcome while nobody could agree: the payout has it, and the money has moved', async () => {
  const before = await available();
  const [lost, sent] = [await unknown(), await unknown()];
  const held = await available();
  expect(held).toBeLessThan(before - 20_000n);
  await decide(lost, 'failed');
  expect(await stateOf(lost)).toEqual({
    status: 'rejected',
    event: 'statement_failed',
    posting: 'payout_refund',
  });
  const returned = await available();
  expect(returned).toBeGreaterThan(held + 10_000n);
  await decide(sent, 'paid');
  expect(await stateOf(sent)).toEqual({
    status: 'processed',
    event: 'statement_paid',
    posting: 'payout_payment',
  });
  expect(await available()).toBe(returned);
  // A repeat finds that the outcome is known.
  await expect(decide(sent, 'failed')).rejects.toMatchObject({ code: 'invalid_transition' });
});

it('an operator who cannot wait decides alone, and everybody of our staff is alerted', async () => {
  const finance = await staff.member('finance', 'FINANCE');
  const before = await available();
  const tradeNo = await unknown();
  expect((await decide(tradeNo, 'paid')).request).toEqual(expect.any(String));
  expect(await stateOf(tradeNo)).toMatchObject({ status: 'processing' });
  await decide(tradeNo, 'failed', '--break-glass', 'the merchant waits');
  expect(await stateOf(tradeNo)).toMatchObject({ status: 'rejected', posting: 'payout_refund' });
  expect(await available()).toBe(before);
  const { json } = await finance.get('/api/staff/alerts');
  expect(json.data).toMatchObject([{ kind: 'payoutOutcome', subject: tradeNo, actor: 'operator:ann' }]);
  // The request that waited for a second person can be approved no more.
  const waiting = (await finance.get('/api/staff/requests?state=waiting')).json.data;
  const answer = await finance.post(`/api/staff/requests/${waiting[0].id}/approve`, {});
  expect([answer.status, answer.json.code]).toEqual([409, 'approval_changed']);
});
