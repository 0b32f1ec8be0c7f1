import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { heldWork } from '#composition/held-work.ts';
import { asOwner } from '#db/owner.ts';
import { type TestMerchant, TestProduct } from '../../../testing/test-product.ts';
import { TestStaff } from '../../../testing/test-staff.ts';
import type { Visitor } from '../../../testing/visitor.ts';

const path = '/api/staff/merchants';

let product: TestProduct;
let staff: TestStaff;
let shop: TestMerchant;
let admin: Visitor;
let finance: Visitor;
let support: Visitor;
let reviewer: Visitor;

beforeAll(async () => {
  product = await TestProduct.start(inject('ownerUrl'), { bank: true, worker: true });
  staff = await TestStaff.start(product);
  shop = await product.merchant('shop');
  admin = await staff.member('admin', 'ADMIN');
  finance = await staff.member('finance', 'FINANCE');
  support = await staff.member('support', 'SUPPORT');
  reviewer = await staff.member('reviewer', 'REVIEWER');
});
afterAll(async () => {
  expect(await product.violations()).toEqual([]);
  expect(await product.deadlocks()).toBe(0);
  await staff.close();
  await product.close();
});

const approve = (by: Visitor, request: string) => by.post(`/api/staff/requests/${request}/approve`, {});
const stateOf = async (code: string) => (await support.get(`${path}/${code}`)).json.data.state;
const termsOf = async (code: string) => (await support.get(`${path}/${code}/terms`)).json.data;

