import { createHash, randomBytes, randomInt } from 'node:crypto';
import { sql } from 'kysely';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { greyPng } from '../../demo/picture.ts';
import { TestProduct } from '../../testing/test-product.ts';
import type { Visitor } from '../../testing/visitor.ts';

let product: TestProduct;
let merchants = 0;
const staff = 'operator:test';
const tron = 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t';
const otherTron = 'TLa2f6VPqDgRE67v1736s7bJ8Ray5wYjU7';
const path = '/api/merchant/topups';

beforeAll(async () => {
  product = await TestProduct.start(inject('ownerUrl'), { bank: true });
  const { withdrawalTerms, depositWallets } = product.services;
  await withdrawalTerms.setRate('CNY', '7.15', staff);
  await withdrawalTerms.setRate('USD', '0.9995', staff);
  await depositWallets.set({ network: 'TRC20', address: tron, minimumUsdtMinor: 10_000_000n }, staff);
});
afterAll(async () => {
  expect(await product.violations()).toEqual([]);
  await product.close();
});

const transaction = () => randomBytes(32).toString('hex');
/** A unique picture, padded after its end to `bytes` bytes if given. */
function picture(bytes?: number): string {
  const png = greyPng(8, 8, () => randomInt(256));
  return Buffer.concat([png, Buffer.alloc(bytes === undefined ? 0 : bytes - png.length)]).toString('base64');
}

const body = (more: object = {}) => ({
  coin: 'USDT',
  amount: '100',
  network: 'TRC20',
  address: tron,
  transactionId: transaction(),
  screenshot: picture(),
  ...more,
});
const apply = (visitor: Visitor, more: object = {}, key?: string) =>
  visitor.post(path, body(more), key === undefined ? {} : { 'idempotency-key': key });
const person = async () => product.person(await product.merchant(`topper${++merchants}`));
const available = async (visitor: Visitor): Promise<string> =>
  (await visitor.get('/api/merchant/account')).json.data.available;

describe('a top-up', () => {
  it('is submitted with its picture, approved for the amount that arrived, and credited', async () => {
    const visitor = await person();
    expect((await visitor.get('/api/merchant/topup-options')).json.data).toMatchObject({
      currency: 'CNY',
      rate: '7.15',
      usdRate: '0.9995',
      wallets: [{ network: 'TRC20', address: tron, minimumUsdt: '10.000000' }],
    });
    const screenshot = picture();
    const made = await apply(visitor, { amount: '100.5', screenshot });
    expect(made.status).toBe(201);
    const { trade_no: no } = made.json.data;
    expect(made.json.data).toMatchObject({
      status: 'pendingReview',
      coin: 'USDT',
      usdt: '100.500000',
      arrivedUsdt: null,
      amount: '718.57',
      usd: '100.44',
      rate: '7.15',
      usdRate: '0.9995',
      reviewedAt: null,
      paidAt: null,
    });
    expect((await visitor.get(`${path}/${no}/screenshot`)).json.data).toEqual({
      type: 'image/png',
      base64: expect.stringMatching(/^iVBOR/),
    });
    expect(await available(visitor)).toBe('0.00');
    await product.services.topupReview.approve(no, staff, 100_000_000n);
    expect(await available(visitor)).toBe('0.00');
    await product.services.topupReview.credit(no, staff);
    expect(await available(visitor)).toBe('715.00');
    expect((await visitor.get(`${path}/${no}`)).json.data).toMatchObject({
      status: 'paid',
      usdt: '100.500000',
      arrivedUsdt: '100.000000',
      amount: '715.00',
      usd: '99.95',
    });
    const { json } = await visitor.get(`${path}?status=paid&coin=USDT&amountFrom=715.00&amountTo=715.00`);
    expect(json.data.map(({ trade_no }: { trade_no: string }) => trade_no)).toEqual([no]);
    expect(json.sum).toEqual({ amount: '715.00', currency: 'CNY' });
  });

  it('keeps the exchange rate at which it was submitted', async () => {
    const visitor = await person();
    const { trade_no: no } = (await apply(visitor)).json.data;
    await product.services.withdrawalTerms.setRate('CNY', '8', staff);
    await product.services.topupReview.approve(no, staff, 100_000_000n);
    await product.services.topupReview.credit(no, staff);
    expect(await available(visitor)).toBe('715.00');
    await product.services.withdrawalTerms.setRate('CNY', '7.15', staff);
  });

  it('is rejected with a reason, and its transaction can be submitted again', async () => {
    const visitor = await person();
    const transactionId = transaction();
    const { trade_no: no } = (await apply(visitor, { transactionId })).json.data;
    await product.services.topupReview.reject(no, staff, 'Nothing arrived yet.');
    expect((await visitor.get(`${path}/${no}`)).json.data).toMatchObject({
      status: 'rejected',
      rejectReason: 'Nothing arrived yet.',
    });
    const again = await apply(visitor, { transactionId });
    expect(again.status).toBe(201);
    const { topup } = await product.services.topupReview.show(again.json.data.trade_no);
    expect(topup.sameTransaction).toEqual([no]);
  });

  it('to an earlier wallet is accepted, and the reviewer sees that it is not the current one', async () => {
    const visitor = await person();
    const wallet = { network: 'TRC20', minimumUsdtMinor: 10_000_000n } as const;
    await product.services.depositWallets.set({ ...wallet, address: otherTron }, staff);
    const { trade_no: no } = (await apply(visitor)).json.data;
    expect((await product.services.topupReview.show(no)).topup.isCurrentWallet).toBe(false);
    await product.services.depositWallets.set({ ...wallet, address: tron }, staff);
  });
});

