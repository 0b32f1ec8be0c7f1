import { randomBytes } from 'node:crypto';
import type { StopEffect, StoppedParty } from '@hengfu/contract/suspension';
import { sql } from 'kysely';
import { greyPng } from '../demo/picture.ts';
import { CallbackReceiver } from './callback-receiver.ts';
import { request, type StopWorld, staff, tron } from './stop-world.ts';

const random = () => randomBytes(32).toString('hex');

/** Prepares some work, stops a party, and goes through with the work: `held` if it does not finish. */
function finishes<T>(
  prepare: (world: StopWorld) => Promise<T>,
  finish: (world: StopWorld, prepared: T) => Promise<boolean>,
) {
  return async (world: StopWorld, party: StoppedParty): Promise<StopEffect> => {
    const prepared = await prepare(world);
    await world.stop(party);
    return (await finish(world, prepared)) ? 'continues' : 'held';
  };
}

const payoutReport = { bankReference: 'b', reason: null, currency: 'CNY', amountMinor: 1000n } as const;

async function topup({ product, person }: StopWorld): Promise<string> {
  const screenshot = greyPng(8, 8, () => randomBytes(1)[0] ?? 0).toString('base64');
  const order = {
    coin: 'USDT',
    amount: '100',
    network: 'TRC20',
    address: tron,
    transactionId: random(),
    screenshot,
  } as const;
  return (await product.services.topups.apply(person, request, order)).tradeNo;
}

/** Delivers the callback of a payment to a merchant's server; `held` if it waits without an attempt. */
async function callback(world: StopWorld, party: StoppedParty): Promise<StopEffect> {
  const shop = await CallbackReceiver.start(world.merchant.program.key.secret);
  try {
    const { tradeNo, id } = await world.paidWithCallback(shop.url);
    await world.stop(party);
    await world.run('callbacks.deliver', world.deliveryOf(id, shop.url));
    if (shop.of(tradeNo).length > 0) return 'continues';
    const attempts = await world.value(
      sql<{ value: number }>`select attempts as value from callback_message where id = ${id}`,
    );
    if (attempts !== 0) throw new Error('an attempt was made and failed');
    return 'held';
  } finally {
    await shop.close();
  }
}

/** The activities that continue whoever is stopped, by the contract's table. */
export const continuingProbes = {
  begunPayment: finishes(
    async (world) => {
      const { tradeNo, token } = await world.collection();
      const begun = await world.product.visitor().post(`/api/cashier/${token}/pay`, { channel: 'CN_BANK' });
      return { tradeNo, token, payUrl: begun.json.payment.payUrl };
    },
    async (world, { tradeNo, token, payUrl }) => {
      const payer = world.product.visitor();
      const shown = await payer.get(`/api/cashier/${token}`);
      const again = await payer.post(`/api/cashier/${token}/pay`, { channel: 'CN_BANK' });
      await world.reportPaid(tradeNo);
      const status = (await payer.get(`/api/cashier/${token}`)).json.status;
      return [shown, again].every(({ json }) => json.payment?.payUrl === payUrl) && status === 'success';
    },
  ),
  sentPayout: finishes(
    async (world) => {
      const tradeNo = await world.payout();
      await world.run('payouts.send', { tradeNo });
      return tradeNo;
    },
    async (world, tradeNo) => {
      await world.run('payouts.ask', { tradeNo });
      await world.product.services.payouts.report({ ...payoutReport, reference: tradeNo, status: 'paid' });
      return (await world.payoutStatus(tradeNo)) === 'processed';
    },
  ),
  withdrawalPayment: finishes(
    async (world) => {
      const tradeNo = await world.withdrawal();
      await world.product.services.withdrawalReview.approve(tradeNo, staff);
      return tradeNo;
    },
    async (world, tradeNo) => {
      const paid = await world.product.services.withdrawalReview.pay(tradeNo, staff, random());
      return paid.status === 'paid';
    },
  ),
  topupReview: finishes(topup, async ({ product }, tradeNo) => {
    await product.services.topupReview.approve(tradeNo, staff, 99_000_000n);
    return (await product.services.topupReview.credit(tradeNo, staff)).status === 'paid';
  }),
  arrivingMoney: finishes(
    async (world) => {
      const { tradeNo } = await world.collection();
      await world.value(sql<{ value: null }>`
        update collection set expires_at = created_at + interval '1 millisecond' where trade_no = ${tradeNo}`);
      return tradeNo;
    },
    async (world, tradeNo) => {
      await world.run('collections.expire');
      if ((await world.collectionStatus(tradeNo)) !== 'closed') throw new Error('the order is not closed');
      await world.reportPaid(tradeNo);
      return (await world.collectionStatus(tradeNo)) === 'success';
    },
  ),
  refundUnderWay: finishes(
    async (world) => {
      const { tradeNo, token } = await world.collection();
      await world.product.visitor().post(`/api/cashier/${token}/pay`, { channel: 'CN_BANK' });
      await world.payAtBank(tradeNo);
      const { json } = await world.merchant.program.post(`/openapi/v1/collections/${tradeNo}/refund`, {});
      if (json.trade_no !== tradeNo) throw new Error(`the refund was refused: ${json.code}`);
      const refundNo = await world.value(sql<{ value: string }>`
        select after ->> 'refundNo' as value from audit where action = 'collection.refund' and subject = ${tradeNo}`);
      return { tradeNo, refundNo };
    },
    async (world, refund) => {
      await world.run('refunds.send', refund);
      return (await world.collectionStatus(refund.tradeNo)) === 'refunded';
    },
  ),
  settlement: finishes(
    async (world) => {
      const { tradeNo } = await world.collection();
      await world.reportPaid(tradeNo);
      return tradeNo;
    },
    async (world, tradeNo) => {
      await world.value(sql<{ value: null }>`
        update merchant set next_settlement_at = date_trunc('milliseconds', now()) where id = ${world.merchant.id}`);
      await world.run('settlements.run');
      const status = await world.value(sql<{ value: string }>`
        select settlement_status as value from collection where trade_no = ${tradeNo}`);
      return status === 'settled';
    },
  ),
  callback,
  exportUnderWay: finishes(
    async ({ visitor }) => {
      const query = { list: 'payouts', format: 'csv', language: 'en', zone: 'UTC' };
      return (await visitor.post('/api/merchant/exports', query)).json.data.export_no as string;
    },
    async (world, exportNo) => {
      await world.run('exports.run', { exportNo });
      const status = await world.value(sql<{ value: string }>`
        select status as value from export_task where export_no = ${exportNo}`);
      return status === 'successful';
    },
  ),
};
