import { paymentPasswordLock } from '@hengfu/contract/payment-password';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { asOwner } from '../../db/owner.ts';
import { type TestMerchant, TestProduct } from '../../testing/test-product.ts';
import { until } from '../../testing/until.ts';
import type { Visitor } from '../../testing/visitor.ts';

let product: TestProduct;
let merchants = 0;

beforeAll(async () => {
  product = await TestProduct.start(inject('ownerUrl'), { bank: true, worker: true });
});
afterAll(async () => {
  expect(await product.violations()).toEqual([]);
  expect(await product.deadlocks()).toBe(0);
  await product.close();
});

const payouts = '/api/merchant/payouts';
const paymentPassword = '888888';

const order = (amount: string, more: object = {}) => ({
  channel: 'CN_BANK',
  amount,
  payee: '王芳',
  payeeAccount: '6222 0212 3456 7890 128',
  bank: 'ICBC',
  bankName: '中国工商银行',
  branchName: '北京朝阳支行',
  ...more,
});
const apply = (visitor: Visitor, body: object, key?: string) =>
  visitor.post(
    payouts,
    { payment_password: paymentPassword, ...body },
    key === undefined ? {} : { 'idempotency-key': key },
  );

/** A merchant with funds of 9,940.00 (10,000.00 less 0.6 %), and its administrator with a payment password. */
async function payer(): Promise<{ merchant: TestMerchant; visitor: Visitor }> {
  const merchant = await product.merchant(`payer${++merchants}`);
  await product.fund(merchant, '10000.00');
  return { merchant, visitor: await personWithPassword(merchant) };
}

async function personWithPassword(merchant: TestMerchant, name?: string): Promise<Visitor> {
  const visitor = await product.person(merchant, 'MERCHANT_ADMIN', name);
  await visitor.post('/api/user/confirm-password', { password: 'Test-pass-2026' });
  const set = { payment_password: paymentPassword, payment_password_confirmation: paymentPassword };
  await visitor.send('PUT', '/api/merchant/payment-password', set);
  return visitor;
}

/** Concurrent calls that one person may make before the payment password is locked. */
const atOnce = paymentPasswordLock.limit;

const figures = async (visitor: Visitor): Promise<[string, string]> => {
  const { data } = (await visitor.get('/api/merchant/account')).json;
  return [data.available, data.locked];
};
const detail = async (visitor: Visitor, tradeNo: string) =>
  (await visitor.get(`${payouts}/${tradeNo}`)).json.data;
const ended = (visitor: Visitor, tradeNo: string) =>
  until(
    () => detail(visitor, tradeNo),
    ({ status }) => status === 'processed' || status === 'rejected',
    30_000,
  );
/** Counts the pending jobs that query the bank about a payout. */
const pendingQueries = (tradeNo: string) =>
  asOwner(product.ownerUrl, async (client) => {
    const waiting = 'select from graphile_worker.jobs where key = $1';
    return (await client.query(waiting, [`ask-payout:${tradeNo}`])).rowCount;
  });
const reasonsOf = ({ timeline }: { timeline: { reason: string }[] }) => timeline.map(({ reason }) => reason);