describe('a repeated transfer', () => {
  it('is accepted once, whatever the case of its hash and whoever submits it', async () => {
    const transactionId = transaction();
    const first = await person();
    expect((await apply(first, { transactionId })).status).toBe(201);
    const second = await apply(await person(), { transactionId: transactionId.toUpperCase() });
    expect(second.status).toBe(422);
    expect(second.json.errors.transactionId).toEqual(['This transaction has already been submitted.']);
  });

  it('is accepted once in ten concurrent calls, two from each merchant', async () => {
    const visitors: Visitor[] = [];
    for (let number = 0; number < 5; number++) visitors.push(await person());
    const transactionId = transaction();
    const answers = await Promise.all(
      visitors.flatMap((visitor) => [apply(visitor, { transactionId }), apply(visitor, { transactionId })]),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 422)).toHaveLength(9);
  });

  it('is accepted once, however its hash on an EVM network is written', async () => {
    const address = '0x52908400098527886E0F7030069857D2E4169EE7';
    const wallet = { network: 'ERC20', address, minimumUsdtMinor: 1n } as const;
    await product.services.depositWallets.set(wallet, staff);
    const digits = transaction();
    const visitor = await person();
    const submit = (transactionId: string) => apply(visitor, { network: 'ERC20', address, transactionId });
    expect((await submit(`0x${digits}`)).status).toBe(201);
    for (const spelling of [
      `0X${digits}`,
      `0x${digits.toUpperCase()}`,
      ` 0x${digits}\n`,
      digits,
      `0x0${digits}`,
    ])
      expect([spelling, (await submit(spelling)).status]).toEqual([spelling, 422]);
  });

  it('that is rejected while others submit it belongs to one of them at most', async () => {
    const visitors = [await person(), await person(), await person()];
    const [first] = visitors;
    for (let round = 0; round < 5; round++) {
      const transactionId = transaction();
      const made = first && (await apply(first, { transactionId }));
      const no = made?.json.data.trade_no;
      const [, ...answers] = await Promise.all([
        product.services.topupReview.reject(no, staff, 'again'),
        ...visitors.map((visitor) => apply(visitor, { transactionId })),
      ]);
      const accepted = answers.filter(({ status }) => status === 201).map(({ json }) => json.data.trade_no);
      expect(accepted.length).toBeLessThanOrEqual(1);
      const { rows } = await product.services.database.asSystem((tx) =>
        sql<{ trade_no: string }>`
          select trade_no from chain_transaction where transaction_id = ${transactionId}`.execute(tx.query),
      );
      expect(rows.map(({ trade_no }) => trade_no)).toEqual(accepted);
    }
  });

  it('stays claimed, whatever the application tries on behalf of another merchant', async () => {
    const transactionId = transaction();
    const { trade_no: no } = (await apply(await person(), { transactionId })).json.data;
    const { id } = await product.merchant(`topper${++merchants}`);
    const { database } = product.services;
    const claim = sql`insert into chain_transaction (kind, network, transaction_id, merchant_id, trade_no)
      values ('topup', 'TRC20', ${transactionId}, ${id}, 'T')`;
    for (const attempt of [
      sql`delete from chain_transaction`,
      sql`update chain_transaction set merchant_id = ${id}`,
      sql`${claim} on conflict (kind, network, transaction_id) do update set merchant_id = excluded.merchant_id`,
      sql`${claim} on conflict do nothing`,
      claim,
    ])
      await Promise.allSettled([database.asMerchant(id, (tx) => attempt.execute(tx.query))]);
    const { rows } = await database.asSystem((tx) =>
      sql`select trade_no from chain_transaction where transaction_id = ${transactionId}`.execute(tx.query),
    );
    expect(rows).toEqual([{ trade_no: no }]);
  });

  it('shows the reviewer that its picture was used before', async () => {
    const screenshot = picture();
    const one = (await apply(await person(), { screenshot })).json.data.trade_no;
    const two = (await apply(await person(), { screenshot })).json.data.trade_no;
    expect((await product.services.topupReview.show(two)).topup.sameImage).toEqual([one]);
  });

  it('returns the same top-up for the same call with the same idempotency key', async () => {
    const visitor = await person();
    const order = body();
    const key = 'repeated';
    const first = await visitor.post(path, order, { 'idempotency-key': key });
    const second = await visitor.post(path, order, { 'idempotency-key': key });
    expect(second.json.data.trade_no).toBe(first.json.data.trade_no);
    const other = await visitor.post(path, { ...order, amount: '200' }, { 'idempotency-key': key });
    expect(other.json.code).toBe('idempotency_key_reused');
  });
});

