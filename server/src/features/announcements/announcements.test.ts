import { announcementsShown } from '@hengfu/contract/announcements';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { EventStream } from '../../testing/event-stream.ts';
import { type TestMerchant, TestProduct } from '../../testing/test-product.ts';
import { TestStaff } from '../../testing/test-staff.ts';
import type { Visitor } from '../../testing/visitor.ts';

const path = '/api/staff/announcements';
const own = '/api/merchant/announcements';
const hour = 3_600_000;

let product: TestProduct;
let staff: TestStaff;
let one: TestMerchant;
let person: Visitor;
let colleague: Visitor;
let stranger: Visitor;
let support: Visitor;
let second: Visitor;

beforeAll(async () => {
  product = await TestProduct.start(inject('ownerUrl'));
  staff = await TestStaff.start(product);
  one = await product.merchant('one');
  person = await product.person(one);
  colleague = await product.person(one, 'MERCHANT_VIEWER');
  stranger = await product.person(await product.merchant('other'));
  support = await staff.member('support', 'SUPPORT');
  second = await staff.member('second', 'SUPPORT');
});
afterAll(async () => {
  await staff.close();
  await product.close();
});

const body = (more: object = {}) => ({
  kind: 'maintenance',
  text: 'Payouts rest tonight.',
  startsAt: null,
  endsAt: null,
  merchants: [],
  reason: 'the bank rests',
  ...more,
});
const approve = (request: string, by = second) => by.post(`/api/staff/requests/${request}/approve`, {});
const ask = async (more: object = {}): Promise<string> => {
  const { status, json } = await support.post(path, body(more));
  expect([status, json.code, json.errors]).toEqual([201, undefined, undefined]);
  return json.data.request;
};
/** Announces something, as two people agree. Returns its ID. */
const add = async (more: object = {}): Promise<string> => {
  expect((await approve(await ask(more))).status).toBe(200);
  return (await support.get(path)).json.data[0].id;
};
const change = (id: string, more: object) => support.send('PUT', `${path}/${id}`, body(more));
const shown = async (by: Visitor, language = 'en') =>
  (await by.get(own, { 'accept-language': language })).json.data.shown;
const ids = async (by: Visitor) => (await shown(by)).map(({ id }: { id: string }) => id);
const dismiss = (by: Visitor, id: string) => by.send('PUT', `${own}/${id}/dismissal`);
const end = (id: string, by = support) => by.post(`${path}/${id}/end`);
const fromNow = (ms: number) => new Date(Date.now() + ms).toISOString();

