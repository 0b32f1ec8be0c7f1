import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import type { ChannelAdapter, ListedOrder } from '#channels/channel.ts';
import { SandboxAdapter } from '#channels/sandbox/sandbox-adapter.ts';
import { SuspensionService } from '../features/suspension/suspension.service.ts';
import { openOffice, payoutRule } from '../testing/approving-office.ts';
import { bankPayout } from '../testing/bank-payout.ts';
import { bankSecret, type TestMerchant, TestProduct } from '../testing/test-product.ts';
import { until } from '../testing/until.ts';
import { compareWithChannel, unknownOwnNumbers } from './comparison.ts';

let product: TestProduct;
let merchant: TestMerchant;
let bank: SandboxAdapter;
const begunAt = new Date(Date.now() - 60_000);

const payout = {
  amountMinor: 1200n,
  currency: 'CNY' as const,
  method: 'CN_BANK',
  payee: '王芳',
  account: '6222021234567890128',
  details: {},
  notifyUrl: 'http://127.0.0.1:9/',
};

beforeAll(async () => {
  product = await TestProduct.start(inject('ownerUrl'), { bank: true, worker: true });
  bank = new SandboxAdapter({ url: product.bank?.url ?? expect.fail('no bank'), secret: bankSecret });
  merchant = await product.merchant('compared');
  await product.fund(merchant, '1000.00');
});
afterAll(() => product.close());

const pay = async (outTradeNo: string, amount: string): Promise<string> => {
  const { json } = await merchant.program.post('/openapi/v1/payouts', bankPayout(outTradeNo, amount));
  await until(
    () => merchant.program.get(`/openapi/v1/payouts?out_trade_no=${outTradeNo}`),
    (found) => ['processed', 'rejected'].includes(found.json.status),
  );
  return json.trade_no;
};
const compare = (adapter: ChannelAdapter) =>
  compareWithChannel(product.services.database, 'CN_BANK', adapter, begunAt);

