import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { asOwner } from '#db/owner.ts';
import { type OtherWeb, startOtherWeb } from '../../testing/other-process.ts';
import { keepRealPasswords } from '../../testing/quick-argon2.ts';
import { ShopProgram } from '../../testing/shop-program.ts';
import { StopWorld } from '../../testing/stop-world.ts';
import { TestProduct } from '../../testing/test-product.ts';
import { until } from '../../testing/until.ts';

let product: TestProduct;
let other: OtherWeb;

keepRealPasswords();
beforeAll(async () => {
  product = await TestProduct.start(inject('ownerUrl'), { bank: true, worker: true });
  other = await startOtherWeb(product);
});
afterAll(async () => {
  expect(await product.violations()).toEqual([]);
  expect(await product.deadlocks()).toBe(0);
  await other.close();
  await product.close();
});

/** The merchant's payouts that are marked as sent, by number. */
const sentOf = (world: StopWorld) =>
  world.value(sql<{ value: string[] }>`
    select coalesce(array_agg(trade_no order by trade_no), '{}') as value from payout
    where merchant_id = ${world.merchant.id} and status <> 'pending'`);
/** How many times each of the merchant's payouts was marked as sent. */
const timesSent = (world: StopWorld) =>
  world.value(sql<{ value: Record<string, number> }>`
    select coalesce(json_object_agg(trade_no, times), '{}') as value from (
      select p.trade_no, count(e.id) filter (where e.reason = 'sent') as times
      from payout p join payout_event e on e.merchant_id = p.merchant_id and e.payout_id = p.id
      where p.merchant_id = ${world.merchant.id} group by 1) t`);
/** Waits until no job of a task is left. */
const noJobsLeft = (task: string) =>
  until(
    () =>
      asOwner(product.ownerUrl, async (client) => {
        const jobs = 'select count(*)::integer as n from graphile_worker.jobs where task_identifier = $1';
        return (await client.query<{ n: number }>(jobs, [task])).rows[0]?.n;
      }),
    (waiting) => waiting === 0,
    30_000,
  );
/** Waits until a transaction is blocked on the lock of a merchant's standing. */
const lockIsContended = () =>
  until(
    () =>
      asOwner(product.ownerUrl, async (client) => {
        const waiting = "select from pg_locks where locktype = 'advisory' and not granted";
        return (await client.query(waiting)).rowCount;
      }),
    (waiting) => waiting === 1,
  );

