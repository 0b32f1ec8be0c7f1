import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest';
import { asOwner } from '#db/owner.ts';
import { writeAudit } from '#domain/audit.sql.ts';
import { type TestMerchant, TestProduct } from '../../testing/test-product.ts';
import { until } from '../../testing/until.ts';

let product: TestProduct;
let merchant: TestMerchant;
let other: TestMerchant;

beforeEach(async () => {
  product = await TestProduct.start(inject('ownerUrl'));
  merchant = await product.merchant('sealed');
  other = await product.merchant('other');
  for (let round = 1; round <= 3; round++) {
    await act(merchant, `u${round}`, 4);
    await act(other, `o${round}`, 2);
    expect(await seal()).toBe(1);
  }
});
afterEach(() => product.close());

const seal = () => product.services.auditSeal.seal();
const verify = () => product.services.auditSeal.verify();
const faultsOf = async () => (await verify()).faults.map(({ fault }) => fault);

/** Writes audit rows, as any action does. */
function act({ id }: TestMerchant, subject: string, rows: number, at = product): Promise<void> {
  return at.services.database.asSystem(async (tx) => {
    for (let n = 1; n <= rows; n++)
      await writeAudit(tx, {
        merchantId: id,
        actor: 'operator:test',
        action: 'terms.set',
        subject,
        after: { n },
      });
  });
}

/** Runs statements as somebody who owns the database, and whom no trigger stops. */
function asThief(...statements: string[]): Promise<void> {
  const tables = ['audit', 'audit_root', 'audit_seal'];
  const triggers = (verb: string) =>
    tables.map((table) => `alter table ${table} ${verb} trigger append_only`);
  // Row-level security applies to the owner, too.
  const security = (verb: string) =>
    ['audit', 'audit_seal'].map((table) => `alter table ${table} ${verb} row level security`);
  return asOwner(product.ownerUrl, async (client) => {
    for (const statement of [
      ...triggers('disable'),
      ...security('no force'),
      ...statements,
      ...security('force'),
      ...triggers('enable'),
    ])
      await client.query(statement);
  });
}

/** Cuts off the end, from the third root on, and adapts seals, roots and the sequence. */
const cutOff = () =>
  asThief(
    `delete from audit where id > (select to_id from audit_root where number = 2)`,
    `delete from audit_seal where root_number = 3`,
    `delete from audit_root where number = 3`,
    `select setval('audit_id_seq', (select max(id) from audit))`,
  );

/** The newest root outside, of today. */
const outsideFile = async () => {
  const folder = join(product.dataDirectory, 'audit-roots');
  const names = (await readdir(folder)).filter((name) => name.startsWith('root-'));
  return join(folder, names.toSorted().at(-1) ?? '');
};

