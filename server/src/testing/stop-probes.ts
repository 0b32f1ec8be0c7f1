import { randomBytes } from 'node:crypto';
import type { StopEffect, StoppedParty, suspensionTable } from '@hengfu/contract/suspension';
import { sql } from 'kysely';
import { greyPng } from '../demo/picture.ts';
import { EventStream } from './event-stream.ts';
import { continuingProbes } from './stop-probes-continuing.ts';
import { effectOfCall, paymentPassword, request, type StopWorld, staff, tron } from './stop-world.ts';
import { testPassword } from './test-product.ts';

/** Prepares an activity, stops a party, and returns the effect on the activity. */
export type Probe = (world: StopWorld, party: StoppedParty) => Promise<StopEffect>;
/** One probe per activity of the table: a missing one does not compile. */
export type Probes = Readonly<Record<keyof typeof suspensionTable, Probe>>;

const random = () => randomBytes(32).toString('hex');

/**
 * Probes a call that was authenticated before the stop and does its work after it. Calls with a key
 * authenticate each time, so `signed` probes those.
 */
function inFlight(prepare: (world: StopWorld) => Promise<() => Promise<unknown>>, signed?: Probe): Probe {
  return async (world, party) => {
    if (party === 'key' && signed) return signed(world, party);
    const call = await prepare(world);
    await world.stop(party);
    return effectOfCall(call);
  };
}

/** Probes a signed call after the stop. */
const signedCall =
  (call: (world: StopWorld) => Promise<{ status: number; json: { code?: string } }>): Probe =>
  async (world, party) => {
    await world.stop(party);
    const { status, json } = await call(world);
    if (status < 400) return 'continues';
    const outcome = `${status} ${json.code}`;
    if (outcome === (party === 'key' ? '401 signature_invalid' : '403 merchant_suspended')) return 'refused';
    throw new Error(`the call was answered ${outcome}`);
  };

const signIn: Probe = async (world, party) => {
  const wrong = await world.product.visitor().signIn(world.email, 'wrong');
  await world.stop(party);
  const { status, json } = await world.product.visitor().signIn(world.email, testPassword);
  if (status === 200) return 'continues';
  // A suspended account must look like a wrong password.
  if (status === wrong.status && json.message === wrong.json.message) return 'refused';
  throw new Error(`signing in was answered ${status} ${json.message}`);
};

const session: Probe = async (world, party) => {
  const stream = await EventStream.open(world.product.url, world.visitor);
  await world.stop(party);
  const { status } = await world.visitor.get('/api/merchant/user');
  if (status !== 401) return 'continues';
  const late = new Promise<'late'>((resolve) => setTimeout(resolve, 1000, 'late').unref());
  if ((await Promise.race([stream.ended(), late])) === 'late')
    throw new Error('the stream was open a second later');
  return 'ended';
};

const newTopup = inFlight(async ({ product, person }) => {
  const screenshot = greyPng(8, 8, () => randomBytes(1)[0] ?? 0).toString('base64');
  const order = {
    coin: 'USDT',
    amount: '100',
    network: 'TRC20',
    address: tron,
    transactionId: random(),
    screenshot,
  } as const;
  return () => product.services.topups.apply(person, request, order);
});

const newPaymentAttempt: Probe = async (world, party) => {
  const { token } = await world.collection();
  await world.stop(party);
  const payer = world.product.visitor();
  const shown = (await payer.get(`/api/cashier/${token}`)).json;
  const { status, json } = await payer.post(`/api/cashier/${token}/pay`, { channel: 'CN_BANK' });
  if (status === 200) return 'continues';
  // A payer learns that nothing can be paid, not why.
  if (json.code === 'channel_closed' && shown.channels.length === 0) return 'refused';
  throw new Error(`the payer was answered ${status} ${json.code}`);
};

const unsentPayout: Probe = async (world, party) => {
  const tradeNo = party === 'key' ? await world.signedPayout() : await world.payout();
  await world.stop(party);
  await world.run('payouts.send', { tradeNo });
  return (await world.payoutStatus(tradeNo)) === 'pending' ? 'held' : 'continues';
};

const waitingBatchRow: Probe = async (world, party) => {
  const batchNo = await world.batch();
  await world.stop(party);
  await world.run('payouts.batch', { batchNo });
  const state = await world.value(sql<{ value: string }>`
    select r.state as value from payout_batch_row r join payout_batch b using (merchant_id)
    where b.id = r.batch_id and b.batch_no = ${batchNo}`);
  return state === 'waiting' ? 'held' : 'continues';
};

const withdrawalApproval = inFlight(async (world) => {
  const tradeNo = await world.withdrawal();
  return () => world.product.services.withdrawalReview.approve(tradeNo, staff);
});

const approval = inFlight(async (world) => {
  const requestNo = await world.approvalRequest();
  const { approvals } = world.product.services;
  return () => approvals.refuse(world.person, request, requestNo, 'a test');
});

const scheduledExport: Probe = async (world, party) => {
  const file = { list: 'payouts', format: 'csv', language: 'en', zone: 'UTC' };
  const schedule = { ...file, name: 'Payouts', every: 'daily' };
  const { id } = (await world.visitor.post('/api/merchant/export-schedules', schedule)).json.data;
  await world.stop(party);
  await world.value(sql<{ value: null }>`
    update export_schedule set next_at = date_trunc('day', now() at time zone 'UTC') at time zone 'UTC' where id = ${id}`);
  await world.run('exports.schedule');
  const made = await world.value(
    sql<{
      value: bigint;
    }>`select count(*) as value from export_task where merchant_id = ${world.merchant.id}`,
  );
  const isAdvanced = await world.value(
    sql<{ value: boolean }>`select next_at > now() as value from export_schedule where id = ${id}`,
  );
  if (!isAdvanced) throw new Error('the schedule was not advanced');
  return made === 0n ? 'skipped' : 'continues';
};

/** The probes of the contract's table, by activity. */
export const probes: Probes = {
  ...continuingProbes,
  signIn,
  session,
  signedCall: signedCall(({ merchant }) => merchant.program.get('/openapi/v1/collections/C1')),
  newCollection: inFlight(
    async ({ product, person }) =>
      () =>
        product.services.collections.create(person.home, {
          out_trade_no: random(),
          amount: '1.00',
          currency: 'CNY',
        }),
    signedCall(({ merchant }) => merchant.program.create(random())),
  ),
  newPayout: inFlight(
    async (world) => () =>
      world.product.services.payouts.apply(world.person, request, world.payoutBody('20.00')),
    signedCall((world) => {
      const order = world.signedOrder('20.00', random());
      return world.merchant.program.post('/openapi/v1/payouts', order);
    }),
  ),
  newPayoutBatch: inFlight(async (world) => {
    const body = await world.batchBody();
    return () => world.product.services.payoutBatches.apply(world.person, request, body);
  }),
  newTopup,
  newWithdrawal: inFlight(async (world) => {
    const body = world.withdrawalBody();
    return () => world.product.services.withdrawals.apply(world.person, request, body);
  }),
  newRefund: inFlight(
    async (world) => {
      const { tradeNo } = await world.collection();
      await world.reportPaid(tradeNo);
      const body = { amount: '1.00', reason: 'A test', payment_password: paymentPassword };
      return () => world.product.services.refunds.apply(world.person, request, { tradeNo, body });
    },
    signedCall((world) =>
      world.merchant.program.post('/openapi/v1/refunds', { out_refund_no: random(), trade_no: 'C1' }),
    ),
  ),
  newPaymentAttempt,
  unsentPayout,
  waitingBatchRow,
  withdrawalApproval,
  approval,
  scheduledExport,
};
