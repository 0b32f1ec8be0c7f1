import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, inject, it, vi } from 'vitest';
import { TestProduct } from '../../testing/test-product.ts';
import { until } from '../../testing/until.ts';
import type { Visitor } from '../../testing/visitor.ts';

let product: TestProduct;
let visitor: Visitor;
let viewer: Visitor;
let paid = '';
let alsoPaid = '';
let refused = '';

beforeAll(async () => {
  product = await TestProduct.start(inject('ownerUrl'), { bank: true, worker: true });
  const merchant = await product.merchant('slips');
  await product.fund(merchant, '1000.00');
  visitor = await product.person(merchant);
  viewer = await product.person(merchant, 'MERCHANT_VIEWER');
  const create = async (amount: string) =>
    (
      await merchant.program.post('/openapi/v1/payouts', {
        out_trade_no: amount,
        currency: 'CNY',
        channel: 'CN_BANK',
        amount,
        payee: '王芳',
        remark: '货款',
        payeeAccount: '6222 0212 3456 7890 128',
        bank: 'ICBC',
        bankName: '中国工商银行',
      })
    ).json.trade_no as string;
  paid = await create('100.00');
  alsoPaid = await create('101.00');
  refused = await create('100.01');
  const status = async (no: string) => (await visitor.get(`/api/merchant/payouts/${no}`)).json.data.status;
  await until(
    async () => [await status(paid), await status(alsoPaid), await status(refused)].join(' '),
    (seen) => seen === 'processed processed rejected',
  );
});
afterAll(() => product.close());

const make = (no: string) => visitor.post(`/api/merchant/payouts/${no}/slip`, {});
const tokenOf = (url: string) => url.slice(url.lastIndexOf('/') + 1);
const read = (token: string) => product.visitor().get(`/api/payout-slips/${token}`);

it('shows the slip to anyone with the link, with the account number masked', async () => {
  const made = await make(paid);
  expect(made.status).toBe(201);
  const { url, expiresAt } = made.json.data;
  const days = (Date.parse(expiresAt) - Date.now()) / 86_400_000;
  expect(days).toBeGreaterThan(29.9);
  const slip = await read(tokenOf(url));
  expect(slip.status).toBe(200);
  expect(slip.json.data).toMatchObject({
    trade_no: paid,
    amount: '100.00',
    currency: 'CNY',
    payee: '王芳',
    payeeAccount: '6222 •••• 0128',
    remark: '货款',
    url,
    expiresAt,
  });
  expect(slip.json.data.bankReference).toBeTruthy();
  expect(JSON.stringify(slip.json)).not.toContain('7890');
});

it('returns 404 for a link that was tampered with', async () => {
  const token = tokenOf((await make(paid)).json.data.url);
  const [merchant, no = '', end = '', mark = ''] = token.split('~');
  const later = (Number.parseInt(end, 36) + 86_400).toString(36);
  for (const wrong of [
    [merchant, no, later, mark],
    [merchant, no.replace(/.$/, 'x'), end, mark],
    ['zz', no, end, mark],
    [merchant, no, end, ''],
    ['x'],
  ])
    expect((await read(wrong.join('~'))).status).toBe(404);
});

it('returns link_expired after thirty days', async () => {
  const token = tokenOf((await make(paid)).json.data.url);
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 30 * 86_400_000 + 2000 });
  try {
    const late = await read(token);
    expect([late.status, late.json.code]).toEqual([410, 'link_expired']);
  } finally {
    vi.useRealTimers();
  }
});

it('refuses a slip for an unpaid payout or another merchant’s payout', async () => {
  const answer = await make(refused);
  expect([answer.status, answer.json.code]).toEqual([409, 'invalid_transition']);
  const other = await product.person(await product.merchant('curious'));
  expect((await other.post(`/api/merchant/payouts/${paid}/slip`, {})).status).toBe(404);
});

describe('a revocation', () => {
  const revoke = (no: string, by = visitor) => by.send('DELETE', `/api/merchant/payouts/${no}/slip`, {});
  const linkTo = async (no: string) => tokenOf((await make(no)).json.data.url);
  const answered = async (token: string) => {
    const { status, json } = await read(token);
    return [status, json.code];
  };

  it('invalidates every link of its payout only; a new link works until the next revocation', async () => {
    const [first, second, other] = [await linkTo(paid), await linkTo(paid), await linkTo(alsoPaid)];
    expect((await revoke(paid)).status).toBe(204);
    for (const token of [first, second]) expect(await answered(token)).toEqual([410, 'link_revoked']);
    expect(await answered(other)).toEqual([200, undefined]);
    const third = await linkTo(paid);
    expect(await answered(third)).toEqual([200, undefined]);
    expect((await read(third)).json.data.trade_no).toBe(paid);
    expect((await revoke(paid)).status).toBe(204);
    for (const token of [first, second, third]) expect(await answered(token)).toEqual([410, 'link_revoked']);
  });

  it('can’t be undone by editing the link', async () => {
    await revoke(paid);
    const token = await linkTo(paid);
    const [merchant, no, end, times = '', mark] = token.split('~');
    await revoke(paid);
    const next = (Number.parseInt(times, 36) + 1).toString(36);
    expect(await answered([merchant, no, end, next, mark].join('~'))).toEqual([404, 'not_found']);
    expect(await answered([merchant, no, end, mark].join('~'))).toEqual([404, 'not_found']);
  });

  it('counts concurrent revocations, and invalidates all earlier links', async () => {
    const before = await linkTo(alsoPaid);
    const statuses = await Promise.all(
      Array.from({ length: 10 }, async () => (await revoke(alsoPaid)).status),
    );
    expect(statuses).toEqual(Array(10).fill(204));
    expect(await answered(before)).toEqual([410, 'link_revoked']);
    const { rows } = await product.services.database.asSystem((tx) =>
      sql<{ times: number }>`select r.times from payout_slip_revocation r join payout p on p.id = r.payout_id
        and p.merchant_id = r.merchant_id where p.trade_no = ${alsoPaid}`.execute(tx.query),
    );
    expect(rows).toEqual([{ times: 10 }]);
    expect(await product.deadlocks()).toBe(0);
  });

  it('is forbidden to viewers, as is making a link, and returns 404 to other merchants', async () => {
    const token = await linkTo(paid);
    const other = await product.person(await product.merchant('prying'));
    expect((await viewer.post(`/api/merchant/payouts/${paid}/slip`, {})).status).toBe(403);
    expect((await revoke(paid, viewer)).status).toBe(403);
    expect((await revoke(paid, other)).status).toBe(404);
    expect(await answered(token)).toEqual([200, undefined]);
  });
});
