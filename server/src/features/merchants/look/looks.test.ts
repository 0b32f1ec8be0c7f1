import { merchantLookEndpoints } from '@hengfu/contract/staff/merchant-looks';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { asOwner } from '#db/owner.ts';
import { type TestMerchant, TestProduct } from '../../../testing/test-product.ts';
import { TestStaff } from '../../../testing/test-staff.ts';
import type { Visitor } from '../../../testing/visitor.ts';

let product: TestProduct;
let staff: TestStaff;
let mine: TestMerchant;
let theirs: TestMerchant;
let owner: Visitor;
let viewer: Visitor;
let support: Visitor;
let tradeNo = '';
let paidNo = '';
let settlementNo = '';

beforeAll(async () => {
  product = await TestProduct.start(inject('ownerUrl'), { bank: true });
  staff = await TestStaff.start(product);
  mine = await product.merchant('mine');
  theirs = await product.merchant('theirs');
  await product.fund(mine, '5000.00');
  for (const each of [mine, theirs]) await each.program.create(`order-${each.id}`, { channel: 'CN_BANK' });
  const { json } = await mine.program.post('/openapi/v1/payouts', {
    out_trade_no: 'pay-1',
    currency: 'CNY',
    channel: 'CN_BANK',
    amount: '25.00',
    payee: '王芳',
    bank: 'ICBC',
    bankName: '中国工商银行',
    payeeAccount: '6222021234567890128',
  });
  expect(json.trade_no).toBeDefined();
  tradeNo = json.trade_no;
  owner = await product.person(mine);
  paidNo = (await owner.get('/api/merchant/collections?status=success,paid')).json.data[0].trade_no;
  settlementNo = (await owner.get('/api/merchant/settlements')).json.data[0].settlement_no;
  viewer = await product.person(mine, 'MERCHANT_VIEWER');
  support = await staff.member('support', 'SUPPORT');
});
afterAll(async () => {
  await staff.close();
  await product.close();
});

const pathOf = (code: string, page = '') => `/api/staff/merchants/${code}/look${page && `/${page}`}`;
const begin = (by: Visitor, code = 'mine', reason = 'asked about a missing payout') =>
  by.post(pathOf(code), { reason });
const today = new Date().toISOString().slice(0, 10);
const days = `offset=%2B08:00&from=${today}&to=${today}`;
/** The pages, with the merchant's own call for each. */
const pages = [
  ['dashboard', '/api/merchant/dashboard', 'period=days7'],
  ['fund-flow', '/api/merchant/fund-flow', ''],
  ['collections', '/api/merchant/collections', ''],
  ['payouts', '/api/merchant/payouts', ''],
  ['settlements', '/api/merchant/settlements', ''],
  ['daily-report', '/api/merchant/daily-reports', days],
] as const;

const looksOf = async (merchant: TestMerchant) => {
  const { rows } = await product.services.database.asSystem((tx) =>
    sql<{ actor: string; after: { reason: string; until: string } }>`
      select actor, after from audit where merchant_id = ${merchant.id} and action = 'merchant.see' order by id`.execute(
      tx.query,
    ),
  );
  return rows;
};

/** A reply without the moment at which it was read. */
const same = (json: object) =>
  JSON.parse(JSON.stringify(json, (key, value) => (['at', 'asOf'].includes(key) ? undefined : value)));