describe('a payout', () => {
  it('locks amount and fee, is sent and paid, and is debited', async () => {
    const { visitor } = await payer();
    const channels = (await visitor.get('/api/merchant/payout-channels')).json.data;
    expect(channels).toEqual([{ code: 'CN_BANK', currency: 'CNY', ratePpm: 2000, fixed: '0.00' }]);
    const answer = await apply(visitor, order('1000.00'));
    expect(answer.status).toBe(201);
    const { trade_no, ...row } = answer.json.data;
    expect(row).toMatchObject({ amount: '1000.00', fee: '2.00', total: '1002.00', payee: '王芳' });
    const paid = await ended(visitor, trade_no);
    expect(paid).toMatchObject({ status: 'processed', createdBy: 'MERCHANT_ADMIN', source: 'console' });
    expect(paid.bankReference).toMatch(/^bp_/);
    expect(reasonsOf(paid).slice(0, 2)).toEqual(['created', 'sent']);
    expect(reasonsOf(paid).at(-1)).toBe('channel_paid');
    expect(await figures(visitor)).toEqual(['8938.00', '0.00']);
    const { current } = (await visitor.get('/api/merchant/dashboard')).json.data;
    expect(current.payout).toEqual({ amount: '1000.00', count: 1, successRate: 1 });
  });

  it('is made only at the total that the person was shown, and repeated whatever the total is now', async () => {
    const { visitor } = await payer();
    const body = order('1000.00');
    const refused = await apply(visitor, { ...body, total: '1001.00' });
    expect([refused.status, refused.json.code]).toEqual([409, 'terms_changed']);
    expect((await apply(visitor, { ...body, total: '1002.001' })).json.code).toBe('terms_changed');
    expect(await figures(visitor)).toEqual(['9940.00', '0.00']);
    const made = await apply(visitor, { ...body, total: '1002.00' }, 'shown-total');
    expect(made.json.data.total).toBe('1002.00');
    const again = await apply(visitor, { ...body, total: '1001.00' }, 'shown-total');
    expect(again.json.data.trade_no).toBe(made.json.data.trade_no);
    expect((await apply(visitor, { ...body, total: '1e3' })).status).toBe(422);
  });

  it.each([
    ['1000.01', 'accountClosed', 'account closed'],
    ['1000.04', 'nameMismatch', 'name does not match account'],
  ])('of %s is rejected by the bank and fully refunded', async (amount, refusal, detail) => {
    const { visitor } = await payer();
    const { trade_no } = (await apply(visitor, order(amount))).json.data;
    const rejected = await ended(visitor, trade_no);
    expect(rejected.status).toBe('rejected');
    expect(rejected.timeline.at(-1)).toMatchObject({ reason: 'channel_refused', refusal, detail });
    expect(await figures(visitor)).toEqual(['9940.00', '0.00']);
  });

  it.each([
    ['late', '100.02', 'processed'],
    ['twice', '100.03', 'processed'],
    ['before it replies', '100.05', 'processed'],
    ['never', '100.06', 'processed'],
    ['never and its reply is lost', '100.07', 'processed'],
    ['never, its reply is lost and the payout refused', '100.08', 'rejected'],
    ['never because the request is lost', '100.09', 'rejected'],
  ])(
    'is sent once and reaches the right status if the bank reports %s',
    async (_name, amount, status) => {
      const { visitor } = await payer();
      const { trade_no } = (await apply(visitor, order(amount))).json.data;
      const found = await ended(visitor, trade_no);
      expect(found.status).toBe(status);
      expect(reasonsOf(found).filter((reason) => reason === 'sent')).toHaveLength(1);
      expect((await figures(visitor))[1]).toBe('0.00');
      expect(await pendingQueries(trade_no)).toBe(0);
    },
    60_000,
  );

  it('counts as accepted once the bank reports that it has it, and does not block an equal one any more', async () => {
    const { visitor } = await payer();
    const { trade_no: tradeNo } = (await apply(visitor, order('31.07'))).json.data;
    await until(
      () => detail(visitor, tradeNo),
      ({ status }) => status === 'pendingSettlement',
    );
    const report = { reference: tradeNo, bankReference: 'x', reason: null, status: 'pending' } as const;
    await Promise.all([1, 2, 3].map(() => product.services.payouts.report(report)));
    const accepted = await detail(visitor, tradeNo);
    expect(reasonsOf(accepted).filter((reason) => reason === 'channel_accepted')).toHaveLength(1);
    expect((await apply(visitor, order('31.07', { confirmSimilar: true }))).status).toBe(201);
    expect((await ended(visitor, tradeNo)).status).toBe('processed');
  }, 60_000);

  it('ignores a repeated report, and only records a contradicting one', async () => {
    const { visitor } = await payer();
    const { trade_no: tradeNo } = (await apply(visitor, order('100.00'))).json.data;
    await ended(visitor, tradeNo);
    const report = { reference: tradeNo, bankReference: 'x', reason: null } as const;
    await product.services.payouts.report({ ...report, status: 'paid' });
    await product.services.payouts.report({ ...report, status: 'refused' });
    const after = await detail(visitor, tradeNo);
    expect([after.status, after.timeline.at(-1).reason]).toEqual(['processed', 'channel_contradicts']);
    expect((await figures(visitor))[0]).toBe('9839.80');
  });
});

