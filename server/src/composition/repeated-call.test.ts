import { afterAll, beforeAll, expect, it } from 'vitest';
import { UnconfirmedCommitError } from '#db/connection.ts';
import { migrate } from '#db/migrate.ts';
import { asOwner } from '#db/owner.ts';
import { type OwnCluster, startOwnCluster } from '../testing/own-cluster.ts';
import { firstTestMerchant } from '../testing/placements.ts';
import { templateName } from '../testing/test-database.ts';
import { type TestMerchant, TestProduct } from '../testing/test-product.ts';
import { until } from '../testing/until.ts';

let cluster: OwnCluster;
let product: TestProduct;
let merchant: TestMerchant;

beforeAll(async () => {
  cluster = await startOwnCluster();
  await asOwner(cluster.ownerUrl, (owner) => owner.query(`create database ${templateName}`));
  const template = new URL(cluster.ownerUrl);
  template.pathname = templateName;
  await migrate(template.href);
  await asOwner(template.href, (owner) =>
    owner.query(`alter table merchant alter column id restart with ${firstTestMerchant}`),
  );
  product = await TestProduct.start(cluster.ownerUrl);
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

/** Calls that may be repeated, by a number that identifies each. */
const calls: [string, (number: number) => Promise<unknown>][] = [
  ['a collection', (number) => product.services.collections.create(home(), order(number))],
  [
    'a payout of the Open API',
    (number) =>
      product.services.payouts.create(
        { home: home(), keyId: merchant.program.key.id, callbackUrl: null } as never,
        { id: `call-${number}`, address: '127.0.0.1' },
        {
          ...order(number),
          payee: '王芳',
          payeeAccount: `95588012${100_000 + number}`,
          bank: 'ICBC',
          bankName: 'ICBC',
        } as never,
      ),
  ],
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
  'answers a repetition of %s only once a standby has the first one',
  async (_what, call) => {
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
