import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { EventStream } from '../../../testing/event-stream.ts';
import { StatementDesk } from '../../../testing/statement-desk.ts';
import { TestProduct } from '../../../testing/test-product.ts';
import { TestStaff } from '../../../testing/test-staff.ts';
import type { Visitor } from '../../../testing/visitor.ts';

let product: TestProduct;
let staff: TestStaff;
let finance: Visitor;
let desk: StatementDesk;

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

describe('an upload', () => {
  it('is refused twice, for a day that has a statement, and for a day that is ahead or archived', async () => {
    const [day, next] = [desk.nextDay(), desk.nextDay()];
    const file = desk.csv(day, [['X1', 100n]]);
    expect((await desk.send(day, file)).status).toBe(201);
    await desk.done(day);
    const repeated = await desk.send(next, gzipSync(file));
    expect([repeated.json.code, repeated.json.message]).toEqual([
      'statement_repeated',
      expect.stringContaining(day),
    ]);
    expect((await desk.send(day, desk.csv(day, [['X2', 100n]]))).json.code).toBe('statement_exists');
    expect((await desk.send('2099-01-01', file)).json.errors).toHaveProperty('day');
    expect((await desk.send('2026-02-30', file)).status).toBe(404);
    // Empty files of two days are the same.
    for (const empty of [desk.nextDay(), desk.nextDay()])
      expect(await desk.upload(empty, [])).toMatchObject({ lines: 0 });
  });

  it('is refused before a mapping was saved, with another type, and damaged', async () => {
    const day = desk.nextDay();
    expect((await desk.send(day, 'x', 'csv', 'x', 'VN_NAPAS')).json.code).toBe('mapping_missing');
    await desk.saveMapping('VN_NAPAS', { csv: null });
    expect((await desk.send(day, 'x', 'csv', 'x', 'VN_NAPAS')).json.code).toBe('mapping_missing');
    expect((await desk.send(day, 'x', 'pdf' as 'csv')).status).toBe(422);
    expect((await desk.send(day, Buffer.from([0x1f, 0x8b, 1, 2, 3]))).json.errors).toHaveProperty('file');
    const large = { 'content-length': String(600 * 1024 * 1024) };
    expect(large).toBeDefined();
  });

  it('that cannot be read says where, leaves nothing, and can be replaced', async () => {
    const day = desk.nextDay();
    await desk.send(
      day,
      `${desk.csv(
        day,
        Array.from({ length: 3000 }, (_, at) => [`L${at}`, 100n]),
      )}L,abc,,,\n`,
    );
    expect(await desk.done(day)).toMatchObject({
      state: 'failed',
      fault: 'amount',
      faultLine: 3002,
      lines: 0,
    });
    const { rows } = await staff.runtime.database.asSystem((tx) =>
      sql<{ count: bigint }>`select count(*) from reconciliation_line where reference like 'L%'`.execute(
        tx.query,
      ),
    );
    expect(rows[0]?.count).toBe(0n);
    expect((await finance.post(`${desk.path(day)}/match`)).status).toBe(404);
    expect((await finance.post(`${desk.path(day)}/close`)).status).toBe(404);
    expect(await desk.upload(day, [['L1', 100n]])).toMatchObject({ state: 'open', lines: 1 });
  });

  it('of two at once, one is loaded', async () => {
    const days = [desk.nextDay(), desk.nextDay(), desk.nextDay()];
    const lines = (day: string) =>
      Array.from({ length: 20_000 }, (_, at): [string, bigint] => [`${day} ${at}`, 100n]);
    const answers = await Promise.all(days.map((day) => desk.send(day, desk.csv(day, lines(day)))));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409]);
    expect(answers.flatMap(({ json }) => json.code ?? [])).toEqual([
      'statement_loading',
      'statement_loading',
    ]);
    const loaded = days[answers.findIndex(({ status }) => status === 201)] ?? '';
    for (const refused of [
      finance.post(`${desk.path(loaded)}/match`),
      finance.send('DELETE', `${desk.path(loaded)}/statement`),
    ])
      expect((await refused).json.code).toBe('statement_loading');
    expect(await desk.done(loaded)).toMatchObject({ lines: 20_000, unresolved: 20_000 });
    const page = (await finance.get(`${desk.path(loaded)}/differences`)).json.data;
    expect(page).toHaveLength(100);
    const after = (await finance.get(`${desk.path(loaded)}/differences?after=${page.at(-1).id}`)).json.data;
    expect(after[0].line).toBe(page.at(-1).line + 1);
  });

  it('that died with its process is given up', async () => {
    const day = desk.nextDay();
    await desk.upload(day, [['G1', 100n]]);
    await staff.runtime.database.asSystem((tx) =>
      sql`update reconciliation_statement set state = 'loading', loaded_at = now() - interval '3 minutes' where day = ${day}`.execute(
        tx.query,
      ),
    );
    for (const { sweep } of staff.runtime.modules) await sweep?.();
    expect(await desk.done(day)).toMatchObject({ state: 'failed', fault: 'interrupted' });
  });

  it('reaches open screens, and its file is known by its hash', async () => {
    const day = desk.nextDay();
    const stream = await EventStream.open(staff.url, finance, '', '/api/staff/events');
    const file = desk.csv(day, [['H1', 100n]]);
    await desk.send(day, file);
    expect((await stream.next()).topics).toContain('reconciliation');
    await stream.cancel();
    await desk.done(day);
    const { rows } = await product.services.database.asSystem((tx) =>
      sql<{
        sha256: string;
      }>`select after->>'sha256' as sha256 from audit where subject = ${`CN_BANK ${day}`}`.execute(tx.query),
    );
    expect(rows[0]?.sha256).toBe(createHash('sha256').update(file).digest('hex'));
  });
});