describe('an application', () => {
  const wrong: [string, object, string][] = [
    ['no channel', { channel: '' }, 'channel'],
    ['an amount of zero', { amount: '0' }, 'amount'],
    ['a negative amount', { amount: '-1' }, 'amount'],
    ['an exponent', { amount: '1e3' }, 'amount'],
    ['hexadecimal', { amount: '0x10' }, 'amount'],
    ['full-width digits', { amount: '１００' }, 'amount'],
    ['a grouped amount', { amount: '1,000' }, 'amount'],
    ['too many decimals', { amount: '1.001' }, 'amount'],
    ['forty digits', { amount: '1'.repeat(40) }, 'amount'],
    ['no payee', { payee: ' ' }, 'payee'],
    ['a payee without letters', { payee: '12345' }, 'payee'],
    ['no account', { payeeAccount: '' }, 'payeeAccount'],
    ['a mistyped card number', { payeeAccount: '6222021234567890129' }, 'payeeAccount'],
    ['no bank', { bank: '' }, 'bank'],
    ['an unknown bank', { bank: 'NOBANK' }, 'bank'],
    ['no bank name', { bankName: '' }, 'bankName'],
    ['no payment password', { payment_password: '' }, 'payment_password'],
    ['a wrong payment password', { payment_password: '000000' }, 'payment_password'],
  ];
  it('is refused with an error for each invalid field, and changes nothing', async () => {
    const { visitor } = await payer();
    for (const [name, more, field] of wrong) {
      const answer = await apply(visitor, order('100.00', more));
      expect([name, answer.status, Object.keys(answer.json.errors ?? {})]).toEqual([name, 422, [field]]);
    }
    expect((await apply(visitor, order('100.00', { status: 'processed' }))).status).toBe(422);
    expect(await figures(visitor)).toEqual(['9940.00', '0.00']);
    expect((await visitor.get(payouts)).json.total.count).toBe(0);
  });

  it('is refused if the funds do not cover amount and fee', async () => {
    const { visitor } = await payer();
    expect((await apply(visitor, order('9940.00'))).json.code).toBe('insufficient_funds');
    expect((await apply(visitor, order('9920.16'))).status).toBe(201);
    expect((await figures(visitor))[0]).toBe('0.00');
  });

  it('is refused with the specified text while no channel is open', async () => {
    const { visitor } = await payer();
    await product.admin().setChannel('CN_BANK', { payout: false });
    const answer = await apply(visitor, order('1.00'));
    await product.admin().setChannel('CN_BANK', { payout: true });
    expect([answer.status, answer.json.code]).toEqual([409, 'channel_closed']);
    expect(answer.json.message).toContain('Please contact customer service.');
  });

  it('locks the payment password after five wrong attempts', async () => {
    const { visitor } = await payer();
    for (let time = 0; time < 5; time++)
      expect((await apply(visitor, order('1.00', { payment_password: 'wrong' }))).status).toBe(422);
    const locked = await apply(visitor, order('1.00'));
    expect([locked.status, locked.json.code]).toEqual([429, 'too_many_attempts']);
    expect(Number(locked.headers.get('retry-after'))).toBeGreaterThan(800);
  });
});

