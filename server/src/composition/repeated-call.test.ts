import { afterAll, beforeAll, expect, it } from 'vitest';
import { UnconfirmedCommitError } from '#db/connection.ts';
import { makeTemplate, type OwnCluster, startOwnCluster } from '../testing/own-cluster.ts';
import { type TestMerchant, TestProduct } from '../testing/test-product.ts';
import { until } from '../testing/until.ts';

let cluster: OwnCluster;
let product: TestProduct;
let merchant: TestMerchant;

beforeAll(async () => {
  cluster = await startOwnCluster();
  await makeTemplate(cluster.ownerUrl);
  product = await TestProduct.start(cluster.ownerUrl, { bank: true });
  merchant = await product.merchant('repeated');
  await product.fund(merchant, '10000.00');
}, 120_000);
afterAll(async () => {
  await product?.close();
  await cluster?.remove();
});

const home = () => ({
  merchantId: merchant.id,
  code: merchant.code,
  name: merchant.code,
  currency: 'CNY' as const,
  zone: 'UTC',
});
const order = (number: number) => ({
  out_trade_no: `repeated-${number}`,
  amount: `${number}.00`,
  currency: 'CNY' as const,
  channel: 'CN_BANK' as const,
});

const request = (number: number) => ({
  id: `call-${number}`,
  address: '127.0.0.1',
  userAgent: undefined,
  language: 'en' as const,
});
const program = () => ({ home: home(), keyId: merchant.program.key.id, callbackUrl: null }) as never;

interface RepeatableCall {
  title: string;
  /** Prepares the call of a number, before the standby is missed. */
  prepare?: (number: number) => Promise<unknown>;
  call: (number: number) => Promise<unknown>;
}

const prepared = new Map<number, string>();
/** More than the calls that may be over before the setting has reached the server. */
const preparedCalls = 60;

const calls: RepeatableCall[] = [
  {
    title: 'a collection',
    call: (number) => product.services.collections.create(home(), order(number)),
  },
  {
    title: 'a cancellation',
    prepare: async (number) => {
      const { tradeNo } = await product.services.collections.create(home(), order(number));
      prepared.set(number, tradeNo);
    },
    call: (number) =>
      product.services.collections.cancel(prepared.get(number) ?? expect.fail('not prepared'), {
        caller: program(),
        request: request(number),
      }),
  },
  {
    title: 'a refund',
    prepare: async (number) => {
      const { tradeNo } = await product.services.collections.create(home(), order(number));
      await product.services.collections.report({
        reference: tradeNo,
        status: 'paid',
        bankReference: `b-${number}`,
        amountMinor: BigInt(number) * 100n,
        currency: 'CNY',
        reason: null,
      });
      prepared.set(number, tradeNo);
    },
    call: (number) =>
      product.services.refunds.requestWhole(program(), request(number), {
        tradeNo: prepared.get(number) ?? expect.fail('not prepared'),
      }),
  },
  {
    title: 'a payout of the Open API',
    call: (number) =>
      product.services.payouts.create(program(), request(number), {
        ...order(number),
        payee: '王芳',
        payeeAccount: `95588012${100_000 + number}`,
        bank: 'ICBC',
        bankName: 'ICBC',
      } as never),
  },
];

const waiting = `from pg_stat_activity where wait_event = 'SyncRep'`;
const isAnyWaiting = async () => Number(await cluster.ask(`select count(*) ${waiting}`)) > 0;

async function needStandby(name: string): Promise<void> {
  await cluster.ask(`alter system set synchronous_standby_names = '${name}'`);
  await cluster.ask('select pg_reload_conf()');
}

/** Makes a call; resolves once it waits for the standby or is over. */
async function begin(call: (number: number) => Promise<unknown>, number: number) {
  let isOver = false;
  const fault = call(number)
    .then(
      () => undefined,
      (error: unknown) => error,
    )
    .finally(() => {
      isOver = true;
    });
  await until(isAnyWaiting, (found) => found || isOver);
  return { fault, isOver };
}

let number = 10;

it.each(calls)(
  'answers a repetition of $title only once a standby has the first one',
  async ({ prepare, call }) => {
    if (prepare) for (let next = 1; next <= preparedCalls; next++) await prepare(number + next);
    await needStandby('missing');
    // The setting reaches the server after a moment, so the first commits may not wait.
    let first = await begin(call, ++number);
    while (first.isOver) {
      expect(await first.fault).toBe(undefined);
      first = await begin(call, ++number);
    }
    await cluster.ask(`select pg_cancel_backend(pid) ${waiting}`);
    expect(await first.fault).toBeInstanceOf(UnconfirmedCommitError);
    const again = await begin(call, number);
    expect(again.isOver).toBe(false);
    await needStandby('');
    expect(await again.fault).toBe(undefined);
  },
  60_000,
);
