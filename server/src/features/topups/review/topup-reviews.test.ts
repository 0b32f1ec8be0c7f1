import { randomBytes, randomInt } from 'node:crypto';
import { casesPerPage } from '@hengfu/contract/staff/cases';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { greyPng } from '../../../demo/picture.ts';
import { EventStream } from '../../../testing/event-stream.ts';
import { TestProduct } from '../../../testing/test-product.ts';
import { TestStaff } from '../../../testing/test-staff.ts';
import type { Visitor } from '../../../testing/visitor.ts';

const path = '/api/staff/topup-reviews';
const operator = 'operator:test';
const tron = 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t';

let product: TestProduct;
let staff: TestStaff;
let merchant: Visitor;
let admin: Visitor;
let reviewer: Visitor;
let finance: Visitor;

beforeAll(async () => {
  product = await TestProduct.start(inject('ownerUrl'));
  const { withdrawalTerms, depositWallets } = product.services;
  await withdrawalTerms.setRate('CNY', '7.15', operator);
  await depositWallets.set({ network: 'TRC20', address: tron, minimumUsdtMinor: 10_000_000n }, operator);
  staff = await TestStaff.start(product);
  merchant = await product.person(await product.merchant('topper'));
  admin = await staff.member('admin', 'ADMIN');
  reviewer = await staff.member('reviewer', 'REVIEWER');
  finance = await staff.member('finance', 'FINANCE');
});
afterAll(async () => {
  expect(await product.violations()).toEqual([]);
  expect(await product.deadlocks()).toBe(0);
  await staff.close();
  await product.close();
});

const picture = () => greyPng(8, 8, () => randomInt(256)).toString('base64');
const transaction = () => randomBytes(32).toString('hex');

/** Submits a top-up of 100 USDT; returns its number. */
async function submit(more: object = {}, by = merchant): Promise<string> {
  const { status, json } = await by.post('/api/merchant/topups', {
    coin: 'USDT',
    amount: '100',
    network: 'TRC20',
    address: tron,
    transactionId: transaction(),
    screenshot: picture(),
    ...more,
  });
  expect(status).toBe(201);
  return json.data.trade_no;
}

const statusOf = async (no: string) => (await merchant.get(`/api/merchant/topups/${no}`)).json.data.status;
const available = async () => (await merchant.get('/api/merchant/account')).json.data.available;

