import { inflateSync } from 'node:zlib';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { SandboxAdapter } from '#channels/sandbox/sandbox-adapter.ts';
import { ShopProgram } from '../../testing/shop-program.ts';
import { bankSecret, type TestMerchant, TestProduct } from '../../testing/test-product.ts';
import { until } from '../../testing/until.ts';
import type { Visitor } from '../../testing/visitor.ts';

let product: TestProduct;
let merchant: TestMerchant;
let person: Visitor;
let bank: SandboxAdapter;
let paid: Paid;

interface Paid {
  tradeNo: string;
  cashierToken: string;
  receipt: string;
}

beforeAll(async () => {
  product = await TestProduct.start(inject('ownerUrl'), {
    bank: true,
    worker: true,
    env: { TRUST_PROXY: '127.0.0.1' },
  });
  merchant = await product.merchant('receipts');
  person = await product.person(merchant);
  bank = new SandboxAdapter({ url: product.bank?.url ?? '', secret: bankSecret });
  paid = await pay('R-1');
});
afterAll(() => product.close());

const last = (url: string) => url.slice(url.lastIndexOf('/') + 1);
const cashier = async (token: string) => (await product.visitor().get(`/api/cashier/${token}`)).json;

/** Creates an order, pays it, and returns the token of the receipt that its checkout page leads to. */
async function pay(no: string, fields: object = {}, program = merchant.program): Promise<Paid> {
  const { json } = await program.create(no, {
    amount: '1280.50',
    subject: '红茶礼盒 · Trà hộp quà',
    ...fields,
  });
  const cashierToken = last(json.cashierUrl);
  await product.visitor().post(`/api/cashier/${cashierToken}/pay`, { channel: 'CN_BANK' });
  await bank.playPayer(json.trade_no, 'confirm');
  const { receipt } = await until(
    () => cashier(cashierToken),
    ({ status }) => status === 'success',
  );
  return { tradeNo: json.trade_no, cashierToken, receipt: last(receipt) };
}

const read = (token: string) => product.visitor().get(`/api/receipts/${token}`);
let addresses = 0;
/** Asks for a PDF, by default from an address that has not asked yet. */
const pdfOf = (token: string, lang = 'zh-cn', from = `198.51.100.${++addresses}`) =>
  fetch(`${product.url}/api/receipts/${token}/pdf?lang=${lang}`, { headers: { 'x-forwarded-for': from } });
const linkOf = (tradeNo: string, by = person) => by.get(`/api/merchant/collections/${tradeNo}/receipt`);

it('shows the payment to anyone with the link, by a token of its own', async () => {
  expect(paid.receipt).not.toBe(paid.cashierToken);
  expect(paid.receipt).toMatch(/^\d{4}[\w-]{32}$/);
  const { status, json, headers } = await read(paid.receipt);
  expect([
    status,
    headers.get('cache-control'),
    headers.get('x-robots-tag'),
    headers.get('referrer-policy'),
  ]).toEqual([200, 'no-store', 'noindex', 'no-referrer']);
  expect(json).toEqual({
    merchant: { name: 'Shop receipts', color: null, logo: null, registeredName: null },
    registeredName: 'Shop receipts',
    trade_no: paid.tradeNo,
    out_trade_no: 'R-1',
    subject: '红茶礼盒 · Trà hộp quà',
    amount: '1280.50',
    currency: 'CNY',
    refunded: '0.00',
    kept: '1280.50',
    channel: 'CN_BANK',
    bankReference: expect.stringMatching(/^\w+$/),
    createdAt: expect.any(String),
    paidAt: expect.any(String),
    refundedAt: null,
    zone: 'Asia/Shanghai',
  });
});

it('is the same for the payer and the merchant, whoever asks first', async () => {
  const links = await Promise.all([
    linkOf(paid.tradeNo),
    linkOf(paid.tradeNo),
    cashier(paid.cashierToken).then(({ receipt }) => ({ json: { data: { url: product.url + receipt } } })),
  ]);
  expect(new Set(links.map(({ json }) => json.data.url))).toEqual(
    new Set([`${product.url}/receipt/${paid.receipt}`]),
  );
});

it('is made once, although many ask for it at once', async () => {
  const { json } = await merchant.program.create('R-many');
  await change(sql`update collection set status = 'success', settlement_status = 'unsettled', paid_at = now(),
    channel = 'CN_BANK' where trade_no = ${json.trade_no}`);
  const token = last(json.cashierUrl);
  const found = await Promise.all(Array.from({ length: 20 }, () => cashier(token)));
  expect(new Set(found.map(({ receipt }) => receipt)).size).toBe(1);
});

