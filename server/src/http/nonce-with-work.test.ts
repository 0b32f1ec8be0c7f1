import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { asOwner } from '#db/owner.ts';
import { claimColumns } from '#domain/nonce-claims.ts';
import { type Kind, openShop, outcomeOf } from '../testing/signing-shop.ts';
import { TestProduct } from '../testing/test-product.ts';
import { until } from '../testing/until.ts';
import { findAccessKey } from './access-key.sql.ts';

let product: TestProduct;

beforeAll(async () => {
  product = await TestProduct.start(inject('ownerUrl'));
});
afterAll(async () => {
  expect([await product.violations(), await product.deadlocks()]).toEqual([[], 0]);
  await product.close();
});

const open = (kind: Kind, funds?: string) => openShop(product, kind, funds);
const twenty = Array.from({ length: 20 }, (_, number) => number);

describe.each(['collections', 'payouts'] as Kind[])('the nonce of a call that creates %s', (kind) => {
  it('lets one of twenty different calls at once create an order', async () => {
    const { post, orders } = await open(kind);
    const answers = await Promise.all(twenty.map((number) => post('the-same', `n-${number}`)));
    expect(answers.map(outcomeOf).toSorted()).toEqual(['accepted', ...Array(19).fill('nonce_replayed')]);
    const made = answers.find(({ status }) => status === 201)?.json.out_trade_no;
    expect(await orders()).toEqual([[made, null]]);
  });

  it('keeps a replay from the order of its call, which is recorded as the last use of the key', async () => {
    const { merchant, post, outcome } = await open(kind);
    expect(await outcome('replayed', 'once')).toBe('accepted');
    const { status, json } = await post('replayed', 'once');
    expect([status, json.code, json.trade_no]).toEqual([401, 'nonce_replayed', undefined]);
    const person = await product.person(merchant);
    const lastUse = async () => (await person.get('/api/merchant/access-keys')).json.data[0].lastUse;
    const use = await until(lastUse, (found) => found !== null);
    expect(use).toMatchObject({ address: '127.0.0.1', call: `POST /openapi/v1/${kind}` });
  });

  it('is accepted once in total if a GET uses it at the same time', async () => {
    const { get, outcome, orders } = await open(kind);
    const made = ['first'];
    expect(await outcome('the-first', 'first')).toBe('accepted');
    for (const round of twenty) {
      const create = () => outcome(`shared-${round}`, `n-${round}`);
      const calls = [create, () => get(`shared-${round}`, `${kind}?out_trade_no=first`)];
      if (round % 2) calls.reverse();
      const outcomes = await Promise.all(calls.map((call) => call()));
      expect(outcomes.toSorted()).toEqual(['accepted', 'nonce_replayed']);
      if (outcomes[calls.indexOf(create)] === 'accepted') made.push(`n-${round}`);
    }
    expect((await orders()).map(([number]) => number)).toEqual(made);
  });

  const otherBank = { ifsc: 'HDFC0000001', bank: undefined, bankName: undefined };
  const twin = { payeeAccount: '95588012999999' };
  const refused: [string, object, object?][] = [
    ['validation_failed', { amount: 'much' }],
    ['unknown_version', {}, { 'hengfu-version': '1999-01-01' }],
    ['channel_closed', { channel: 'IN_IMPS', ...(kind === 'payouts' && otherBank) }],
    ['out_trade_no_used', { out_trade_no: 'first', amount: '2.00' }],
    ['insufficient_funds', { amount: '5000.00' }],
    ['similar_payout', twin],
  ];
  it.each(refused.slice(0, kind === 'payouts' ? 6 : 4))(
    'is consumed by %s',
    async (code, fields, headers) => {
      const { outcome, orders } = await open(kind);
      await outcome('the-first', 'first', kind === 'payouts' ? twin : {});
      expect(await outcome('consumed', 'refused', fields, headers)).toBe(code);
      expect(await outcome('consumed', 'refused', fields, headers)).toBe('nonce_replayed');
      expect(await outcome('consumed', 'other')).toBe('nonce_replayed');
      expect(await orders()).toEqual([['first', null]]);
    },
  );

  it('is claimed with key and merchant as they are now, if they have changed since they were read', async () => {
    const { setKey, setMerchant, outcome, orders } = await open(kind);
    await setKey(sql`callback_url = 'https://shop.example/new'`);
    await setMerchant(sql`name = 'Renamed'`);
    expect(await outcome('of-changed', 'order')).toBe('accepted');
    expect(await outcome('of-changed', 'order')).toBe('nonce_replayed');
    expect(await orders()).toEqual([['order', 'https://shop.example/new']]);
  });

  it('is not claimed for a merchant that was suspended or a key that was revoked meanwhile', async () => {
    const { get, setKey, setMerchant, outcome, isClaimed, orders } = await open(kind);
    await setMerchant(sql`suspended_at = now()`);
    expect(await outcome('unclaimed', 'order')).toBe('merchant_suspended');
    await setMerchant(sql`suspended_at = null`);
    expect(await get('of-balance', 'balance')).toBe('accepted');
    await setKey(sql`revoked_at = now()`);
    expect(await outcome('unclaimed', 'order')).toBe('signature_invalid');
    expect([await isClaimed('unclaimed'), await orders()]).toEqual([false, []]);
  });

  it('is claimed before its work by a call with an idempotency key', async () => {
    const { post, outcome, orders } = await open(kind);
    const key = { 'idempotency-key': 'key-of-the-call' };
    const first = await post('of-first', 'keyed', {}, key);
    const { json, headers } = await post('of-second', 'keyed', {}, key);
    expect([json, headers.get('idempotency-replayed')]).toEqual([first.json, 'true']);
    for (const nonce of ['of-first', 'of-second'])
      expect(await outcome(nonce, 'keyed', {}, key)).toBe('nonce_replayed');
    expect(await orders()).toHaveLength(1);
  });
});

