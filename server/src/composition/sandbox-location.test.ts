import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type RunningSandbox, startSandbox } from '@hengfu/sandbox/server';
import pino from 'pino';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { ShopProgram } from '../testing/shop-program.ts';
import { TestProduct } from '../testing/test-product.ts';

const secret = 'shared with the bank beside it';

let folder: string;
let bank: RunningSandbox;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hengfu-bank-'));
  bank = await startSandbox({ dataDirectory: folder, secret });
});
afterAll(async () => {
  await bank.close();
  await rm(folder, { recursive: true, force: true, maxRetries: 5 });
});

/** Begins a payment in test mode with a product whose settings name the bank. Returns the reply's status and the lines of the log. */
async function payInTestMode(bankSecret: string) {
  const lines: string[] = [];
  const log = pino({ level: 'warn' }, { write: (line: string) => void lines.push(line) });
  const env = { SANDBOX_URL: bank.url, SANDBOX_SECRET: bankSecret };
  const product = await TestProduct.start(inject('ownerUrl'), { env, log });
  try {
    const live = await product.merchant('beside');
    const visitor = await product.person(live);
    visitor.merchant = live.code;
    expect((await visitor.send('PUT', '/api/merchant/test-mode', { isOn: true })).status).toBe(204);
    const { id } = await product.services.database.asSystem((tx) =>
      tx.query
        .selectFrom('merchant')
        .select('id')
        .where('live_merchant_id', '=', live.id)
        .executeTakeFirstOrThrow(),
    );
    const key = { id: 'ak_test_beside', secret: 'sk_beside' };
    await product.admin().addAccessKey(id, key.id, key.secret);
    const { json } = await new ShopProgram(product.url, key).create('tried', { channel: 'CN_BANK' });
    const token = String(json.cashierUrl).split('/').at(-1);
    const { status } = await product.visitor().post(`/api/cashier/${token}/pay`, { channel: 'CN_BANK' });
    return { status, log: lines.join('') };
  } finally {
    await product.close();
  }
}

it('leads to a bank that another process runs, with the secret that both were given', async () => {
  expect(await payInTestMode(secret)).toEqual({ status: 200, log: '' });
});

it('says in the log that the bank refuses another secret, without the secret', async () => {
  const { status, log } = await payInTestMode('not that of the bank');
  expect(status).toBe(502);
  expect(log).toContain('SANDBOX_SECRET must be the same for both');
  expect(log).not.toContain('not that of the bank');
});