describe('the review of a top-up in the back office', () => {
  it('approves what arrived, credits it, and records both with who did it', async () => {
    const screenshot = picture();
    const no = await submit({ screenshot });
    const queued = (await reviewer.get(path)).json.data.find(
      ({ trade_no }: { trade_no: string }) => trade_no === no,
    );
    expect(queued).toMatchObject({ status: 'pendingReview', merchant: { code: 'topper' }, claim: null });
    const shown = (await reviewer.get(`${path}/${no}/screenshot`)).json.data;
    expect(shown).toEqual((await merchant.get(`/api/merchant/topups/${no}/screenshot`)).json.data);
    const approved = await reviewer.post(`${path}/${no}/approve`, { arrived: '99.5' });
    expect(approved.json.data).toMatchObject({
      status: 'approved',
      arrivedUsdt: '99.500000',
      amount: '711.42',
    });
    // A reviewer does not credit.
    expect((await reviewer.post(`${path}/${no}/credit`)).status).toBe(403);
    expect((await finance.post(`${path}/${no}/credit`)).json.data.status).toBe('paid');
    expect(await available()).toBe('711.42');
    const { rows } = await product.services.database.asSystem((tx) =>
      sql<object>`select actor ~ '^staff:[0-9]+$' as "isStaff", roles, action, before->>'status' as before,
        after->>'status' as after, host(address) as address, request_id is not null as "hasRequest"
        from audit where subject = ${no} and actor like 'staff:%' order by id`.execute(tx.query),
    );
    const row = { isStaff: true, address: '127.0.0.1', hasRequest: true };
    expect(rows).toEqual([
      { ...row, roles: ['REVIEWER'], action: 'topup.approved', before: 'pendingReview', after: 'approved' },
      { ...row, roles: ['FINANCE'], action: 'topup.paid', before: 'approved', after: 'paid' },
    ]);
    const { data } = (await merchant.get('/api/merchant/audit-log')).json;
    expect(data.find(({ action }: { action: string }) => action.includes('paid'))).toMatchObject({
      actorKind: 'staff',
      actor: null,
      actorRoles: [],
      address: null,
    });
  });

  it('rejects with a reason that the merchant reads', async () => {
    const no = await submit();
    expect((await reviewer.post(`${path}/${no}/reject`, { reason: '  ' })).status).toBe(422);
    await reviewer.post(`${path}/${no}/reject`, { reason: '该交易未到账。' });
    const { data } = (await merchant.get(`/api/merchant/topups/${no}`)).json;
    expect(data).toMatchObject({ status: 'rejected', rejectReason: '该交易未到账。' });
    const again = await reviewer.post(`${path}/${no}/approve`, { arrived: '100' });
    expect([again.status, again.json.code]).toEqual([409, 'invalid_transition']);
  });

  it('is done by one of two who decide at once; the other is told', async () => {
    const before = await available();
    const no = await submit();
    const answers = await Promise.all(
      [admin, reviewer, admin, reviewer].map((each) =>
        each.post(`${path}/${no}/approve`, { arrived: '100' }),
      ),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409]);
    const credits = await Promise.all(
      [finance, admin, finance].map((each) => each.post(`${path}/${no}/credit`)),
    );
    expect(credits.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
    expect(Number(await available()) - Number(before)).toBeCloseTo(715, 2);
  });

  it('of much money is never credited by one person, even while its amount is being approved', async () => {
    for (let round = 0; round < 5; round++) {
      const before = await available();
      const no = await submit({ amount: '20' });
      await Promise.all([
        admin.post(`${path}/${no}/approve`, { arrived: '500000' }),
        ...Array.from({ length: 4 }, () => admin.post(`${path}/${no}/credit`)),
      ]);
      expect([await statusOf(no), await available()]).toEqual(['approved', before]);
    }
  });

  it('belongs to whoever took it, until it is given back or a quarter of an hour has passed', async () => {
    const no = await submit();
    const taken = await reviewer.post(`${path}/${no}/claim`);
    expect(taken.json.data.claim).toMatchObject({ name: 'reviewer', isOwn: true });
    expect((await admin.get(`${path}/${no}`)).json.data.claim).toMatchObject({
      name: 'reviewer',
      isOwn: false,
    });
    const refused = await admin.post(`${path}/${no}/approve`, { arrived: '100' });
    expect([refused.status, refused.json.code]).toEqual([409, 'case_taken']);
    expect(refused.json.message).toContain('reviewer');
    // Giving back what somebody else has does nothing.
    await admin.send('DELETE', `${path}/${no}/claim`);
    expect((await admin.post(`${path}/${no}/claim`)).json.code).toBe('case_taken');
    await reviewer.send('DELETE', `${path}/${no}/claim`);
    expect((await admin.post(`${path}/${no}/claim`)).status).toBe(200);
    const { rows } = await staff.runtime.database.asSystem((tx) =>
      sql<{ merchant_id: bigint }>`select merchant_id from staff_topup where trade_no = ${no}`.execute(
        tx.query,
      ),
    );
    await staff.runtime.database.asMerchant(rows[0]?.merchant_id ?? 0n, (tx) =>
      sql`update case_claim set claimed_at = now() - interval '16 minutes'`.execute(tx.query),
    );
    expect((await reviewer.post(`${path}/${no}/approve`, { arrived: '100' })).status).toBe(200);
    expect(await statusOf(no)).toBe('approved');
  });

  it('can be taken only by somebody who may do what it waits for', async () => {
    const support = await staff.member('support', 'SUPPORT');
    const no = await submit();
    const take = async (by: Visitor) => {
      const { status, json } = await by.post(`${path}/${no}/claim`);
      return status === 200 ? 'taken' : json.code;
    };
    expect([await take(finance), await take(support)]).toEqual(['forbidden', 'forbidden']);
    expect(await take(reviewer)).toBe('taken');
    await reviewer.post(`${path}/${no}/approve`, { arrived: '100' });
    // A reviewer's claim would keep out those who credit.
    expect([await take(reviewer), await take(support)]).toEqual(['forbidden', 'forbidden']);
    expect(await take(finance)).toBe('taken');
    expect((await admin.post(`${path}/${no}/credit`)).json.code).toBe('case_taken');
    for (const each of [reviewer, finance, finance]) await each.send('DELETE', `${path}/${no}/claim`);
    expect(await take(admin)).toBe('taken');
    expect((await admin.post(`${path}/${no}/credit`)).status).toBe(200);
    expect(await take(admin)).toBe('invalid_transition');
    const { rows } = await product.services.database.asSystem((tx) =>
      sql<object>`select roles, action, after->>'status' as status, actor ~ '^staff:[0-9]+$' as "isStaff",
        request_id is not null as "hasRequest"
        from audit where subject = ${no} and merchant_id = 0 order by id`.execute(tx.query),
    );
    const row = { isStaff: true, hasRequest: true };
    expect(rows).toEqual([
      { ...row, roles: ['REVIEWER'], action: 'topup.claim', status: 'pendingReview' },
      { ...row, roles: ['FINANCE'], action: 'topup.claim', status: 'approved' },
      { ...row, roles: ['FINANCE'], action: 'topup.release', status: 'approved' },
      { ...row, roles: ['ADMIN'], action: 'topup.claim', status: 'approved' },
    ]);
  });

  it('shows other uses of picture and transaction, and the merchant’s earlier top-ups', async () => {
    const screenshot = picture();
    const transactionId = transaction();
    const first = await submit({ screenshot, transactionId });
    await reviewer.post(`${path}/${first}/reject`, { reason: 'Nothing arrived.' });
    const second = await submit({ screenshot, transactionId });
    const { data } = (await reviewer.get(`${path}/${second}`)).json;
    expect(data).toMatchObject({ isImageKnown: true, isTransactionKnown: true, isCurrentWallet: true });
    const numbers = (list: { trade_no: string }[]) => list.map(({ trade_no }) => trade_no);
    expect(numbers(data.sameImage)).toEqual([first]);
    expect(numbers(data.sameTransaction)).toEqual([first]);
    expect(numbers(data.earlier)).toContain(first);
    expect((await reviewer.get(`${path}/T00000000000000000000000`)).status).toBe(404);
  });

  it('reaches open screens of our staff, and the merchant’s', async () => {
    const ours = await EventStream.open(staff.url, reviewer, '', '/api/staff/events');
    const theirs = await EventStream.open(product.url, merchant);
    const no = await submit();
    expect((await ours.next()).topics).toContain('topups');
    expect((await theirs.next()).topics).toContain('topups');
    await reviewer.post(`${path}/${no}/claim`);
    expect((await ours.next()).topics).toEqual(['caseClaims']);
    await reviewer.post(`${path}/${no}/approve`, { arrived: '100' });
    expect((await theirs.next()).topics).toContain('topups');
    await ours.cancel();
    await theirs.cancel();
  });
});

