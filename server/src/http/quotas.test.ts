import { randomBytes, randomInt } from 'node:crypto';
import { type Quota, quotas } from '@hengfu/contract/quotas';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { greyPng } from '../demo/picture.ts';
import { EventStream } from '../testing/event-stream.ts';
import { SoftPasskey } from '../testing/soft-passkey.ts';
import { type TestMerchant, TestProduct, testPassword } from '../testing/test-product.ts';
import { until } from '../testing/until.ts';
import type { Answer, Visitor } from '../testing/visitor.ts';
import { startWorkers } from '../testing/workers.ts';

let product: TestProduct;
beforeAll(async () => {
  product = await TestProduct.start(inject('ownerUrl'));
});
afterAll(() => product.close());

const atOnce = <T>(count: number, work: (index: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, index) => work(index)));

let people = 0;
/** Creates another user of a merchant, signed in with the password confirmed. */
async function colleague(merchant: TestMerchant): Promise<Visitor> {
  const email = `colleague${++people}@${merchant.code}.test`;
  const user = { email, name: 'C', password: testPassword, roles: ['MERCHANT_ADMIN'] as const };
  await product.admin().createUser(merchant.id, user);
  const visitor = product.visitor();
  await visitor.signIn(email, testPassword);
  await visitor.post('/api/user/confirm-password', { password: testPassword });
  return visitor;
}

/** Returns the accepted calls; checks that every rejected one names an expected quota and its limit. */
function accepted(answers: readonly Answer[], ...expected: Quota[]): Answer[] {
  const refused = answers.filter(({ status }) => status !== 201);
  for (const { status, headers, json } of refused) {
    expect([status, json.code]).toEqual([429, 'quota_reached']);
    const quota: Quota = json.details.quota;
    expect(expected).toContain(quota);
    expect(json.details).toEqual({ quota, limit: quotas[quota] });
    expect(json.message).toContain(String(quotas[quota]));
    expect(headers.get('x-ratelimit-limit')).toBe(String(quotas[quota]));
  }
  return answers.filter(({ status }) => status === 201);
}

const exportsPath = '/api/merchant/exports';
const askExport = (visitor: Visitor, headers: Record<string, string> = {}) =>
  visitor.post(
    exportsPath,
    { list: 'payouts', format: 'csv', language: 'en', zone: 'Asia/Shanghai' },
    headers,
  );

it('500 export requests queue no more than the quota, and another merchant’s export need not wait', async () => {
  const merchant = await product.merchant('greedy');
  const [greedy, second, third] = [
    await colleague(merchant),
    await colleague(merchant),
    await colleague(merchant),
  ];
  const answers: Answer[] = [];
  for (let round = 0; round < 5; round++) answers.push(...(await atOnce(100, () => askExport(greedy))));
  const made = accepted(answers, 'exportsOfUser');
  expect(made).toHaveLength(quotas.exportsOfUser);
  // The merchant's quota covers all of its users.
  const more = await atOnce(15, () => askExport(second));
  expect(accepted(more, 'exportsOfUser', 'exportsOfMerchant')).toHaveLength(quotas.exportsOfUser);
  expect(accepted(await atOnce(15, () => askExport(third)), 'exportsOfMerchant')).toHaveLength(0);

  const other = await product.person(await product.merchant('patient'));
  const no = (await askExport(other)).json.data.export_no;
  const workers = startWorkers(product.runtime, product.ownerUrl);
  const row = async () =>
    (await other.get(exportsPath)).json.data.find((one: { export_no: string }) => one.export_no === no);
  await until(row, ({ status }) => status === 'successful', 30_000);
  const { rows } = await product.services.database.asSystem((tx) =>
    sql<{ earlier: number }>`
      select count(*)::integer as earlier from export_task e
      join export_task mine on mine.export_no = ${no}
      where e.finished_at < mine.finished_at and e.merchant_id <> mine.merchant_id`.execute(tx.query),
  );
  // Requested last, it did not wait for the twenty before it.
  expect(rows[0]?.earlier).toBeLessThan(20);
  await until(
    () => askExport(greedy),
    ({ status }) => status === 201,
    30_000,
  );
  await workers.stop();
}, 120_000);