it('can be listed by known currencies only', async () => {
  const visitor = await person();
  expect((await visitor.get(`${path}?coin=BTC`)).json.errors).toEqual({
    coin: ['Please select one of the available options.'],
  });
  expect((await visitor.get(`${path}?coin=USDT`)).json.data).toEqual([]);
});

describe('the form', () => {
  it.each<[field: string, more: object, message: string]>([
    ['amount', { amount: undefined }, 'Please enter the recharge amount.'],
    ['amount', { amount: '' }, 'Please enter the recharge amount.'],
    ...['-1', '0', '1e3', '0x10', '１００', '1,000', '1.0000001', '9'.repeat(40)].map(
      (amount) =>
        [
          'amount',
          { amount },
          'Please enter the amount. Numbers only, with no more decimal places than the currency allows.',
        ] satisfies [string, object, string],
    ),
    ['amount', { amount: '9.999999' }, 'This is below the network’s minimum top-up.'],
    ...[undefined, '', 'BTC', ['USDT']].map(
      (coin) => ['coin', { coin }, 'Please select a currency.'] satisfies [string, object, string],
    ),
    ['network', { network: 'BTC' }, 'Please select the network type.'],
    ['network', { address: 'T9' }, 'This deposit address is no longer valid. Please reload the page.'],
    ['transactionId', { transactionId: 'ab' }, 'This is not a valid transaction hash on this network.'],
    [
      'screenshot',
      { screenshot: '' },
      'Please upload a screenshot of the recharge: max 2M, PNG or JPG only.',
    ],
    [
      'screenshot',
      { screenshot: Buffer.from('GIF89a').toString('base64') },
      'Please upload a screenshot of the recharge: max 2M, PNG or JPG only.',
    ],
    [
      'screenshot',
      { screenshot: `${picture()}*` },
      'Please upload a screenshot of the recharge: max 2M, PNG or JPG only.',
    ],
  ])('%s: %j', async (field, more, message) => {
    const answer = await apply(await sharedPerson(), more);
    expect(answer.status).toBe(422);
    expect(answer.json.errors[field]).toContain(message);
  });

  it('accepts a picture of 2 MiB and not a byte more', async () => {
    const visitor = await sharedPerson();
    const limit = 2 * 1024 * 1024;
    expect((await apply(visitor, { screenshot: picture(limit) })).status).toBe(201);
    expect((await apply(visitor, { screenshot: picture(limit + 1) })).status).toBe(422);
    expect((await apply(visitor, { screenshot: picture(limit * 2) })).status).toBe(413);
  });
});

