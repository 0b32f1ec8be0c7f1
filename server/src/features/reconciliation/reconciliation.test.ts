import { gzipSync } from 'node:zlib';
import type { Difference } from '@hengfu/contract/staff/statement-days';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { StatementDesk } from '../../testing/statement-desk.ts';
import { type TestMerchant, TestProduct } from '../../testing/test-product.ts';
import { TestStaff } from '../../testing/test-staff.ts';
import type { Visitor } from '../../testing/visitor.ts';

let product: TestProduct;
let staff: TestStaff;
let finance: Visitor;
let desk: StatementDesk;
let merchant: TestMerchant;

beforeAll(async () => {
  product = await TestProduct.start(inject('ownerUrl'));
  staff = await TestStaff.start(product);
  finance = await staff.member('finance', 'FINANCE');
  desk = new StatementDesk(product, staff, finance);
  await desk.saveMapping('CN_BANK');
  await product.monthsSince(Date.now() - 70 * 86_400_000);
});
afterAll(async () => {
  expect(await product.deadlocks()).toBe(0);
  await staff.close();
  await product.close();
});

let merchants = 0;
/** A merchant without entries: those of an account never go back in time. */
const newMerchant = async () => {
  merchant = await product.merchant(`bank${++merchants}`);
  return merchant;
};
const seen = (list: Difference[]) =>
  list
    .map(({ kind, state, reference, theirs, ours, otherDay }) => ({
      kind,
      state,
      reference,
      theirs,
      ours,
      otherDay,
    }))
    .toSorted((a, b) => a.reference.localeCompare(b.reference));

