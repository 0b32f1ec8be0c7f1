import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { asOwner } from '#db/owner.ts';
import { writeAudit } from '#domain/audit.sql.ts';
import { type TestMerchant, TestProduct } from '../../../testing/test-product.ts';
import { TestStaff } from '../../../testing/test-staff.ts';
import type { Visitor } from '../../../testing/visitor.ts';

const path = '/api/staff/audit-trail';

let product: TestProduct;
let staff: TestStaff;
let mine: TestMerchant;
let theirs: TestMerchant;
let admin: Visitor;

beforeAll(async () => {
  product = await TestProduct.start(inject('ownerUrl'));
  staff = await TestStaff.start(product);
  mine = await product.merchant('mine');
  theirs = await product.merchant('theirs');
  admin = await staff.member('admin', 'ADMIN');
});
afterAll(async () => {
  await staff.close();
  await product.close();
});

interface Row {
  entry_no: string;
  action: string;
  actor: string;
  actorName: string | null;
  merchant: { code: string } | null;
  subject: string | null;
}

async function list(query: Record<string, string> = {}): Promise<{ rows: Row[]; next: string | null }> {
  const { status, json } = await admin.get(`${path}?${new URLSearchParams(query)}`);
  expect(status).toBe(200);
  return json.data;
}

/** Lists everything that matches, page by page. */
async function listAll(query: Record<string, string> = {}): Promise<Row[]> {
  const rows: Row[] = [];
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const page = await list({ ...query, ...(cursor && { cursor }) });
    rows.push(...page.rows);
    cursor = page.next;
  }
  return rows;
}

const write = (merchant: TestMerchant, subject: string, actor = 'operator:ann') =>
  product.services.database.asSystem((tx) =>
    writeAudit(tx, {
      merchantId: merchant.id,
      actor,
      action: 'payout.take_up',
      subject,
      after: { channel: subject },
    }),
  );