describe('the end of a suspension', () => {
  const ask = (by: Visitor, reason = 'new keys') => by.post(`${path}/shop/reactivation`, { reason });

  it('needs two people, of whom neither is support, and happens once', async () => {
    expect((await ask(finance)).json.code).toBe('conflict');
    await finance.post(`${path}/shop/suspension`, { reason: 'stolen laptop' });
    for (const member of [support, reviewer]) expect((await ask(member)).status).toBe(403);
    expect((await ask(finance, ' ')).status).toBe(422);
    const asked = await ask(finance);
    expect(asked.status).toBe(200);
    const { request } = asked.json.data;
    expect((await ask(admin)).json.code).toBe('request_waiting');
    expect(await stateOf('shop')).toBe('suspended');
    const shown = (await admin.get(`/api/staff/requests/${request}`)).json.data;
    expect(shown).toMatchObject({
      kind: 'merchantReactivation',
      subject: 'shop',
      reason: 'new keys',
      facts: [{ name: 'suspension', before: 'stolen laptop', after: null }],
    });
    expect((await approve(finance, request)).json.code).toBe('own_request');
    for (const member of [support, reviewer]) expect((await approve(member, request)).status).toBe(403);
    const answers = await Promise.all([1, 2].map(() => approve(admin, request)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect(await stateOf('shop')).toBe('active');
    const { rows } = await product.services.database.asSystem((tx) =>
      sql<object>`select action, roles, after->>'reason' as reason from audit
        where merchant_id = ${shop.id} and action like 'merchant.%' and actor like 'staff:%' order by id`.execute(
        tx.query,
      ),
    );
    expect(rows).toEqual([
      { action: 'merchant.suspend', roles: ['FINANCE'], reason: 'stolen laptop' },
      { action: 'merchant.reactivate', roles: ['ADMIN'], reason: 'new keys' },
    ]);
  });

  it('concerns the suspension that both have read, and no later one', async () => {
    await finance.post(`${path}/shop/suspension`, { reason: 'first' });
    const { request } = (await ask(finance)).json.data;
    await staff.runtime.services.merchantReactivation.ask('shop', 'operator:test', 'x', { breakGlass: 'x' });
    await finance.post(`${path}/shop/suspension`, { reason: 'second' });
    expect((await approve(admin, request)).json.code).toBe('approval_changed');
    expect(await stateOf('shop')).toBe('suspended');
    await finance.post(`/api/staff/requests/${request}/withdraw`, {});
    const again = (await ask(finance)).json.data.request;
    expect((await approve(admin, again)).status).toBe(200);
    expect(await stateOf('shop')).toBe('active');
  });

  it('schedules the same work as the product’s own modules do', () => {
    expect(heldWork.length).toBe(product.services.onMerchantReactivated.length);
    for (const schedule of product.services.onMerchantReactivated) expect(heldWork).toContain(schedule);
  });
});

describe('the fees of a channel', () => {
  const terms = {
    channel: 'CN_BANK',
    collectionRate: '1.5',
    collectionFixed: '0.10',
    payoutRate: '0.2',
    payoutFixed: '1',
  };
  const ask = (by: Visitor, more: object = {}) =>
    by.post(`${path}/shop/channel-terms`, { ...terms, reason: 'new contract', ...more });

  it('are previewed on yesterday’s paid orders, exactly', async () => {
    await product.fund(shop, '100.00');
    await product.fund(shop, '0.33');
    const query = new URLSearchParams(terms).toString();
    const today = (await finance.get(`${path}/shop/channel-terms-preview?${query}`)).json.data;
    expect(today.orders).toMatchObject([
      { kind: 'collection', count: 0, was: '0.00', would: '0.00' },
      { kind: 'payout', count: 0 },
    ]);
    await product.services.database.asMerchant(shop.id, (tx) =>
      sql`update collection set created_at = created_at - interval '1 day'`.execute(tx.query),
    );
    const { data } = (await finance.get(`${path}/shop/channel-terms-preview?${query}`)).json;
    const { rows } = await product.services.database.asMerchant(shop.id, (tx) =>
      sql<{
        was: string;
      }>`select (sum(fee_minor) / 100.0)::numeric(12, 2)::text as was from collection`.execute(tx.query),
    );
    expect(data.orders[0]).toMatchObject({
      kind: 'collection',
      count: 2,
      amount: '100.33',
      was: rows[0]?.was,
    });
    // 1.50 + 0.10, and 0.00495 rounded half up + 0.10.
    expect(data.orders[0].would).toBe('1.70');
    for (const member of [support, reviewer])
      expect((await member.get(`${path}/shop/channel-terms-preview?${query}`)).status).toBe(403);
  });

  it('change once a second person agrees', async () => {
    const before = await termsOf('shop');
    const { request } = (await ask(finance)).json.data;
    expect((await ask(admin)).json.code).toBe('request_waiting');
    expect(await termsOf('shop')).toEqual(before);
    const { facts } = (await admin.get(`/api/staff/requests/${request}`)).json.data;
    expect(facts).toMatchObject([
      { name: 'channel', after: 'CN_BANK' },
      { name: 'collectionFee', after: '1.5% + 0.10 CNY' },
      { name: 'payoutFee', after: '0.2% + 1.00 CNY' },
      { name: 'feesYesterday', after: '1.70 CNY' },
    ]);
    expect((await approve(admin, request)).status).toBe(200);
    const [latest] = (await termsOf('shop')).channels;
    expect(latest).toMatchObject({ isInForce: true, collectionRate: '1.5', payoutFixed: '1.00' });
  });

  it('do not change if others have been set meanwhile', async () => {
    const { request } = (await ask(admin, { collectionRate: '9' })).json.data;
    await product.admin().setTerms(shop.id, {
      channel: 'CN_BANK',
      collectionRatePpm: 1,
      collectionFixedMinor: 0n,
      payoutRatePpm: 1,
      payoutFixedMinor: 0n,
    });
    expect((await approve(finance, request)).json.code).toBe('approval_changed');
    expect((await termsOf('shop')).channels[0]).toMatchObject({ collectionRate: '0.0001' });
    await admin.post(`/api/staff/requests/${request}/withdraw`, {});
  });

  it('are not asked for by somebody who has seen earlier ones', async () => {
    const [latest, earlier] = (await termsOf('shop')).channels;
    for (const seenFrom of [earlier.validFrom, null])
      expect((await ask(finance, { seenFrom })).json.code).toBe('conflict');
    const { request } = (await ask(finance, { seenFrom: latest.validFrom })).json.data;
    await finance.post(`/api/staff/requests/${request}/withdraw`, {});
  });

  it('of a channel of another currency, which an earlier version let somebody ask for, cannot be agreed to', async () => {
    const before = await termsOf('shop');
    const { request } = (await ask(finance)).json.data;
    await asOwner(product.ownerUrl, (client) =>
      client.query(`update staff_request set change = change || '{"channel": "VN_NAPAS"}' where id = $1`, [
        request,
      ]),
    );
    const approved = await approve(admin, request);
    expect([approved.status, Object.keys(approved.json.errors)]).toEqual([422, ['channel']]);
    expect(await termsOf('shop')).toEqual(before);
    await finance.post(`/api/staff/requests/${request}/withdraw`, {});
  });

  it('are refused for a channel of another currency, at its field and in words', async () => {
    const message = 'The channel is in VND, but the account of this merchant is in CNY.';
    // The amount has more decimal places than VND.
    const foreign = { channel: 'VN_NAPAS', collectionFixed: '0.10' };
    const asked = await ask(finance, foreign);
    expect([asked.status, asked.json.errors]).toEqual([422, { channel: [message] }]);
    const query = new URLSearchParams({ ...terms, ...foreign }).toString();
    const preview = await finance.get(`${path}/shop/channel-terms-preview?${query}`);
    expect([preview.status, preview.json.errors]).toEqual([422, { channel: [message] }]);
  });

  it('are refused where they make no sense', async () => {
    for (const wrong of [
      { channel: 'NOWHERE' },
      { collectionRate: '100' },
      { collectionRate: '-1' },
      { payoutRate: '0.00001' },
      { payoutFixed: '1.001' },
      { collectionFixed: '-1' },
      { reason: '' },
      { validFrom: '2020-01-01T00:00:00Z' },
    ])
      expect([wrong, (await ask(finance, wrong)).status]).toEqual([wrong, 422]);
    for (const member of [support, reviewer]) expect((await ask(member)).status).toBe(403);
    const unknown = await finance.post(`${path}/nobody/channel-terms`, { ...terms, reason: 'x' });
    expect(unknown.status).toBe(404);
  });
});

describe('the terms of withdrawals', () => {
  const ask = (by: Visitor, more: object = {}) =>
    by.post(`${path}/shop/withdrawal-terms`, {
      fee: '1.5',
      freePerDay: '2',
      minimum: '10',
      reason: 'new contract',
      ...more,
    });

  it('are set once a second person agrees', async () => {
    for (const wrong of [
      { fee: '-1' },
      { fee: '0.0000001' },
      { freePerDay: '1.5' },
      { minimum: '' },
      { reason: ' ' },
    ])
      expect([wrong, (await ask(finance, wrong)).status]).toEqual([wrong, 422]);
    for (const member of [support, reviewer]) expect((await ask(member)).status).toBe(403);
    const { request } = (await ask(admin)).json.data;
    expect((await termsOf('shop')).withdrawals).toEqual([]);
    expect((await approve(admin, request)).json.code).toBe('own_request');
    expect((await approve(finance, request)).status).toBe(200);
    expect((await termsOf('shop')).withdrawals).toMatchObject([
      { isInForce: true, fee: '1.500000', freePerDay: 2, minimum: '10.000000' },
    ]);
    const [{ validFrom }] = (await termsOf('shop')).withdrawals;
    expect((await ask(admin, { fee: '2', seenFrom: null })).json.code).toBe('conflict');
    const next = (await ask(admin, { fee: '2', seenFrom: validFrom })).json.data.request;
    expect((await approve(finance, next)).status).toBe(200);
    const { rows } = await product.services.database.asSystem((tx) =>
      sql<{ before: object | null; after: object }>`
        select before, after from audit where action = 'withdrawal_terms.set' order by id`.execute(tx.query),
    );
    const recorded = (fee: string) => ({ feeUsdtMinor: fee, freePerDay: 2, minimumUsdtMinor: '10000000' });
    expect(rows).toEqual([
      { before: null, after: recorded('1500000') },
      { before: recorded('1500000'), after: recorded('2000000') },
    ]);
  });
});