describe('the sealed audit trail', () => {
  it('is as it was sealed, row by row, and says what is not sealed yet', async () => {
    const { rows: all } = await counted('select count(*)::integer as rows from audit');
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
    await asThief(statement);
    const { faults } = await verify();
    expect(faults.filter(({ merchantId }) => merchantId === merchant.id)).toEqual([
      { merchantId: merchant.id, fault: expect.stringContaining('root 2') },
    ]);
  });

  it('shows a removed row, and which merchant lacks it', async () => {
    await asThief(`delete from audit where id = ${row}`);
    const { faults } = await verify();
    expect(faults).toHaveLength(1);
    expect(faults[0]).toMatchObject({ merchantId: merchant.id });
    expect(faults[0]?.fault).toMatch(/^rows of root 2 were removed: 3 of 4 are left/);
  });

  it('shows a row that was added to the past', async () => {
    await asThief(
      `insert into audit (id, merchant_id, actor, action) select min(id), 0, 'operator:test', 'contact.set' from audit where subject = 'u3'`,
    );
    expect(await faultsOf()).toEqual([
      expect.stringMatching(/^rows were added that no root covers: IDs \d+$/),
    ]);
  });

  it('shows that the end was cut off, whatever else is adapted', async () => {
    await cutOff();
    expect((await faultsOf()).join('\n')).toMatch(/\broot 3 of .* is known outside, and missing/);
    // Nothing hides it afterwards: no root follows, and the copy outside stays.
    await act(merchant, 'after', 1);
    await expect(seal()).rejects.toThrow('ends at root 2');
    expect(JSON.parse(await readFile(await outsideFile(), 'utf8')).number).toBe('3');
  });

  it('shows that a root in the middle was removed, with its rows', async () => {
    await asThief(
      `delete from audit where id > (select to_id from audit_root where number = 1) and id <= (select to_id from audit_root where number = 2)`,
      'delete from audit_seal where root_number = 2',
      'delete from audit_root where number = 2',
    );
    expect((await faultsOf()).join('\n')).toContain('root 3 does not follow root 1');
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
    await asThief(
      'delete from audit',
      'delete from audit_seal',
      'delete from audit_root',
      put('audit_root', rows.root),
      put('audit_seal', rows.seal),
      put('audit', rows.audit),
    );
    const faults = (await faultsOf()).join('\n');
    expect(faults).toMatch(/was not made with this APP_KEY/);
    expect(faults).toMatch(/\broot 3 of .* is known outside, and missing/);
    await expect(seal()).rejects.toThrow('known outside');
  });

  it('shows a seal or a root that was adapted to an altered row', async () => {
    await asThief(
      `delete from audit where id = ${row}`,
      `update audit_seal set row_count = 3, sha256 = sha256('forged') where root_number = 2 and merchant_id = ${merchant.id}`,
    );
    expect((await faultsOf()).join('\n')).toContain('root 2, or one of its seals, was altered');
  });

  it('goes on after a restore once an operator has accepted the loss, and shows it ever after', async () => {
    await cutOff();
    await expect(seal()).rejects.toThrow('audit accept');
    const loss = await product.services.auditSeal.accept('operator:test', 'restored to noon');
    expect(loss).toMatchObject({ lost: '3', kept: '2', by: 'operator:test', reason: 'restored to noon' });
    expect(await product.services.auditSeal.accept('operator:test', 'again')).toMatchObject({ lost: '3' });
    expect(await seal()).toBe(1);
    expect(await product.services.auditSeal.accept('operator:test', 'too late')).toBeUndefined();
    const found = await verify();
    expect(found.faults).toEqual([]);
    expect(found.losses).toHaveLength(1);
    const { rows: accepted } = await counted(
      `select count(*)::integer as rows from audit where action = 'audit.accept_loss'`,
    );
    expect(accepted).toBe(2);
  });

  it('keeps its roots outside again after that place was lost, and misses a copy that is not there', async () => {
    await rm(await outsideFile());
    await act(merchant, 'more', 1);
    expect(await seal()).toBe(1);
    expect(JSON.parse(await readFile(await outsideFile(), 'utf8')).number).toBe('4');
    expect(await faultsOf()).toEqual([]);
  });

  it('refuses a place whose copy differs', async () => {
    const file = await outsideFile();
    const copy = JSON.parse(await readFile(file, 'utf8'));
    await writeFile(file, JSON.stringify({ ...copy, sha256: '0'.repeat(64) }));
    await expect(seal()).rejects.toThrow('differs from its copy');
    expect(await faultsOf()).toEqual(['root 3 differs from its copy outside']);
  });
});

