import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { sessionLife } from '#http/session.rules.ts';
import { insertSession } from '#http/session.sql.ts';
import { CallbackReceiver } from '../../testing/callback-receiver.ts';
import { EventStream } from '../../testing/event-stream.ts';
import { type OtherWeb, startOtherWeb } from '../../testing/other-process.ts';
import { ShopProgram } from '../../testing/shop-program.ts';
import { StopWorld, staff } from '../../testing/stop-world.ts';
import { TestProduct, testPassword } from '../../testing/test-product.ts';
import { Visitor } from '../../testing/visitor.ts';

let product: TestProduct;
let other: OtherWeb;

beforeAll(async () => {
  product = await TestProduct.start(inject('ownerUrl'), { bank: true });
  other = await startOtherWeb(product);
});
afterAll(async () => {
  expect(await product.violations()).toEqual([]);
  expect(await product.deadlocks()).toBe(0);
  await other.close();
  await product.close();
});

/** The world's administrator on the other web process, with an open event stream. */
async function elsewhere(world: StopWorld): Promise<{ visitor: Visitor; stream: EventStream }> {
  const visitor = new Visitor(other.url);
  await visitor.signIn(world.email, testPassword);
  return { visitor, stream: await EventStream.open(other.url, visitor) };
}

/** Expects a stream to end within a second. */
async function endsSoon(stream: EventStream): Promise<void> {
  const late = new Promise<'late'>((resolve) => setTimeout(resolve, 1000, 'late').unref());
  expect(await Promise.race([stream.ended(), late])).not.toBe('late');
}

const isSignedIn = async (visitor: Visitor) => (await visitor.get('/api/merchant/user')).status === 200;
const noticesOf = async (visitor: Visitor) =>
  (await visitor.get('/api/merchant/notices')).json.data.map(
    ({ kind, subject }: { kind: string; subject: string | null }) => [kind, subject],
  );

describe('on another web process, a suspension', () => {
  it.each(['person', 'merchant'] as const)(
    'of the %s ends sessions and event streams at once',
    async (party) => {
      const world = await StopWorld.make(product);
      const { visitor, stream } = await elsewhere(world);
      await world.stop(party);
      expect(await isSignedIn(visitor)).toBe(false);
      await endsSoon(stream);
    },
  );

  it('of one person leaves colleagues signed in, and notifies those who manage access', async () => {
    const world = await StopWorld.make(product);
    await product.admin().createUser(world.merchant.id, {
      email: `colleague@${world.merchant.code}.test`,
      name: 'C',
      password: testPassword,
      roles: ['MERCHANT_ADMIN'],
    });
    const colleague = new Visitor(other.url);
    await colleague.signIn(`colleague@${world.merchant.code}.test`, testPassword);
    await world.stop('person');
    expect(await isSignedIn(colleague)).toBe(true);
    expect(await noticesOf(colleague)).toEqual([['accountSuspended', world.email]]);
  });

  it.each([
    ['merchant', 'merchant_suspended'],
    ['key', 'signature_invalid'],
  ] as const)('of the %s refuses a key that the process has accepted before', async (party, code) => {
    const world = await StopWorld.make(product);
    const program = new ShopProgram(other.url, world.merchant.program.key);
    expect((await program.create('before')).status).toBe(201);
    await world.stop(party);
    expect((await program.create('after')).json.code).toBe(code);
  });
});

describe('a session opened by a sign-in that was in progress during the suspension', () => {
  it.each(['person', 'merchant'] as const)(
    'of the %s is never valid, not even after the reactivation',
    async (party) => {
      const world = await StopWorld.make(product);
      const late = product.visitor();
      await late.get('/api/csrf-cookie');
      await world.stop(party);
      await product.services.database.asSystem((tx) =>
        insertSession(tx, {
          sessionId: late.cookies.get('hengfu_session') ?? '',
          merchantId: world.merchant.id,
          userId: world.person.userId,
          ...sessionLife(true),
          address: '127.0.0.1',
          userAgent: 'late',
          secondFactor: null,
          isChosen: true,
        }),
      );
      expect(await isSignedIn(late)).toBe(false);
      await world.reactivate(party);
      expect(await isSignedIn(late)).toBe(false);
      expect((await late.signIn(world.email, testPassword)).status).toBe(200);
    },
  );
});