describe('the first page', () => {
  it('lists what waits, oldest first, and figures that add up', async () => {
    const no = await submit();
    const { data } = (await finance.get('/api/staff/waiting')).json;
    expect(data.items.map(({ number }: { number: string }) => number)).toContain(no);
    const sinces = data.items.map(({ since }: { since: string }) => since);
    expect(sinces).toEqual(sinces.toSorted());
    expect(data.counts.topupReview).toBeGreaterThan(0);
    const since = new Date(Date.now() - 3_600_000).toISOString();
    const figures = (await finance.get(`/api/staff/figures?since=${since}`)).json.data;
    const [cny] = figures.filter(({ currency }: { currency: string }) => currency === 'CNY');
    const sum = (part: 'balance' | 'in' | 'out') =>
      cny.places.reduce((total: number, place: Record<string, string>) => total + Number(place[part]), 0);
    expect(sum('balance')).toBeCloseTo(0, 2);
    expect(sum('in')).toBeCloseTo(sum('out'), 2);
    const ofKind = (kind: string) => cny.places.find((place: { kind: string }) => place.kind === kind);
    expect(ofKind('available').balance).toBe(await available());
    expect(ofKind('available').in).toBe(await available());
    const later = new Date(Date.now() + 3_600_000).toISOString();
    const none = (await finance.get(`/api/staff/figures?since=${later}`)).json.data[0];
    expect(
      none.places.every((place: { in: string; out: string }) => Number(place.in) + Number(place.out) === 0),
    ).toBe(true);
  });
});

it('asks a second person once what one person has credited alone within a day comes to 1,000 USDT', async () => {
  const by = await product.person(await product.merchant('slicer'));
  const credited: string[] = [];
  for (const arrived of ['400', '400', '400']) {
    const no = await submit({}, by);
    await reviewer.post(`${path}/${no}/approve`, { arrived });
    credited.push((await finance.post(`${path}/${no}/credit`)).json.data.status);
    const shown = (await finance.get(`${path}/${no}`)).json.data;
    expect([shown.status, shown.requestId === null]).toEqual([credited.at(-1), credited.at(-1) === 'paid']);
  }
  expect(credited).toEqual(['paid', 'paid', 'approved']);
});

it('a long queue is read page by page, each case once, also while cases are decided', async () => {
  const waiting = 120;
  const { id } = await product.merchant('busy');
  await product.services.database.asSystem(async (tx) => {
    // All at the same moment, so that only their numbers tell them apart.
    await sql`with made as (
        insert into topup (merchant_id, trade_no, usdt_minor, currency, amount_minor, usdt_rate, network, address, transaction_id,
          created_by, created_at)
        select ${id}, new_trade_no('T', ${id}, now()), 1000000, 'CNY', 715, 7.15, 'TRC20', ${tron}, md5(n::text), 'user:1', '2020-01-01'
        from generate_series(1, ${waiting}) n returning id)
      insert into topup_image (merchant_id, topup_id, type, bytes, sha256)
      select ${id}, id, 'image/png', '', decode(repeat(md5(id::text), 2), 'hex') from made`.execute(tx.query);
  });
  const read: string[] = [];
  for (let after = ''; ; ) {
    const { json } = await reviewer.get(after === '' ? path : `${path}?after=${after}`);
    const page: string[] = json.data.map(({ trade_no }: { trade_no: string }) => trade_no);
    read.push(...page);
    after = page.at(-1) ?? '';
    if (page.length < casesPerPage) break;
    // The case that the next page begins behind leaves the queue.
    expect((await reviewer.post(`${path}/${after}/reject`, { reason: 'no such transfer' })).status).toBe(200);
  }
  const { rows } = await product.services.database.asSystem((tx) =>
    sql<{ trade_no: string }>`select trade_no from topup where merchant_id = ${id} order by trade_no`.execute(
      tx.query,
    ),
  );
  expect(read.slice(0, waiting)).toEqual(rows.map(({ trade_no }) => trade_no));
  expect(new Set(read).size).toBe(read.length);
  expect((await reviewer.get(`${path}?after=nowhere`)).json.data).toEqual([]);
});
