import { sql } from 'kysely';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { type TestMerchant, TestProduct } from '../../testing/test-product.ts';
import type { Visitor } from '../../testing/visitor.ts';

const path = '/api/merchant/checkout';
let product: TestProduct;
let merchant: TestMerchant;
let admin: Visitor;

beforeAll(async () => {
  product = await TestProduct.start(inject('ownerUrl'), { bank: true });
  merchant = await product.merchant('branded');
  admin = await product.person(merchant);
});
afterAll(() => product.close());

const save = (change: object, by = admin) =>
  by.send('PUT', path, { name: '', color: '', ...change }) as ReturnType<Visitor['post']>;
/** Draws a picture of one color. */
const picture = async (format: 'png' | 'jpeg' | 'webp', background = '#d4380d', side = 500) =>
  (
    await sharp({ create: { width: side, height: side / 2, channels: 3, background } })
      .toFormat(format)
      .toBuffer()
  ).toString('base64');
const orderOf = async (of: TestMerchant, no: string) => {
  const { cashierUrl } = (await of.program.create(no)).json;
  const token = cashierUrl.slice(cashierUrl.lastIndexOf('/') + 1);
  return (await product.visitor().get(`/api/cashier/${token}`)).json;
};

it('shows payers the merchant’s own name and no color until something is set', async () => {
  const other = await product.merchant('plain');
  expect((await (await product.person(other)).get(path)).json.data).toEqual({
    name: null,
    color: null,
    logo: null,
  });
  expect(await orderOf(other, 'P1')).toMatchObject({
    merchant: 'Shop plain',
    color: null,
    logo: null,
    registeredName: null,
  });
});

it('shows payers the name, the color and the logo that were set', async () => {
  const set = await save({ name: '  南风 Tea ', color: '#E60012', logo: await picture('webp') });
  expect([set.status, set.json.data]).toEqual([
    200,
    { name: '南风 Tea', color: '#e60012', logo: expect.stringMatching(/^\/api\/checkout-logos\/[\w-]{47}$/) },
  ]);
  expect(await orderOf(merchant, 'B1')).toMatchObject({
    merchant: '南风 Tea',
    color: '#e60012',
    logo: set.json.data.logo,
    registeredName: `Shop ${merchant.code}`,
  });
});

it('shows the registered name wherever a merchant takes another one, which may be that of another company', async () => {
  const registeredName = `Shop ${merchant.code}`;
  expect((await save({ name: 'A Famous Bank' })).status).toBe(200);
  const link = await admin.post('/api/merchant/payment-links', { title: 'Tea', amount: '1.00' });
  const token = link.json.data.url.split('/pay/link/')[1];
  const payer = product.visitor();
  const shown = { merchant: 'A Famous Bank', registeredName };
  expect((await payer.get(`/api/pay-links/${token}`)).json).toMatchObject(shown);
  const made = await payer.post(`/api/pay-links/${token}/orders`, { attempt: 'attempt-of-a-brand' });
  const order = made.json.cashierUrl.split('/pay/')[1];
  expect((await payer.get(`/api/pay-links/${token}/orders/${order}`)).json).toMatchObject(shown);
  expect((await payer.get(`/api/cashier/${order}`)).json).toMatchObject(shown);
  // The registered name itself is not shown twice.
  expect((await save({ name: registeredName })).status).toBe(200);
  expect((await payer.get(`/api/cashier/${order}`)).json).toMatchObject({
    merchant: registeredName,
    registeredName: null,
  });
});

it('serves a logo as a small PNG that browsers keep', async () => {
  for (const format of ['png', 'jpeg', 'webp'] as const) {
    const { logo } = (await save({ logo: await picture(format) })).json.data;
    const response = await fetch(product.url + logo);
    expect(response.status).toBe(200);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'image/png',
      'cache-control': 'public, max-age=31536000, immutable',
      'x-content-type-options': 'nosniff',
      'content-disposition': expect.stringMatching(/^attachment/),
    });
    const {
      format: stored,
      width,
      height,
    } = await sharp(Buffer.from(await response.arrayBuffer())).metadata();
    expect([stored, width, height]).toEqual(['png', 192, 96]);
  }
});

it('keeps a picture without colors in common below 64 KB', async () => {
  const noise = await sharp({
    create: {
      width: 600,
      height: 600,
      channels: 4,
      background: '#fff',
      noise: { type: 'gaussian', mean: 128, sigma: 90 },
    },
  })
    .png()
    .toBuffer();
  const { logo } = (await save({ logo: noise.toString('base64') })).json.data;
  expect((await (await fetch(product.url + logo)).arrayBuffer()).byteLength).toBeLessThan(64 * 1024);
});

