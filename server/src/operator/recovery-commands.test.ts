import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type RunningSandbox, startSandbox } from '@hengfu/sandbox/server';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, inject, it, vi } from 'vitest';
import { ChannelUnavailable } from '#channels/channel.ts';
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

const late = ['created', 'expired', 'late_payment', 'no_callback_wanted'];
let count = 0;
/** Creates an order whose payer has chosen a channel since the moment to which this database was restored, or before with `channel`. */
async function chosenSince(amountMinor: bigint, method = 'CN_BANK', more: object = {}): Promise<string> {
  const { json } = await merchant.program.create(`order-${count++}`, { amount: '80.00', ...more });
  await bank.collect({
    reference: json.trade_no,
    amountMinor,
    currency: 'CNY',
    method,
    description: 'An order',
    expiresAt: new Date(json.expiresAt),
    // No callback arrives, as after a restore.
    notifyUrl: 'http://127.0.0.1:9/',
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
const age = (tradeNo: string, days = 2) =>
  product.services.database.asSystem((tx) =>
    sql`update collection set created_at = created_at - ${days} * interval '1 day', expires_at = expires_at - ${days} * interval '1 day'
      where trade_no = ${tradeNo}`.execute(tx.query),
  );
const reasons = async (tradeNo: string) =>
  (await detail(tradeNo)).timeline.map(({ reason }: { reason: string }) => reason);
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
  await age(closed);
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
  expect(await reasons(closed)).toEqual(late);
  expect((await detail(refused)).status).toBe('failed');
  expect(await detail(open)).toMatchObject({ status: 'toBePaid', channel: 'CN_BANK', canAsk: true });
  // An order of another amount, and one of a channel that its merchant does not have, stay listed.
  expect(await compared()).toEqual(never);
  expect(await restoreChoices()).toMatchObject({ restored: [] });
  const unsettled = (await person.get('/api/merchant/account')).json.data.unsettled;
  expect(unsettled).toBe('159.04');
});

it('payments of orders that have their channel, but are asked about no longer, are listed and booked', async () => {
  const listedBefore = await compared();
  const payInVain = async (days: number) => {
    const tradeNo = await chosenSince(8000n, 'CN_BANK', { channel: 'CN_BANK' });
    await bank.playPayer(tradeNo, 'confirm');
    await age(tradeNo, days);
    return tradeNo;
  };
  // An hour ago: its job still asks. The sweep that closes orders ran before the restored moment.
  const [closed, closedLately, unpaid] = [
    await payInVain(2),
    await payInVain(1 / 24),
    await chosenSince(8000n, 'CN_BANK', { channel: 'CN_BANK' }),
  ];
  await product.services.tasks['collections.expire']?.({});
  const [old, open] = [await payInVain(2), await payInVain(0)];
  await age(unpaid);
  expect(await compared()).toEqual([
    ...listedBefore,
    [closed, 'paid', 'closed, too late for status queries'],
    [closedLately, 'paid', 'closed'],
    [old, 'paid', 'toBePaid, too late for status queries'],
  ]);
  expect(await restoreChoices()).toMatchObject({ restored: [closed, closedLately, old], unanswered: [] });
  for (const tradeNo of [closed, closedLately, old]) expect(await reasons(tradeNo)).toEqual(late);
  for (const tradeNo of [open, unpaid])
    expect(await detail(tradeNo)).toMatchObject({ status: 'toBePaid', channel: 'CN_BANK' });
  expect(await compared()).toEqual(listedBefore);
  expect(await restoreChoices()).toMatchObject({ restored: [] });
});

it('a channel that does not answer about one order leaves it as it is, and the others are restored', async () => {
  const listedBefore = await compared();
  const [first, second] = [await chosenSince(8000n), await chosenSince(8000n)];
  for (const tradeNo of [first, second]) {
    await bank.playPayer(tradeNo, 'confirm');
    await age(tradeNo);
  }
  const { queryCollection } = SandboxAdapter.prototype;
  const querying = vi.spyOn(SandboxAdapter.prototype, 'queryCollection');
  querying.mockImplementation(async function (this: SandboxAdapter, reference) {
    if (reference === first) throw new ChannelUnavailable('the bank did not answer');
    return queryCollection.call(this, reference);
  });
  const { text, exitCode } = await runOperator('recovery', 'restore-choices', ...since, '--json');
  expect(JSON.parse(text)).toMatchObject({ restored: [second], unanswered: [first] });
  expect(exitCode).toBe(1);
  querying.mockRestore();
  expect(await reasons(second)).toEqual(late);
  expect(await detail(first)).toMatchObject({ status: 'toBePaid', channel: null });
  expect(await compared()).toEqual([...listedBefore, [first, 'paid', 'toBePaid, without a channel']]);
  expect(await restoreChoices()).toMatchObject({ restored: [first], unanswered: [] });
  expect(await reasons(first)).toEqual(late);
});