describe('matching a day', () => {
  it('finds what only one side has, other amounts and repeated lines; the rest matches', async () => {
    const day = desk.nextDay();
    await newMerchant();
    const [paid, missing, wrong, twice, sent] = await desk.move(merchant, day, [
      10000n,
      2000n,
      3000n,
      4000n,
      -5000n,
    ]);
    const detail = await desk.upload(day, [
      [paid, 10000n],
      [wrong, 3001n],
      [twice, 4000n],
      [twice, 4000n],
      [sent, -5000n],
      ['UNKNOWN', 700n],
      ['', 800n],
    ]);
    expect(detail).toMatchObject({
      state: 'open',
      lines: 7,
      matched: 3,
      in: '225.01',
      out: '50.00',
      statement: '175.01',
      clearing: '140.00',
      difference: '35.01',
      found: '35.01',
      unresolved: 5,
      kinds: { oursOnly: 1, theirsOnly: 2, amount: 1, duplicate: 1, otherDay: 0 },
    });
    const open = { state: 'open', otherDay: null };
    expect(seen(await desk.differences(day))).toEqual(
      [
        { kind: 'theirsOnly', reference: '', theirs: '8.00', ours: null, ...open },
        { kind: 'oursOnly', reference: missing, theirs: null, ours: '20.00', ...open },
        { kind: 'amount', reference: wrong, theirs: '30.01', ours: '30.00', ...open },
        { kind: 'duplicate', reference: twice, theirs: '40.00', ours: null, ...open },
        { kind: 'theirsOnly', reference: 'UNKNOWN', theirs: '7.00', ours: null, ...open },
      ].toSorted((a, b) => (a.reference ?? '').localeCompare(b.reference ?? '')),
    );
    const of = (await desk.differences(day)).find(({ reference }) => reference === wrong);
    expect(of).toMatchObject({ number: wrong, merchant: merchant.code, line: 3, bankReference: 'B2' });
    const { data } = (await finance.get(`${desk.path(day)}/differences?kind=duplicate`)).json;
    expect(data.map(({ line }: { line: number }) => line)).toEqual([5]);
    const lines = (await finance.get(`${desk.path(day)}/lines?reference=${twice}`)).json.data;
    expect(lines.map(({ kind }: { kind: string }) => kind)).toEqual([null, 'duplicate']);
    expect(
      (await finance.get(`${desk.path(day)}/lines?after=7`)).json.data.map(
        ({ line }: { line: number }) => line,
      ),
    ).toEqual([8]);
  });

  it('takes a line in the other direction for another movement', async () => {
    const day = desk.nextDay();
    const [paid] = await desk.move(await newMerchant(), day, [1000n]);
    await desk.upload(day, [[paid, -1000n]]);
    expect((await desk.differences(day)).map(({ kind }) => kind).sort()).toEqual(['oursOnly', 'theirsOnly']);
  });

  it.each(['earlier', 'later'])(
    'pairs what the bank books on the next day, the %s statement first',
    async (first) => {
      const [day, next] = [desk.nextDay(), desk.nextDay()];
      const [late, again] = await desk.move(await newMerchant(), day, [1000n, 2000n]);
      const files: [string, [string | undefined, bigint][]][] = [
        [day, [[again, 2000n]]],
        [
          next,
          [
            [late, 1000n],
            [again, 2000n],
          ],
        ],
      ];
      for (const [of, lines] of first === 'earlier' ? files : files.toReversed())
        await desk.upload(of, lines);
      const explained = { kind: 'otherDay', state: 'explained', reference: late };
      expect(seen(await desk.differences(day))).toEqual([
        { ...explained, theirs: null, ours: '10.00', otherDay: next },
      ]);
      expect(seen(await desk.differences(next))).toEqual([
        { ...explained, theirs: '10.00', ours: null, otherDay: day },
        { kind: 'duplicate', state: 'open', reference: again, theirs: '20.00', ours: null, otherDay: day },
      ]);
      // Without the next day's statement, the pair is open again.
      expect((await finance.send('DELETE', `${desk.path(next)}/statement`)).status).toBe(204);
      expect(seen(await desk.differences(day))).toMatchObject([
        { kind: 'oursOnly', state: 'open', otherDay: null },
      ]);
    },
  );

  it('waits for the statement of the day on which we have a line', async () => {
    const [day, next] = [desk.nextDay(), desk.nextDay()];
    const [late, other] = await desk.move(await newMerchant(), day, [1000n, 500n]);
    await desk.upload(next, [
      [late, 1000n],
      [other, 501n],
    ]);
    expect(seen(await desk.differences(next))).toEqual([
      { kind: 'otherDay', state: 'waiting', reference: late, theirs: '10.00', ours: null, otherDay: day },
      { kind: 'theirsOnly', state: 'open', reference: other, theirs: '5.01', ours: null, otherDay: day },
    ]);
    const { data } = (await finance.get('/api/staff/waiting')).json;
    expect(data.items).toContainEqual(
      expect.objectContaining({
        kind: 'unmatched',
        number: expect.stringMatching(/^CN_BANK \d{4}-\d\d-\d\d$/),
      }),
    );
    expect(data.counts.unmatched).toBe(1);
  });

  it('counts neither movements of test merchants nor refunds that the channel refused', async () => {
    const day = desk.nextDay();
    const [paid] = await desk.move(await newMerchant(), day, [1000n]);
    const refund = `${paid}-R1`;
    await desk.refund(merchant, day, refund, 1000n, 'collection_refund');
    await desk.refund(merchant, day, refund, -1000n, 'collection_refund_reversal');
    const detail = await desk.upload(day, [[paid, 1000n]]);
    expect(detail).toMatchObject({ matched: 1, clearing: '10.00', difference: '0.00', unresolved: 0 });
  });

  it('reads camt.053 files, and packed ones', async () => {
    const day = desk.nextDay();
    const [paid, sent] = await desk.move(await newMerchant(), day, [1000n, -300n]);
    const file = desk.camt(day, [
      [paid, 1000n],
      [sent, -300n],
    ]);
    expect((await desk.send(day, gzipSync(file), 'camt053', 'day.xml.gz')).status).toBe(201);
    expect(await desk.done(day)).toMatchObject({
      state: 'open',
      format: 'camt053',
      fileName: 'day.xml.gz',
      matched: 2,
      opening: '100.00',
      closing: '107.00',
      difference: '0.00',
    });
  });

  it('has the bank’s day in its zone, ending when the bank’s does', async () => {
    const day = desk.nextDay();
    await newMerchant();
    await desk.saveMapping('CN_BANK', { dayEnds: '23:00' });
    const at = (text: string) => new Date(`${text}+08:00`);
    const [inside, outside] = await desk.moveAt(merchant, [
      [1000n, at(`${day}T22:59:59`)],
      [2000n, at(`${day}T23:00:00`)],
    ]);
    expect(await desk.upload(day, [[inside, 1000n]])).toMatchObject({
      difference: '0.00',
      startsAt: at(`${desk.dayBefore(day)}T23:00:00`).toISOString(),
      endsAt: at(`${day}T23:00:00`).toISOString(),
    });
    await desk.saveMapping('CN_BANK');
    expect(outside).toBeDefined();
  });
});