describe('a repeated payment', () => {
  it('with the same key is made once, even concurrently, and has the same reply', async () => {
    const { visitor } = await payer();
    for (const [index, key] of ['k1', 'k2', 'k3', 'k4'].entries()) {
      const amount = `1${index}.00`;
      const calls = Array.from({ length: atOnce }, () => apply(visitor, order(amount), key));
      const answers = await Promise.all(calls);
      const made = answers.filter(({ status }) => status === 201);
      expect(new Set(made.map(({ json }) => json.data.trade_no)).size).toBe(1);
      const others = answers.filter(({ status }) => status !== 201).map(({ json }) => json.code);
      expect(others.filter((code) => code !== 'idempotency_in_flight')).toEqual([]);
      const again = await apply(visitor, order(amount), key);
      expect([again.status, again.json.data.trade_no]).toEqual([201, made[0]?.json.data.trade_no]);
    }
    const other = await apply(visitor, order('11.50'), 'k1');
    expect([other.status, other.json.code]).toEqual([422, 'idempotency_key_reused']);
    expect((await apply(visitor, order('12.50'), 'k'.repeat(256))).status).toBe(422);
    expect((await visitor.get(payouts)).json.total.count).toBe(4);
  });

  it('with another key needs confirmation, even if the first one came through the Open API', async () => {
    const { merchant, visitor } = await payer();
    const body = { ...order('20.00'), currency: 'CNY', out_trade_no: 'salary-1' };
    const first = await merchant.program.post('/openapi/v1/payouts', body);
    expect(first.status).toBe(201);
    await ended(visitor, first.json.trade_no);
    const twin = await apply(visitor, order('20.00', { payeeAccount: '6222021234567890128' }));
    expect([twin.status, twin.json.code]).toEqual([409, 'similar_payout']);
    expect(twin.json.details.earlier).toMatchObject({ trade_no: first.json.trade_no, status: 'processed' });
    expect((await apply(visitor, order('20.00', { confirmSimilar: true }))).status).toBe(201);
    // Another amount or another account is another payment.
    expect((await apply(visitor, order('20.10'))).status).toBe(201);
    const elsewhere = order('20.00', { payeeAccount: '6222021234567890136' });
    expect((await apply(visitor, elsewhere)).status).toBe(201);
  });

  it('is refused while the outcome of the first one is unknown', async () => {
    const { visitor } = await payer();
    const lost = (await apply(visitor, order('30.07'))).json.data.trade_no;
    await until(
      () => detail(visitor, lost),
      ({ status }) => status === 'pendingSettlement',
    );
    expect(await pendingQueries(lost)).toBe(1);
    const twin = await apply(visitor, order('30.07', { confirmSimilar: true }));
    expect([twin.status, twin.json.code]).toEqual([409, 'similar_payout_unknown']);
    await ended(visitor, lost);
    expect((await apply(visitor, order('30.07', { confirmSimilar: true }))).status).toBe(201);
  }, 60_000);

  it('is made once by twenty concurrent calls with different keys', async () => {
    const { merchant, visitor } = await payer();
    const names = ['second', 'third', 'fourth'];
    const colleagues = await Promise.all(names.map((name) => personWithPassword(merchant, name)));
    const answers = await Promise.all(
      [visitor, ...colleagues].flatMap((each) =>
        Array.from({ length: atOnce }, (_, key) => apply(each, order('40.00'), `t${key}`)),
      ),
    );
    expect(answers).toHaveLength(20);
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    const others = answers.filter(({ status }) => status !== 201).map(({ json }) => json.code);
    expect(new Set(others.map((code) => code.replace(/_unknown$/, '')))).toEqual(new Set(['similar_payout']));
  });
});