describe('the nonce of a payout that is decided alone', () => {
  const accounts = 'select from ledger_account for update';

  it('is consumed once, though the funds did not cover all payouts together', async () => {
    const { outcome, orders } = await open('payouts', '10.00');
    const send = () => Promise.all(twenty.map((n) => outcome(`together-${n}`, `n-${n}`, { amount: '4.00' })));
    const declined = Array(18).fill('insufficient_funds');
    expect((await send()).toSorted()).toEqual(['accepted', 'accepted', ...declined]);
    expect(new Set(await send())).toEqual(new Set(['nonce_replayed']));
    expect(await orders()).toHaveLength(2);
  });

  it('is claimed before a wait for locked accounts, after which the payout is made once', async () => {
    const { outcome, orders, whileLocked } = await open('payouts');
    const nonces = ['waiting-a', 'waiting-b'];
    const check = async () => expect(await orders()).toEqual([]);
    expect(await whileLocked(accounts, nonces, check)).toEqual(['accepted', 'accepted']);
    for (const nonce of nonces) expect(await outcome(nonce, nonce)).toBe('nonce_replayed');
    expect(await orders()).toHaveLength(2);
  });

  it('is consumed if the merchant is suspended after the claim', async () => {
    const { merchant, outcome, orders, setMerchant, whileLocked } = await open('payouts');
    const lock = `select pg_advisory_xact_lock(hashtextextended('payouts ${merchant.id}', 0))`;
    const suspend = () => setMerchant(sql`suspended_at = now()`);
    expect(await whileLocked(lock, ['suspended'], suspend)).toEqual(['merchant_suspended']);
    await setMerchant(sql`suspended_at = null`);
    expect([await outcome('suspended', 'suspended'), await orders()]).toEqual(['nonce_replayed', []]);
  });

  it('is claimed with the key as it is now, if it has changed since it was read', async () => {
    const { orders, setKey, whileLocked } = await open('payouts');
    const change = () => setKey(sql`callback_url = 'https://shop.example/new'`);
    await whileLocked(accounts, ['waiting-a', 'waiting-b'], change);
    expect(await orders()).toEqual([
      ['waiting-a', null],
      ['waiting-b', 'https://shop.example/new'],
    ]);
  });
});

it('nonces are claimed with work only for merchants of the transaction, and by no other statement', async () => {
  const [own, other] = [(await open('payouts')).merchant, (await open('payouts')).merchant];
  const asApp = (statement: string) =>
    product.services.database.asMerchants([own.id], (tx) => sql.raw(statement).execute(tx.query));
  const asIntake = (statement: string) =>
    asOwner(product.ownerUrl, async (client) => {
      await client.query(`begin; set local role hengfu_intake; set local app.merchant_ids = '{${own.id}}'`);
      return client.query(statement);
    });
  const denied = { code: '42501' };
  /** Returns a claim with the right revision of the merchant's key. */
  const claimOf = async ({ program: { key } }: typeof own, nonce: string) => {
    const found = await product.services.database.asSystem((tx) => findAccessKey(tx, key.id));
    if (!found) throw new Error('no key');
    const { home, keyId, revision } = found;
    return JSON.stringify([claimColumns({ merchantId: home.merchantId, keyId, revision, nonce }, 0)]);
  };
  const answers = async (merchant: typeof own) =>
    Promise.all(
      [
        (claims: string) => `answer from create_signed_collections('[]', ${claims})`,
        (claims: string) =>
          `outcome as answer from decide_signed_payouts('[]', ${claims}, 24, 'payouts.send', 5)`,
        (claims: string) => `answer from claim_call_nonces(${claims})`,
      ].map(async (call, number) => {
        const claims = await claimOf(merchant, `of-the-right-revision-${number}`);
        return (await asApp(`select ${call(`'${claims}'`)}`)).rows;
      }),
    );
  expect(await answers(own)).toEqual([[], [], []]);
  const changed = [{ answer: 'changed' }];
  expect(await answers(other)).toEqual([changed, changed, changed]);
  const asVersionBefore = `select answer from claim_nonces('{${own.id}}', '{a}', '{b}', '{c}') as answer`;
  const nonces = 'select nonce from used_nonce';
  expect((await asIntake(nonces)).rows).toHaveLength(4);
  for (const statement of [asVersionBefore, nonces])
    await expect(asApp(statement)).rejects.toMatchObject(denied);
  expect((await asIntake('select key_id from access_key')).rows).toEqual([{ key_id: own.program.key.id }]);
  await expect(asIntake('select secret_encrypted from access_key')).rejects.toMatchObject(denied);
});
