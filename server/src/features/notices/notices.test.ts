import { type NoticeKind, noticeKinds, permOfNotice } from '@hengfu/contract/notices';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { writeNotice } from '#domain/notices.sql.ts';
import { type TestMerchant, TestProduct, testPassword } from '../../testing/test-product.ts';
import type { Visitor } from '../../testing/visitor.ts';

let product: TestProduct;
let merchants = 0;
const path = '/api/merchant/notices';

beforeAll(async () => {
  product = await TestProduct.start(inject('ownerUrl'), { env: { TRUST_PROXY: '127.0.0.1' } });
});
afterAll(() => product.close());

const newMerchant = () => product.merchant(`bell${++merchants}`);
const write = ({ id: merchantId }: TestMerchant, kind: NoticeKind = 'payoutRejected', subject = 'P1') =>
  product.services.database.asMerchant(merchantId, (tx) =>
    writeNotice(tx, { merchantId, kind, subject, facts: { currency: 'CNY', amountMinor: '100' } }),
  );
const change = (statement: ReturnType<typeof sql>) =>
  product.services.database.asSystem((tx) => statement.execute(tx.query));
const look = async (visitor: Visitor, query = '') => (await visitor.get(path + query)).json;
const read = (visitor: Visitor, body: object) => visitor.send('PUT', `${path}/read`, body);
/** Writes an old notice: every notice with a smaller id has been committed by now. */
const writeOld = ({ id }: TestMerchant, age: string) =>
  change(sql`insert into notice (merchant_id, kind, subject, facts, created_at)
    values (${id}, 'payoutRejected', 'old', '{}', now() - ${age}::interval)`);
/** Backdates the merchant's users: nobody sees notices from before their account was created. */
const oldUsers = ({ id }: TestMerchant) =>
  change(sql`update membership set created_at = now() - interval '1 year' where merchant_id = ${id}`);

describe('visibility', () => {
  it('shows a notice to everyone who may read its subject, never to another merchant’s users', async () => {
    const merchant = await newMerchant();
    const [admin, stranger] = [await product.person(merchant), await product.person(await newMerchant())];
    const plain = await product.person(merchant, 'MERCHANT_VIEWER');
    for (const kind of noticeKinds) await write(merchant, kind);
    expect((await look(admin, '?limit=50')).data).toHaveLength(noticeKinds.length);
    expect(await look(stranger)).toEqual({ data: [], next: null, unread: 0 });
    // An unknown role grants nothing: only the notices that need no permission remain.
    await change(
      sql`update membership set roles = '{NOBODY}' where merchant_id = ${merchant.id}
        and user_id = (select id from app_user where email = ${`merchant_viewer@${merchant.code}.test`})`,
    );
    expect((await look(plain, '?limit=50')).data.map(({ kind }: { kind: string }) => kind)).toEqual(
      noticeKinds.filter((kind) => permOfNotice[kind] === null).toReversed(),
    );
    await change(
      sql`update membership set roles = '{ROOT}' where merchant_id = ${merchant.id}
        and user_id = (select id from app_user where email = ${`merchant_viewer@${merchant.code}.test`})`,
    );
    expect((await look(plain)).unread).toBe(noticeKinds.length);
  });

  it('hides notices from before the account was created', async () => {
    const merchant = await newMerchant();
    await write(merchant);
    const visitor = await product.person(merchant);
    await write(merchant, 'topupPaid', 'T2');
    expect((await look(visitor)).data).toMatchObject([{ subject: 'T2' }]);
  });
});

describe('read marks', () => {
  it('belong to one person and cover single notices or all up to one; later notices are unread', async () => {
    const merchant = await newMerchant();
    const [visitor, colleague] = [
      await product.person(merchant),
      await product.person(merchant, 'MERCHANT_VIEWER'),
    ];
    for (const no of ['P1', 'P2', 'P3', 'P4']) await write(merchant, 'payoutRejected', no);
    const { data } = await look(visitor);
    expect(data.map(({ subject }: { subject: string }) => subject)).toEqual(['P4', 'P3', 'P2', 'P1']);
    expect((await read(visitor, { ids: [data[1].id, '999999'] })).json).toEqual({ data: { unread: 3 } });
    expect((await read(visitor, { ids: [data[1].id] })).json.data.unread).toBe(3);
    const marked = (await look(visitor)).data.filter(({ isRead }: { isRead: boolean }) => isRead);
    expect(marked).toMatchObject([{ subject: 'P3' }]);
    expect((await read(visitor, { upTo: data[2].id })).json.data.unread).toBe(1);
    expect((await look(colleague)).unread).toBe(4);
    await read(visitor, { upTo: data[0].id });
    await write(merchant, 'payoutRejected', 'P5');
    const after = await look(visitor);
    expect([after.unread, after.data[0].isRead, after.data[1].isRead]).toEqual([1, false, true]);
  });

  it('up to an id take one row for any number of notices; a smaller id undoes nothing', async () => {
    const merchant = await newMerchant();
    const visitor = await product.person(merchant);
    await oldUsers(merchant);
    for (let count = 0; count < 5; count++) await writeOld(merchant, '10 minutes');
    const { data } = await look(visitor);
    await read(visitor, { ids: [data[4].id] });
    await read(visitor, { upTo: data[0].id });
    await read(visitor, { upTo: data[3].id });
    expect((await look(visitor)).unread).toBe(0);
    const { rows } = await change(sql`select from notice_read where merchant_id = ${merchant.id}`);
    expect(rows).toHaveLength(0);
  });

  it('leave a notice unread that was committed after a newer one was marked', async () => {
    const merchant = await newMerchant();
    const visitor = await product.person(merchant);
    const { database } = product.services;
    const { promise: held, resolve: release } = Promise.withResolvers<void>();
    const { promise: written, resolve: isWritten } = Promise.withResolvers<void>();
    const slow = database.asMerchant(merchant.id, async (tx) => {
      await writeNotice(tx, { merchantId: merchant.id, kind: 'payoutRejected', subject: 'slow', facts: {} });
      isWritten();
      await held;
    });
    await written;
    await write(merchant, 'payoutRejected', 'quick');
    const { data } = await look(visitor);
    expect(data).toMatchObject([{ subject: 'quick' }]);
    await read(visitor, { upTo: data[0].id });
    release();
    await slow;
    const after = await look(visitor);
    expect(after.data).toMatchObject([
      { subject: 'quick', isRead: true },
      { subject: 'slow', isRead: false },
    ]);
    expect(after.unread).toBe(1);
  });

  it('require either ids or an upper bound', async () => {
    const visitor = await product.person(await newMerchant());
    for (const body of [{}, { ids: [] }, { ids: ['x'] }, { upTo: '1', ids: ['1'] }, { upTo: '-1' }])
      expect((await read(visitor, body)).status).toBe(422);
  });
});