describe('payouts that are created while their merchant is being suspended', () => {
  it.each([0, 1, 5, 10, 19])(
    'are refused, or held and sent once later, when the suspension begins after %i of twenty replies',
    async (answersBefore) => {
      const world = await StopWorld.make(product);
      const elsewhere = new ShopProgram(other.url, world.merchant.program.key);
      let answered = 0;
      const begin = Promise.withResolvers<void>();
      const note = () => {
        if (answered++ >= answersBefore) begin.resolve();
      };
      if (answersBefore === 0) begin.resolve();
      const calls = Array.from({ length: 20 }, async (_, index) => {
        const order = world.signedOrder('10.00', `race-${index}`);
        const program = index % 2 === 0 ? world.merchant.program : elsewhere;
        const answer = await program.post('/openapi/v1/payouts', order);
        note();
        return answer;
      });
      await begin.promise;
      await world.stop('merchant');
      const sentAtCommit = await sentOf(world);
      const answers = await Promise.all(calls);
      const results = answers.map(({ status, json }) =>
        status === 201 ? 'accepted' : `${status} ${json.code}`,
      );
      expect(
        results.filter((result) => result !== 'accepted' && result !== '403 merchant_suspended'),
      ).toEqual([]);
      const accepted = answers.filter(({ status }) => status === 201).map(({ json }) => json.trade_no);
      await noJobsLeft('payouts.send');
      // Nothing sends a held payout, however often it is attempted.
      await Promise.all(accepted.map((tradeNo) => world.run('payouts.send', { tradeNo })));
      expect(await sentOf(world)).toEqual(sentAtCommit);

      await world.reactivate('merchant');
      await until(
        () => world.statuses(),
        (statuses) => statuses.every((status) => status === 'processed'),
        30_000,
      );
      await noJobsLeft('payouts.send');
      expect(await timesSent(world)).toEqual(Object.fromEntries(accepted.map((tradeNo) => [tradeNo, 1])));
    },
    90_000,
  );

  it('are sent once when their merchant is reactivated twice at the same time', async () => {
    const world = await StopWorld.make(product);
    await world.stop('merchant');
    const tradeNos = await world.heldPayouts(5);
    await Promise.all([world.reactivate('merchant'), world.reactivate('merchant')]);
    await until(
      () => world.statuses(),
      (statuses) => statuses.every((status) => status === 'processed'),
      30_000,
    );
    expect(await timesSent(world)).toEqual(Object.fromEntries(tradeNos.map((tradeNo) => [tradeNo, 1])));
  });

  it('of several merchants in one micro-batch are each judged by their own merchant', async () => {
    const [active, suspended] = [await StopWorld.make(product), await StopWorld.make(product)];
    const program = (world: StopWorld) => ({
      kind: 'program' as const,
      keyId: world.merchant.program.key.id,
      callbackUrl: null,
      home: world.person.home,
    });
    const call = { id: 'together', address: '127.0.0.1' };
    await suspended.stop('merchant');
    const outcomes = await Promise.allSettled(
      [active, suspended, active, suspended, active].map((world, index) =>
        product.services.payouts.create(
          program(world),
          call,
          world.signedOrder('10.00', `together-${index}`),
        ),
      ),
    );
    expect(
      outcomes.map((outcome) => (outcome.status === 'fulfilled' ? 'accepted' : outcome.reason.code)),
    ).toEqual(['accepted', 'merchant_suspended', 'accepted', 'merchant_suspended', 'accepted']);
  });
});

describe('the lock on a merchant’s standing', () => {
  it('makes a suspension wait for transactions that were allowed before it', async () => {
    const world = await StopWorld.make(product);
    const release = Promise.withResolvers<void>();
    const inside = Promise.withResolvers<void>();
    const allowed = product.services.database.asMerchant(world.merchant.id, async (tx) => {
      const { rows } = await sql<{
        held: boolean;
      }>`select hold_standing(${world.merchant.id}) as held`.execute(tx.query);
      inside.resolve();
      await release.promise;
      return rows[0]?.held;
    });
    await inside.promise;
    const stopping = world.stop('merchant');
    await lockIsContended();
    expect(await world.isSuspended()).toBe(false);
    release.resolve();
    expect(await allowed).toBe(false);
    await stopping;
    expect(await world.isSuspended()).toBe(true);
  });

  it('makes a payout wait for a suspension that is about to commit, and then holds it', async () => {
    const world = await StopWorld.make(product);
    const release = Promise.withResolvers<void>();
    const inside = Promise.withResolvers<void>();
    const [tradeNo = ''] = await world.heldPayouts(1, 'nobody.sends');
    const suspending = product.services.database.asSystem(async (tx) => {
      await sql`select lock_standing(${world.merchant.id})`.execute(tx.query);
      await sql`update merchant set suspended_at = now() where id = ${world.merchant.id}`.execute(tx.query);
      inside.resolve();
      await release.promise;
    });
    await inside.promise;
    const sending = world.run('payouts.send', { tradeNo });
    await lockIsContended();
    release.resolve();
    await Promise.all([suspending, sending]);
    expect(await world.payoutStatus(tradeNo)).toBe('pending');
  });

  it('is backed by a constraint: the database refuses to mark a held payout as sent', async () => {
    const world = await StopWorld.make(product);
    await world.stop('merchant');
    const [tradeNo = ''] = await world.heldPayouts(1);
    const markAsSent = product.services.database.asMerchant(world.merchant.id, (tx) =>
      sql`update payout set status = 'pendingSettlement', sent_at = now() where trade_no = ${tradeNo}`.execute(
        tx.query,
      ),
    );
    await expect(markAsSent).rejects.toMatchObject({ constraint: 'payout_of_active_merchant' });
  });
});