it('shows the sum of what was refunded, part by part', async () => {
  const { receipt, tradeNo } = await pay('R-refunded');
  const refund = async (amount: string, sum: string) => {
    const body = { trade_no: tradeNo, out_refund_no: `R-${amount}`, amount, reason: '缺货' };
    expect((await merchant.program.post('/openapi/v1/refunds', body)).status).toBe(201);
    await until(
      () => read(receipt),
      ({ json }) => json.refunded === sum,
    );
  };
  await refund('280.00', '280.00');
  expect((await read(receipt)).json).toMatchObject({ kept: '1000.50', refundedAt: null });
  const pdf = Buffer.from(await (await pdfOf(receipt)).arrayBuffer());
  expect([...'部分退款'].every((letter) => lettersOf(pdf).has(letter))).toBe(true);
  await refund('1000.50', '1280.50');
  expect((await read(receipt)).json).toMatchObject({ kept: '0.00', refundedAt: expect.any(String) });
});

it('does not show a channel’s words in place of a number', async () => {
  const { receipt, tradeNo } = await pay('R-words');
  await change(sql`update collection set bank_reference = 'Call <b>us</b> now' where trade_no = ${tradeNo}`);
  expect((await read(receipt)).json.bankReference).toBeNull();
});

describe('there is none', () => {
  it('for an order that is not paid', async () => {
    const { json } = await merchant.program.create('R-unpaid');
    expect((await cashier(last(json.cashierUrl))).receipt).toBeNull();
    const answer = await linkOf(json.trade_no);
    expect([answer.status, answer.json.code]).toEqual([409, 'invalid_transition']);
    const { rows } = await product.services.database.asSystem((tx) =>
      sql`select from receipt_link r join collection c on c.id = r.collection_id and c.merchant_id = r.merchant_id
        where c.trade_no = ${json.trade_no}`.execute(tx.query),
    );
    expect(rows).toEqual([]);
  });

  it('once two years have passed since the payment, though the merchant still sees the order', async () => {
    const { receipt, tradeNo, cashierToken } = await pay('R-old');
    const paidAgo = (interval: string) =>
      change(sql`update collection set paid_at = now() - ${interval}::interval where trade_no = ${tradeNo}`);
    await paidAgo('729 days');
    expect((await read(receipt)).status).toBe(200);
    expect((await cashier(cashierToken)).receipt).toBe(`/receipt/${receipt}`);
    await paidAgo('732 days');
    expect([(await read(receipt)).status, (await pdfOf(receipt)).status]).toEqual([404, 404]);
    // Neither the payer nor the merchant is led to a page that has ended.
    expect((await cashier(cashierToken)).receipt).toBeNull();
    expect((await linkOf(tradeNo)).json.data.url).toBeNull();
    expect((await person.get(`/api/merchant/collections/${tradeNo}`)).json.data.trade_no).toBe(tradeNo);
  });

  it('behind a token that is unknown, changed, or that of the checkout page', async () => {
    const { receipt, cashierToken } = paid;
    for (const token of [
      cashierToken,
      `${receipt.slice(0, -1)}${receipt.endsWith('A') ? 'B' : 'A'}`,
      receipt.slice(4).padStart(receipt.length, '0'),
      `${receipt}x`,
      'x'.repeat(36),
      "'--",
    ]) {
      expect([token, (await read(encodeURIComponent(token))).status]).toEqual([token, 404]);
      expect([token, (await pdfOf(encodeURIComponent(token))).status]).toEqual([token, 404]);
    }
    expect((await product.visitor().get(`/api/cashier/${receipt}`)).status).toBe(404);
  });

  it('for another merchant, and for people who may not read collections', async () => {
    const other = await product.person(await product.merchant('curious'));
    expect((await linkOf(paid.tradeNo, other)).status).toBe(404);
    const developer = await product.person(merchant, 'DEVELOPER');
    expect((await linkOf(paid.tradeNo, developer)).status).toBe(403);
    expect((await linkOf(paid.tradeNo, product.visitor())).status).toBe(401);
    const viewer = await product.person(merchant, 'MERCHANT_VIEWER');
    expect((await linkOf(paid.tradeNo, viewer)).status).toBe(200);
  });
});

