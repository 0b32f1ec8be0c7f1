import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { SandboxAdapter } from '#channels/sandbox/sandbox-adapter.ts';
import { ShopProgram } from '../../testing/shop-program.ts';
import { StatementDesk } from '../../testing/statement-desk.ts';
import { bankSecret, type TestMerchant, TestProduct } from '../../testing/test-product.ts';
import { TestStaff } from '../../testing/test-staff.ts';
import { until } from '../../testing/until.ts';

let product: TestProduct;
let staff: TestStaff;
let desk: StatementDesk;
let bank: SandboxAdapter;
let merchant: TestMerchant;

beforeAll(async () => {
  product = await TestProduct.start(inject('ownerUrl'), { bank: true, worker: true });
  staff = await TestStaff.start(product);
  const finance = await staff.member('finance', 'FINANCE');
  desk = new StatementDesk(product, staff, finance);
  bank = new SandboxAdapter({ url: product.bank?.url ?? expect.fail('no bank'), secret: bankSecret });
  merchant = await product.merchant('bank');
  // The bank's files, not those of the other tests.
  const headings = {
    reference: 'Order number',
    amount: 'Amount',
    date: 'Booked at',
    bankReference: 'Bank number',
    text: 'Text',
  };
  const mapping = {
    delimiter: 'comma',
    encoding: 'utf-8',
    headingRow: 1,
    decimalMark: 'point',
    dateOrder: 'ymd',
    amountForm: 'signed',
  } as const;
  const empty = { credit: '', debit: '', direction: '', creditWord: '' };
  await desk.saveMapping('CN_BANK', { csv: { ...mapping, ...headings, ...empty } });
});
afterAll(async () => {
  expect(await product.violations()).toEqual([]);
  await staff.close();
  await product.close();
});

/** Has an order paid at the bank; returns its number. */
async function collect(outTradeNo: string, amount: string, program = merchant.program): Promise<string> {
  const { json } = await program.create(outTradeNo, { amount, channel: 'CN_BANK' });
  await product
    .visitor()
    .post(`/api/cashier/${json.cashierUrl.split('/pay/')[1]}/pay`, { channel: 'CN_BANK' });
  await bank.playPayer(json.trade_no, 'confirm');
  await until(
    () => program.get(`/openapi/v1/collections/${json.trade_no}`),
    (found) => ['paid', 'success'].includes(found.json.status),
  );
  return json.trade_no;
}

const fetched = (format: 'csv' | 'camt053', faults: string[]) => {
  const from = new Date(`${desk.today()}T00:00:00+08:00`);
  return bank.statement({
    method: 'CN_BANK',
    currency: 'CNY',
    from,
    until: new Date(from.getTime() + 86_400_000),
    format,
    faults,
  });
};

const removeStatements = () =>
  staff.runtime.database.asSystem(async (tx) => {
    for (const table of [
      'reconciliation_difference',
      'reconciliation_line',
      'reconciliation_statement',
    ] as const)
      await tx.query.deleteFrom(table).execute();
  });

it('agree with the clearing accounts, but for the faults that were asked for', async () => {
  const numbers: string[] = [];
  for (const at of [1, 2, 3, 4, 5]) numbers.push(await collect(`order-${at}`, `${at}0.00`));
  const today = desk.today();
  for (const format of ['csv', 'camt053'] as const) {
    await desk.send(today, await fetched(format, []), format);
    expect(await desk.done(today)).toMatchObject({
      state: 'open',
      lines: 5,
      matched: 5,
      difference: '0.00',
      unresolved: 0,
    });
    await removeStatements();
    await desk.send(
      today,
      await fetched(format, ['missing', 'amount', 'duplicate', 'nextDay', 'extra']),
      format,
    );
    const detail = await desk.done(today);
    expect(detail).toMatchObject({ state: 'open', lines: 5, matched: 2 });
    const found = await desk.differences(today);
    expect(found.map(({ kind, reference }) => `${kind} ${reference.slice(0, 8)}`).sort()).toEqual(
      [
        `oursOnly ${numbers[0]?.slice(0, 8)}`,
        `oursOnly ${numbers[4]?.slice(0, 8)}`,
        `amount ${numbers[1]?.slice(0, 8)}`,
        `duplicate ${numbers[2]?.slice(0, 8)}`,
        'theirsOnly UNKNOWN-',
      ].sort(),
    );
    expect(detail.found).toBe(detail.difference);
    await removeStatements();
  }
});

