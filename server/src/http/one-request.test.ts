import { request as send } from 'node:http';
import { maxBatchRows } from '@hengfu/contract/payout-batch-rows';
import { maxBatchFaults } from '@hengfu/contract/payout-batches';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { type TestMerchant, TestProduct } from '../testing/test-product.ts';
import type { Visitor } from '../testing/visitor.ts';

let product: TestProduct;
let merchant: TestMerchant;
let person: Visitor;

beforeAll(async () => {
  product = await TestProduct.start(inject('ownerUrl'), { bank: true });
  merchant = await product.merchant('limits');
  await product.fund(merchant, '1000.00');
  person = await product.person(merchant);
});
afterAll(() => product.close());

/** Returns the longest time that a call blocked this thread, as a share of the call's duration. */
async function blockedShare(path: string, body: Buffer): Promise<number> {
  const cookie = [...person.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  const headers = {
    cookie,
    'x-xsrf-token': person.cookies.get('XSRF-TOKEN') ?? '',
    'content-type': 'application/json',
    'content-length': body.length,
  };
  const beganAt = performance.now();
  let last = beganAt;
  let blockedMs = 0;
  let isDone = false;
  const tick = () => {
    const now = performance.now();
    blockedMs = Math.max(blockedMs, now - last);
    last = now;
    if (!isDone) setImmediate(tick);
  };
  setImmediate(tick);
  const status = await new Promise<number | undefined>((resolve, reject) => {
    send(product.url + path, { method: 'POST', headers }, (reply) =>
      reply.resume().on('end', () => resolve(reply.statusCode)),
    )
      .on('error', reject)
      .end(body);
  });
  isDone = true;
  expect(status).toBe(200);
  return blockedMs / (performance.now() - beganAt);
}

const batchOf = (row: (index: number) => object) =>
  Buffer.from(
    JSON.stringify({
      channel: 'CN_BANK',
      rows: Array.from({ length: maxBatchRows }, (_, index) => row(index)),
    }),
  );
const wrong = { payee: '1', payeeAccount: 'x', bank: 'x', amount: 'x', remark: 'x'.repeat(200) };
const right = { payee: '王芳', bank: 'ICBC', bankName: '中国工商银行', amount: '1.00' };
const tries = 3;

it.each([
  ['invalid in every cell', batchOf(() => wrong)],
  ['that are valid', batchOf((index) => ({ ...right, payeeAccount: `1234567${index}` }))],
])(
  'ten thousand rows %s are checked in slices, between which other calls run',
  async (_name, body) => {
    const shares: number[] = [];
    // Other load on the machine may slow any attempt: the best of a few counts.
    for (let attempt = 0; attempt < tries; attempt++)
      shares.push(await blockedShare('/api/merchant/payout-batches/check', body));
    expect(Math.min(...shares)).toBeLessThan(1 / 4);
  },
  60_000,
);

it('a check names a limited number of faults, and says how many there are', async () => {
  const rows = Array.from({ length: 500 }, () => wrong);
  const { json } = await person.post('/api/merchant/payout-batches/check', { channel: 'CN_BANK', rows });
  expect(json.data.faults).toHaveLength(maxBatchFaults);
  expect(json.data.faultCount).toBeGreaterThan(maxBatchFaults);
});
