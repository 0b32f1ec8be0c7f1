import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { TestProduct } from '../../../testing/test-product.ts';
import { TestStaff } from '../../../testing/test-staff.ts';

let product: TestProduct;
let staff: TestStaff;

beforeAll(async () => {
  product = await TestProduct.start(inject('ownerUrl'));
  staff = await TestStaff.start(product);
});
afterAll(async () => {
  await staff.close();
  await product.close();
});

it('everybody sees the current rates and wallets, and earlier ones', async () => {
  const { withdrawalTerms, depositWallets } = product.services;
  await withdrawalTerms.setRate('CNY', '7.15', 'operator:test');
  await withdrawalTerms.setRate('VND', '25000', 'operator:test');
  await withdrawalTerms.setRate('CNY', '7.2', 'operator:test');
  const [first, second] = ['TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t', 'TLa2f6VPqDgRE67v1736s7bJ8Ray5wYjU7'];
  for (const address of [first, second])
    await depositWallets.set({ network: 'TRC20', address, minimumUsdtMinor: 10_000_000n }, 'operator:test');
  await depositWallets.close('TRC20', 'operator:test');
  const reviewer = await staff.member('reviewer', 'REVIEWER');
  const rates = (await reviewer.get('/api/staff/rates')).json.data;
  expect(rates.map(({ validFrom: _, ...rate }: { validFrom: string }) => rate)).toEqual([
    { currency: 'CNY', rate: '7.2', isCurrent: true },
    { currency: 'VND', rate: '25000', isCurrent: true },
    { currency: 'CNY', rate: '7.15', isCurrent: false },
  ]);
  const wallets = (await reviewer.get('/api/staff/wallets')).json.data;
  expect(wallets.map(({ validFrom: _, ...wallet }: { validFrom: string }) => wallet)).toEqual([
    { network: 'TRC20', address: second, minimum: '10.000000', isOpen: false, isCurrent: true },
    { network: 'TRC20', address: second, minimum: '10.000000', isOpen: true, isCurrent: false },
    { network: 'TRC20', address: first, minimum: '10.000000', isOpen: true, isCurrent: false },
  ]);
  const admin = await staff.member('admin', 'ADMIN');
  const { rows } = (await admin.get('/api/staff/audit-trail?action=rate.set&subject=CNY')).json.data;
  expect(rows.map(({ changes }: { changes: object[] }) => changes)).toEqual([
    [{ field: 'rate', before: '7.15', after: '7.2' }],
    [{ field: 'rate', before: null, after: '7.15' }],
  ]);
});

const reason = 'The market has moved.';
const tron = 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t';

it('a rate and a wallet are set once a second person agrees, unless they have changed meanwhile', async () => {
  const finance = await staff.member('finance', 'FINANCE');
  const other = await staff.member('other', 'FINANCE');
  const ask = async (path: string, body: object) =>
    (await finance.post(path, { ...body, reason })).json.data.request;
  const approve = (request: string, by = other) => by.post(`/api/staff/requests/${request}/approve`, {});
  const rateOf = async () =>
    (await finance.get('/api/staff/rates')).json.data.find(
      (rate: { currency: string; isCurrent: boolean }) => rate.currency === 'CNY' && rate.isCurrent,
    ).rate;

  const request = await ask('/api/staff/rates', { currency: 'CNY', rate: '7.31' });
  expect(await rateOf()).toBe('7.2');
  expect((await approve(request, finance)).json.code).toBe('own_request');
  expect((await finance.post('/api/staff/rates', { currency: 'CNY', rate: '9', reason })).json.code).toBe(
    'request_waiting',
  );
  const { json } = await approve(request);
  expect(json.data.facts).toEqual([{ name: 'rate', before: '7.2', after: '7.31' }]);
  expect(await rateOf()).toBe('7.31');

  const late = await ask('/api/staff/rates', { currency: 'CNY', rate: '7.4' });
  await product.services.withdrawalTerms.setRate('CNY', '7.35', 'operator:test');
  expect((await approve(late)).json.code).toBe('approval_changed');
  expect(await rateOf()).toBe('7.35');

  const wallet = { network: 'TRC20', address: tron, minimum: '20', state: 'open' };
  const asked = await ask('/api/staff/wallets', wallet);
  expect((await approve(asked)).json.data.facts).toContainEqual({
    name: 'isOpen',
    before: 'false',
    after: 'true',
  });
  expect((await finance.get('/api/staff/wallets')).json.data[0]).toMatchObject({
    address: tron,
    minimum: '20.000000',
    isOpen: true,
    isCurrent: true,
  });
});

it('refuses what no rate or wallet can be, and whoever may not ask', async () => {
  const finance = await staff.member('careless', 'FINANCE');
  for (const body of [
    { currency: 'CNY', rate: '0' },
    { currency: 'CNY', rate: '-7' },
    { currency: 'USDT', rate: '1' },
    { currency: 'CNY', rate: '7.1', reason: '' },
  ])
    expect((await finance.post('/api/staff/rates', { reason, ...body })).status).toBe(422);
  const wallet = { network: 'TRC20', address: tron, minimum: '10', state: 'open', reason };
  for (const wrong of [
    { address: `${tron.slice(0, -1)}u` },
    { network: 'ERC20' },
    { minimum: '-1' },
    { minimum: '1.2345678' },
    { state: 'maybe' },
  ])
    expect((await finance.post('/api/staff/wallets', { ...wallet, ...wrong })).status).toBe(422);
  const support = await staff.member('support', 'SUPPORT');
  expect((await support.post('/api/staff/wallets', wallet)).status).toBe(403);
  expect((await support.post('/api/staff/rates', { currency: 'CNY', rate: '7', reason })).status).toBe(403);
});