describe('a suspension or a revocation', () => {
  it('notifies the person of the suspension and of the reactivation', async () => {
    const world = await StopWorld.make(product);
    await world.stop('person');
    await world.reactivate('person');
    await world.visitor.signIn(world.email, testPassword);
    const events = (await world.visitor.get('/api/merchant/security-events')).json.data;
    const actions = events.map(({ action }: { action: string }) => action);
    expect(actions.slice(0, 3)).toEqual(['session_sign_in', 'user_reactivate', 'user_suspend']);
    expect(await noticesOf(world.visitor)).toEqual([
      ['accountReactivated', null],
      ['accountSuspended', world.email],
    ]);
  });

  it('notifies people of their merchant’s suspension once it is over, and of a revoked key by its id', async () => {
    const world = await StopWorld.make(product);
    await world.stop('merchant');
    await world.reactivate('merchant');
    await world.stop('key');
    await world.visitor.signIn(world.email, testPassword);
    expect(await noticesOf(world.visitor)).toEqual([
      ['accessKeyRevoked', world.merchant.program.key.id],
      ['merchantReactivated', null],
      ['merchantSuspended', null],
    ]);
  });

  it('leaves one audit entry with actor and reason, even if it is repeated', async () => {
    const world = await StopWorld.make(product);
    for (const party of ['person', 'person', 'merchant', 'merchant', 'key', 'key'] as const)
      await world.stop(party);
    const rows = await world.value(sql<{ value: object[] }>`
      select json_agg(json_build_object('action', action, 'actor', actor, 'subject', subject, 'reason', after ->> 'reason')
        order by id) as value
      from audit where merchant_id = ${world.merchant.id} and actor = ${staff} and action ~ 'suspend|revoke'`);
    expect(rows).toEqual([
      { action: 'user.suspend', actor: staff, subject: `user:${world.person.userId}`, reason: 'a test' },
      { action: 'merchant.suspend', actor: staff, subject: null, reason: 'a test' },
      { action: 'access_key.revoke', actor: staff, subject: world.merchant.program.key.id, reason: 'a test' },
    ]);
  });
});

describe('callbacks after a revocation', () => {
  it('are signed with the remaining key', async () => {
    const world = await StopWorld.make(product);
    await product.admin().addAccessKey(world.merchant.id, `ak_${world.merchant.code}_2`, 'sk_second');
    const shop = await CallbackReceiver.start('sk_second');
    const { tradeNo, id } = await world.paidWithCallback(shop.url);
    await world.stop('key');
    await world.run('callbacks.deliver', world.deliveryOf(id, shop.url));
    expect(shop.of(tradeNo)).toHaveLength(1);
    await shop.close();
  });

  it('wait as long as there is no key, and are signed with the new one', async () => {
    const world = await StopWorld.make(product);
    const shop = await CallbackReceiver.start('sk_third');
    const { tradeNo, id } = await world.paidWithCallback(shop.url);
    await world.stop('key');
    // More attempts than an unresponsive receiver gets.
    for (let time = 0; time < 12; time++)
      await world.run('callbacks.deliver', world.deliveryOf(id, shop.url));
    expect(shop.received).toEqual([]);
    await product.admin().addAccessKey(world.merchant.id, `ak_${world.merchant.code}_3`, 'sk_third');
    await world.run('callbacks.deliver', world.deliveryOf(id, shop.url));
    expect(shop.of(tradeNo)).toHaveLength(1);
    await shop.close();
  });

  it('are given up after three days without a key, like those of a server that is silent as long', async () => {
    const world = await StopWorld.make(product);
    const shop = await CallbackReceiver.start('sk_fourth');
    const { id } = await world.paidWithCallback(shop.url);
    await world.stop('key');
    const stateAtAge = async (hours: number) => {
      await product.services.database.asSystem((tx) =>
        sql`update callback_message set created_at = now() - ${hours} * interval '1 hour'
          where merchant_id = ${world.merchant.id} and id = ${id}`.execute(tx.query),
      );
      await world.run('callbacks.deliver', world.deliveryOf(id, shop.url));
      const { data } = (await world.visitor.get('/api/merchant/callbacks')).json;
      return data.find((row: { id: string }) => row.id === id);
    };
    expect(await stateAtAge(77)).toMatchObject({ state: 'waiting', attempts: 0 });
    expect(await stateAtAge(79)).toMatchObject({ state: 'givenUp', attempts: 0 });
    await product.admin().addAccessKey(world.merchant.id, `ak_${world.merchant.code}_4`, 'sk_fourth');
    await world.run('callbacks.deliver', world.deliveryOf(id, shop.url));
    expect(shop.received).toEqual([]);
    await shop.close();
  });
});