describe('a look at what a merchant sees', () => {
  it('needs a reason first, and shows every page exactly as a viewer of the merchant sees it', async () => {
    for (const [page, , query] of pages) {
      const { status, json } = await support.get(`${pathOf('mine', page)}?${query}`);
      expect([page, status, json.code]).toEqual([page, 403, 'look_needed']);
    }
    for (const reason of ['', ' ', 'x'.repeat(301), undefined])
      expect((await support.post(pathOf('mine'), { reason })).status).toBe(422);
    expect((await begin(support)).status).toBe(200);
    for (const [page, own, query] of pages) {
      const [seen, known] = [
        await support.get(`${pathOf('mine', page)}?${query}`),
        await viewer.get(`${own}?${query}`),
      ];
      expect([page, seen.status, seen.json.code]).toEqual([page, 200, undefined]);
      expect(same(seen.json)).toEqual(same(known.json));
    }
    const { data } = (await support.get(pathOf('mine', 'account'))).json;
    expect(data.figures).toEqual((await viewer.get('/api/merchant/account')).json.data);
    expect(data.breakdown).toEqual((await viewer.get('/api/merchant/account/breakdown')).json.data);
    const { json } = await support.get(pathOf('mine', 'payouts'));
    expect(json.data).toHaveLength(1);
  });

  it('notifies the merchant once, without the name of the person', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => begin(support)));
    expect(answers.filter(({ status }) => status !== 200)).toEqual([]);
    const looks = await looksOf(mine);
    expect(looks).toEqual([
      {
        actor: expect.stringMatching(/^staff:\d+$/),
        after: { reason: 'asked about a missing payout', until: answers[0]?.json.data.endsAt },
      },
    ]);
    const { data } = (await owner.get('/api/merchant/audit-log?action=merchant_see')).json;
    expect(data).toMatchObject([{ action: 'merchant_see', actorKind: 'staff', actor: null, address: null }]);
    expect(data[0].changes).toContainEqual({
      field: 'reason',
      before: null,
      after: 'asked about a missing payout',
    });
    const notices = (await owner.get('/api/merchant/notices')).json.data;
    expect(notices.filter(({ kind }: { kind: string }) => kind === 'consoleViewed')).toHaveLength(1);
    // Those who cannot read the audit log are not told.
    const shown = (await viewer.get('/api/merchant/notices')).json.data;
    expect(shown.filter(({ kind }: { kind: string }) => kind === 'consoleViewed')).toEqual([]);
  });

  it('is for one person and one merchant, and ends after half an hour', async () => {
    expect((await support.get(pathOf('theirs', 'payouts'))).json.code).toBe('look_needed');
    const other = await staff.member('other', 'ADMIN');
    expect((await other.get(pathOf('mine', 'payouts'))).json.code).toBe('look_needed');
    expect((await other.get(pathOf('mine'))).json.data).toBeNull();
    expect((await begin(other, 'nobody')).json.code).toBe('not_found');
    const { startedAt, endsAt, merchant } = (await begin(other)).json.data;
    expect(Date.parse(endsAt) - Date.parse(startedAt)).toBe(30 * 60_000);
    expect(merchant).toEqual({ code: 'mine', name: expect.any(String), currency: 'CNY' });
    await asOwner(product.ownerUrl, (client) =>
      client.query(`alter table staff_look disable trigger append_only;
        update staff_look set started_at = started_at - interval '31 minutes', ends_at = ends_at - interval '31 minutes';
        alter table staff_look enable trigger append_only`),
    );
    expect((await other.get(pathOf('mine', 'payouts'))).json.code).toBe('look_needed');
    expect((await other.get(pathOf('mine'))).json.data).toBeNull();
    // A new look is told again.
    await begin(other);
    expect(await looksOf(mine)).toHaveLength(3);
    expect(await looksOf(theirs)).toEqual([]);
  });

  it('is for administrators and support only, and has no call that changes anything', async () => {
    const reviewer = await staff.member('reviewer', 'REVIEWER', 'FINANCE');
    for (const page of ['', ...pages.map(([each]) => each)])
      expect((await reviewer.get(pathOf('mine', page))).json.code).toBe('forbidden');
    expect((await begin(reviewer)).json.code).toBe('forbidden');
    expect((await begin(staff.visitor())).status).toBe(419);
    const { begin: first, ...rest } = merchantLookEndpoints;
    expect(first.method).toBe('POST');
    expect(Object.values(rest).filter(({ method }) => method !== 'GET')).toEqual([]);
    for (const text of [
      sql`update staff_look set ends_at = now() + interval '1 year'`,
      sql`delete from staff_look`,
    ])
      await expect(staff.runtime.database.asSystem((tx) => text.execute(tx.query))).rejects.toThrow();
  });
});

describe('the lists of a look', () => {
  let looker: Visitor;
  beforeAll(async () => {
    looker = await staff.member('looker', 'SUPPORT');
  });

  it('shows one order, settlement and its lines as the merchant sees them, but no name and no link', async () => {
    const details = [
      [`collections/${paidNo}`, ['cashierUrl', 'canAsk', 'link', 'callbacks']],
      [`payouts/${tradeNo}`, ['createdBy']],
      [`settlements/${settlementNo}`, []],
    ] as const;
    for (const [page] of details)
      expect((await looker.get(pathOf('mine', page))).json.code).toBe('look_needed');
    await begin(looker, 'theirs');
    await begin(looker);
    for (const [page, hidden] of details) {
      const own = (await viewer.get(`/api/merchant/${page}`)).json.data;
      for (const name of hidden) expect(own).toHaveProperty(name);
      const expected = Object.fromEntries(
        Object.entries(own).filter(([name]) => !(hidden as readonly string[]).includes(name)),
      );
      expect((await looker.get(pathOf('mine', page))).json.data).toEqual(expected);
      // Another merchant's numbers are not found.
      expect((await looker.get(pathOf('theirs', page))).json.code).toBe('not_found');
    }
    const lines = `settlements/${settlementNo}/lines`;
    const shown = await looker.get(pathOf('mine', lines));
    expect(shown.json.data).toHaveLength(1);
    expect(same(shown.json)).toEqual(same((await viewer.get(`/api/merchant/${lines}`)).json));
    expect((await looker.get(pathOf('theirs', lines))).json.code).toBe('not_found');
    expect(
      (await looker.get(pathOf('mine', `collections/${paidNo}`))).json.data.timeline.length,
    ).toBeGreaterThan(1);
  });

  it('filters lists as the merchant does', async () => {
    const today = new Date(Date.now() - 3_600_000).toISOString();
    for (const [page, query] of [
      ['collections', `trade_no=${paidNo}`],
      ['collections', `status=success,paid&amountFrom=100&createdFrom=${today}&channel=CN_BANK`],
      ['collections', `settlement_no=${settlementNo}&settlementStatus=settled&paidFrom=${today}`],
      ['payouts', 'payeeAccount=6222021234567890128&payee=王芳'],
      ['payouts', `out_trade_no=pay&approvalState=waiting`],
      ['payouts', 'batch_no=B1'],
      ['settlements', `settlement_no=${settlementNo}&status=settled&settledFrom=${today}`],
      ['fund-flow', `type=recharge,collectionSettlement&subject_no=${settlementNo}`],
    ] as const) {
      const seen = await looker.get(`${pathOf('mine', page)}?${query}`);
      expect([page, query, seen.status]).toEqual([page, query, 200]);
      expect(same(seen.json)).toEqual(same((await viewer.get(`/api/merchant/${page}?${query}`)).json));
    }
    expect((await looker.get(`${pathOf('mine', 'collections')}?trade_no=${paidNo}`)).json.data).toHaveLength(
      1,
    );
  });
});