describe('sealing', () => {
  it('covers every column of the table', async () => {
    const columns = await product.services.database.asSystem((tx) =>
      sql<{ name: string }>`select attname as name from pg_attribute
        where attrelid = 'audit'::regclass and attnum > 0 and not attisdropped order by 1`.execute(tx.query),
    );
    const covered = /jsonb_build_array\(([\s\S]*?)\)::text, 'UTF8'/.exec(
      await readFile(join(import.meta.dirname, 'audit-seal.sql.ts'), 'utf8'),
    )?.[1];
    const names = [...(covered ?? '').matchAll(/\ba\.(\w+)/g)].map(([, name]) => name);
    expect(names.toSorted()).toEqual(columns.rows.map(({ name }) => name));
  });

  it('misses no row of a transaction that ends after later ones, and waits for nothing else', async () => {
    const [taken, ended] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const slow = product.services.database.asSystem(async (tx) => {
      await writeAudit(tx, { merchantId: merchant.id, actor: 'operator:test', action: 'terms.set' });
      taken.resolve();
      await ended.promise;
    });
    await taken.promise;
    await act(merchant, 'quick', 1);
    // A lower number is still open: this run gives up, and others write meanwhile.
    const givenUp = seal();
    await act(merchant, 'quicker', 1);
    expect(await givenUp).toBe(0);
    const sealed = seal();
    ended.resolve();
    await slow;
    expect(await sealed).toBe(1);
    const { faults, unsealed } = await verify();
    expect({ faults, unsealed: unsealed.rows }).toEqual({ faults: [], unsealed: 0 });
  }, 30_000);

  it('covers each row once while many write and two seal', async () => {
    const { rows: before } = await counted('select count(*)::integer as rows from audit');
    let isWriting = true;
    const sealAll = async () => {
      // One of two that make the same root fails, and tries again.
      while (isWriting) await seal().catch((error: { code?: string }) => expect(error.code).toBe('23505'));
    };
    const writers = Array.from({ length: 12 }, async (_, n) => {
      for (let round = 0; round < 15; round++)
        await product.services.database
          .asSystem(async (tx) => {
            await writeAudit(tx, {
              merchantId: n % 2 ? merchant.id : other.id,
              actor: 'operator:test',
              action: 'terms.set',
            });
            await sql`select pg_sleep(random() * 0.03)`.execute(tx.query);
            // Its number is taken, and never used.
            if (round % 5 === 4) throw new Error('rolled back');
          })
          .catch((error: Error) => expect(error.message).toBe('rolled back'));
    });
    const sealers = [sealAll(), sealAll()];
    await Promise.all(writers);
    isWriting = false;
    await Promise.all(sealers);
    await seal();
    expect(await verify()).toMatchObject({ faults: [], rows: before + 12 * 12, unsealed: { rows: 0 } });
  }, 60_000);

  it('covers months that are moved to the archive, also by a root that covers later rows', async () => {
    const at = new Date(Date.now() - 200 * 86_400_000);
    await product.monthsSince(at);
    const month = at.toISOString().slice(0, 7);
    await product.services.database.asSystem((tx) =>
      sql`insert into audit (merchant_id, at, actor, action, address, before, after, roles)
        select m.id, ${at}::timestamptz + n * interval '1 second', 'user:7', 'terms.set', '10.0.0.1', '{"b": 1.50}', '{"名": "茶"}', '{FINANCE}'
        from merchant m, generate_series(1, 30) n`.execute(tx.query),
    );
    await act(merchant, 'now', 3);
    expect(await seal()).toBe(1);
    const before = await verify();
    expect(before.faults).toEqual([]);
    const outcomes = await product.services.archiver.archiveClosed(3);
    expect(outcomes.find(({ table, month: of }) => table === 'audit' && of === month)).toMatchObject({
      rows: 60,
    });
    expect(await verify()).toMatchObject({ faults: [], rows: before.rows, roots: before.roots });
    await asOwner(product.ownerUrl, async (client) => {
      await client.query('alter table archived_part no force row level security');
      await client.query(`delete from archived_part where merchant_id = ${other.id}`);
    });
    expect((await verify()).faults).toEqual([
      {
        merchantId: other.id,
        fault: expect.stringMatching(/^rows of root 4 were removed: 0 of 30 are left/),
      },
    ]);
  }, 60_000);

  it('begins with the oldest row of the table: what was archived before is told apart', async () => {
    const late = await TestProduct.start(inject('ownerUrl'));
    const at = new Date(Date.now() - 200 * 86_400_000);
    await late.monthsSince(at);
    const { id } = await late.merchant('late');
    await late.services.database.asSystem((tx) =>
      sql`insert into audit (id, merchant_id, at, actor, action)
        select -n, ${id}, ${at}::timestamptz + n * interval '1 second', 'user:7', 'terms.set' from generate_series(1, 4) n`.execute(
        tx.query,
      ),
    );
    await late.services.archiver.archiveClosed(3);
    await late.services.auditSeal.seal();
    expect(await late.services.auditSeal.verify()).toMatchObject({ faults: [], earlierRows: 4 });
    await late.close();
  }, 60_000);

  it('reads little of a long audit trail', async () => {
    await product.services.database.asSystem((tx) =>
      sql`insert into audit (merchant_id, actor, action, after)
        select ${merchant.id}, 'key:1', 'payout.create', jsonb_build_object('note', repeat('x', 200)) from generate_series(1, 60000)`.execute(
        tx.query,
      ),
    );
    // As autovacuum does after every 128 pages.
    const pages = await asOwner(product.ownerUrl, async (client) => {
      await client.query('vacuum analyze audit');
      const { rows } = await client.query<{ pages: number }>(
        `select sum(relpages)::integer as pages from pg_class where oid in (select inhrelid from pg_inherits where inhparent = 'audit'::regclass)`,
      );
      return rows[0]?.pages ?? 0;
    });
    expect(pages).toBeGreaterThan(1500);
    while ((await seal()) > 0);
    const { rows } = await product.services.database.asSystem((tx) =>
      sql<{ 'QUERY PLAN': [{ Plan: Record<string, number> }] }>`explain (analyze, buffers, format json)
        select count(*) from audit where id > (select to_id - 50 from audit_root order by number desc limit 1)`.execute(
        tx.query,
      ),
    );
    const { 'Shared Hit Blocks': hit = 0, 'Shared Read Blocks': read = 0 } =
      rows[0]?.['QUERY PLAN'][0].Plan ?? {};
    expect(hit + read).toBeLessThan(400);
    expect((await verify()).faults).toEqual([]);
  }, 60_000);

  it('is done by the workers, within ten seconds', async () => {
    const worked = await TestProduct.start(inject('ownerUrl'), { worker: true });
    const busy = await worked.merchant('busy');
    const seconds: number[] = [];
    for (const subject of ['first', 'second']) {
      await act(busy, subject, 3, worked);
      const begunAt = Date.now();
      await until(
        async () => (await worked.services.auditSeal.verify()).unsealed.rows,
        (left) => left === 0,
        30_000,
      );
      seconds.push((Date.now() - begunAt) / 1000);
    }
    await worked.close();
    expect(Math.max(...seconds)).toBeLessThan(10);
  }, 60_000);
});

async function counted(statement: string): Promise<{ rows: number }> {
  const found = await product.services.database.asSystem((tx) =>
    sql<{ rows: number }>`${sql.raw(statement)}`.execute(tx.query),
  );
  return found.rows[0] ?? { rows: 0 };
}