describe('roles', () => {
  it('let support read, and finance and administrators decide', async () => {
    const day = desk.nextDay();
    await desk.upload(day, [['R1', 100n]]);
    const [difference] = await desk.differences(day);
    const [support, reviewer, admin] = [
      await staff.member('support', 'SUPPORT'),
      await staff.member('reviewer', 'REVIEWER'),
      await staff.member('admin', 'ADMIN'),
    ];
    const reads = (by: Visitor) => by.get(desk.path(day));
    const explains = (by: Visitor) =>
      by.post(`/api/staff/reconciliation/differences/${difference?.id}/explain`, { note: 'Known.' });
    const statuses = async (call: (by: Visitor) => Promise<{ status: number }>) =>
      Promise.all([support, reviewer, admin].map(async (by) => (await call(by)).status));
    expect(await statuses(reads)).toEqual([200, 403, 200]);
    expect(await statuses(explains)).toEqual([403, 403, 200]);
    // A body of any size is refused before it is read.
    expect(
      (await desk.send(desk.nextDay(), 'x'.repeat(5_000_000), 'csv', 'x', 'CN_BANK', support)).status,
    ).toBe(403);
    expect(
      (await desk.send(desk.nextDay(), 'x'.repeat(5_000_000), 'csv', 'x', 'CN_BANK', staff.visitor())).status,
    ).toBe(419);
  });

  it('are no way around numbers: unknown and malformed ones are not found', async () => {
    for (const id of ['0', '999999999', '1e3', '-1', '9'.repeat(30)])
      expect(
        (await finance.post(`/api/staff/reconciliation/differences/${id}/explain`, { note: 'x' })).status,
      ).toBe(404);
    for (const path of ['days/XX_BANK/2026-11-01', 'days/CN_BANK/2026-13-01', 'days/CN_BANK/2001-01-01'])
      expect((await finance.get(`/api/staff/reconciliation/${path}`)).status).toBe(404);
    expect((await finance.get(`${desk.path(desk.today())}/differences?kind=other`)).status).toBe(422);
  });
});