describe('the comparison after a restore', () => {
  it('names the orders that the channel knows and the database does not', async () => {
    await pay('paid', '20.00');
    await pay('refused', '20.01');
    expect(await compare(bank)).toEqual({ channel: 'CN_BANK', listed: 2, discrepancies: [] });
    await bank.payOut({ ...payout, reference: 'P2601010000000001' });
    const { listed, discrepancies } = await compare(bank);
    expect(listed).toBe(3);
    expect(discrepancies).toMatchObject([
      {
        channel: 'CN_BANK',
        here: undefined,
        order: { kind: 'payout', reference: 'P2601010000000001', status: 'paid', amountMinor: 1200n },
      },
    ]);
    const later = new Date(Date.now() + 60_000);
    expect(await compareWithChannel(product.services.database, 'CN_BANK', bank, later)).toMatchObject({
      listed: 0,
    });
  });

  it('names the orders that ended differently, and channels without a list', async () => {
    const [paid, refused] = [await pay('paid-here', '30.00'), await pay('refused-here', '30.01')];
    const order = { kind: 'payout' as const, currency: 'CNY', createdAt: new Date() };
    const saying = (orders: ListedOrder[]) =>
      compare({
        async *listOrders() {
          yield* orders;
        },
      } as unknown as ChannelAdapter);
    const found = await saying([
      { ...order, amountMinor: 3000n, reference: paid, status: 'refused' },
      { ...order, amountMinor: 3001n, reference: refused, status: 'paid' },
    ]);
    expect(found.discrepancies.map(({ order: { reference }, here }) => [reference, here?.status])).toEqual([
      [paid, 'processed'],
      [refused, 'rejected'],
    ]);
    expect(await compare({} as ChannelAdapter)).toEqual({
      channel: 'CN_BANK',
      listed: undefined,
      discrepancies: [],
    });
  });

  it('names the collections that have no channel here, whose payers have chosen one since', async () => {
    const { json: chosen } = await merchant.program.create('chosen-since', { amount: '60.00' });
    const { json: begun } = await merchant.program.create('begun-before', { amount: '60.00' });
    await product
      .visitor()
      .post(`/api/cashier/${begun.cashierUrl.split('/pay/')[1]}/pay`, { channel: 'CN_BANK' });
    const order = { kind: 'collection' as const, amountMinor: 6000n, currency: 'CNY', createdAt: new Date() };
    const found = await compare({
      async *listOrders() {
        for (const status of ['paid', 'refused', 'pending', 'cancelled'])
          for (const reference of [chosen.trade_no, begun.trade_no]) yield { ...order, reference, status };
      },
    } as unknown as ChannelAdapter);
    expect(found.discrepancies).toMatchObject(
      ['paid', 'refused', 'pending'].map((status) => ({
        order: { reference: chosen.trade_no, status },
        here: { status: 'toBePaid', lacks: 'channel' },
      })),
    );
  });

  it('names the payouts that wait here, for an approval or for their suspended merchant, and not those that are sent again', async () => {
    // Without workers, as after a restore.
    const held = await TestProduct.start(inject('ownerUrl'));
    const office = await openOffice(held, 'office', { rules: [payoutRule('100.00')] });
    const { trade_no: unapproved } = (await office.clerk.pay('100.00')).json.data;
    const { trade_no: accepted } = (await office.clerk.pay('70.00')).json.data;
    const order = { kind: 'payout' as const, currency: 'CNY', createdAt: new Date() };
    const adapter = {
      async *listOrders() {
        for (const status of ['paid', 'refused', 'pending']) {
          yield { ...order, reference: unapproved, amountMinor: 10_000n, status };
          yield { ...order, reference: accepted, amountMinor: 7000n, status };
        }
      },
    } as unknown as ChannelAdapter;
    const listed = async () => {
      const found = await compareWithChannel(held.services.database, 'CN_BANK', adapter, begunAt);
      return found.discrepancies.map(({ order: { reference, status }, here }) => [
        reference,
        status,
        here?.lacks,
      ]);
    };
    expect(await listed()).toEqual([
      [unapproved, 'paid', 'approval'],
      [unapproved, 'refused', 'approval'],
      [unapproved, 'pending', 'approval'],
    ]);
    const { database, onMerchantReactivated: onReactivated } = held.services;
    await new SuspensionService({ database, actor: 'operator:test', onReactivated }).suspendMerchant(
      office.merchant.id,
      'a test',
    );
    expect((await listed()).slice(0, 2)).toEqual([
      [unapproved, 'paid', 'approval'],
      [accepted, 'paid', 'reactivation'],
    ]);
    await held.close();
  });

  it('names the orders that have another amount or currency at the channel', async () => {
    const trade = await pay('amount', '40.00');
    const order = { kind: 'payout' as const, reference: trade, status: 'paid', createdAt: new Date() };
    const found = await compare({
      async *listOrders() {
        yield { ...order, amountMinor: 4000n, currency: 'CNY' };
        yield { ...order, amountMinor: 4001n, currency: 'CNY' };
        yield { ...order, amountMinor: 4000n, currency: 'USD' };
      },
    } as unknown as ChannelAdapter);
    expect(
      found.discrepancies.map(({ order: { amountMinor, currency }, here }) => [amountMinor, currency, here]),
    ).toEqual([
      [
        4001n,
        'CNY',
        { reference: trade, status: 'processed', amountMinor: 4000n, currency: 'CNY', lacks: null },
      ],
      [
        4000n,
        'USD',
        { reference: trade, status: 'processed', amountMinor: 4000n, currency: 'CNY', lacks: null },
      ],
    ]);
  });

  it('knows each attempt of a refund by its own number', async () => {
    const { json } = await merchant.program.create('refunded', { amount: '50.00' });
    await product
      .visitor()
      .post(`/api/cashier/${json.cashierUrl.split('/pay/')[1]}/pay`, { channel: 'CN_BANK' });
    await bank.playPayer(json.trade_no, 'confirm');
    const path = `/openapi/v1/collections/${json.trade_no}`;
    await until(
      () => merchant.program.get(path),
      (found) => ['paid', 'success'].includes(found.json.status),
    );
    await merchant.program.post(`${path}/refund`);
    await until(
      () => merchant.program.get(path),
      (found) => found.json.status === 'refunded',
    );
    expect((await compare(bank)).discrepancies.filter(({ order: { kind } }) => kind === 'refund')).toEqual(
      [],
    );
    const refund = { kind: 'refund' as const, amountMinor: 5000n, currency: 'CNY', createdAt: new Date() };
    const listed: ListedOrder[] = [];
    for await (const order of bank.listOrders(begunAt)) if (order.kind === 'refund') listed.push(order);
    const [own] = listed;
    const found = await compare({
      async *listOrders() {
        yield { ...refund, reference: own?.reference ?? '', status: 'refunded' };
        yield { ...refund, reference: own?.reference ?? '', status: 'refused' };
        // An attempt that was lost, of the same collection.
        yield { ...refund, reference: `${json.trade_no}-R99`, status: 'refunded' };
      },
    } as unknown as ChannelAdapter);
    expect(
      found.discrepancies.map(({ order: { reference, status }, here }) => [reference, status, here?.status]),
    ).toEqual([
      [own?.reference, 'refused', 'refunded'],
      [`${json.trade_no}-R99`, 'refunded', undefined],
    ]);
  });

  it('names the order numbers of a merchant’s own records that are unknown here, of that merchant alone', async () => {
    await merchant.program.create('collected');
    const { database } = product.services;
    const numbers = ['lost-2', 'paid', 'collected', 'lost-1'];
    expect(await unknownOwnNumbers(database, merchant.id, numbers)).toEqual(['lost-2', 'lost-1']);
    const other = await product.merchant('other');
    expect(await unknownOwnNumbers(database, other.id, numbers)).toEqual(numbers);
  });
});