describe('the audit trail of all merchants', () => {
  it('lists the newest first, each row once, whatever the filter', async () => {
    for (let each = 0; each < 130; each++) await write(each % 2 ? mine : theirs, 'subject-1');
    const { rows: stored } = await product.services.database.asSystem((tx) =>
      sql<{ id: bigint }>`select id from audit order by id desc`.execute(tx.query),
    );
    const everything = await listAll();
    expect(everything.map(({ entry_no }) => entry_no)).toEqual(stored.map(({ id }) => String(id)));
    const queries: Record<string, string>[] = [
      { action: 'payout.take_up' },
      { actor: 'operator:ann' },
      { subject: 'subject-1' },
      { action: 'payout.take_up', subject: 'subject-1', actor: 'operator:ann' },
      { from: '2020-01-01T00:00:00Z', action: 'payout.take_up' },
    ];
    for (const query of queries) {
      const found = await listAll(query);
      expect([query, found.length]).toEqual([query, 130]);
      const numbers = found.map(({ entry_no }) => Number(entry_no));
      expect(numbers).toEqual([...new Set(numbers)].toSorted((one, other) => other - one));
    }
  });

  it('finds rows by merchant, or of the service alone', async () => {
    const ofMine = await listAll({ merchant: 'mine', action: 'payout.take_up' });
    expect(ofMine).toHaveLength(65);
    expect(new Set(ofMine.map(({ merchant }) => merchant?.code))).toEqual(new Set(['mine']));
    const ofService = await listAll({ merchant: '-' });
    expect(ofService.map(({ merchant }) => merchant).filter(Boolean)).toEqual([]);
    expect(ofService.map(({ action }) => action)).toContain('staff.sign_in');
    expect(await listAll({ merchant: 'nobody' })).toEqual([]);
  });

  it('finds what a person did by email, at merchants and among our staff', async () => {
    const person = await product.person(mine);
    await person.send('PUT', '/api/merchant/profile', { name: 'Other name', zone: 'Asia/Shanghai' });
    const { email } = (await person.get('/api/merchant/user')).json.data;
    const found = await listAll({ actor: email });
    expect(found.length).toBeGreaterThan(0);
    expect(found.every(({ actor }) => actor.startsWith('user:'))).toBe(true);
    const ours = await listAll({ actor: 'ADMIN@staff.test' });
    expect(ours.map(({ action, actorName }) => [action, actorName])).toContainEqual([
      'staff.sign_in',
      'admin',
    ]);
    expect(await listAll({ actor: 'nobody@staff.test' })).toEqual([]);
    // The account itself is an object: who created it.
    const created = await listAll({ subject: 'admin@staff.test' });
    expect(created.map(({ action }) => action)).toContain('staff.create');
  });

  it('limits the time', async () => {
    const now = new Date().toISOString();
    await write(mine, 'BR_PIX');
    expect((await listAll({ from: now })).map(({ subject }) => subject)).toEqual(['BR_PIX']);
    const earlier = await listAll({ to: now, subject: 'BR_PIX' });
    expect(earlier).toEqual([]);
  });

  it('shows before and after, with amounts in the merchant’s currency, and no secret', async () => {
    await product.services.database.asSystem((tx) =>
      sql`insert into audit (merchant_id, actor, action, subject, before, after)
        values (${mine.id}, 'operator:ann', 'access_key.update', 'K1', '{"amountMinor": "100", "topSecret": "hunter2"}',
          '{"amountMinor": "250", "topSecret": "hunter3"}')`.execute(tx.query),
    );
    const { rows } = (await admin.get(`${path}?subject=K1`)).json.data;
    expect(rows[0].changes).toEqual([
      { field: 'topSecret', before: '••••••', after: '••••••' },
      { field: 'amount', before: '1.00 CNY', after: '2.50 CNY' },
    ]);
  });

  it('shows what a request asks for as the second person reads it, and not as it is stored', async () => {
    const body = { currency: 'CNY', rate: '7.15', reason: 'the market' };
    const { json } = await admin.post('/api/staff/rates', body);
    const other = await staff.member('other', 'ADMIN');
    await other.post(`/api/staff/requests/${json.data.request}/approve`, {});
    for (const action of ['staff_request.ask', 'staff_request.approve']) {
      const { rows } = (await admin.get(`${path}?action=${action}`)).json.data;
      expect(rows[0]).toMatchObject({ facts: [{ name: 'rate', before: null, after: '7.15' }] });
      const fields = rows[0].changes.map(({ field }: { field: string }) => field);
      const recorded = ['kind', 'request', ...(action.endsWith('ask') ? [] : ['requestedBy'])];
      expect(fields.toSorted()).toEqual(recorded);
    }
    const [approved] = (await admin.get(`${path}?action=staff_request.approve`)).json.data.rows;
    expect(approved.changes).toContainEqual({
      field: 'requestedBy',
      before: null,
      after: 'admin (admin@staff.test)',
    });
    const [set] = (await admin.get(`${path}?action=rate.set`)).json.data.rows;
    expect([set.facts, set.changes]).toEqual([[], [{ field: 'rate', before: null, after: '7.15' }]]);
  });

  it('names the merchant whom something concerns that an operator did alone', async () => {
    const after = { kind: 'merchantLimits', reason: 'the owner waits', merchant: String(mine.id) };
    await product.services.database.asSystem((tx) =>
      sql`insert into audit (merchant_id, actor, action, subject, after)
        values (0, 'operator:ann', 'staff_request.break_glass', 'mine', ${JSON.stringify(after)})`.execute(
        tx.query,
      ),
    );
    const { rows } = await list({ action: 'staff_request.break_glass' });
    expect((rows[0] as unknown as { changes: object[] }).changes).toContainEqual({
      field: 'merchant',
      before: null,
      after: 'mine',
    });
  });

  it('shows amounts of a channel in its currency, each language of a text, and rules and mappings part by part', async () => {
    const insert = (action: string, subject: string, after: object) =>
      product.services.database.asSystem((tx) =>
        sql`insert into audit (merchant_id, actor, action, subject, after)
          values (0, 'operator:ann', ${action}, ${subject}, ${JSON.stringify(after)})`.execute(tx.query),
      );
    const shown = async (subject: string) =>
      Object.fromEntries(
        (await admin.get(`${path}?${new URLSearchParams({ subject })}`)).json.data.rows[0].changes.map(
          ({ field, after }: { field: string; after: string }) => [field, after],
        ),
      );
    await insert('reconciliation.close', 'VN_NAPAS 2026-01-31', { state: 'closed', clearingMinor: '3000' });
    expect(await shown('VN_NAPAS 2026-01-31')).toEqual({ state: 'closed', clearing: '3000 VND' });
    await insert('incident.resolve', '77', { text: { en: 'Mended.', 'zh-cn': '已修复。' } });
    expect(await shown('77')).toEqual({ text: 'Mended.', textZhCn: '已修复。' });
    await insert('reconciliation.map', 'CN_BANK', { zone: 'UTC', csv: { delimiter: 'tab', headingRow: 1 } });
    expect(await shown('CN_BANK')).toEqual({ zone: 'UTC', 'csv.delimiter': 'tab', 'csv.headingRow': '1' });
    const payouts = { kind: 'payout', amountMinor: '150', approvers: 2, roles: ['ROOT'], people: ['7'] };
    const team = { kind: 'team', amountMinor: '0', approvers: 1, roles: ['ROOT'], people: [] };
    await insert('approval.rules', 'R', { rules: [payouts, team] });
    expect(await shown('R')).toEqual({ rules: 'payout 0.000150 USDT 2 × ROOT/user:7; team 1 × ROOT' });
    const person = (await (await product.person(mine, 'FINANCE', 'fay')).get('/api/merchant/user')).json.data;
    await insert('approval.rules', 'N', { rules: [{ ...team, people: [person.id] }] });
    expect(await shown('N')).toEqual({ rules: `team 1 × ROOT/${person.email}` });
  });

  it('continues over gaps in the numbers', async () => {
    await asOwner(product.ownerUrl, (client) =>
      client.query(`select setval('audit_id_seq', (select max(id) from audit) + 100000)`),
    );
    const { rows } = await list();
    expect(rows).toHaveLength(50);
  });

  it('is for administrators alone, and takes no other filter', async () => {
    for (const role of ['REVIEWER', 'FINANCE', 'SUPPORT'] as const) {
      const other = await staff.member(role.toLowerCase(), role);
      expect([role, (await other.get(path)).status]).toEqual([role, 403]);
    }
    for (const query of ['actor=ann', 'cursor=x', 'from=yesterday', 'limit=100000', "cursor=1'--"])
      expect([query, (await admin.get(`${path}?${query}`)).status]).toEqual([query, 422]);
  });
});