describe('a held payout', () => {
  it('can be rejected by staff, and so can the waiting rows of a batch', async () => {
    const world = await StopWorld.make(product);
    const { payouts, payoutBatches } = product.services;
    const available = async () => (await world.visitor.get('/api/merchant/account')).json.data.available;
    const before = await available();
    const [single, sent] = [await world.payout(), await world.payout()];
    await world.run('payouts.send', { tradeNo: sent });
    const batchNo = await world.batch();
    await expect(payoutBatches.dropWaiting(batchNo, staff, 'theirs')).rejects.toMatchObject({
      code: 'invalid_transition',
    });
    await world.stop('merchant');
    await payouts.rejectUnsent(single, staff, 'not theirs');
    await expect(payouts.rejectUnsent(sent, staff, 'x')).rejects.toMatchObject({
      code: 'invalid_transition',
    });
    expect(await payoutBatches.dropWaiting(batchNo, staff, 'not theirs')).toEqual({ rows: 1, unsent: [] });
    await world.reactivate('merchant');
    await world.run('payouts.release');
    await world.run('payouts.send', { tradeNo: single });
    expect(await world.payoutStatus(single)).toBe('rejected');
    await world.visitor.signIn(world.email, testPassword);
    const detail = (await world.visitor.get(`/api/merchant/payouts/${single}`)).json.data;
    expect(detail.timeline.at(-1)).toMatchObject({ reason: 'staff_rejected', detail: 'not theirs' });
    const batch = (await world.visitor.get(`/api/merchant/payout-batches/${batchNo}`)).json.data;
    expect(batch).toMatchObject({ waiting: 0, taken: 0, failed: 1 });
    // 10.02 is gone: the payout that was sent.
    expect(Number(before) - Number(await available())).toBeCloseTo(10.02);
  });

  it('is distinguished from a stuck one in the metrics and in the list', async () => {
    const world = await StopWorld.make(product);
    const tradeNo = await world.payout();
    const { watch } = product.services;
    const stateOf = async () =>
      (await watch.unfinishedPayouts(0)).find((payout) => payout.tradeNo === tradeNo)?.status;
    expect(await stateOf()).toBe('pending');
    await world.stop('merchant');
    expect(await stateOf()).toBe('held');
    const ofStatus = async (wanted: string) =>
      (await watch.state()).payouts.find(({ status }) => status === wanted)?.underTenMinutes ?? 0;
    const [held, pending] = [await ofStatus('held'), await ofStatus('pending')];
    await world.reactivate('merchant');
    expect([await ofStatus('held'), await ofStatus('pending')]).toEqual([held - 1, pending + 1]);
  });
});
