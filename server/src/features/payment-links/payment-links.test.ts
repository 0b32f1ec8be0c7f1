import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, describe, expect, inject, it } from 'vitest';
import { greyPng } from '../../demo/picture.ts';
import { type TestMerchant, TestProduct } from '../../testing/test-product.ts';
import type { Answer, Visitor } from '../../testing/visitor.ts';

let product: TestProduct;
let merchant: TestMerchant;
let finance: Visitor;
let viewer: Visitor;
let admin: Visitor;
let stranger: Visitor;

beforeAll(async () => {
  product = await TestProduct.start(inject('ownerUrl'), { env: { TRUST_PROXY: '127.0.0.1' } });
  merchant = await product.merchant('links');
  finance = await product.person(merchant, 'FINANCE');
  viewer = await product.person(merchant, 'MERCHANT_VIEWER');
  admin = await product.person(merchant);
  stranger = await product.person(await product.merchant('other-links'));
});
afterAll(async () => {
  expect(await product.deadlocks()).toBe(0);
  await product.close();
});
afterEach(async () => {
  expect(await product.violations()).toEqual([]);
});

const path = '/api/merchant/payment-links';
const asSystem = <T>(statement: ReturnType<typeof sql<T>>) =>
  product.services.database.asSystem(async (tx) => (await statement.execute(tx.query)).rows);

interface Made {
  link_no: string;
  url: string;
  token: string;
}

/** Creates a link; `fields` replace the usual ones. */
async function make(fields: object = {}, by = finance): Promise<Made> {
  const { status, json } = await by.post(path, { title: 'Course', amount: '10.00', ...fields });
  expect([status, json.code]).toEqual([201, undefined]);
  return { ...json.data, token: json.data.url.split('/pay/link/')[1] };
}
const read = async (linkNo: string) => (await finance.get(`${path}/${linkNo}`)).json.data;

let payers = 0;
/** Makes an order as a payer with an address of its own. */
function order(token: string, fields: object = {}, version?: string): Promise<Answer> {
  const nth = payers++;
  const address = `10.${nth >> 16}.${(nth >> 8) & 255}.${nth & 255}`;
  const attempt = `attempt-${String(nth).padStart(12, '0')}`;
  return product
    .visitor()
    .post(
      `/api/pay-links/${token}/orders${version === undefined ? '' : `?version=${version}`}`,
      { attempt, ...fields },
      { 'x-forwarded-for': address },
    );
}
const cashierOf = ({ json }: Answer): string => json.cashierUrl.split('/pay/')[1];

/** Returns the number of an order, whose payer has chosen a channel. */
async function begin(answer: Answer): Promise<string> {
  const [row] = await asSystem(
    sql<{ no: string }>`update collection set channel = 'CN_BANK'
      where cashier_token = ${cashierOf(answer)} returning trade_no as no`,
  );
  return row?.no ?? expect.fail('no such order');
}
/** Gives orders up whose payers have begun to pay, without the channel's knowledge. */
async function giveUp(numbers: readonly string[]): Promise<void> {
  const of = (change: ReturnType<typeof sql>) =>
    asSystem(sql`update collection set ${change} where trade_no = any (${numbers}::text[])`);
  await of(sql`channel = null`);
  const answers = await Promise.all(
    numbers.map((no) => finance.post(`/api/merchant/collections/${no}/cancel`)),
  );
  expect(answers.map(({ status }) => status)).toEqual(numbers.map(() => 204));
  await of(sql`channel = 'CN_BANK'`);
}
const pay = (reference: string, amountMinor = 1000n) =>
  product.services.collections.report({
    reference,
    status: 'paid',
    bankReference: `b-${reference}`,
    amountMinor,
    currency: 'CNY',
    reason: null,
  });
/** Reads the refunds of orders. */
const returnedOf = (numbers: readonly string[]) =>
  asSystem(
    sql<{ minor: string; by: string }>`select r.amount_minor::text as minor, r.requested_by as by
      from refund r join collection c on c.merchant_id = r.merchant_id and c.id = r.collection_id
      where c.trade_no = any (${numbers}::text[])`,
  );
const orderOf = async (tradeNo: string) =>
  (await finance.get(`/api/merchant/collections/${tradeNo}`)).json.data;