describe('the PDF', () => {
  it.each(['zh-cn', 'en', 'vi'])('is small and complete in %s', async (lang) => {
    const response = await pdfOf(paid.receipt, lang);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'application/pdf',
      'content-disposition': expect.stringContaining(`attachment; filename="${paid.tradeNo}.pdf"`),
      'cache-control': 'no-store',
      'x-robots-tag': 'noindex',
      'x-content-type-options': 'nosniff',
    });
    const pdf = Buffer.from(await response.arrayBuffer());
    expect(pdf.subarray(0, 5).toString()).toBe('%PDF-');
    expect(pdf.length).toBeLessThan(150_000);
    const letters = lettersOf(pdf);
    for (const text of [paid.tradeNo, '红茶礼盒', 'Trà', '1280'])
      expect([text, [...text].every((letter) => letters.has(letter))]).toEqual([text, true]);
  });

  it('says in its name that it is of test mode', async () => {
    const twin = await product.services.testMode.open(merchant.id);
    const key = { id: `ak_test_${twin.code}`, secret: 'sk_receipts' };
    await product.admin().addAccessKey(twin.id, key.id, key.secret);
    const tried = await pay('T-1', {}, new ShopProgram(product.url, key));
    expect((await read(tried.receipt)).json.registeredName).toBe('Shop receipts (TEST)');
    const named = (await pdfOf(tried.receipt, 'en')).headers.get('content-disposition');
    expect(named).toContain(`TEST-${tried.tradeNo}.pdf`);
  });

  it('is in English if the language is not known', async () => {
    expect((await pdfOf(paid.receipt, 'xx')).status).toBe(200);
  });

  it('takes the merchant’s text as text, however long and strange it is', async () => {
    const subject = `<b>${'名'.repeat(40)}</b> ${'w'.repeat(40)} \u{1f375} ) Tj /JS (app.alert(1)) (`;
    const { receipt } = await pay('R-strange', { subject });
    const response = await pdfOf(receipt);
    const pdf = Buffer.from(await response.arrayBuffer());
    expect([response.status, pdf.length < 150_000]).toEqual([200, true]);
    expect(pdf.toString('latin1')).not.toMatch(/\/(JS|JavaScript|Launch|EmbeddedFile)\b/);
  });
});

describe('twenty PDFs at once', () => {
  it('are all made if they are of different receipts', async () => {
    const tokens = await Promise.all(Array.from({ length: 20 }, (_, index) => quicklyPaid(`R-20-${index}`)));
    const answers = await Promise.all(tokens.map((token) => pdfOf(token, 'en', '203.0.113.1')));
    expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200));
  });

  it('of one receipt are refused beyond the first few, and an address that asks for many has to wait', async () => {
    const answers = await Promise.all(
      Array.from({ length: 60 }, () => pdfOf(paid.receipt, 'en', '203.0.113.2')),
    );
    const refused = answers.filter(({ status }) => status === 429);
    expect(refused.length).toBeGreaterThan(25);
    for (const { headers } of refused) expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
    expect(answers.every(({ status }) => status === 200 || status === 429)).toBe(true);
    // Others are not affected.
    expect((await read(paid.receipt)).status).toBe(200);
  });
});

async function quicklyPaid(no: string): Promise<string> {
  const { json } = await merchant.program.create(no);
  await change(sql`update collection set status = 'success', settlement_status = 'unsettled', paid_at = now(),
    channel = 'CN_BANK' where trade_no = ${json.trade_no}`);
  return last((await linkOf(json.trade_no)).json.data.url);
}

const change = (statement: { execute: (db: never) => Promise<unknown> }) =>
  product.services.database.asSystem((tx) => statement.execute(tx.query as never));

/** Returns the letters of a PDF's texts: those that the maps of its fonts give to its glyphs. */
function lettersOf(pdf: Buffer): Set<string> {
  const found = new Set<string>();
  const text = pdf.toString('latin1');
  for (const { index } of text.matchAll(/stream\r?\n/g)) {
    const start = index + (text[index + 6] === '\r' ? 8 : 7);
    let content = '';
    try {
      content = inflateSync(pdf.subarray(start, text.indexOf('endstream', start))).toString('latin1');
    } catch {
      continue;
    }
    if (!content.includes('beginbfrange')) continue;
    for (const [, code = ''] of content.matchAll(/<([0-9a-f]{4,8})>/gi))
      found.add(Buffer.from(code, 'hex').swap16().toString('utf16le'));
  }
  return found;
}
