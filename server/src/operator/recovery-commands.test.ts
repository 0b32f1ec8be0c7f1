import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type RunningSandbox, startSandbox } from '@hengfu/sandbox/server';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, inject, it, vi } from 'vitest';
import { SandboxAdapter } from '#channels/sandbox/sandbox-adapter.ts';
import { runOperator } from '../testing/operator-run.ts';
import { sandboxSecret, testKey } from '../testing/test-database.ts';
import { type TestMerchant, TestProduct } from '../testing/test-product.ts';
import type { Visitor } from '../testing/visitor.ts';

let product: TestProduct;
let merchant: TestMerchant;
let person: Visitor;
let sandbox: RunningSandbox;
let bank: SandboxAdapter;
let folder: string;
const since = ['--since', new Date(Date.now() - 60_000).toISOString()] as const;

beforeAll(async () => {
  product = await TestProduct.start(inject('ownerUrl'));
  merchant = await product.merchant('restored');
  person = await product.person(merchant);
  folder = await mkdtemp(join(tmpdir(), 'hengfu-bank-'));
  sandbox = await startSandbox({ dataDirectory: folder, secret: sandboxSecret });
  bank = new SandboxAdapter({ url: sandbox.url, secret: sandboxSecret });
  vi.stubEnv('DATABASE_URL', product.ownerUrl);
  vi.stubEnv('APP_KEY', testKey);
  vi.stubEnv('DATA_DIR', product.dataDirectory);
  vi.stubEnv('SANDBOX_URL', sandbox.url);
  vi.stubEnv('DEMO', '1');
});
afterAll(async () => {
  vi.unstubAllEnvs();
  expect(await product.violations()).toEqual([]);
  await sandbox.close();
  await rm(folder, { recursive: true });
  await product.close();
});

let count = 0;
/** Creates an order whose payer has chosen a channel since the moment to which this database was restored. */
async function chosenSince(amountMinor: bigint, method = 'CN_BANK'): Promise<string> {
  const { json } = await merchant.program.create(`order-${count++}`, { amount: '80.00' });
  await bank.collect({
    reference: json.trade_no,
    amountMinor,
    currency: 'CNY',
    method,
    description: 'An order',
    expiresAt: new Date(json.expiresAt),
    notifyUrl: `${product.url}/api/channels/CN_BANK/callback`,
    returnUrl: product.url,
  });
  return json.trade_no;
}
const compared = async () =>
  JSON.parse((await runOperator('recovery', 'compare', ...since, '--json')).text).map(
    ({ trade_no, at_channel, here }: Record<string, string>) => [trade_no, at_channel, here],
  );
const restoreChoices = async () =>
  JSON.parse((await runOperator('recovery', 'restore-choices', ...since, '--json')).text);
const detail = async (tradeNo: string) =>
  (await person.get(`/api/merchant/collections/${tradeNo}`)).json.data;

it('collections whose payers chose a channel after the restored moment are listed, and get it and the payment back', async () => {
  const [paid, closed, refused, open] = [
    await chosenSince(8000n),
    await chosenSince(8000n),
    await chosenSince(8000n),
    await chosenSince(8000n),
  ];
  const [other, foreign] = [await chosenSince(7999n), await chosenSince(8000n, 'VN_NAPAS')];
  for (const tradeNo of [paid, closed, other, foreign]) await bank.playPayer(tradeNo, 'confirm');
  await bank.playPayer(refused, 'decline');
  // Two days later, no job would ask about it any more.
  await product.services.database.asSystem((tx) =>
    sql`update collection set created_at = created_at - interval '2 days', expires_at = expires_at - interval '2 days'
      where trade_no = ${closed}`.execute(tx.query),
  );
  const lost = 'toBePaid, without a channel';
  const never = [
    [other, 'paid', `${lost}, 80.00 CNY`],
    [foreign, 'paid', lost],
  ];
  expect(await compared()).toEqual([
    [paid, 'paid', lost],
    [closed, 'paid', lost],
    [refused, 'refused', lost],
    [open, 'pending', lost],
    ...never,
  ]);
  expect(await restoreChoices()).toMatchObject({ restored: [paid, closed, refused, open] });
  expect(await detail(paid)).toMatchObject({ status: 'success', channel: 'CN_BANK', amount: '80.00' });
  const late = await detail(closed);
  expect([late.status, late.timeline.map(({ reason }: { reason: string }) => reason)]).toEqual([
    'success',
    ['created', 'expired', 'late_payment', 'no_callback_wanted'],
  ]);
  expect((await detail(refused)).status).toBe('failed');
  expect(await detail(open)).toMatchObject({ status: 'toBePaid', channel: 'CN_BANK', canAsk: true });
  // An order of another amount, and one of a channel that its merchant does not have, stay listed.
  expect(await compared()).toEqual(never);
  expect(await restoreChoices()).toMatchObject({ restored: [] });
  const unsettled = (await person.get('/api/merchant/account')).json.data.unsettled;
  expect(unsettled).toBe('159.04');
});