const reasons = (found: { timeline: { reason: string }[] }) => found.timeline.map(({ reason }) => reason);

describe('a payment link', () => {
  it('is paid as an ordinary collection that leads back to it', async () => {
    const { link_no, token } = await make({
      description: 'Ten lessons',
      maxQuantity: 3,
      asked: { known: ['name', 'email'], own: ['T-shirt size'] },
      note: 'See you on Monday.',
    });
    const shown = (await product.visitor().get(`/api/pay-links/${token}`)).json;
    expect(shown).toMatchObject({ title: 'Course', state: 'open', amount: '10.00', maxQuantity: 3 });
    expect(JSON.stringify(shown)).not.toContain('Monday');
    const answer = await order(token, {
      quantity: 2,
      name: 'Ann <b>',
      email: 'ann@payer.test',
      own: ['M'],
    });
    expect(answer.status).toBe(201);
    const cashier = (await product.visitor().get(`/api/cashier/${cashierOf(answer)}`)).json;
    expect(cashier).toMatchObject({ subject: 'Course × 2', amount: '20.00', status: 'toBePaid' });
    expect(JSON.stringify(cashier)).not.toContain('ann@payer.test');
    const after = () => product.visitor().get(`/api/pay-links/${token}/orders/${cashierOf(answer)}`);
    expect(cashier.returnUrl).toBe(`${product.url}/pay/link/${token}?order=${cashierOf(answer)}`);
    expect((await after()).json).toMatchObject({ isPaid: false, note: null });
    const tradeNo = await begin(answer);
    await pay(tradeNo, 2000n);
    expect((await after()).json).toMatchObject({ isPaid: true, note: 'See you on Monday.' });
    expect((await orderOf(tradeNo)).link).toEqual({
      link_no,
      title: 'Course',
      quantity: 2,
      answers: [
        { field: 'name', label: null, value: 'Ann <b>' },
        { field: 'email', label: null, value: 'ann@payer.test' },
        { field: 'own', label: 'T-shirt size', value: 'M' },
      ],
    });
    // A receipt is passed on: it has none of the answers.
    const receipt = (await finance.get(`/api/merchant/collections/${tradeNo}/receipt`)).json.data.url;
    const passedOn = await product.visitor().get(`/api/receipts/${receipt.split('/receipt/')[1]}`);
    expect(passedOn.json).toMatchObject({ subject: 'Course × 2', amount: '20.00' });
    expect(JSON.stringify(passedOn.json)).not.toMatch(/Ann|payer\.test/);
    expect(await read(link_no)).toMatchObject({ state: 'on', liveOrders: 0, paidOrders: 1, paid: '20.00' });
    const list = (await finance.get(`/api/merchant/collections?link=${link_no}`)).json;
    expect(list.data).toMatchObject([{ trade_no: tradeNo }]);
    expect([list.total, list.sum.amount]).toEqual([{ count: 1, exact: true }, '20.00']);
    const theirs = (await stranger.get(`/api/merchant/collections?link=${link_no}`)).json;
    expect(theirs.data).toEqual([]);
  });

  it('lets the payer choose an amount within its limits', async () => {
    const { token } = await make({ amount: '', least: '5.00', most: '50.00' });
    for (const amount of ['4.99', '50.01', '0', undefined]) {
      const { status, json } = await order(token, amount === undefined ? {} : { amount });
      expect([status, json.errors]).toEqual([422, { amount: [expect.any(String)] }]);
    }
    expect((await order(token, { amount: '50.00' })).status).toBe(201);
  });

  it('makes one order of an attempt that is sent twenty times', async () => {
    const { link_no, token } = await make({ maxUses: 5 });
    const attempt = 'the-same-attempt-0001';
    const answers = await Promise.all(Array.from({ length: 20 }, () => order(token, { attempt })));
    expect(new Set(answers.map(({ json }) => json.cashierUrl)).size).toBe(1);
    expect((await read(link_no)).liveOrders).toBe(1);
    // The only use of another link is held by the attempt itself.
    const { token: single } = await make({ maxUses: 1 });
    const same = await Promise.all(Array.from({ length: 20 }, () => order(single, { attempt })));
    expect(same.map(({ status }) => status)).toEqual(Array(20).fill(201));
  });

  it('is closed while it is off, once it has expired, and once it is used up', async () => {
    const off = await make();
    const turn = (isOn: boolean) => finance.send('PUT', `${path}/${off.link_no}/is-on`, { isOn });
    expect((await turn(false)).json.data.state).toBe('off');
    expect((await order(off.token)).json.code).toBe('link_closed');
    expect((await product.visitor().get(`/api/pay-links/${off.token}`)).json.state).toBe('closed');
    expect((await turn(true)).json.data.state).toBe('on');
    expect((await order(off.token)).status).toBe(201);
    const expired = await make({ expiresAt: '2020-01-01T00:00:00Z' });
    expect((await order(expired.token)).json.code).toBe('link_closed');
    const once = await make({ maxUses: 1 });
    const first = await order(once.token);
    const busy = await order(once.token);
    expect([busy.status, busy.json.code]).toEqual([429, 'link_busy']);
    await pay(await begin(first));
    const last = await order(once.token);
    expect([last.status, last.json.code]).toEqual([410, 'link_used_up']);
    const numbers = async (state: string) =>
      (await finance.get(`${path}?state=${state}`)).json.data.map(
        ({ link_no }: { link_no: string }) => link_no,
      );
    expect(await numbers('usedUp')).toEqual([once.link_no]);
    expect(await numbers('expired')).toEqual([expired.link_no]);
    expect(await numbers('on')).toContain(off.link_no);
    expect((await numbers('off,on')).length).toBe((await numbers('on')).length);
  });

  it('is found by its title, and shows the sum of what was paid', async () => {
    const { link_no } = await make({ title: 'Winter 冬季 Camp' });
    for (const title of ['winter', '冬季', 'CAMP'])
      expect(
        (await finance.get(`${path}?${new URLSearchParams({ title })}`)).json.data.map(
          (row: { link_no: string }) => row.link_no,
        ),
      ).toEqual([link_no]);
    expect((await finance.get(`${path}?title=summer`)).json.data).toEqual([]);
  });

  it('keeps its picture re-encoded, and shows it to payers', async () => {
    const picture = greyPng(40, 30, (x) => x * 5).toString('base64');
    const { link_no, token } = await make({ picture });
    const shown = await fetch(`${product.url}/api/pay-links/${token}/picture`);
    expect([shown.status, shown.headers.get('content-type')]).toEqual([200, 'image/png']);
    expect(shown.headers.get('x-content-type-options')).toBe('nosniff');
    const body = { title: 'Course', amount: '11.00' };
    const kept = await finance.send('PUT', `${path}/${link_no}`, body);
    expect(kept.json.data).toMatchObject({ hasPicture: true, amount: '11.00' });
    const removed = await finance.send('PUT', `${path}/${link_no}`, { ...body, picture: '' });
    expect(removed.json.data.hasPicture).toBe(false);
    expect((await fetch(`${product.url}/api/pay-links/${token}/picture`)).status).toBe(404);
    const wrong = await finance.post(path, { ...body, picture: Buffer.from('<svg/>').toString('base64') });
    expect([wrong.status, Object.keys(wrong.json.errors)]).toEqual([422, ['picture']]);
  });

  it('takes no answers to questions, and no price, that its merchant has changed since', async () => {
    const { link_no, token } = await make({ asked: { known: [], own: ['Town'] } });
    const versionOf = async () => (await product.visitor().get(`/api/pay-links/${token}`)).json.version;
    const seen = await versionOf();
    const first = { attempt: 'seen-before-the-change', own: ['Hangzhou'] };
    expect((await order(token, first, seen)).status).toBe(201);
    const body = { title: 'Course', amount: '10.00', asked: { known: [], own: ['Name of your child'] } };
    await finance.send('PUT', `${path}/${link_no}`, body);
    const stale = await order(token, { own: ['Hangzhou'] }, seen);
    expect([stale.status, stale.json.code]).toEqual([409, 'conflict']);
    // An order that was made before is found again.
    expect((await order(token, first, seen)).status).toBe(201);
    expect((await order(token, { own: ['Ann'] }, await versionOf())).status).toBe(201);
    expect((await read(link_no)).liveOrders).toBe(2);
  });

  describe('that a colleague has changed', () => {
    const pictureOf = (shade: number) => greyPng(40, 30, () => shade).toString('base64');
    const change = (linkNo: string, fields: object, version?: string) =>
      finance.send('PUT', `${path}/${linkNo}${version === undefined ? '' : `?version=${version}`}`, {
        title: 'Course',
        amount: '10.00',
        ...fields,
      });

    it('is not changed by a form that was opened before', async () => {
      const { link_no } = await make();
      const seen = (await read(link_no)).version;
      expect((await change(link_no, { amount: '12.00' }, seen)).status).toBe(200);
      // The reply was lost, and the same form is sent again.
      expect((await change(link_no, { amount: '12.00' }, seen)).status).toBe(200);
      const late = await change(link_no, { note: 'See you' }, seen);
      expect([late.status, late.json.code]).toEqual([409, 'conflict']);
      expect(await read(link_no)).toMatchObject({ amount: '12.00', note: null });
      const { version } = await read(link_no);
      expect((await change(link_no, { amount: '12.00', note: 'See you' }, version)).status).toBe(200);
      const misspelled = await finance.send('PUT', `${path}/${link_no}?verison=${seen}`, {});
      expect([misspelled.status, Object.keys(misspelled.json.errors)]).toContainEqual(['verison']);
      // A page of the version before sends none.
      expect((await change(link_no, {})).status).toBe(200);
    });

    it('has another version for each setting and each picture, but not for what its payers do', async () => {
      const { link_no, token } = await make();
      const versions = [(await read(link_no)).version];
      for (const fields of [
        { title: 'Lesson' },
        { description: 'Ten lessons' },
        { picture: pictureOf(1) },
        { picture: pictureOf(200) },
        { picture: '' },
        { amount: '11.00' },
        { amount: '', least: '1.00', most: '2.00' },
        { maxQuantity: 2 },
        { maxUses: 7 },
        { expiresAt: '2035-01-01T00:00:00Z' },
        { asked: { known: ['email'], own: [] } },
        { asked: { known: [], own: ['Town'] } },
        { note: 'See you' },
        { returnUrl: 'https://shop.example/' },
      ]) {
        await change(link_no, { picture: '', ...fields });
        versions.push((await read(link_no)).version);
      }
      // Only the removal of the picture restores what was before.
      expect([versions[5], new Set(versions).size]).toEqual([versions[0], versions.length - 1]);
      await change(link_no, {});
      await order(token);
      await finance.send('PUT', `${path}/${link_no}/is-on`, { isOn: false });
      expect((await read(link_no)).version).toBe(versions[0]);
    });

    it('takes one of several changes that are sent at the same time', async () => {
      const { link_no } = await make({ picture: pictureOf(0) });
      const { version } = await read(link_no);
      const answers = await Promise.all(
        [50, 100, 150, 200].map((shade) => change(link_no, { picture: pictureOf(shade) }, version)),
      );
      expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409, 409]);
    });
  });

  it('has everything that was changed in the audit log, its picture by its hash', async () => {
    const { link_no } = await make({ description: 'Ten lessons' });
    await finance.send('PUT', `${path}/${link_no}`, {
      title: 'Course',
      amount: '10.00',
      description: 'Twelve lessons',
      picture: greyPng(40, 30, (x) => x * 5).toString('base64'),
      asked: { known: ['name', 'email'], own: ['Town'] },
      note: 'See you',
    });
    const { data } = (
      await admin.get(`/api/merchant/audit-log?action=payment_link_update&subject=${link_no}`)
    ).json;
    expect(data[0].changes).toEqual([
      { field: 'note', before: null, after: 'See you' },
      { field: 'asked', before: null, after: 'name, email' },
      { field: 'picture', before: null, after: expect.stringMatching(/^[0-9a-f]{64}$/) },
      { field: 'ownFields', before: null, after: 'Town' },
      { field: 'description', before: 'Ten lessons', after: 'Twelve lessons' },
    ]);
  });

  it('comes with its page, except for a payer who returns from an order', async () => {
    const { token } = await make();
    const bootOf = async (query: string) => {
      const page = await (await fetch(`${product.url}/pay/link/${token}${query}`)).text();
      return JSON.parse(/<script[^>]*>(.*?)<\/script>/.exec(page)?.[1] ?? '');
    };
    expect((await bootOf('')).reply).toMatchObject({ title: 'Course', state: 'open' });
    expect(await bootOf(`?order=${token}`)).not.toHaveProperty('reply');
  });

  it('leads its payer on, whatever became of the order', async () => {
    const outcomeOf = async (token: string, answer: Answer) => {
      const { json } = await product.visitor().get(`/api/pay-links/${token}/orders/${cashierOf(answer)}`);
      return [json.outcome, json.isPaid];
    };
    const { token } = await make();
    const [paid, cancelled, expired] = await Promise.all([order(token), order(token), order(token)]);
    const cashier = (await product.visitor().get(`/api/cashier/${cashierOf(paid)}`)).json;
    expect(cashier.returnUrl).toBe(`${product.url}/pay/link/${token}?order=${cashierOf(paid)}`);
    expect(await outcomeOf(token, paid)).toEqual(['payable', false]);
    await pay(await begin(paid));
    await giveUp([await begin(cancelled)]);
    await asSystem(
      sql`update collection set expires_at = now() - interval '1 millisecond' where cashier_token = ${cashierOf(expired)}`,
    );
    expect(await outcomeOf(token, paid)).toEqual(['paid', true]);
    expect(await outcomeOf(token, cancelled)).toEqual(['ended', false]);
    expect(await outcomeOf(token, expired)).toEqual(['ended', false]);
    // The merchant's own address takes the payer back, unless there is a note to read first.
    const { token: withAddress } = await make({ returnUrl: 'https://shop.example/' });
    const elsewhere = await order(withAddress);
    const returned = (await product.visitor().get(`/api/cashier/${cashierOf(elsewhere)}`)).json;
    expect(returned.returnUrl).toBe('https://shop.example/');
  });

  it('never has fewer uses than are held', async () => {
    const { link_no, token } = await make({ maxUses: 3 });
    await order(token);
    await order(token);
    const change = (maxUses: number) =>
      finance.send('PUT', `${path}/${link_no}`, { title: 'Course', amount: '10.00', maxUses });
    const refused = await change(1);
    expect([refused.status, Object.keys(refused.json.errors)]).toEqual([422, ['maxUses']]);
    expect((await change(2)).json.data.maxUses).toBe(2);
    // The database refuses it as well.
    await expect(
      asSystem(sql`update payment_link set max_uses = 1 where link_no = ${link_no}`),
    ).rejects.toThrow('payment_link_uses');
  });
});