it('keeps the logo if none is sent, replaces it at a new address, and removes it', async () => {
  const first = (await save({ logo: await picture('png') })).json.data.logo;
  expect((await save({ name: 'Tea' })).json.data.logo).toBe(first);
  const second = (await save({ logo: await picture('png', '#1677ff') })).json.data.logo;
  expect(second).not.toBe(first);
  expect((await fetch(product.url + first)).status).toBe(404);
  expect((await save({ logo: null })).json.data.logo).toBeNull();
  expect((await fetch(product.url + second)).status).toBe(404);
});

describe('refused:', () => {
  const fieldOf = ({ status, json }: { status: number; json: { errors?: object } }) => [
    status,
    Object.keys(json.errors ?? {}),
  ];

  it.each(['#fff', 'red', '#12345g', 'url(x)', '#1234567', '#000000;}', 7, null])(
    'color %j',
    async (color) => {
      expect(fieldOf(await save({ color }))).toEqual([422, ['color']]);
    },
  );

  it('a color on which a button would not stand out, with a reason', async () => {
    const { status, json } = await save({ color: '#FFF176' });
    expect([status, json.errors.color]).toEqual([422, [expect.stringContaining('too pale')]]);
  });

  it('a name that is too long, and one that hides the direction of the text', async () => {
    expect(fieldOf(await save({ name: 'x'.repeat(61) }))).toEqual([422, ['name']]);
    expect((await save({ name: '\u202egnp\u0007 Tea' })).json.data.name).toBe('gnp Tea');
  });

  it.each([
    ['no picture', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script/></svg>').toString('base64')],
    ['text', 'not Base64!'],
    ['empty', ''],
    ['the beginning of a WebP alone', Buffer.from('RIFF\0\0\0\0WEBPVP8 ').toString('base64')],
  ])('a logo that is %s', async (_name, logo) => {
    expect(fieldOf(await save({ logo }))).toEqual([422, ['logo']]);
  });

  it('a picture of too many pixels', async () => {
    expect(fieldOf(await save({ logo: await picture('png', '#000', 6000) }))).toEqual([422, ['logo']]);
  });

  it('unknown fields', async () => {
    expect((await save({ css: 'body{}' })).status).toBe(422);
  });
});

it('only MERCHANT_ADMIN and the owner may', async () => {
  for (const role of ['FINANCE', 'APPROVER', 'SUPPORT', 'DEVELOPER', 'MERCHANT_VIEWER'] as const) {
    const person = await product.person(merchant, role);
    expect([role, (await person.get(path)).status, (await save({}, person)).status]).toEqual([
      role,
      403,
      403,
    ]);
  }
  expect((await save({ name: 'Owner' }, await product.person(merchant, 'ROOT'))).status).toBe(200);
});

it('never shows or changes another merchant’s', async () => {
  await save({ name: 'Ours', color: '#1677ff' });
  const other = await product.person(await product.merchant('curious'));
  expect((await other.get(path)).json.data.name).toBeNull();
  await save({ name: 'Theirs' }, other);
  expect((await admin.get(path)).json.data.name).toBe('Ours');
});

it('is audited with what was before and after, and only if something changed', async () => {
  await save({ name: 'Before', color: '#111111' });
  await save({ name: 'After', color: '#111111' });
  await save({ name: 'After', color: '#111111' });
  const rows = await product.services.database.asSystem((tx) =>
    sql<{ before: object; after: object }>`
      select before, after from audit where merchant_id = ${merchant.id} and action = 'checkout.set' order by id desc limit 2`.execute(
      tx.query,
    ),
  );
  expect(rows.rows).toMatchObject([
    {
      before: { displayName: 'Before', color: '#111111' },
      after: { displayName: 'After', color: '#111111' },
    },
    { after: { displayName: 'Before' } },
  ]);
});

it('records every one of two changes at once, each with what it replaced', async () => {
  const names = Array.from({ length: 8 }, (_, index) => `Name ${index}`);
  await Promise.all(names.map((name) => save({ name })));
  const { rows } = await product.services.database.asSystem((tx) =>
    sql<{ from: string; to: string }>`
      select before ->> 'displayName' as from, after ->> 'displayName' as to from audit
      where merchant_id = ${merchant.id} and action = 'checkout.set' order by id desc limit 8`.execute(
      tx.query,
    ),
  );
  expect(rows.map(({ to }) => to).toSorted()).toEqual(names);
  expect(rows.slice(0, -1).map(({ from }) => from)).toEqual(rows.slice(1).map(({ to }) => to));
});