describe('the list', () => {
  it('shows the details of the payee’s account, and finds payouts by each of them', async () => {
    const { visitor } = await payer();
    const chinese = (await apply(visitor, order('70.00'))).json.data.trade_no;
    const other = (await apply(visitor, order('71.00', { bank: 'CCB', bankName: '中国建设银行' }))).json.data
      .trade_no;
    for (const tradeNo of [chinese, other]) await ended(visitor, tradeNo);
    // As a payout through a channel of another country has them.
    const details = { ifsc: 'HDFC0000001', accountType: 'CPF', taxId: '529.982.247-25' };
    await product.services.database.asSystem((tx) =>
      sql`update payout set bank = null, bank_name = null, branch_name = null, ifsc = ${details.ifsc},
        account_type = ${details.accountType}, tax_id = ${details.taxId} where trade_no = ${other}`.execute(
        tx.query,
      ),
    );
    const list = async (filters: Record<string, string> = {}) =>
      (await visitor.get(`${payouts}?${new URLSearchParams(filters)}`)).json.data;
    const { bank, bankName, branchName } = order('');
    const none = { bank: null, bankName: null, branchName: null, ifsc: null, accountType: null, taxId: null };
    expect(await list()).toMatchObject([
      { trade_no: other, ...none, ...details },
      { trade_no: chinese, ...none, bank, bankName, branchName },
    ]);
    for (const [filters, expected] of [
      [{ bank }, chinese],
      [{ ...details, ifsc: 'hdfc0000001' }, other],
    ] as const)
      for (const [name, value] of Object.entries(filters))
        expect([name, await list({ [name]: value })]).toMatchObject([name, [{ trade_no: expected }]]);
    expect(await list({ bank, taxId: details.taxId })).toEqual([]);
  });
});

describe('the Open API', () => {
  it('returns the same payout for a repeated call, and a conflict for another body', async () => {
    const { merchant } = await payer();
    const body = { ...order('50.00'), currency: 'CNY', out_trade_no: 'o-1' };
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => merchant.program.post('/openapi/v1/payouts', body)),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 10 }, () => 201));
    expect(new Set(answers.map(({ json }) => json.trade_no)).size).toBe(1);
    const other = await merchant.program.post('/openapi/v1/payouts', { ...body, amount: '51.00' });
    expect([other.status, other.json.code]).toEqual([409, 'out_trade_no_used']);
    const found = await merchant.program.get('/openapi/v1/payouts?out_trade_no=o-1');
    expect(found.json.trade_no).toBe(answers[0]?.json.trade_no);
    expect((await merchant.program.get(`/openapi/v1/payouts/${found.json.trade_no}`)).json.out_trade_no).toBe(
      'o-1',
    );
    expect((await merchant.program.get('/openapi/v1/balance')).json).toMatchObject({ currency: 'CNY' });
  });

  it('never overspends: takes 10 of 30 payouts if the funds cover exactly 10', async () => {
    const merchant = await product.merchant(`exact${++merchants}`);
    await product.fund(merchant, '10080.49');
    // 10,020.01: ten payouts of 1,000.00 with a fee of 2.00 each, and 0.01.
    const create = (index: number) =>
      merchant.program.post('/openapi/v1/payouts', {
        ...order('1000.00', { payeeAccount: `12345678${String(index).padStart(4, '0')}` }),
        currency: 'CNY',
        out_trade_no: `x-${index}`,
      });
    const answers = await Promise.all(Array.from({ length: 30 }, (_, index) => create(index)));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(10);
    expect(answers.filter(({ json }) => json.code === 'insufficient_funds')).toHaveLength(20);
    expect((await merchant.program.get('/openapi/v1/balance')).json.available).toBe('0.01');
  });
});

describe('payees', () => {
  it('are suggested after a first payout, and a changed account is flagged', async () => {
    const { visitor } = await payer();
    const ask = (account: string) =>
      visitor.get(
        `/api/merchant/payees/check?${new URLSearchParams({ channel: 'CN_BANK', payee: '王芳', payeeAccount: account, bank: 'ICBC' })}`,
      );
    const { trade_no } = (await apply(visitor, order('60.00'))).json.data;
    await ended(visitor, trade_no);
    const found = (await visitor.get('/api/merchant/payees?channel=CN_BANK&search=王')).json.data;
    expect(found).toHaveLength(1);
    expect(found[0]).toMatchObject({ payee: '王芳', bank: 'ICBC', bankName: '中国工商银行' });
    expect((await visitor.get('/api/merchant/payees?channel=CN_BANK&search=李')).json.data).toEqual([]);
    expect((await ask('6222021234567890128')).json.data).toEqual({
      isNewAccount: false,
      isChangedAccount: false,
    });
    expect((await ask('6222021234567890136')).json.data).toEqual({
      isNewAccount: true,
      isChangedAccount: true,
    });
  });
});
