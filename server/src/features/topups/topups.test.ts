import { createHash, randomBytes, randomInt } from 'node:crypto';
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
  const { withdrawalTerms, topupReview } = product.services;
  await withdrawalTerms.setRate('CNY', '7.15', staff);
  await withdrawalTerms.setRate('USD', '0.9995', staff);
  await topupReview.setWallet({ network: 'TRC20', address: tron, minimumUsdtMinor: 10_000_000n }, staff);
});
afterAll(async () => {
  expect(await product.violations()).toEqual([]);
  await product.close();
});

const transaction = () => randomBytes(32).toString('hex');
/** A picture that no other is like; `bytes` long where given, by what stands behind its end. */
function picture(bytes?: number): string {
  const png = greyPng(8, 8, () => randomInt(256));
  return Buffer.concat([png, Buffer.alloc(bytes === undefined ? 0 : bytes - png.length)]).toString('base64');
}

const body = (more: object = {}) => ({
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
  it('is handed in with its picture, approved for what arrived, and credited', async () => {
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
    const { json } = await visitor.get(`${path}?status=paid&amountFrom=715.00&amountTo=715.00`);
    expect(json.data.map(({ trade_no }: { trade_no: string }) => trade_no)).toEqual([no]);
    expect(json.sum).toEqual({ amount: '715.00', currency: 'CNY' });
  });

  it('keeps the rate that it was handed in at', async () => {
    const visitor = await person();
    const { trade_no: no } = (await apply(visitor)).json.data;
    await product.services.withdrawalTerms.setRate('CNY', '8', staff);
    await product.services.topupReview.approve(no, staff, 100_000_000n);
    await product.services.topupReview.credit(no, staff);
    expect(await available(visitor)).toBe('715.00');
    await product.services.withdrawalTerms.setRate('CNY', '7.15', staff);
  });

  it('is rejected with a reason, and its transaction may be handed in again', async () => {
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

  it('sent to a wallet of before is still ours, and said to be so', async () => {
    const visitor = await person();
    const wallet = { network: 'TRC20', minimumUsdtMinor: 10_000_000n } as const;
    await product.services.topupReview.setWallet({ ...wallet, address: otherTron }, staff);
    const { trade_no: no } = (await apply(visitor)).json.data;
    expect((await product.services.topupReview.show(no)).topup.isCurrentWallet).toBe(false);
    await product.services.topupReview.setWallet({ ...wallet, address: tron }, staff);
  });
});

describe('a transfer that was seen before', () => {
  it('is taken once, in whatever case its number is written, whoever hands it in', async () => {
    const transactionId = transaction();
    const first = await person();
    expect((await apply(first, { transactionId })).status).toBe(201);
    const second = await apply(await person(), { transactionId: transactionId.toUpperCase() });
    expect(second.status).toBe(422);
    expect(second.json.errors.transactionId).toEqual(['This transaction has already been submitted.']);
  });

  it('is taken once of ten at the same moment, two of each merchant', async () => {
    const visitors: Visitor[] = [];
    for (let number = 0; number < 5; number++) visitors.push(await person());
    const transactionId = transaction();
    const answers = await Promise.all(
      visitors.flatMap((visitor) => [apply(visitor, { transactionId }), apply(visitor, { transactionId })]),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 422)).toHaveLength(9);
  });

  it('tells the reviewer of a picture that was used', async () => {
    const screenshot = picture();
    const one = (await apply(await person(), { screenshot })).json.data.trade_no;
    const two = (await apply(await person(), { screenshot })).json.data.trade_no;
    expect((await product.services.topupReview.show(two)).topup.sameImage).toEqual([one]);
  });

  it('answers the same call under the same key with the same top-up', async () => {
    const visitor = await person();
    const order = body();
    const key = 'once';
    const first = await visitor.post(path, order, { 'idempotency-key': key });
    const second = await visitor.post(path, order, { 'idempotency-key': key });
    expect(second.json.data.trade_no).toBe(first.json.data.trade_no);
    const other = await visitor.post(path, { ...order, amount: '200' }, { 'idempotency-key': key });
    expect(other.json.code).toBe('idempotency_key_reused');
  });
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
          'Please enter the amount: numbers only, with no more decimal places than the currency allows.',
        ] satisfies [string, object, string],
    ),
    ['amount', { amount: '9.999999' }, 'This is below the network’s minimum top-up.'],
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

  it('takes a picture of 2 MiB and not a byte more', async () => {
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
  ] as const)('%s against %s: one wins', async (one, other) => {
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

  it('credits nothing that was not approved', async () => {
    const { trade_no: no } = (await apply(await person())).json.data;
    await expect(product.services.topupReview.credit(no, staff)).rejects.toMatchObject({
      code: 'invalid_transition',
    });
  });

  it('refuses a wallet that is no address of its network', async () => {
    const wallet = { network: 'ERC20', address: tron, minimumUsdtMinor: 1n } as const;
    await expect(product.services.topupReview.setWallet(wallet, staff)).rejects.toMatchObject({
      code: 'validation_failed',
    });
  });
});

describe('a picture', () => {
  it('is another merchant’s to none', async () => {
    const { trade_no: no } = (await apply(await person())).json.data;
    expect((await (await person()).get(`${path}/${no}/screenshot`)).status).toBe(404);
  });

  it('is written anew: what its file held besides is gone, and it is still known again', async () => {
    const secret = 'Exif: where I live';
    const plain = greyPng(8, 8, (x, y) => x * y);
    const told = await sharp(plain)
      .withExif({ IFD0: { ImageDescription: secret } })
      .png()
      .toBuffer();
    const numbers: string[] = [];
    for (const file of [plain, told, Buffer.concat([plain, Buffer.from('<script>')])]) {
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

  it('that is broken is refused', async () => {
    const visitor = await sharedPerson();
    const whole = greyPng(64, 64, () => randomInt(256));
    const named = await sharp(whole).webp().toBuffer();
    for (const file of [whole.subarray(0, whole.length / 2), Buffer.concat([whole.subarray(0, 8), named])]) {
      const answer = await apply(visitor, { screenshot: file.toString('base64') });
      expect([answer.status, Object.keys(answer.json.errors)]).toEqual([422, ['screenshot']]);
    }
  });

  it('has 16 megapixels at most, and its sender is told so', async () => {
    const white = (width: number, height: number) =>
      sharp({ create: { width, height, channels: 3, background: '#fff' } })
        .png()
        .toBuffer();
    const visitor = await sharedPerson();
    const hand = async (file: Buffer, language: string) => {
      const order = body({ screenshot: file.toString('base64') });
      return visitor.post(path, order, { 'accept-language': language });
    };
    expect((await hand(await white(4000, 4000), 'en')).status).toBe(201);
    for (const [language, words] of [
      ['en', 'This image is too large. Scale it down to at most 4000 × 4000 pixels.'],
      ['zh-CN', '图片像素过多，请缩小至 4000 × 4000 像素以内。'],
      ['vi', 'Ảnh có quá nhiều điểm ảnh. Vui lòng thu nhỏ xuống tối đa 4000 × 4000 điểm ảnh.'],
    ] as const) {
      const { status, json } = await hand(await white(4001, 4000), language);
      expect([status, json.errors]).toEqual([422, { screenshot: [words] }]);
    }
    const bomb = await white(30_000, 1000);
    expect(bomb.length).toBeLessThan(2 * 1024 * 1024);
    expect((await hand(bomb, 'en')).status).toBe(422);
  });

  it('of a merchant that sends many at once is turned away, while another merchant’s is taken', async () => {
    const [busy, other] = [await person(), await person()];
    // Small to send and slow to decode, so that all of them arrive before the first one is done.
    const large = await sharp({ create: { width: 4000, height: 4000, channels: 3, background: '#fff' } })
      .jpeg()
      .toBuffer();
    const screenshot = large.toString('base64');
    const many = Array.from({ length: 16 }, () => apply(busy, { screenshot }));
    const [answers, elsewhere] = await Promise.all([Promise.all(many), apply(other)]);
    expect(elsewhere.status).toBe(201);
    const turnedAway = answers.filter(({ status }) => status === 429);
    expect(turnedAway.length).toBeGreaterThan(0);
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(16 - turnedAway.length);
    for (const { json, headers } of turnedAway) {
      expect(json.code).toBe('uploads_busy');
      expect(json.message).toContain(headers.get('retry-after'));
    }
    expect((await apply(busy)).status).toBe(201);
  });

  it('of a photograph’s size stays within what is kept', async () => {
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
/** One person for cases that need nobody's own account. */
function sharedPerson(): Promise<Visitor> {
  shared ??= person();
  return shared;
}