it('a rejected call names the limit in the caller’s language', async () => {
  const visitor = await colleague(await product.merchant('languages'));
  await atOnce(quotas.exportsOfUser, () => askExport(visitor));
  const message = async (language: string) =>
    (await askExport(visitor, { 'accept-language': language })).json.message;
  expect(await message('en')).toBe('You have reached the limit of 10 unfinished exports per user.');
  expect(await message('zh-CN')).toBe('已达上限（10）：每位用户未完成的导出。');
  expect(await message('vi')).toContain('tối đa 10 lượt xuất dữ liệu');
});

it('a failed export can’t be retried beyond the quota', async () => {
  const visitor = await colleague(await product.merchant('again'));
  const { export_no: no } = (await askExport(visitor)).json.data;
  await visitor.post(`${exportsPath}/${no}/cancel`);
  await atOnce(quotas.exportsOfUser, () => askExport(visitor));
  const answer = await visitor.post(`${exportsPath}/${no}/retry`);
  expect([answer.status, answer.json.code]).toEqual([429, 'quota_reached']);
});

it('limits a merchant’s top-ups that await review', async () => {
  const address = 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t';
  const { withdrawalTerms, depositWallets } = product.services;
  await withdrawalTerms.setRate('CNY', '7.15', 'operator:test');
  await withdrawalTerms.setRate('USD', '1', 'operator:test');
  await depositWallets.set({ network: 'TRC20', address, minimumUsdtMinor: 1_000_000n }, 'operator:test');
  const visitor = await colleague(await product.merchant('pictures'));
  const apply = () =>
    visitor.post('/api/merchant/topups', {
      coin: 'USDT',
      amount: '100',
      network: 'TRC20',
      address,
      transactionId: randomBytes(32).toString('hex'),
      screenshot: greyPng(8, 8, () => randomInt(256)).toString('base64'),
    });
  const made: Answer[] = [];
  // More at once would wait for the image decoder, which has its own limit.
  for (let round = 0; round < 14; round++) made.push(...(await atOnce(4, apply)));
  expect(accepted(made, 'topupsOfMerchant')).toHaveLength(quotas.topupsOfMerchant);
}, 60_000);

it('limits the passkeys of a user', async () => {
  const merchant = await product.merchant('keys');
  const visitor = await colleague(merchant);
  // The first one is real, so that this session can pass it.
  await new SoftPasskey(product.url).bind(visitor);
  const have = quotas.passkeysOfUser - 2;
  await product.services.database.asSystem((tx) =>
    sql`insert into passkey (user_id, credential_id, public_key, sign_count, transports, name)
      select p.user_id, md5(p.user_id || ' ' || n), '', 0, '{}', 'key'
      from membership p, generate_series(1, ${have}::integer) n where p.merchant_id = ${merchant.id}`.execute(
      tx.query,
    ),
  );
  expect(accepted([await new SoftPasskey(product.url).bind(visitor)], 'passkeysOfUser')).toHaveLength(1);
  expect(accepted([await new SoftPasskey(product.url).bind(visitor)], 'passkeysOfUser')).toHaveLength(0);
});

it('limits the event streams of a user without affecting colleagues', async () => {
  const merchant = await product.merchant('streams');
  const visitor = await colleague(merchant);
  const open = (of: Visitor) => EventStream.open(product.url, of).catch(() => undefined);
  const found = (await atOnce(100, () => open(visitor))).filter((stream) => stream !== undefined);
  expect(found).toHaveLength(quotas.streamsOfUser);
  const refused = await visitor.get('/api/merchant/events');
  expect([refused.status, refused.json.code]).toEqual([429, 'quota_reached']);
  expect(refused.json.details).toEqual({ quota: 'streamsOfUser', limit: quotas.streamsOfUser });
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  // A colleague has a separate quota.
  const other = await open(await colleague(merchant));
  expect(other).toBeDefined();
  await other?.cancel();
  await found.pop()?.cancel();
  const again = await until(
    () => open(visitor),
    (stream) => stream !== undefined,
  );
  await Promise.all([...found, again].map((stream) => stream?.cancel()));
}, 60_000);
