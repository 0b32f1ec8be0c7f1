import { afterAll, beforeAll, expect, inject, it, vi } from 'vitest';
import { Refusal } from '#domain/refusal.ts';
import { runOperator } from '../testing/operator-run.ts';
import { testKey } from '../testing/test-database.ts';
import { TestProduct } from '../testing/test-product.ts';
import { TestStaff } from '../testing/test-staff.ts';
import type { Visitor } from '../testing/visitor.ts';
import { refusalText } from './refusal-text.ts';

let product: TestProduct;
let staff: TestStaff;
let finance: Visitor;
let support: Visitor;

beforeAll(async () => {
  product = await TestProduct.start(inject('ownerUrl'));
  vi.stubEnv('DATABASE_URL', product.ownerUrl);
  vi.stubEnv('APP_KEY', testKey);
  vi.stubEnv('DATA_DIR', product.dataDirectory);
  vi.stubEnv('USER', 'test');
  await product.merchant('wrong');
  staff = await TestStaff.start(product);
  finance = await staff.member('fin', 'FINANCE');
  support = await staff.member('sue', 'SUPPORT');
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await staff.close();
  await product.close();
});

const operator = async (...args: string[]) => JSON.parse((await runOperator(...args, '--json')).text);
const settingsOf = async (code: string) =>
  (await finance.get(`/api/staff/merchants/${code}/terms`)).json.data;
const decide = (by: Visitor, request: string, step: 'approve' | 'refuse', body: object = {}) =>
  by.post(`/api/staff/requests/${request}/${step}`, body);

it('sets limits once somebody with the permission agrees, and keeps those that are not named', async () => {
  await product.merchant('limits');
  const set = (...options: string[]) => operator('limits', 'set', '--merchant', 'limits', ...options);
  const first = await set('--payout', '500', '--collection', '1000.50', '--reason', 'new contract');
  expect(first.done).toContain('Nothing has changed yet.');
  const none = { payout: null, payoutsOfDay: null, withdrawalsOfDay: null, collection: null };
  expect((await settingsOf('limits')).limits).toEqual(none);
  expect((await finance.get(`/api/staff/requests/${first.request}`)).json.data).toMatchObject({
    kind: 'merchantLimits',
    requestedBy: 'operator:test',
    reason: 'new contract',
    facts: [
      { name: 'payoutLimit', before: null, after: '500.00 CNY' },
      { name: 'payoutDayLimit', before: null, after: null },
      { name: 'withdrawalDayLimit', before: null, after: null },
      { name: 'collectionLimit', before: null, after: '1000.50 CNY' },
    ],
  });
  await expect(set('--payout', '1')).rejects.toThrow(expect.objectContaining({ code: 'request_waiting' }));
  expect((await decide(support, first.request, 'approve')).status).toBe(403);
  expect((await decide(finance, first.request, 'approve')).status).toBe(200);
  expect((await settingsOf('limits')).limits).toEqual({ ...none, payout: '500.00', collection: '1000.50' });
  const second = await set('--payout', 'none', '--payouts-of-day', '9000');
  expect((await decide(finance, second.request, 'approve')).status).toBe(200);
  expect((await settingsOf('limits')).limits).toEqual({
    ...none,
    payoutsOfDay: '9000.00',
    collection: '1000.50',
  });
});

it('sets a settlement cycle once somebody with the permission agrees, and keeps the time without another one', async () => {
  await product.merchant('cycle');
  const set = (...options: string[]) =>
    operator('settlement-cycle', 'set', '--merchant', 'cycle', ...options);
  const before = (await settingsOf('cycle')).settlement;
  const { request } = await set('--cycle', 'weekly', '--weekday', 'friday');
  expect((await finance.get(`/api/staff/requests/${request}`)).json.data.facts).toEqual([
    { name: 'settlementCycle', before: 'daily', after: 'weekly-friday' },
    { name: 'cutOff', before: before.cutOff, after: before.cutOff },
  ]);
  expect((await settingsOf('cycle')).settlement).toEqual(before);
  expect((await decide(finance, request, 'approve')).status).toBe(200);
  expect((await settingsOf('cycle')).settlement).toMatchObject({
    cycle: 'weekly',
    weekday: 'friday',
    cutOff: before.cutOff,
    nextAt: before.nextAt,
  });
  const refused = await set('--cycle', 'workdays', '--cut-off', '18:30');
  expect((await decide(finance, refused.request, 'refuse', { reason: 'not agreed' })).status).toBe(200);
  expect((await settingsOf('cycle')).settlement.cycle).toBe('weekly');
});

it('acts alone with --break-glass, and alerts everybody in the back office', async () => {
  await product.merchant('urgent');
  const alone = ['--merchant', 'urgent', '--break-glass', 'fraud in progress'];
  const limits = await operator('limits', 'set', '--payout', '10', ...alone);
  expect(limits).toEqual({ done: 'The limits of urgent apply to new orders from now on.' });
  await operator('settlement-cycle', 'set', '--cycle', 'workdays', '--cut-off', '18:30', ...alone);
  const settings = await settingsOf('urgent');
  expect(settings.limits.payout).toBe('10.00');
  expect(settings.settlement).toMatchObject({ cycle: 'workdays', weekday: null, cutOff: '18:30' });
  expect((await support.get('/api/staff/alerts')).json.data).toMatchObject(
    ['settlementCycle', 'merchantLimits'].map((kind) => ({
      kind,
      actor: 'operator:test',
      subject: 'urgent',
      reason: 'fraud in progress',
    })),
  );
});

