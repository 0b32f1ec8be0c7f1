import { collectionStatuses } from '@hengfu/contract/collections';
import type { Dashboard, DashboardFigures, DashboardOutcomes } from '@hengfu/contract/dashboard';
import { payoutStatuses } from '@hengfu/contract/payouts';
import { type RawBuilder, sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { type TestMerchant, TestProduct } from '../../testing/test-product.ts';
import type { Visitor } from '../../testing/visitor.ts';

let product: TestProduct;
const merchants = new Map<string, { merchant: TestMerchant; person: Visitor }>();
/** Whole hours, quarter-hours, and one whose clocks changed within the days of the orders, for most of the year. */
const zones = ['Asia/Shanghai', 'Asia/Kathmandu', 'America/New_York'];
const count = 2500;

beforeAll(async () => {
  product = await TestProduct.start(inject('ownerUrl'));
  for (const [index, zone] of zones.entries()) {
    const merchant = await product.merchant(`dash${index}`, 'CNY', zone);
    await insertOrders(merchant);
    merchants.set(zone, { merchant, person: await product.person(merchant) });
  }
}, 120_000);
afterAll(async () => {
  const violations = await run<{ rule: string }>(sql`
    select * from collection_violations() union all select * from payout_violations() union all
    select * from rollup_day_violations()`);
  expect(violations.filter(({ rule }) => /rollup|closed/.test(rule))).toEqual([]);
  await product.close();
});

async function run<T>(statement: RawBuilder<T>): Promise<T[]> {
  return (await product.services.database.asSystem((tx) => statement.execute(tx.query))).rows;
}

/** Spreads orders in all states over the past seventy days, many of them on the last two. */
async function insertOrders({ id }: TestMerchant): Promise<void> {
  const made = sql`(now() - power(random(), 3) * interval '70 days')::timestamptz(3)`;
  await run(sql`
    insert into collection (merchant_id, trade_no, out_trade_no, request_hash, status, settlement_status, currency, amount_minor,
      fee_minor, channel, cashier_token, created_at, expires_at, paid_at, refunded_at, failure_code)
    select ${id}, 'X' || ${id} || '-' || n, n, '', state, case when paid is not null then 'unsettled' end, 'CNY', 100 + n, 0,
      case when state <> 'closed' then 'CN_BANK' end, 'x' || n, made, made, paid, case when state = 'refunded' then paid end,
      case when state = 'failed' then case when n % 3 = 0 then 'insufficientFunds' else 'other' end end
    from (
      select n, made, state, case when state in ('paid', 'success', 'refunded') then least(now(), made + random() * interval '1 day') end as paid
      from (
        select n, ${made} as made, (${[...collectionStatuses]}::text[])[1 + floor(random() * 7)::integer] as state
        from generate_series(1, ${count}::integer) n) given) o`);
  await run(sql`
    insert into payout (merchant_id, trade_no, request_hash, status, currency, amount_minor, fee_minor, channel, payee,
      payee_account, account_key, source, created_by, created_at, sent_at, paid_at, rejected_at, reject_code)
    select ${id}, 'Y' || ${id} || '-' || n, '', state, 'CNY', 100 + n, n, 'CN_BANK', 'P', 'A', 'CN_BANK A', 'console', 'user:1',
      made, made, case when state = 'processed' then least(now(), made + interval '3 hours') end,
      case when state = 'rejected' then made end, case when state = 'rejected' and n % 2 = 0 then 'accountClosed' end
    from (
      select n, ${made} as made, (${[...payoutStatuses]}::text[])[1 + floor(random() * 5)::integer] as state
      from generate_series(1, ${count}::integer) n) o`);
}

interface Truth {
  collection: DashboardFigures;
  payout: DashboardFigures;
}

/** Computes figures straight from the orders. */
async function truth(
  { id }: TestMerchant,
  from: RawBuilder<unknown>,
  to: RawBuilder<unknown>,
): Promise<Truth> {
  const figures = async (table: string, succeeded: string[], lost: string[]): Promise<DashboardFigures> => {
    const [row] = await run<{ amount: string; count: number; succeeded: number; lost: number }>(sql`
      select coalesce(sum(amount_minor) filter (where paid_at >= starts and paid_at < ends), 0)::numeric(20, 2)::text as amount,
        count(*) filter (where paid_at >= starts and paid_at < ends)::integer as count,
        count(*) filter (where created_at >= starts and created_at < ends and status = any(${succeeded}::text[]))::integer
          as succeeded,
        count(*) filter (where created_at >= starts and created_at < ends and status = any(${lost}::text[]))::integer as lost
      from ${sql.table(table)} cross join (select ${from}::timestamptz as starts, ${to}::timestamptz as ends) span
      where merchant_id = ${id}`);
    if (!row) throw new Error('no row');
    const decided = row.succeeded + row.lost;
    return {
      amount: (Number(row.amount) / 100).toFixed(2),
      count: row.count,
      successRate: decided === 0 ? null : row.succeeded / decided,
    };
  };
  return {
    collection: await figures(
      'collection',
      ['paid', 'success', 'refunded'],
      ['cancelled', 'closed', 'failed'],
    ),
    payout: await figures('payout', ['processed'], ['rejected']),
  };
}

const read = async (person: Visitor, query: string): Promise<Dashboard> => {
  const { status, json } = await person.get(`/api/merchant/dashboard${query}`);
  expect([status, json.code]).toEqual([200, undefined]);
  return json.data;
};
const readOutcomes = async (person: Visitor, query: string): Promise<DashboardOutcomes> =>
  (await person.get(`/api/merchant/dashboard/outcomes${query}`)).json.data;
/** The calendar day some days ago in a zone. */
const dayIn = async (zone: string, back: number): Promise<string> => {
  const [row] = await run<{ day: string }>(
    sql`select ((now() at time zone ${zone})::date - ${back}::integer)::text as day`,
  );
  return row?.day ?? '';
};

/** The periods, with how many days they have, and how many days ago the last one is. */
const periods: [string, (zone: string) => Promise<string>, number, number][] = [
  ['today', async () => '', 1, 0],
  ['the last seven days', async () => '?period=days7', 7, 0],
  ['the last thirty days', async () => '?period=days30', 30, 0],
  ['a day of last week', rangeOf(1, 6), 1, 6],
  ['ten days', rangeOf(10, 12), 10, 12],
];

function rangeOf(days: number, back: number) {
  return async (zone: string) =>
    `?period=range&from=${await dayIn(zone, back + days - 1)}&to=${await dayIn(zone, back)}`;
}

async function expectTruth(zone: string, query: string, days: number, back: number): Promise<void> {
  const found = merchants.get(zone);
  if (!found) throw new Error(zone);
  const { merchant, person } = found;
  const reply = await read(person, query);
  const midnight = (ago: number) =>
    sql`(((${reply.asOf}::timestamptz at time zone ${zone})::date - ${ago}::integer)::timestamp at time zone ${zone})`;
  const starts = midnight(back + days - 1);
  const ends = midnight(back - 1);
  expect(reply.current).toEqual(await truth(merchant, starts, ends));
  // Until the last full quarter-hour; for days that are over, until their end.
  const quarter = sql`date_bin('15 minutes', ${reply.asOf}::timestamptz, '2000-01-01 00:00Z')`;
  const cut = back === 0 ? quarter : ends;
  const earlier = (at: RawBuilder<unknown>) =>
    sql`((${at} at time zone ${zone} - ${days}::integer * interval '1 day') at time zone ${zone})`;
  const [spans] = await run<Record<'starts' | 'cut' | 'startsBefore' | 'cutBefore', Date>>(sql`
    select ${starts} as starts, ${cut} as cut, ${earlier(starts)} as "startsBefore", ${earlier(cut)} as "cutBefore"`);
  if (!spans) throw new Error('no spans');
  if (spans.starts.getTime() === spans.cut.getTime()) return expect(reply.comparison).toBeNull();
  expect(reply.comparison).toEqual({
    currentSpan: { from: spans.starts.toISOString(), to: spans.cut.toISOString() },
    beforeSpan: { from: spans.startsBefore.toISOString(), to: spans.cutBefore.toISOString() },
    current: await truth(merchant, starts, cut),
    before: await truth(merchant, earlier(starts), earlier(cut)),
  });
}

/** The slots must add up to the whole, and each must hold its own orders. */
async function expectSlots(zone: string, query: string, days: number): Promise<void> {
  const found = merchants.get(zone);
  if (!found) throw new Error(zone);
  const reply = await read(found.person, query);
  expect(reply.unit).toBe(days === 1 ? 'hour' : 'day');
  if (days > 1) expect([reply.slots.length, reply.slotsBefore.length]).toEqual([days, days]);
  const sum = (pick: (slot: Dashboard['slots'][number]) => number) =>
    reply.slots.reduce((total, slot) => total + pick(slot), 0);
  expect(sum(({ collectedCount }) => collectedCount)).toBe(reply.current.collection.count);
  expect(sum(({ collected }) => Number(collected))).toBeCloseTo(Number(reply.current.collection.amount), 2);
  expect(sum(({ paidOut }) => Number(paidOut))).toBeCloseTo(Number(reply.current.payout.amount), 2);
  for (const [index, slot] of [...reply.slotsBefore, ...reply.slots].entries()) {
    const next = [...reply.slotsBefore, ...reply.slots][index + 1];
    const end = next ? sql`${next.startsAt}` : sql`((${reply.to}::date + 1)::timestamp at time zone ${zone})`;
    const { collection, payout } = await truth(found.merchant, sql`${slot.startsAt}`, end);
    expect(slot).toEqual({
      startsAt: slot.startsAt,
      collected: collection.amount,
      collectedCount: collection.count,
      paidOut: payout.amount,
    });
  }
}

/** Rates by channel must agree with the orders, hour by hour or day by day, and reasons with their codes. */
async function expectOutcomes(zone: string, query: string): Promise<void> {
  const found = merchants.get(zone);
  if (!found) throw new Error(zone);
  const { merchant, person } = found;
  const { slots, current } = await read(person, query);
  const outcomes = await readOutcomes(person, query);
  const lastDay = sql`((${outcomes.to}::date + 1)::timestamp at time zone ${zone})`;
  const first = slots[0]?.startsAt ?? '';
  const created = sql`merchant_id = ${merchant.id} and created_at >= ${first}::timestamptz and created_at < ${lastDay}`;
  for (const [kind, table, won] of [
    ['collection', sql`collection`, ['paid', 'success', 'refunded']],
    ['payout', sql`payout`, ['processed']],
  ] as const) {
    const { channels, lost } = outcomes[kind];
    const total = (pick: (channel: (typeof channels)[number]) => number) =>
      channels.reduce((sum, channel) => sum + pick(channel), 0);
    const succeeded = total((channel) => channel.succeeded);
    expect(succeeded + lost === 0 ? null : succeeded / (succeeded + lost)).toBe(current[kind].successRate);
    const starts = slots.map(({ startsAt }) => startsAt);
    const rows = await run<{ at: Date; channel: string | null; succeeded: number; lost: number }>(sql`
      select (${starts}::timestamptz[])[width_bucket(created_at, ${starts}::timestamptz[])] as at, channel,
        count(*) filter (where status = any(${[...won]}::text[]))::integer as succeeded,
        count(*) filter (where status in ('cancelled', 'closed', 'failed', 'rejected'))::integer as lost
      from ${table} where ${created} group by 1, 2`);
    expect(lost).toBe(rows.reduce((sum, row) => sum + row.lost, 0));
    const expected = rows
      .filter((row) => row.succeeded + row.lost > 0)
      .map((row) => `${row.at.toISOString()} ${row.channel} ${row.succeeded} ${row.lost}`);
    const shown = channels.flatMap(({ channel, slots: of }) =>
      of.map((slot) => `${slot.startsAt} ${channel} ${slot.succeeded} ${slot.lost}`),
    );
    expect(shown.toSorted()).toEqual(expected.toSorted());
  }
  const reasons = await run<{ reason: string; count: number }>(sql`
    select case status when 'closed' then 'expired' when 'cancelled' then status else failure_code end as reason,
      count(*)::integer as count
    from collection where ${created} and status in ('closed', 'cancelled', 'failed') group by 1`);
  const sorted = (list: readonly { reason: string; count: number }[]) =>
    list.map(({ reason, count: of }) => `${reason} ${of}`).toSorted();
  expect(sorted(outcomes.collection.reasons)).toEqual(sorted(reasons));
  const rejections = await run<{ reason: string; count: number }>(sql`
    select coalesce(reject_code, 'staff') as reason, count(*)::integer as count
    from payout where ${created} and status = 'rejected' group by 1`);
  expect(sorted(outcomes.payout.reasons)).toEqual(sorted(rejections));
  expect([outcomes.collection.unsplit, outcomes.payout.unsplit]).toEqual([0, 0]);
}

const everyCase = zones.flatMap((zone) =>
  periods.map(([name, query, days, back]) => ({ zone, name, query, days, back })),
);

describe.each(['while no day is closed', 'after days were closed', 'after orders of closed days changed'])(
  '%s',
  (when) => {
    beforeAll(async () => {
      if (when === 'after days were closed') await run(sql`select close_rollup_days(id) from merchant`);
      if (when !== 'after orders of closed days changed') return;
      // Late payments, and payouts whose outcome was unknown for days.
      await run(sql`
      update collection set status = 'paid', settlement_status = 'unsettled', paid_at = now()
      where status = 'closed' and created_at < now() - interval '5 days' and amount_minor % 9 = 0`);
      await run(sql`
      update payout set status = 'rejected', rejected_at = now()
      where status = 'pendingSettlement' and created_at < now() - interval '5 days' and amount_minor % 9 = 0`);
    });

    it.each(everyCase)(
      'the figures of $name in $zone are those of the orders',
      async ({ zone, query, days, back }) => {
        await expectTruth(zone, await query(zone), days, back);
      },
    );

    it.each(everyCase)(
      'the slots of $name in $zone are those of the orders',
      async ({ zone, query, days }) => {
        await expectSlots(zone, await query(zone), days);
      },
    );

    it.each(everyCase)('the outcomes of $name in $zone are those of the orders', async ({ zone, query }) => {
      await expectOutcomes(zone, await query(zone));
    });
  },
);

it('reopens a closed day for a late outcome only, and only its kind of order', async () => {
  const merchant = await product.merchant('reopens');
  await run(sql`
    insert into collection (merchant_id, trade_no, out_trade_no, request_hash, status, settlement_status, currency, amount_minor,
      channel, cashier_token, created_at, expires_at, paid_at)
    select ${merchant.id}, 'L' || n, n, '', case when n < 20 then 'closed' else 'success' end,
      case when n >= 20 then 'unsettled' end, 'CNY', 100, 'CN_BANK', 'l' || n, at, at, case when n >= 20 then at end
    from generate_series(10, 29) n cross join lateral (select date_trunc('day', now()) - n * interval '1 day' as at) made`);
  await run(sql`select close_rollup_days(${merchant.id})`);
  const days = async () => {
    const rows = await run<{ days: number }>(
      sql`select count(*)::integer as days from order_outcome_day where merchant_id = ${merchant.id}`,
    );
    return rows[0]?.days;
  };
  expect(await days()).toBe(20);
  // Settlements and refunds change no outcome.
  await run(
    sql`update collection set settlement_status = 'settled' where merchant_id = ${merchant.id} and status = 'success'`,
  );
  await run(sql`
    update collection set status = 'refunded', refunded_at = now() where merchant_id = ${merchant.id} and trade_no = 'L25'`);
  expect(await days()).toBe(20);
  await run(sql`
    update collection set status = 'paid', settlement_status = 'unsettled', paid_at = now()
    where merchant_id = ${merchant.id} and trade_no in ('L12', 'L15')`);
  expect(await days()).toBe(18);
});

it('shows a merchant its own orders only', async () => {
  const person = await product.person(await product.merchant('empty'));
  const nothing = { amount: '0.00', count: 0, successRate: null };
  for (const query of ['', '?period=days30']) {
    expect((await read(person, query)).current).toEqual({ collection: nothing, payout: nothing });
    expect(await readOutcomes(person, query)).toMatchObject({
      collection: { channels: [], lost: 0, reasons: [], unsplit: 0 },
      payout: { channels: [], lost: 0, reasons: [], unsplit: 0 },
    });
  }
});

it.each([
  '?period=year',
  '?from=2026-01-01&to=2026-01-02',
  '?period=range',
  '?period=range&from=2026-01-01',
  '?period=range&from=2026-01-02&to=2026-01-01',
  '?period=range&from=2026-01-01&to=2026-04-03',
  '?period=range&from=0000-01-01&to=0000-01-02',
  '?period=range&from=2026-02-30&to=2026-03-01',
  '?days=7',
])('rejects %s', async (query) => {
  const person = merchants.get('Asia/Shanghai')?.person;
  for (const part of ['', '/outcomes'])
    expect((await person?.get(`/api/merchant/dashboard${part}${query}`))?.status).toBe(422);
});

it('counts days in the future as today', async () => {
  const { person } = merchants.get('Asia/Shanghai') ?? {};
  const today = await dayIn('Asia/Shanghai', 0);
  if (!person) throw new Error('nobody');
  expect(await read(person, '?period=range&from=9999-12-30&to=9999-12-31')).toMatchObject({
    from: today,
    to: today,
  });
  expect(
    await read(
      person,
      `?period=range&from=${await dayIn('Asia/Shanghai', 1)}&to=${await dayIn('Asia/Shanghai', -3)}`,
    ),
  ).toMatchObject({
    from: await dayIn('Asia/Shanghai', 1),
    to: today,
  });
});