describe('the uses of a link', () => {
  it('are returned by an order that is cancelled, and taken again by a late payment while there is one', async () => {
    const { link_no, token } = await make({ maxUses: 1 });
    const first = await begin(await order(token));
    await giveUp([first]);
    expect(await read(link_no)).toMatchObject({ liveOrders: 0, paidOrders: 0 });
    await pay(first);
    expect(await read(link_no)).toMatchObject({ state: 'usedUp', liveOrders: 0, paidOrders: 1 });
    expect(reasons(await orderOf(first))).not.toContain('link_used_up');
  });

  it('that are taken by others leave a late payer whose money is being returned, until it is', async () => {
    const { token } = await make({ maxUses: 1 });
    const late = await order(token);
    const lateNo = await begin(late);
    await giveUp([lateNo]);
    const other = await order(token);
    await pay(await begin(other));
    await pay(lateNo);
    const shown = async (answer: Answer) => {
      const of = cashierOf(answer);
      const [cashier, after] = await Promise.all([
        product.visitor().get(`/api/cashier/${of}`),
        product.visitor().get(`/api/pay-links/${token}/orders/${of}`),
      ]);
      return [cashier.json.lateReturn, after.json.outcome, after.json.isPaid];
    };
    expect(await shown(late)).toEqual(['inProgress', 'returning', false]);
    expect(await shown(other)).toEqual([null, 'paid', true]);
    const refunded = { status: 'refunded', reason: null, bankReference: 'b-back' } as const;
    await product.services.refundDispatch.report(merchant.id, `${lateNo}-R1`, refunded);
    expect(await shown(late)).toEqual([null, 'returned', false]);
    const { status } = (await product.visitor().get(`/api/cashier/${cashierOf(late)}`)).json;
    expect(status).toBe('refunded');
  });

  it('that are taken by others leave a late payer who reads it if the channel refuses the return', async () => {
    const { token } = await make({ maxUses: 1 });
    const late = await order(token);
    const lateNo = await begin(late);
    await giveUp([lateNo]);
    await pay(await begin(await order(token)));
    await pay(lateNo);
    const refused = { status: 'refused', reason: null, bankReference: 'b-no' } as const;
    await product.services.refundDispatch.report(merchant.id, `${lateNo}-R1`, refused);
    const of = cashierOf(late);
    const cashier = await product.visitor().get(`/api/cashier/${of}`);
    const after = await product.visitor().get(`/api/pay-links/${token}/orders/${of}`);
    expect([cashier.json.lateReturn, after.json.outcome]).toEqual(['failed', 'notReturned']);
  });

  it('are never exceeded by 300 payers at once, 20 of whom pay late', async () => {
    const uses = 100;
    const late = 20;
    const { link_no, token } = await make({ maxUses: uses });
    const crowd = await Promise.all(Array.from({ length: 300 }, () => order(token)));
    const made = crowd.filter(({ status }) => status === 201);
    expect(made).toHaveLength(uses);
    expect(new Set(crowd.filter(({ status }) => status !== 201).map(({ json }) => json.code))).toEqual(
      new Set(['link_busy']),
    );
    const numbers = await Promise.all(made.map(begin));
    const [lateOnes, others] = [numbers.slice(0, late), numbers.slice(late)];
    // Late payers' orders are given up. Others take their places, and then all money arrives at once.
    await giveUp(lateOnes);
    const [places] = await Promise.all([
      Promise.all(Array.from({ length: 60 }, () => order(token))),
      Promise.all(others.map((no) => pay(no))),
    ]);
    const taken = places.filter(({ status }) => status === 201);
    expect(taken).toHaveLength(late);
    const next = await Promise.all(taken.map(begin));
    await Promise.all([...lateOnes, ...next].map((no) => pay(no)));
    expect(await read(link_no)).toMatchObject({
      state: 'usedUp',
      liveOrders: 0,
      paidOrders: uses,
      paid: '1000.00',
    });
    for (const no of lateOnes) expect(reasons(await orderOf(no))).toContain('link_used_up');
    for (const no of next) expect(reasons(await orderOf(no))).not.toContain('link_used_up');
    // All money is booked, that of late payers, too.
    const [{ count } = { count: 0 }] = await asSystem(
      sql<{ count: number }>`select count(*)::integer as count from collection
        where paid_at is not null and trade_no = any (${[...numbers, ...next]}::text[])`,
    );
    expect(count).toBe(uses + late);
    // Money beyond the uses goes back by itself, once, even if the channel reports it again.
    await Promise.all(lateOnes.map((no) => pay(no)));
    expect(await returnedOf(lateOnes)).toEqual(lateOnes.map(() => ({ minor: '1000', by: 'service' })));
    expect(await returnedOf(next)).toEqual([]);
  }, 60_000);

  it('are contested by late payments and new payers at the same time', async () => {
    const { link_no, token } = await make({ maxUses: 5 });
    const numbers = await Promise.all(
      (await Promise.all([0, 1, 2, 3, 4].map(() => order(token)))).map(begin),
    );
    await giveUp(numbers);
    const [answers] = await Promise.all([
      Promise.all(Array.from({ length: 10 }, () => order(token))),
      Promise.all(numbers.map((no) => pay(no))),
    ]);
    const made = answers.filter(({ status }) => status === 201).length;
    const { liveOrders, paidOrders } = await read(link_no);
    expect([liveOrders, liveOrders + paidOrders]).toEqual([made, 5]);
    const beyond = await Promise.all(
      numbers.map(async (no) => reasons(await orderOf(no)).includes('link_used_up')),
    );
    expect(beyond.filter(Boolean)).toHaveLength(made);
    expect(await returnedOf(numbers)).toHaveLength(made);
  });
});