it('agree on a day with refunds of parts, each under its own number', async () => {
  const refund = async (tradeNo: string, nth: number, amount: string) => {
    const body = { out_refund_no: `part-${tradeNo}-${nth}`, trade_no: tradeNo, amount };
    const { status, json } = await merchant.program.post('/openapi/v1/refunds', body);
    expect(status).toBe(201);
    await until(
      () => merchant.program.get(`/openapi/v1/refunds/${json.refund_no}`),
      (found) => found.json.status === 'refunded',
    );
    return json.refund_no as string;
  };
  const [parted, whole] = [await collect('parted', '99.90'), await collect('whole', '50.00')];
  const refunds = [
    await refund(parted, 1, '33.30'),
    await refund(parted, 2, '0.10'),
    await refund(whole, 1, '20.00'),
    await refund(whole, 2, '30.00'),
  ];
  const today = desk.today();
  for (const format of ['csv', 'camt053'] as const) {
    const file = await fetched(format, []);
    for (const refundNo of refunds) expect(file.toString()).toContain(refundNo);
    await desk.send(today, file, format);
    const day = await desk.done(today);
    expect(day).toMatchObject({ state: 'open', difference: '0.00', unresolved: 0 });
    expect(day.matched).toBe(day.lines);
    expect(day.lines).toBeGreaterThanOrEqual(2 + refunds.length);
    expect(await desk.differences(today)).toEqual([]);
    await removeStatements();
  }
});

it('have no order of test mode', async () => {
  const live = await product.merchant('both-modes');
  const twin = await product.services.testMode.open(live.id);
  const program = new ShopProgram(product.url, { id: 'ak_test_both', secret: 'sk_test_both' });
  await product.admin().addAccessKey(twin.id, program.key.id, program.key.secret);
  const visitor = await product.person(live);
  visitor.merchant = live.code;
  expect((await visitor.send('PUT', '/api/merchant/test-mode', { isOn: true })).status).toBe(204);
  visitor.merchant = twin.code;
  expect((await visitor.post('/api/merchant/test-mode/funds', { amount: '900.00' })).status).toBe(204);
  const payment = await collect('tried', '77.00', program);
  const refund = await program.post('/openapi/v1/refunds', {
    out_refund_no: 'tried',
    trade_no: payment,
    amount: '7.00',
  });
  const payout = await program.post('/openapi/v1/payouts', {
    out_trade_no: 'tried-out',
    channel: 'CN_BANK',
    currency: 'CNY',
    amount: '13.00',
    payee: '王芳',
    payeeAccount: '95588012003456',
    bank: 'ICBC',
    bankName: '中国工商银行',
  });
  const ended = async (path: string, status: string) =>
    until(
      () => program.get(path),
      (found) => found.json.status === status,
    );
  await ended(`/openapi/v1/refunds/${refund.json.refund_no}`, 'refunded');
  await ended(`/openapi/v1/payouts/${payout.json.trade_no}`, 'processed');
  const paid = await collect('real', '88.00', live.program);
  const today = desk.today();
  for (const format of ['csv', 'camt053'] as const) {
    const file = (await fetched(format, [])).toString();
    expect(file).toContain(paid);
    for (const number of [payment, refund.json.refund_no, payout.json.trade_no])
      expect(file).not.toContain(number);
    await desk.send(today, file, format);
    expect(await desk.done(today)).toMatchObject({ difference: '0.00', unresolved: 0 });
    expect(await desk.differences(today)).toEqual([]);
    await removeStatements();
  }
});
