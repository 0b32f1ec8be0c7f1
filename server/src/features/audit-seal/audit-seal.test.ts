import { readFile, rm, writeFile } from 'node:fs/promises';
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest';
import { asOwner } from '#db/owner.ts';
import { writeAudit } from '#domain/audit.sql.ts';
import { SealedTrail } from '../../testing/sealed-trail.ts';
import { type TestMerchant, TestProduct } from '../../testing/test-product.ts';

let trail: SealedTrail;
let product: TestProduct;
let merchant: TestMerchant;

beforeEach(async () => {
  trail = await SealedTrail.start();
  ({ product, merchant } = trail);
});
afterEach(() => trail.close());

const seal = () => trail.seal();
const verify = () => trail.verify();
const act = (by: TestMerchant, subject: string, rows: number) => trail.act(by, subject, rows);

describe('the sealed audit trail', () => {
  it('is as it was sealed, row by row, and says what is not sealed yet', async () => {
    const all = Number(await trail.ask('select count(*) from audit'));
    expect(await verify()).toMatchObject({ faults: [], roots: 3, rows: all, earlierRows: 0, losses: [] });
    await act(merchant, 'late', 2);
    const { unsealed, faults } = await verify();
    expect(faults).toEqual([]);
    expect(unsealed.rows).toBe(2);
    expect(unsealed.seconds).toBeGreaterThan(0);
    expect(await seal()).toBe(1);
    expect(await seal()).toBe(0);
    expect((await verify()).unsealed).toEqual({ rows: 0, seconds: 0 });
  });

  const row = `(select id from audit where subject = 'u2' order by id limit 1)`;
  it.each([
    ['its change', `update audit set after = '{"n": 99}' where id = ${row}`],
    ['its time', `update audit set at = at + interval '1 microsecond' where id = ${row}`],
    ['its actor', `update audit set actor = 'operator:nobody' where id = ${row}`],
    ['a missing text that becomes empty', `update audit set request_id = '' where id = ${row}`],
    ['its merchant', `update audit set merchant_id = 0 where id = ${row}`],
    [
      'two rows that change places',
      `update audit a set after = b.after from audit b where a.subject = 'u2' and b.subject = 'u2'
        and (a.after->>'n')::integer + (b.after->>'n')::integer = 5`,
    ],
  ])('shows an alteration: %s', async (_what, statement) => {
    await trail.asThief(statement);
    const { faults } = await verify();
    expect(faults.filter(({ merchantId }) => merchantId === merchant.id)).toEqual([
      { merchantId: merchant.id, fault: expect.stringContaining('root 2') },
    ]);
  });

  it('shows a removed row, and which merchant lacks it', async () => {
    await trail.asThief(`delete from audit where id = ${row}`);
    const { faults } = await verify();
    expect(faults).toHaveLength(1);
    expect(faults[0]).toMatchObject({ merchantId: merchant.id });
    expect(faults[0]?.fault).toMatch(/^rows of root 2 were removed: 3 of 4 are left/);
  });

  it('shows a row that was added to the past', async () => {
    await trail.asThief(
      `insert into audit (id, merchant_id, actor, action) select min(id), 0, 'operator:test', 'contact.set' from audit where subject = 'u3'`,
    );
    expect(await trail.faults()).toEqual([
      expect.stringMatching(/^rows were added that no root covers: IDs \d+$/),
    ]);
  });

  it('shows that the end was cut off, whatever else is adapted', async () => {
    await trail.cutOff();
    expect((await trail.faults()).join('\n')).toMatch(/\broot 3 of .* is known outside, and missing/);
    // Nothing hides it afterwards: no root follows, and the copy outside stays.
    await act(merchant, 'after', 1);
    await expect(seal()).rejects.toThrow('ends at root 2');
    expect(await trail.newestNumber()).toBe('3');
  });

  it('shows that a root in the middle was removed, with its rows', async () => {
    await trail.asThief(
      `delete from audit where id > (select to_id from audit_root where number = 1) and id <= (select to_id from audit_root where number = 2)`,
      'delete from audit_seal where root_number = 2',
      'delete from audit_root where number = 2',
    );
    expect((await trail.faults()).join('\n')).toContain('root 3 does not follow root 1');
  });

  it('shows that everything was written anew, with sums and chain that fit, by somebody without the key', async () => {
    // Another key makes roots that are right in themselves.
    const forger = await TestProduct.start(inject('ownerUrl'), { env: { APP_KEY: '1'.repeat(64) } });
    const forged = await forger.merchant('sealed');
    await forger.services.database.asSystem((tx) =>
      writeAudit(tx, { merchantId: forged.id, actor: 'operator:test', action: 'terms.set' }),
    );
    await forger.services.auditSeal.seal();
    const rows = await asOwner(forger.ownerUrl, async (client) => {
      const read = async (table: string) =>
        (await client.query<{ row: unknown }>(`select to_json(t) as row from ${table} t`)).rows.map(
          (one) => one.row,
        );
      return { root: await read('audit_root'), seal: await read('audit_seal'), audit: await read('audit') };
    });
    await forger.close();
    const put = (table: string, content: unknown[]) =>
      `insert into ${table} select * from json_populate_recordset(null::${table}, '${JSON.stringify(content)}')`;
    await trail.asThief(
      'delete from audit',
      'delete from audit_seal',
      'delete from audit_root',
      put('audit_root', rows.root),
      put('audit_seal', rows.seal),
      put('audit', rows.audit),
    );
    const faults = (await trail.faults()).join('\n');
    expect(faults).toMatch(/was not made with this APP_KEY/);
    expect(faults).toMatch(/\broot 3 of .* is known outside, and missing/);
    await expect(seal()).rejects.toThrow('known outside');
  });

  it('shows a seal or a root that was adapted to an altered row', async () => {
    await trail.asThief(
      `delete from audit where id = ${row}`,
      `update audit_seal set row_count = 3, sha256 = sha256('forged') where root_number = 2 and merchant_id = ${merchant.id}`,
    );
    expect((await trail.faults()).join('\n')).toContain('root 2, or one of its seals, was altered');
  });

  it('goes on after a restore once an operator has accepted the loss, and shows it ever after', async () => {
    await trail.cutOff();
    await expect(seal()).rejects.toThrow('audit accept');
    const loss = await product.services.auditSeal.accept('operator:test', 'restored to noon');
    expect(loss).toMatchObject({ lost: '3', kept: '2', by: 'operator:test', reason: 'restored to noon' });
    expect(await product.services.auditSeal.accept('operator:test', 'again')).toMatchObject({ lost: '3' });
    expect(await seal()).toBe(1);
    expect(await product.services.auditSeal.accept('operator:test', 'too late')).toBeUndefined();
    const found = await verify();
    expect(found.faults).toEqual([]);
    expect(found.losses).toHaveLength(1);
    expect(await trail.ask(`select count(*) from audit where action = 'audit.accept_loss'`)).toBe('1');
  });

  it('keeps its roots outside again after that place was lost, and misses a copy that is not there', async () => {
    await rm(await trail.newestFile());
    await act(merchant, 'more', 1);
    expect(await seal()).toBe(1);
    expect(await trail.newestNumber()).toBe('4');
    expect(await trail.faults()).toEqual([]);
  });

  it('refuses a place whose copy differs', async () => {
    const file = await trail.newestFile();
    const copy = JSON.parse(await readFile(file, 'utf8'));
    await writeFile(file, JSON.stringify({ ...copy, sha256: '0'.repeat(64) }));
    await expect(seal()).rejects.toThrow('differs from its copy');
    expect(await trail.faults()).toEqual(['root 3 differs from its copy outside']);
  });
});