describe('the review', () => {
  it.each([
    ['approve', 'approve'],
    ['credit', 'reject'],
    ['credit', 'credit'],
  ] as const)('accepts only one of a concurrent %s and %s', async (one, other) => {
    const visitor = await person();
    const { trade_no: no } = (await apply(visitor)).json.data;
    const { topupReview } = product.services;
    if (one === 'credit') await topupReview.approve(no, staff, 100_000_000n);
    const act = (what: typeof one | typeof other) => {
      if (what === 'approve') return topupReview.approve(no, staff, 100_000_000n);
      return what === 'credit' ? topupReview.credit(no, staff) : topupReview.reject(no, staff, 'no');
    };
    const ends = await Promise.allSettled([act(one), act(other)]);
    const { status } = (await visitor.get(`${path}/${no}`)).json.data;
    expect(ends.filter((end) => end.status === 'fulfilled')).toHaveLength(1);
    expect(await available(visitor)).toBe(status === 'paid' ? '715.00' : '0.00');
  });

  it('does not credit a top-up that is not approved', async () => {
    const { trade_no: no } = (await apply(await person())).json.data;
    await expect(product.services.topupReview.credit(no, staff)).rejects.toMatchObject({
      code: 'invalid_transition',
    });
  });

  it('refuses a wallet with an invalid address on its network', async () => {
    const wallet = { network: 'ERC20', address: tron, minimumUsdtMinor: 1n } as const;
    await expect(product.services.depositWallets.set(wallet, staff)).rejects.toMatchObject({
      code: 'validation_failed',
    });
  });
});

