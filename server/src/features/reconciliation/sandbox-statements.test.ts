import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { SandboxAdapter } from '#channels/sandbox/sandbox-adapter.ts';
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
async function collect(outTradeNo: string, amount: string): Promise<string> {
  const { json } = await merchant.program.create(outTradeNo, { amount, channel: 'CN_BANK' });
  await product
    .visitor()
    .post(`/api/cashier/${json.cashierUrl.split('/pay/')[1]}/pay`, { channel: 'CN_BANK' });
  await bank.playPayer(json.trade_no, 'confirm');
  await until(
    () => merchant.program.get(`/openapi/v1/collections/${json.trade_no}`),
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
