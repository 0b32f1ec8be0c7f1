import { signatureHeader, signCallback, timestampHeader } from '@hengfu/sandbox/signature';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { bankSecret, TestProduct } from '../testing/test-product.ts';

let product: TestProduct;

beforeAll(async () => {
  product = await TestProduct.start(inject('ownerUrl'), { bank: true });
});
afterAll(() => product.close());

const unknown = { reference: 'P1', bankId: 'b', amountMinor: '1', currency: 'CNY' };

it.each([
  ['that cannot be parsed', bankSecret, '{"type":', [400, 'bad_request']],
  ['of an unknown type', bankSecret, '{"type":"payout.lost"}', [400, 'bad_request']],
  [
    'about an unknown order',
    bankSecret,
    JSON.stringify({ ...unknown, type: 'payout.paid' }),
    [404, 'not_found'],
  ],
  [
    'with a wrong signature',
    'another',
    JSON.stringify({ ...unknown, type: 'payout.paid' }),
    [401, 'signature_invalid'],
  ],
])('refuses a callback %s', async (_name, secret, body, expected) => {
  const timestamp = String(Math.floor(Date.now() / 1000));
  const answer = await fetch(`${product.url}/api/channels/CN_BANK/callback`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      [timestampHeader]: timestamp,
      [signatureHeader]: signCallback(secret, timestamp, body),
    },
    body,
  });
  expect([answer.status, ((await answer.json()) as { code: string }).code]).toEqual(expected);
});