describe('a picture', () => {
  it('cannot be read by another merchant', async () => {
    const { trade_no: no } = (await apply(await person())).json.data;
    expect((await (await person()).get(`${path}/${no}/screenshot`)).status).toBe(404);
  });

  it('is re-encoded: its metadata is gone, and it is still recognized', async () => {
    const secret = 'Exif: where I live';
    const plain = greyPng(8, 8, (x, y) => x * y);
    const withMetadata = await sharp(plain)
      .withExif({ IFD0: { ImageDescription: secret } })
      .png()
      .toBuffer();
    const numbers: string[] = [];
    for (const file of [plain, withMetadata, Buffer.concat([plain, Buffer.from('<script>')])]) {
      const screenshot = file.toString('base64');
      numbers.push((await apply(await person(), { screenshot })).json.data.trade_no);
    }
    const [first = '', second = '', third = ''] = numbers;
    const { topup, image } = await product.services.topupReview.show(third);
    expect(topup.sameImage).toEqual([first, second]);
    expect(image.sha256).toEqual(createHash('sha256').update(image.bytes).digest());
    expect((await product.services.topupReview.show(second)).image.bytes.includes(secret)).toBe(false);
    expect(image.bytes.includes('<script>')).toBe(false);
    expect(await sharp(image.bytes).raw().toBuffer()).toEqual(await sharp(plain).raw().toBuffer());
  });

  it('is refused if it is corrupt', async () => {
    const visitor = await sharedPerson();
    const whole = greyPng(64, 64, () => randomInt(256));
    const webp = await sharp(whole).webp().toBuffer();
    for (const file of [whole.subarray(0, whole.length / 2), Buffer.concat([whole.subarray(0, 8), webp])]) {
      const answer = await apply(visitor, { screenshot: file.toString('base64') });
      expect([answer.status, Object.keys(answer.json.errors)]).toEqual([422, ['screenshot']]);
    }
  });

  it('is refused above 16 megapixels, with a message in the caller’s language', async () => {
    const white = (width: number, height: number) =>
      sharp({ create: { width, height, channels: 3, background: '#fff' } })
        .png()
        .toBuffer();
    const visitor = await sharedPerson();
    const submit = async (file: Buffer, language: string) => {
      const order = body({ screenshot: file.toString('base64') });
      return visitor.post(path, order, { 'accept-language': language });
    };
    expect((await submit(await white(4000, 4000), 'en')).status).toBe(201);
    for (const [language, message] of [
      ['en', 'This image is too large. Scale it down to at most 4,000 × 4,000 pixels.'],
      ['zh-CN', '图片像素过多，请缩小至 4,000 × 4,000 像素以内。'],
      ['vi', 'Ảnh có quá nhiều điểm ảnh. Vui lòng thu nhỏ xuống tối đa 4.000 × 4.000 điểm ảnh.'],
    ] as const) {
      const { status, json } = await submit(await white(4001, 4000), language);
      expect([status, json.errors]).toEqual([422, { screenshot: [message] }]);
    }
    const bomb = await white(30_000, 1000);
    expect(bomb.length).toBeLessThan(2 * 1024 * 1024);
    expect((await submit(bomb, 'en')).status).toBe(422);
  });

  it('is refused if its merchant uploads many at once, while another merchant’s is accepted', async () => {
    const [busy, other] = [await person(), await person()];
    // Small to send and slow to decode, so that all of them arrive before the first one is done.
    const large = await sharp({ create: { width: 4000, height: 4000, channels: 3, background: '#fff' } })
      .jpeg()
      .toBuffer();
    const screenshot = large.toString('base64');
    const many = Array.from({ length: 16 }, () => apply(busy, { screenshot }));
    const [answers, otherAnswer] = await Promise.all([Promise.all(many), apply(other)]);
    expect(otherAnswer.status).toBe(201);
    const refused = answers.filter(({ status }) => status === 429);
    expect(refused.length).toBeGreaterThan(0);
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(16 - refused.length);
    for (const { json, headers } of refused) {
      expect(json.code).toBe('uploads_busy');
      expect(json.message).toContain(headers.get('retry-after'));
    }
    expect((await apply(busy)).status).toBe(201);
  });

  it('the size of a photo stays within the storage limit', async () => {
    const noise = randomBytes(1400 * 1400);
    const file = await sharp(noise, { raw: { width: 1400, height: 1400, channels: 1 } })
      .toColourspace('b-w')
      .png({ compressionLevel: 0 })
      .toBuffer();
    const { trade_no: no } = (await apply(await sharedPerson(), { screenshot: file.toString('base64') })).json
      .data;
    const { image } = await product.services.topupReview.show(no);
    expect(image.bytes.length).toBeLessThanOrEqual(2 * 1024 * 1024);
    expect(await sharp(image.bytes).metadata()).toMatchObject({ width: 1400, height: 1400 });
  });
});

let shared: Promise<Visitor> | undefined;
/** One shared person, for cases that do not need an account of their own. */
function sharedPerson(): Promise<Visitor> {
  shared ??= person();
  return shared;
}