describe('the list', () => {
  it('counts up to a hundred unread notices and pages by cursor to the end', async () => {
    const merchant = await newMerchant();
    const visitor = await product.person(merchant);
    await change(sql`insert into notice (merchant_id, kind, subject, facts)
      select ${merchant.id}, 'payoutRejected', 'P' || n, '{}' from generate_series(1, 130) n`);
    const first = await look(visitor, '?limit=100');
    expect([first.data.length, first.unread]).toEqual([100, 100]);
    await write(merchant, 'payoutRejected', 'new');
    const second = await look(visitor, `?limit=100&cursor=${first.next}`);
    expect([second.data.length, second.data[0].subject, second.next]).toEqual([30, 'P30', null]);
    expect((await visitor.get(`${path}?cursor=x`)).status).toBe(422);
    expect((await visitor.get(`${path}?kind=x`)).status).toBe(422);
  });

  it('drops notices after ninety days', async () => {
    const merchant = await newMerchant();
    const visitor = await product.person(merchant);
    await oldUsers(merchant);
    await writeOld(merchant, '91 days');
    await write(merchant, 'payoutRejected', 'young');
    await product.services.tasks['notices.sweep']?.({});
    expect((await look(visitor)).data).toMatchObject([{ subject: 'young' }]);
  });
});

describe('a sign-in', () => {
  const chrome = (version: number) => `Mozilla/5.0 (Windows NT 10.0) Chrome/${version}.0.0.0 Safari/537.36`;
  const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';
  async function signIn(email: string, userAgent: string, address: string): Promise<Visitor> {
    const visitor = product.visitor();
    const headers = { 'user-agent': userAgent, 'x-forwarded-for': address };
    await visitor.get('/api/csrf-cookie');
    expect((await visitor.post('/api/login', { email, password: testPassword }, headers)).status).toBe(200);
    return visitor;
  }
  const newUser = async () => {
    const merchant = await newMerchant();
    const email = `somebody@${merchant.code}.test`;
    const user = { email, name: 'S', password: testPassword, roles: ['MERCHANT_ADMIN'] as const };
    await product.admin().createUser(merchant.id, { ...user, roles: [...user.roles] });
    return { email, merchant };
  };

  it('with a new browser or from a new address notifies only its own user', async () => {
    const { email, merchant } = await newUser();
    const colleague = await product.person(merchant);
    const visitor = await signIn(email, chrome(140), '203.0.113.5');
    expect((await look(visitor)).data).toEqual([]);
    // Only the browser's version changed.
    await signIn(email, chrome(141), '203.0.113.5');
    expect((await look(visitor)).data).toEqual([]);
    await signIn(email, chrome(141), '203.0.113.6');
    await signIn(email, firefox, '203.0.113.5');
    expect((await look(visitor)).data).toMatchObject([
      { kind: 'signInNew', subject: null, signIn: { address: '203.0.113.5', userAgent: firefox } },
      { kind: 'signInNew', subject: null, signIn: { address: '203.0.113.6', userAgent: chrome(141) } },
    ]);
    await signIn(email, firefox, '203.0.113.6');
    expect((await look(visitor)).data).toHaveLength(2);
    expect((await look(colleague)).data).toEqual([]);
  });

  it('from another address in the same IPv6 /64 is known', async () => {
    const { email } = await newUser();
    const visitor = await signIn(email, chrome(140), '2001:db8:1:2::1');
    await signIn(email, chrome(140), '2001:db8:1:2:ffff::9');
    expect((await look(visitor)).unread).toBe(0);
    await signIn(email, chrome(140), '2001:db8:1:3::1');
    expect((await look(visitor)).unread).toBe(1);
  });

  it('counts as new again after ninety days, even after a sweep', async () => {
    const { email, merchant } = await newUser();
    await signIn(email, chrome(140), '203.0.113.5');
    const visitor = await signIn(email, chrome(140), '203.0.113.7');
    expect((await look(visitor)).unread).toBe(1);
    const own = sql`user_id in (select user_id from membership where merchant_id = ${merchant.id})`;
    await change(sql`update sign_in_origin set last_at = last_at - interval '91 days' where ${own}`);
    await product.services.tasks['notices.sweep']?.({});
    const { rows } = await change(sql`select from sign_in_origin where ${own}`);
    expect(rows).toHaveLength(2);
    await signIn(email, chrome(140), '203.0.113.7');
    expect((await look(visitor)).unread).toBe(2);
  });
});