describe('an announcement', () => {
  it('is read by everybody in their language, until a person dismisses it, or it ends', async () => {
    const id = await add({ textZhCn: '今晚暂停代付。' });
    expect(await shown(person, 'zh-CN')).toMatchObject([{ id, kind: 'maintenance', text: '今晚暂停代付。' }]);
    expect(await shown(stranger, 'vi')).toMatchObject([
      { id, kind: 'maintenance', text: 'Payouts rest tonight.' },
    ]);
    const answers = await Promise.all(Array.from({ length: 20 }, () => dismiss(person, id)));
    expect(answers.filter(({ status }) => status !== 204)).toEqual([]);
    expect(await ids(person)).toEqual([]);
    expect(await ids(colleague)).toEqual([id]);
    expect((await end(id)).status).toBe(204);
    expect((await end(id)).json.code).toBe('conflict');
    expect(await ids(colleague)).toEqual([]);
    const { rows } = (
      await (await staff.member('admin', 'ADMIN')).get(`/api/staff/audit-trail?merchant=-&subject=${id}`)
    ).json.data;
    expect(rows.map(({ action }: { action: string }) => action)).toEqual([
      'announcement.end',
      'announcement.add',
    ]);
  });

  it('is nothing that one person alone tells all merchants; the second one reads all of it', async () => {
    const request = await ask({ textVi: 'Nghỉ tối nay.', merchants: ['one'], endsAt: fromNow(hour) });
    expect([await shown(person), (await support.get(path)).json.data[0]?.state]).toEqual([[], 'over']);
    expect((await approve(request, support)).json.code).toBe('own_request');
    const reviewer = await staff.member('no-writer', 'REVIEWER', 'FINANCE');
    expect((await approve(request, reviewer)).json.code).toBe('forbidden');
    const { facts, reason, kind } = (await second.get(`/api/staff/requests/${request}`)).json.data;
    expect([kind, reason]).toEqual(['announcement', 'the bank rests']);
    expect(facts.map(({ name, after }: { name: string; after: string }) => [name, after])).toEqual([
      ['announcementKind', 'maintenance'],
      ['text', 'Payouts rest tonight.'],
      ['textVi', 'Nghỉ tối nay.'],
      ['startsAt', ''],
      ['endsAt', expect.stringContaining('T')],
      ['merchants', 'one'],
    ]);
    const answers = await Promise.all([approve(request), approve(request)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect(await ids(stranger)).toEqual([]);
    const [id] = await ids(person);
    expect(id).toBeDefined();
    // Withdrawing it takes one person.
    await end(id);
  });

  it('that is another one by the time the second person agrees, or over, is not changed', async () => {
    const id = await add();
    const { request } = (await change(id, { text: 'Delayed.' })).json.data;
    expect((await change(id, { text: 'Delayed more.' })).json.code).toBe('request_waiting');
    await staff.runtime.database.asSystem((tx) =>
      sql`update announcement set text_en = 'Other.' where id = ${id}::bigint`.execute(tx.query),
    );
    expect((await approve(request)).json.code).toBe('approval_changed');
    await second.post(`/api/staff/requests/${request}/refuse`, { reason: 'changed' });
    const later = (await change(id, { text: 'Delayed.' })).json.data.request;
    await end(id);
    expect((await approve(later)).json.code).toBe('approval_changed');
    await second.post(`/api/staff/requests/${later}/refuse`, { reason: 'over' });
  });

  it('by a command takes two people, too', async () => {
    const { announcements } = staff.runtime.services;
    const given = { kind: 'warning', text: 'By hand.', startsAt: null, endsAt: null, merchants: [] } as const;
    const asked = await announcements.askToAdd({ ...given, merchants: [] }, 'operator:test', '');
    expect(asked).toEqual(expect.any(BigInt));
    expect(await shown(person)).toEqual([]);
    const options = { breakGlass: 'the bank is down' };
    expect(
      await announcements.askToAdd({ ...given, merchants: [] }, 'operator:test', '', options),
    ).toBeUndefined();
    expect(await shown(person)).toMatchObject([{ text: 'By hand.' }]);
    for (const id of await ids(person)) await end(id);
    await second.post(`/api/staff/requests/${asked}/refuse`, { reason: 'done' });
  });

  it('for chosen merchants is neither shown to others nor there for them', async () => {
    const id = await add({ merchants: ['one'] });
    expect(await ids(person)).toEqual([id]);
    expect(await ids(stranger)).toEqual([]);
    expect((await dismiss(stranger, id)).json.code).toBe('not_found');
    expect((await dismiss(person, '999999')).json.code).toBe('not_found');
    const { database } = product.services;
    await expect(
      database.asMerchant(one.id, (tx) => sql`select merchants from announcement`.execute(tx.query)),
    ).rejects.toThrow('permission denied');
    expect((await support.get(path)).json.data[0]).toMatchObject({ id, state: 'shown', merchants: ['one'] });
    await end(id);
  });

  it('begins and ends by its time', async () => {
    const [starts, ends] = [fromNow(hour), fromNow(2 * hour)];
    const id = await add({ startsAt: starts, endsAt: ends });
    const read = async () => (await person.get(own)).json.data;
    expect(await read()).toEqual({ shown: [], nextAt: starts });
    const move = (ms: number) =>
      staff.runtime.database.asSystem((tx) =>
        sql`update announcement set starts_at = starts_at + ${ms}::bigint * interval '1 millisecond',
          ends_at = ends_at + ${ms}::bigint * interval '1 millisecond' where id = ${id}::bigint`.execute(
          tx.query,
        ),
      );
    await move(-1.5 * hour);
    expect((await read()).shown).toMatchObject([{ id }]);
    await move(-hour);
    expect(await read()).toEqual({ shown: [], nextAt: null });
    expect((await change(id, {})).json.code).toBe('conflict');
  });

  it('that has changed is shown again to those who have dismissed it', async () => {
    const id = await add();
    await dismiss(person, id);
    const { request } = (await change(id, { kind: 'warning', text: 'Delayed.' })).json.data;
    expect(await ids(colleague)).toContain(id);
    expect(await ids(person)).toEqual([]);
    expect((await approve(request)).status).toBe(200);
    expect(await shown(person)).toMatchObject([{ id, kind: 'warning', text: 'Delayed.' }]);
    await end(id);
    expect((await change('999999', {})).json.code).toBe('not_found');
  });

  it('that has changed while its text was on screen is not dismissed with that text', async () => {
    const id = await add();
    const [read] = await shown(person);
    const { request } = (await change(id, { kind: 'warning', text: 'Earlier.' })).json.data;
    expect((await approve(request)).status).toBe(200);
    const of = (at: string) => `${own}/${id}/dismissal?changedAt=${encodeURIComponent(at)}`;
    expect((await person.send('PUT', of(read.changedAt))).status).toBe(204);
    const [fresh] = await shown(person);
    expect(fresh).toMatchObject({ id, text: 'Earlier.' });
    expect((await person.send('PUT', of(fresh.changedAt))).status).toBe(204);
    // Nobody dismisses what has yet to be written.
    expect((await person.send('PUT', of('2999-01-01T00:00:00Z'))).status).toBe(204);
    expect(await ids(person)).toEqual([]);
    await end(id);
  });

  it('reaches open consoles of every merchant at once', async () => {
    const streams = [
      await EventStream.open(product.url, person),
      await EventStream.open(product.url, stranger),
    ];
    const id = await add();
    for (const stream of streams) {
      expect((await stream.next()).topics).toContain('announcements');
      await stream.cancel();
    }
    await end(id);
  });

  it('is one of few on the page, whatever the number of them', async () => {
    const made = [];
    for (let each = 0; each < announcementsShown + 2; each++)
      made.push(await add({ text: `<b>${each}</b>` }));
    expect(await ids(person)).toEqual(made.slice(-announcementsShown).reverse());
    expect((await shown(person))[0].text).toBe(`<b>${announcementsShown + 1}</b>`);
    for (const id of made) await end(id);
  });

  it('refuses faults, and whoever may not write', async () => {
    for (const [field, wrong] of [
      ['kind', 'advertisement'],
      ['text', ' '],
      ['text', 'x'.repeat(501)],
      ['textVi', 'x'.repeat(501)],
      ['endsAt', fromNow(-hour)],
      ['endsAt', 'tomorrow'],
      ['merchants', ['nobody']],
      ['merchants', Array.from({ length: 201 }, (_, each) => `m${each}`)],
    ] as const) {
      const { status, json } = await support.post(path, body({ [field]: wrong }));
      expect([field, status, Object.keys(json.errors)]).toEqual([field, 422, [field]]);
    }
    const late = body({ startsAt: fromNow(2 * hour), endsAt: fromNow(hour) });
    expect(Object.keys((await support.post(path, late)).json.errors)).toEqual(['endsAt']);
    const reviewer = await staff.member('reviewer', 'REVIEWER', 'FINANCE');
    expect((await reviewer.post(path, body())).json.code).toBe('forbidden');
    expect((await end('1', reviewer)).json.code).toBe('forbidden');
    expect((await reviewer.get(path)).status).toBe(200);
    expect((await staff.visitor().get(path)).status).toBe(401);
    expect((await product.visitor().get(own)).status).toBe(401);
  });
});