it.each([
  ['limits', [], 'at least one limit'],
  ['limits', ['--payout', '0'], 'above zero'],
  ['limits', ['--payout', '-1'], 'amount'],
  ['limits', ['--collection', '1.001'], 'amount'],
  ['limits', ['--payouts-of-day', 'much'], 'amount'],
  ['settlement-cycle', ['--cycle', 'weekly'], '--weekday'],
  ['settlement-cycle', ['--cycle', 'daily', '--weekday', 'friday'], '--weekday'],
] as const)('asks for nothing if the options are wrong: %s %j', async (command, options, message) => {
  const waiting = async () => (await finance.get('/api/staff/requests')).json.data;
  const before = await waiting();
  await expect(operator(command, 'set', '--merchant', 'wrong', ...options)).rejects.toThrow(message);
  expect(await waiting()).toEqual(before);
});

it('sets no fees of a channel in another currency, not even alone', async () => {
  await product.merchant('terms');
  const set = (...options: string[]) =>
    runOperator('terms', 'set', '--merchant', 'terms', '--channel', 'VN_NAPAS', ...options).catch(
      (error: unknown) => (error instanceof Refusal ? refusalText(error) : error),
    );
  const { channels } = await settingsOf('terms');
  const alerts = async () => (await support.get('/api/staff/alerts')).json.data.length;
  const before = await alerts();
  for (const options of [[], ['--break-glass', 'nobody is awake']])
    expect(await set(...options)).toContain(
      'channel: The channel is in VND, but the account of this merchant is in CNY.',
    );
  expect((await settingsOf('terms')).channels).toEqual(channels);
  expect(await alerts()).toBe(before);
});

it('sets the fees that are named, and keeps the others', async () => {
  await product.merchant('fees');
  const set = async (...options: string[]) => {
    const { request } = await operator(
      'terms',
      'set',
      '--merchant',
      'fees',
      '--channel',
      'CN_BANK',
      ...options,
    );
    const { facts } = (await finance.get(`/api/staff/requests/${request}`)).json.data;
    expect((await decide(finance, request, 'approve')).status).toBe(200);
    return facts;
  };
  await set(
    '--collection-rate',
    '1',
    '--collection-fixed',
    '0.50',
    '--payout-rate',
    '3',
    '--payout-fixed',
    '2',
  );
  expect(await set('--collection-rate', '0.7%')).toEqual(
    expect.arrayContaining([
      { name: 'collectionFee', before: '1% + 0.50 CNY', after: '0.7% + 0.50 CNY' },
      { name: 'payoutFee', before: '3% + 2.00 CNY', after: '3% + 2.00 CNY' },
    ]),
  );
  const alone = await operator(
    ...['terms', 'set', '--merchant', 'fees', '--channel', 'CN_BANK', '--payout-fixed', '0'],
    ...['--break-glass', 'wrong contract'],
  );
  const fees = { collectionRate: '0.7%', collectionFixed: '0.50', payoutRate: '3%', payoutFixed: '0.00' };
  expect(alone).toMatchObject(fees);
  expect(alone.done).toContain('per payout     3% + 0.00 CNY');
  const { channels } = await settingsOf('fees');
  expect(channels.find(({ channel }: { channel: string }) => channel === 'CN_BANK')).toMatchObject({
    ...fees,
    collectionRate: '0.7',
    payoutRate: '3',
  });
});

it('sets the usual fees for a channel without terms, as far as they are not named', async () => {
  const shop = ['--code', 'first-fees', '--name', 'First', '--currency', 'CNY', '--zone', 'Asia/Shanghai'];
  await operator('merchant', 'create', ...shop);
  const command = ['terms', 'set', '--merchant', 'first-fees', '--channel', 'CN_BANK', '--payout-fixed', '1'];
  const { request } = await operator(...command);
  expect((await finance.get(`/api/staff/requests/${request}`)).json.data.facts).toEqual(
    expect.arrayContaining([
      { name: 'collectionFee', before: null, after: '0.6% + 0.00 CNY' },
      { name: 'payoutFee', before: null, after: '0.2% + 1.00 CNY' },
    ]),
  );
});

it('sets the withdrawal terms that are named, and keeps the others', async () => {
  await product.merchant('withdraws');
  const set = async (...options: string[]) => {
    const { request } = await operator('withdrawal', 'terms', '--merchant', 'withdraws', ...options);
    const { facts } = (await finance.get(`/api/staff/requests/${request}`)).json.data;
    expect((await decide(finance, request, 'approve')).status).toBe(200);
    return facts.map(({ after }: { after: string }) => after);
  };
  expect(await set('--fee', '1')).toEqual(['1.000000', '0', '10.000000']);
  expect(await set('--fee', '1.5', '--free', '2', '--minimum', '25')).toEqual(['1.500000', '2', '25.000000']);
  expect(await set('--fee', '2')).toEqual(['2.000000', '2', '25.000000']);
  expect(await set('--fee', '2', '--free', '0')).toEqual(['2.000000', '0', '25.000000']);
});

it('sets a wallet, and keeps its minimum without another one', async () => {
  const minimums = async (...options: string[]) => {
    const address = 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t';
    const { request } = await operator(
      'wallet',
      'set',
      '--network',
      'TRC20',
      '--address',
      address,
      ...options,
    );
    const { facts } = (await finance.get(`/api/staff/requests/${request}`)).json.data;
    expect((await decide(finance, request, 'approve')).status).toBe(200);
    return facts.find(({ name }: { name: string }) => name === 'minimum');
  };
  expect(await minimums()).toMatchObject({ after: '10.000000' });
  expect(await minimums('--minimum', '50')).toMatchObject({ before: '10.000000', after: '50.000000' });
  expect(await minimums()).toMatchObject({ before: '50.000000', after: '50.000000' });
});
