import { afterAll, beforeAll, expect, inject, it, vi } from 'vitest';
import { TestProduct } from '../../testing/test-product.ts';
import { until } from '../../testing/until.ts';
import type { Visitor } from '../../testing/visitor.ts';

let product: TestProduct;
let visitor: Visitor;
let paid = '';
let refused = '';

beforeAll(async () => {
  product = await TestProduct.start(inject('ownerUrl'), { bank: true, worker: true });
  const merchant = await product.merchant('slips');
  await product.fund(merchant, '1000.00');
  visitor = await product.person(merchant);
  const create = async (amount: string) =>
    (
      await merchant.program.post('/openapi/v1/payouts', {
        ...{
          out_trade_no: amount,
          currency: 'CNY',
          channel: 'CN_BANK',
          amount,
          payee: '王芳',
          remark: '货款',
        },
        ...{ payeeAccount: '6222 0212 3456 7890 128', bank: 'ICBC', bankName: '中国工商银行' },
      })
    ).json.trade_no as string;
  paid = await create('100.00');
  refused = await create('100.01');
  const status = async (no: string) => (await visitor.get(`/api/merchant/payouts/${no}`)).json.data.status;
  await until(
    async () => [await status(paid), await status(refused)].join(' '),
    (seen) => seen === 'processed rejected',
  );
});
afterAll(() => product.close());

const make = (no: string) => visitor.post(`/api/merchant/payouts/${no}/slip`, {});
const tokenOf = (url: string) => url.slice(url.lastIndexOf('/') + 1);
const read = (token: string) => product.visitor().get(`/api/payout-slips/${token}`);

it('a link shows the slip to whoever has it, the account hidden but for its ends', async () => {
  const made = await make(paid);
  expect(made.status).toBe(201);
  const { url, expiresAt } = made.json.data;
  const days = (Date.parse(expiresAt) - Date.now()) / 86_400_000;
  expect(days).toBeGreaterThan(29.9);
  const slip = await read(tokenOf(url));
  expect(slip.status).toBe(200);
  expect(slip.json.data).toMatchObject({
    ...{ trade_no: paid, amount: '100.00', currency: 'CNY', payee: '王芳', payeeAccount: '6222 •••• 0128' },
    ...{ remark: '货款', url, expiresAt },
  });
  expect(slip.json.data.bankReference).toBeTruthy();
  expect(JSON.stringify(slip.json)).not.toContain('7890');
});

it('a link with anything changed leads nowhere', async () => {
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

it('after thirty days the link says that it has run out', async () => {
  const token = tokenOf((await make(paid)).json.data.url);
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 30 * 86_400_000 + 2000 });
  try {
    const late = await read(token);
    expect([late.status, late.json.code]).toEqual([410, 'link_expired']);
  } finally {
    vi.useRealTimers();
  }
});

it('there is no slip of what was not paid, nor of another merchant’s payout', async () => {
  const answer = await make(refused);
  expect([answer.status, answer.json.code]).toEqual([409, 'invalid_transition']);
  const other = await product.person(await product.merchant('curious'));
  expect((await other.post(`/api/merchant/payouts/${paid}/slip`, {})).status).toBe(404);
});