describe('the end of a day', () => {
  it('is closed once every difference is explained, and then stays as it is', async () => {
    const day = desk.nextDay();
    const [paid, missing] = await desk.move(await newMerchant(), day, [1000n, 2000n]);
    await desk.upload(day, [[paid, 1000n]]);
    const close = () => finance.post(`${desk.path(day)}/close`);
    expect((await close()).json.code).toBe('differences_open');
    const [difference] = await desk.differences(day);
    const decide = (way: string, note?: string) =>
      finance.post(`/api/staff/reconciliation/differences/${difference?.id}/${way}`, { note });
    expect((await decide('explain', ' ')).status).toBe(422);
    expect((await decide('wait', 'Asked the bank.')).json.data).toMatchObject({
      state: 'waiting',
      note: 'Asked the bank.',
      decidedBy: 'finance',
    });
    expect((await close()).json.code).toBe('differences_open');
    // Matching again keeps what was decided.
    await finance.post(`${desk.path(day)}/match`);
    expect(await desk.differences(day)).toMatchObject([
      { id: difference?.id, state: 'waiting', note: 'Asked the bank.' },
    ]);
    expect((await decide('explain', 'The bank booked it by hand.')).json.data.state).toBe('explained');
    // Movements that were dated back change what the day is compared with.
    const [late] = await desk.move(await product.merchant(`late${day}`), day, [100n]);
    expect((await close()).json.code).toBe('clearing_moved');
    await finance.post(`${desk.path(day)}/match`);
    const added = (await desk.differences(day)).find(({ reference }) => reference === late);
    expect((await close()).json.code).toBe('differences_open');
    await finance.post(`/api/staff/reconciliation/differences/${added?.id}/explain`, { note: 'Dated back.' });
    expect((await close()).json.data).toMatchObject({
      state: 'closed',
      closedBy: 'finance',
      difference: '-21.00',
    });
    const refused = [
      await close(),
      await decide('wait', 'Again.'),
      await finance.post(`${desk.path(day)}/match`),
      await finance.send('DELETE', `${desk.path(day)}/statement`),
    ];
    expect(refused.map(({ json }) => json.code)).toEqual(Array(4).fill('day_closed'));
    expect((await desk.send(day, desk.csv(day, [['X', 1n]]))).json.code).toBe('statement_exists');
    const { rows } = await product.services.database.asSystem((tx) =>
      sql<{
        action: string;
      }>`select action from audit where subject = ${`CN_BANK ${day}`} and merchant_id = 0 order by id`.execute(
        tx.query,
      ),
    );
    expect(rows.map(({ action }) => action.replace('reconciliation.', ''))).toEqual([
      'upload',
      'wait',
      'match',
      'explain',
      'match',
      'explain',
      'close',
    ]);
    expect(missing).toBeDefined();
  });

  it('needs the statement that explains a closed day', async () => {
    const [day, next] = [desk.nextDay(), desk.nextDay()];
    const [late] = await desk.move(await newMerchant(), day, [1000n]);
    await desk.upload(day, []);
    await desk.upload(next, [[late, 1000n]]);
    expect((await finance.post(`${desk.path(day)}/close`)).status).toBe(200);
    expect((await finance.send('DELETE', `${desk.path(next)}/statement`)).json.code).toBe('statement_needed');
  });

  it('cannot be closed before it is over at the bank', async () => {
    const today = desk.today();
    await desk.upload(today, []);
    expect((await finance.post(`${desk.path(today)}/close`)).json.code).toBe('day_running');
    const listed = (await finance.get('/api/staff/reconciliation/days')).json.data;
    expect(listed[0]).toMatchObject({ channel: 'CN_BANK', day: today, state: 'open', lines: 0 });
    expect(listed.some(({ state }: { state: string }) => state === 'missing')).toBe(true);
  });
});