describe('hostile input', () => {
  it.each([
    ['no title', { title: ' ' }, 'title'],
    ['a long title', { title: 'x'.repeat(81) }, 'title'],
    ['neither amount nor limits', { amount: '' }, 'least'],
    ['both', { least: '1.00', most: '2.00' }, 'amount'],
    ['limits in the wrong order', { amount: '', least: '2.00', most: '1.00' }, 'most'],
    ['an amount of zero', { amount: '0.00' }, 'amount'],
    ['too many decimals', { amount: '1.001' }, 'amount'],
    ['a sum that is no amount', { amount: '999999999999.00', maxQuantity: 99 }, 'amount'],
    [
      'a quantity of a chosen amount',
      { amount: '', least: '1.00', most: '2.00', maxQuantity: 2 },
      'maxQuantity',
    ],
    ['no uses', { maxUses: 0 }, 'maxUses'],
    ['a script as address', { returnUrl: 'javascript:alert(1)' }, 'returnUrl'],
    ['six own fields', { asked: { known: [], own: ['a', 'b', 'c', 'd', 'e', 'f'] } }, 'asked.own'],
    ['another merchant', { merchant_id: '1' }, 'merchant_id'],
  ])('of a merchant is refused: %s', async (_what, fields, field) => {
    const { status, json } = await finance.post(path, { title: 'Course', amount: '10.00', ...fields });
    expect([status, Object.keys(json.errors)]).toEqual([422, expect.arrayContaining([field])]);
  });

  it.each([
    ['another amount', { amount: '0.01' }, 'amount'],
    ['a quantity beyond the link’s', { quantity: 2 }, 'quantity'],
    ['half a piece', { quantity: 0.5 }, 'quantity'],
    ['a long name', { name: 'x'.repeat(201) }, 'name'],
    ['control characters', { name: 'a\u0007b' }, 'name'],
    ['text that turns its direction', { name: 'a\u202eb' }, 'name'],
    ['no name', { name: undefined }, 'name'],
    ['a field that was not asked for', { email: 'a@b.test' }, 'email'],
    ['too few own fields', { own: [] }, 'own'],
    ['a status', { status: 'paid' }, 'status'],
    ['a short attempt', { attempt: 'short' }, 'attempt'],
  ])('of a payer is refused: %s', async (_what, fields, field) => {
    const { link_no, token } = await make({ asked: { known: ['name'], own: ['Size'] } });
    const { status, json } = await order(token, { name: 'Ann', own: ['M'], ...fields });
    expect([status, Object.keys(json.errors)]).toEqual([422, [field]]);
    expect((await read(link_no)).liveOrders).toBe(0);
  });

  it('finds neither unknown links nor those of other merchants', async () => {
    const { link_no, token } = await make();
    const other = `${token.slice(0, -2)}zz`;
    expect((await product.visitor().get(`/api/pay-links/${other}`)).status).toBe(404);
    expect((await order(other)).status).toBe(404);
    expect((await stranger.get(`${path}/${link_no}`)).status).toBe(404);
    const turned = await stranger.send('PUT', `${path}/${link_no}/is-on`, { isOn: false });
    expect(turned.status).toBe(404);
    expect((await viewer.send('PUT', `${path}/${link_no}/is-on`, { isOn: false })).status).toBe(403);
    expect((await read(link_no)).state).toBe('on');
    // The note is for those who have paid with this link.
    const { token: withNote } = await make({ note: 'Secret' });
    const foreign = cashierOf(await order(token));
    expect((await product.visitor().get(`/api/pay-links/${withNote}/orders/${foreign}`)).status).toBe(404);
  });

  it('is closed while the merchant is suspended', async () => {
    const { token } = await make();
    const suspend = (at: Date | null) =>
      asSystem(sql`update merchant set suspended_at = ${at} where id = ${merchant.id}`);
    await suspend(new Date());
    const shown = (await product.visitor().get(`/api/pay-links/${token}`)).json.state;
    const refused = await order(token);
    await suspend(null);
    expect([shown, refused.status, refused.json.code]).toEqual(['closed', 410, 'link_closed']);
  });
});
