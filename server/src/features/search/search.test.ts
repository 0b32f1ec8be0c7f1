import { permsOf } from '@hengfu/contract/permissions';
import { permOfKind, searchKinds } from '@hengfu/contract/search';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { type TestMerchant, TestProduct } from '../../testing/test-product.ts';
import type { Visitor } from '../../testing/visitor.ts';

let product: TestProduct;
let merchant: TestMerchant;
let admin: Visitor;
let stranger: Visitor;
/** Order numbers of the test data. */
const made: Record<string, string> = {};

const tron = 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t';
const evm = '0xdAC17F958D2ee523a2206206994597C13D831ec7';
const topupTransaction = 'ab'.repeat(32);
const withdrawalTransaction = `0x${'cd'.repeat(32)}`;

const change = (statement: ReturnType<typeof sql>) =>
  product.services.database.asSystem((tx) => statement.execute(tx.query));

const find = async (q: string, visitor = admin) => {
  const { status, json } = await visitor.get(`/api/merchant/search?q=${encodeURIComponent(q)}`);
  expect([q, status]).toEqual([q, 200]);
  return json.data;
};
const numbers = async (q: string, visitor = admin): Promise<string[]> =>
  (await find(q, visitor)).map(({ number }: { number: string }) => number);

async function payout(of: TestMerchant, outTradeNo: string, payee: string, payeeAccount: string) {
  const { json } = await of.program.post('/openapi/v1/payouts', {
    out_trade_no: outTradeNo,
    currency: 'CNY',
    channel: 'CN_BANK',
    amount: '1.50',
    payee,
    payeeAccount,
    bank: 'ICBC',
    bankName: 'ICBC',
  });
  return json.trade_no;
}

/** Inserts orders of the other kinds directly; other tests cover how they come about. */
async function insertOtherKinds({ id }: TestMerchant): Promise<void> {
  await change(sql`
    insert into topup (merchant_id, trade_no, usdt_minor, currency, amount_minor, usdt_rate, network, address,
      transaction_id, created_by)
    values (${id}, 'T100000001', 1, 'CNY', 71500, 7, 'TRC20', ${tron}, ${topupTransaction}, 'user:1')`);
  await change(sql`
    insert into withdrawal (merchant_id, trade_no, request_hash, status, usdt_minor, fee_usdt_minor, currency,
      amount_minor, fee_minor, usdt_rate, network, address, created_by, transaction_id, paid_at, reviewed_at)
    values (${id}, 'W100000001', '', 'paid', 1, 0, 'CNY', 100, 0, 7, 'ERC20', ${evm}, 'user:1',
      ${withdrawalTransaction}, now(), now())`);
  await change(sql`
    insert into export_task (merchant_id, export_no, list, filters, columns, format, language, zone, file_name, created_by)
    values (${id}, 'E100000001', 'payouts', '{}', '{}', 'csv', 'en', 'UTC', 'payouts.csv', 'user:1')`);
  await change(sql`
    insert into payout_batch (merchant_id, batch_no, name, channel, currency, content_hash, row_count, amount_minor,
      fee_minor, created_by)
    values (${id}, 'B100000001', 'March.xlsx', 'CN_BANK', 'CNY', '', 1, 100, 0, 'user:1')`);
}

beforeAll(async () => {
  product = await TestProduct.start(inject('ownerUrl'), { bank: true });
  merchant = await product.merchant('finder');
  admin = await product.person(merchant);
  const other = await product.merchant('elsewhere');
  stranger = await product.person(other);
  await product.fund(merchant, '1000.00');
  made.collection = (await merchant.program.create('SHOP-2026-0001')).json.trade_no;
  made.later = (await merchant.program.create('SHOP-2026-0002')).json.trade_no;
  made.payout = await payout(merchant, 'PAY-1', 'Nguyễn Văn Đức', '6222 0212 3456 7890 128');
  made.han = await payout(merchant, 'PAY-2', '王芳', '6222021234567890136');
  await change(sql`update collection set bank_reference = 'BANK77001' where trade_no = ${made.later}`);
  await change(sql`update payout set bank_reference = 'BP55001' where trade_no = ${made.payout}`);
  await insertOtherKinds(merchant);
  const { data } = (await admin.get('/api/merchant/settlements')).json;
  made.settlement = data[0].settlement_no;
});
afterAll(() => product.close());

describe('finds', () => {
  it.each([
    ['a collection by its number', 'collection', (): string | undefined => made.collection],
    [
      'a number in lower case, with spaces around it',
      'collection',
      (): string | undefined => ` ${made.collection?.toLowerCase()} `,
    ],
    ['a collection by the merchant order number', 'collection', (): string | undefined => 'SHOP-2026-0001'],
    ['a collection by the bank’s reference', 'later', (): string | undefined => 'BANK77001'],
    ['a payout by its number', 'payout', (): string | undefined => made.payout],
    ['a payout by the merchant order number', 'payout', (): string | undefined => 'PAY-1'],
    ['a payout by the bank’s reference', 'payout', (): string | undefined => 'BP55001'],
    ['a payee by a prefix of the name', 'payout', (): string | undefined => 'Nguyễn V'],
    ['a payee in another case and without diacritics', 'payout', (): string | undefined => 'NGUYEN VAN DUC'],
    ['a payee in decomposed Unicode', 'payout', (): string | undefined => 'Nguyễn Văn'.normalize('NFD')],
    ['a Chinese payee of two characters', 'han', (): string | undefined => '王芳'],
    ['an account as it is printed', 'payout', (): string | undefined => '6222 0212 3456 7890 128'],
    ['an account by a prefix', 'payout', (): string | undefined => '622202123456789012'],
  ] as const)('%s', async (_what, name, q) => {
    expect(await numbers(q() ?? '')).toEqual([made[name]]);
  });

  it.each([
    ['T100000001', 'T100000001'],
    [topupTransaction, 'T100000001'],
    [topupTransaction.toUpperCase(), 'T100000001'],
    [tron, 'T100000001'],
    ['w100000001', 'W100000001'],
    [withdrawalTransaction, 'W100000001'],
    [evm, 'W100000001'],
    [evm.toLowerCase(), 'W100000001'],
    ['E100000001', 'E100000001'],
    ['B100000001', 'B100000001'],
  ])('%s: %s', async (q, number) => {
    expect(await numbers(q)).toEqual([number]);
  });

  it('returns what a row shows, for each kind', async () => {
    expect(await find(made.payout ?? '')).toEqual([
      {
        kind: 'payout',
        number: made.payout,
        title: 'Nguyễn Văn Đức',
        status: 'pending',
        amount: '1.50',
        currency: 'CNY',
        createdAt: expect.stringMatching(/Z$/),
      },
    ]);
    expect((await find('T100000001'))[0]).toMatchObject({ title: topupTransaction, amount: '715.00' });
    expect((await find(made.settlement ?? ''))[0]).toMatchObject({
      kind: 'settlement',
      title: null,
      status: 'settled',
      amount: '994.00',
    });
    expect((await find('E100000001'))[0]).toMatchObject({
      amount: null,
      currency: null,
      title: 'payouts.csv',
    });
    expect((await find('B100000001'))[0]).toMatchObject({ status: 'running', title: 'March.xlsx' });
  });

  it('exact matches first, then the newest, at most five', async () => {
    const nos: string[] = [];
    for (let index = 0; index < 7; index++)
      nos.push((await merchant.program.create(`MANY${index === 0 ? '' : index}`)).json.trade_no);
    const [exact, ...others] = nos;
    expect(await numbers('MANY')).toEqual([exact, ...others.slice(2).reverse().slice(0, 4)]);
  });
});

describe('does not find', () => {
  it('another merchant’s data', async () => {
    const keys = [made.collection, made.payout, made.settlement, 'SHOP-2026', 'Nguyen', '622202', evm, tron];
    for (const q of [...keys, 'BANK77001', 'T100000001', 'E100000001', 'B100000001', topupTransaction])
      expect(await find(q ?? '', stranger)).toEqual([]);
  });

  it.each([
    '%%%',
    '___',
    'SHOP%',
    'SHOP_2026',
    'Nguyen%Duc',
    '---',
    "' or 1=1 --",
    '\\\\\\',
    '٣٣٣',
    '😀😀😀',
  ])('anything by SQL and LIKE metacharacters: %s', async (q) => expect(await find(q)).toEqual([]));

  it.each(['abc%ED%A0%80', 'abc%E4%BD'])('anything by bytes that are not valid UTF-8: %s', async (q) => {
    const { status, json } = await admin.get(`/api/merchant/search?q=${q}`);
    expect([status, json.code]).toEqual([400, 'bad_request']);
  });

  it('anything by the Unicode replacement character', async () => {
    expect(await find('abc\ufffd')).toEqual([]);
  });

  it('kinds that the user may not read', async () => {
    const email = 'merchant_viewer@finder.test';
    const viewer = await product.person(merchant, 'MERCHANT_VIEWER');
    expect(await numbers('SHOP-2026', viewer)).toHaveLength(2);
    await change(
      sql`update membership set roles = '{NOBODY}' where user_id = (select id from app_user where email = ${email})`,
    );
    for (const q of [made.collection, made.payout, made.settlement, tron, evm, 'E100000001', 'B100000001'])
      expect(await find(q ?? '', viewer)).toEqual([]);
    await change(
      sql`update membership set roles = '{ROOT}' where user_id = (select id from app_user where email = ${email})`,
    );
    expect(await numbers(made.payout ?? '', viewer)).toEqual([made.payout]);
    expect(searchKinds.every((kind) => permsOf(['ROOT']).includes(permOfKind[kind]))).toBe(true);
  });
});

it.each([
  ['no text', ''],
  ['two characters', '?q=ab'],
  ['two characters with spaces around them', '?q=%20%20ab%20%20'],
  ['one Chinese character', `?q=${encodeURIComponent('王')}`],
  ['101 characters', `?q=${'a'.repeat(101)}`],
  ['NUL', '?q=abc%00'],
  ['the same twice', '?q=abcd&q=abcd'],
  ['a list', '?q[]=abcd'],
  ['an unknown parameter', '?q=abcd&limit=1000'],
])('%s is refused', async (_what, query) => {
  const { status, json } = await admin.get(`/api/merchant/search${query}`);
  expect([status, json.code]).toEqual([422, 'validation_failed']);
});

it('accepts 100 characters, however many bytes', async () => {
  expect(await find('語'.repeat(100))).toEqual([]);
  expect(await find('😀'.repeat(100))).toEqual([]);
});

it('requires a signed-in user', async () => {
  expect((await product.visitor().get('/api/merchant/search?q=abcd')).status).toBe(401);
});
