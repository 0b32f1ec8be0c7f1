import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest';
import { asOwner } from '#db/owner.ts';
import { writeAudit } from '#domain/audit.sql.ts';
import { SealedTrail } from '../../testing/sealed-trail.ts';
import { TestProduct } from '../../testing/test-product.ts';
import { readRoot, sumRows } from './audit-seal.sql.ts';
import { hashOf } from './root.rules.ts';

let trail: SealedTrail;

beforeEach(async () => {
  trail = await SealedTrail.start();
});
afterEach(() => trail.close());

const lowestId = '-9223372036854775808';
const addRow = (id: string, merchant: bigint | string = 0n, at = 'now()') =>
  `insert into audit (id, merchant_id, at, actor, action) values (${id}, ${merchant}, ${at}, 'operator:x', 'contact.set')`;
/** Makes room for rows of any time. */
const anyTime = `create table any_time partition of audit default`;

describe('the owner of the database, who cuts off the end', () => {
  it.each([
    ['yesterday', `now() - interval '1 day'`],
    ['tomorrow', `now() + interval '1 day'`],
  ])('is found, although the clock says that the last root is of %s', async (_day, at) => {
    await trail.cutOff();
    await trail.asThief(`update audit_root set sealed_at = ${at}`);
    await trail.act();
    const files = await trail.rootFiles();
    await expect(trail.seal()).rejects.toThrow('ends at root 2');
    expect([await trail.rootFiles(), await trail.newestNumber()]).toEqual([files, '3']);
    const faults = (await trail.faults()).join('\n');
    expect(faults).toMatch(/\broot 3 of .* is known outside, and missing/);
    expect(faults).toContain('root 2, or one of its seals, was altered');
  });

  it('is found, although the last root bears the number and the HMAC of the one that is missing', async () => {
    await trail.asThief(
      `delete from audit where id > (select to_id from audit_root where number = 2)`,
      'delete from audit_seal where root_number = 3',
      `update audit_root set to_id = from_id + 1 where number = 3`,
    );
    expect(await trail.faults()).toContain('root 3, or one of its seals, was altered');
  });

  it('cannot have a root of another time kept outside, whose HMAC is that of an earlier one', async () => {
    await trail.act();
    await trail.asThief(
      `insert into audit_root select 4, 3, to_id, to_id + 1, now(), sha256, mac from audit_root where number = 3`,
    );
    await expect(trail.seal()).rejects.toThrow('Root 4 of the audit trail, or one of its seals, was altered');
    expect(await trail.newestNumber()).toBe('3');
    expect(await trail.faults()).toContain('root 4, or one of its seals, was altered');
    // Nor can an operator be brought to accept it.
    const accepting = trail.product.services.auditSeal.accept('operator:test', 'deceived');
    await expect(accepting).rejects.toThrow('was altered');
  });

  it('cannot let two roots cover the same rows', async () => {
    const twice = trail.asThief(
      'insert into audit_root select 4, 3, from_id, to_id, now(), sha256, mac from audit_root where number = 3',
    );
    await expect(twice).rejects.toThrow('audit_root_from_id_key');
  });

  it('cannot hide it behind a time that is none', async () => {
    await trail.asThief(`update audit_root set sealed_at = 'infinity' where number = 3`);
    expect(await trail.faults()).toEqual(['root 3, or one of its seals, was altered']);
  });
});

describe('the owner of the database, who writes rows, seals and roots anew', () => {
  /** Alters rows of the second root, and computes its seals and all roots from there on anew: only the HMACs are copies. */
  async function rewrite(): Promise<void> {
    await trail.asThief(`update audit set actor = 'operator:nobody' where subject = 'u2'`);
    const { database } = trail.product.services;
    for (const number of [2n, 3n]) {
      const { root, previous, seals } = await database.asSystem(async (tx) => {
        const root = (await readRoot(tx, number)) ?? expect.fail('no such root');
        return { root, previous: await readRoot(tx, number - 1n), seals: await sumRows(tx, root) };
      });
      await trail.asThief(
        ...seals.map(
          ({ merchantId, sha256 }) =>
            `update audit_seal set sha256 = '\\x${sha256.toString('hex')}' where root_number = ${number} and merchant_id = ${merchantId}`,
        ),
        `update audit_root set sha256 = '\\x${hashOf({ ...root, previous }, seals).toString('hex')}' where number = ${number}`,
      );
    }
  }

  it('is found by the last root’s HMAC, and by its copy outside', async () => {
    await rewrite();
    expect(await trail.faults()).toEqual([
      'root 3, the last one, was not made with this APP_KEY',
      'root 3 differs from its copy outside',
    ]);
    await trail.act();
    await expect(trail.seal()).rejects.toThrow('differs from its copy outside');
  });

  it('is found although the place outside is lost, and cannot have the forged root kept there', async () => {
    await rewrite();
    await rm(trail.folder, { recursive: true });
    await trail.act();
    await expect(trail.seal()).rejects.toThrow('was not made with this APP_KEY');
    await expect(trail.rootFiles()).rejects.toThrow('ENOENT');
  });
});

describe('the owner of the database, who adds rows', () => {
  it.each([
    ['the ID 0', '0'],
    ['the lowest ID', lowestId],
    ['an ID that exists', '(select min(id) from audit)'],
  ])('is found: %s', async (_what, id) => {
    await trail.asThief(addRow(id));
    expect(await trail.faults()).toEqual([
      expect.stringMatching(/^rows were added that no root covers: IDs -?\d+$/),
    ]);
  });

  it('is found: a copy of a row where the verification begins to read anew', async () => {
    // 5,000 rows are read at once, and the last one of them has a double.
    await trail.asThief(
      `insert into audit (merchant_id, actor, action) select 900, 'key:1', 'payout.create' from generate_series(1, 6000)`,
    );
    await trail.seal();
    expect(await trail.faults()).toEqual([]);
    await trail.asThief(
      `insert into audit (id, merchant_id, at, actor, action) select id, merchant_id, at + interval '1 s', actor, action
         from audit where merchant_id = 900 order by id offset 4999 limit 1`,
    );
    const faults = await trail.faults();
    expect(faults).toContainEqual(expect.stringMatching(/^rows were added that no root covers/));
  });

  it('is found: rows of a merchant that does not exist', async () => {
    await trail.asThief(addRow(`(select min(id) from audit)`, 4711n));
    const { faults } = await trail.verify();
    expect(faults).toEqual([{ merchantId: 4711n, fault: expect.stringContaining('rows were added') }]);
  });

  it('is found: an ID that the sequence has not given', async () => {
    await trail.asThief(addRow('1000000000'));
    expect(await trail.seal()).toBe(0);
    expect(await trail.faults()).toEqual([
      expect.stringMatching(/^a row has the ID 1000000000, but the sequence is at/),
    ]);
  });

  it('is found before the first root, too: sealing begins with the first ID of the sequence', async () => {
    const late = await TestProduct.start(inject('ownerUrl'));
    const { id } = await late.merchant('late');
    await asOwner(late.ownerUrl, async (client) => {
      await client.query('alter table audit no force row level security');
      await client.query(addRow('-5', id));
      await client.query(addRow('0', id));
    });
    expect(await late.services.auditSeal.seal()).toMatchObject({ roots: 1 });
    const { faults } = await late.services.auditSeal.verify();
    await late.close();
    expect(faults).toEqual([{ merchantId: id, fault: 'rows were added that no root covers: IDs -5, 0' }]);
  });
});

describe('the owner of the database, who adds seals', () => {
  const forged = (number: string) =>
    `insert into audit_seal select merchant_id, ${number}, from_id, to_id, row_count, sha256 from audit_seal where root_number = 1`;

  it.each([
    ['above the last root', '4'],
    ['below the first root', '0'],
    ['at the end of all numbers', lowestId],
  ])('is found: %s', async (_where, number) => {
    await trail.asThief(forged(number));
    expect(await trail.faults()).toEqual([`seals were added that name root ${number}, which does not exist`]);
  });

  it('is found: in the numbers that an accepted loss has left unused, with rows that fit', async () => {
    await trail.cutOff();
    await trail.product.services.auditSeal.accept('operator:test', 'restored');
    await trail.seal();
    expect(await trail.faults()).toEqual([]);
    await trail.asThief(forged('3'));
    expect(await trail.faults()).toContain('seals were added that name root 3, which does not exist');
  });

  it('is found: a root in those numbers', async () => {
    await trail.cutOff();
    await trail.product.services.auditSeal.accept('operator:test', 'restored');
    await trail.seal();
    await trail.asThief(
      'alter table audit_root drop constraint audit_root_from_id_key',
      `insert into audit_root select 3, 2, from_id, to_id, sealed_at, sha256, mac from audit_root where number = 4`,
      `update audit_root set previous_number = 3 where number = 4`,
    );
    expect(await trail.faults()).toContain('root 3, or one of its seals, was altered');
  });
});

describe('the owner of the database, who stops the sealing', () => {
  const sequence = (id: string) => `select setval('audit_id_seq', ${id})`;

  it('is found: the sequence was reset', async () => {
    await trail.asThief(sequence('1'));
    await trail.act();
    await expect(trail.seal()).rejects.toThrow('it was reset or replaced');
    expect((await trail.faults()).join('\n')).toContain('it was reset or replaced');
  });

  it('is found: another sequence gives the IDs', async () => {
    await trail.asThief(
      'create sequence other_seq start 1000000',
      `alter table audit alter column id set default nextval('other_seq')`,
      'grant usage on sequence other_seq to hengfu_app, hengfu_intake, hengfu_system',
    );
    await trail.act();
    expect(await trail.seal()).toBe(0);
    expect(await trail.faults()).toEqual([expect.stringContaining('a row has the ID 1000000')]);
  });

  it('does not succeed: the sequence was set far ahead', async () => {
    await trail.asThief(sequence('1000000000000'));
    await trail.act();
    // One root for the gap, and one for the row.
    expect(await trail.seal()).toBe(2);
    expect(await trail.verify()).toMatchObject({ faults: [], unsealed: { rows: 0 } });
  });

  it('is found: no root follows for minutes, whatever the rows’ times say', async () => {
    await trail.act();
    expect((await trail.verify()).faults).toEqual([]);
    const later = trail.sealedBy({ now: () => new Date(Date.now() + 180_000) });
    const stopped = [{ fault: expect.stringMatching(/^1 rows are not sealed, .* sealing has stopped$/) }];
    expect((await later.verify()).faults).toEqual(stopped);
    await trail.asThief(
      `update audit set at = now() + interval '180 s' where id = (select max(id) from audit)`,
    );
    expect((await later.verify()).faults).toEqual(stopped);
    expect((await trail.sealedBy({}).verify()).faults).toEqual(stopped);
  });

  it('is not suspected after a quiet time: a row that was just written is given some seconds to be sealed', async () => {
    const later = () => new Date(Date.now() + 180_000);
    expect((await trail.sealedBy({ now: later }).verify()).faults).toEqual([]);
    await trail.act();
    const isWaiting = Promise.withResolvers<void>();
    let readings = 0;
    const patient = trail.sealedBy({
      now: () => {
        if (++readings === 4) isWaiting.resolve();
        return later();
      },
      patienceMs: 60_000,
    });
    const verified = patient.verify();
    await isWaiting.promise;
    await trail.sealedBy({ now: later }).seal();
    expect(await verified).toMatchObject({ faults: [], unsealed: { rows: 0 } });
  });
});

describe('the owner of the database, who alters values that look alike', () => {
  it('is found: a year before Christ', async () => {
    await trail.asThief(anyTime, addRow(`nextval('audit_id_seq')`, 0n, `'2026-01-05 12:00 BC'`));
    await trail.seal();
    expect(await trail.faults()).toEqual([]);
    await trail.asThief(`update audit set at = '2026-01-05 12:00' where at < '0001-01-01'`);
    expect(await trail.faults()).toEqual([expect.stringMatching(/^a row of root 4 was altered/)]);
  });

  it.each(['before', 'after'])('is found: a JSON null instead of no value, in %s', async (column) => {
    await trail.product.services.database.asSystem((tx) =>
      writeAudit(tx, { merchantId: null, actor: 'operator:x', action: 'contact.set', subject: 'null' }),
    );
    await trail.seal();
    await trail.asThief(`update audit set ${column} = 'null' where subject = 'null'`);
    expect(await trail.faults()).toEqual([expect.stringMatching(/^a row of root 4 was altered/)]);
  });
});

describe('the owner of the database, who alters the archive', () => {
  const months: string[] = [];

  /** Moves two sealed months to the archive. */
  async function archive(): Promise<void> {
    months.length = 0;
    for (const days of [230, 200]) {
      const at = new Date(Date.now() - days * 86_400_000);
      months.push(at.toISOString().slice(0, 7));
      await trail.product.monthsSince(at);
      await trail.product.services.database.asSystem((tx) =>
        sql`insert into audit (merchant_id, at, actor, action)
          select ${trail.merchant.id}, ${at}, 'user:7', 'terms.set' from generate_series(1, 10)`.execute(
          tx.query,
        ),
      );
    }
    await trail.seal();
    await trail.product.services.archiver.archiveClosed(3);
    expect(await trail.faults()).toEqual([]);
  }
  const fileOf = (month: number) =>
    trail.ask(
      `select file_key from archived_month where table_name = 'audit' and to_char(month, 'YYYY-MM') = '${months[month]}'`,
    );

  it('is found: the files of two months change places', async () => {
    await archive();
    const folder = join(trail.product.dataDirectory, 'archive');
    const [one, two] = [join(folder, (await fileOf(0)) ?? ''), join(folder, (await fileOf(1)) ?? '')];
    const [oneContent, twoContent] = [await readFile(one), await readFile(two)];
    await writeFile(one, twoContent);
    await writeFile(two, oneContent);
    const faults = await trail.faults();
    expect(faults.length).toBeGreaterThan(0);
    expect(faults.join('\n')).toMatch(/has rows of another month|cannot be read/);
  });

  it('is found: a month’s place in the file leads to other bytes, or its file to another one', async () => {
    await archive();
    await trail.asThief(
      `update archived_part set offset_bytes = offset_bytes + 1 where table_name = 'audit'`,
    );
    expect((await trail.faults()).join('\n')).toContain(`the archived month ${months[0]} cannot be read`);
    await trail.asThief(
      `update archived_part set offset_bytes = offset_bytes - 1 where table_name = 'audit'`,
      `update archived_month set file_key = 'gone' where file_key = '${await fileOf(0)}'`,
    );
    expect((await trail.faults()).join('\n')).toContain('the archive gone is missing');
  });

  it('is found: a month counts as archived before the first root, so that no seal covers it', async () => {
    await archive();
    await trail.asThief(
      `update archived_month set archived_at = '2020-01-01' where file_key = '${await fileOf(0)}'`,
    );
    expect(await trail.faults()).toEqual([
      expect.stringMatching(/^rows of root 4 were removed: 10 of 20 are left/),
    ]);
  });

  it('is found: a month was archived after the first root, with rows from below it', async () => {
    const at = new Date(Date.now() - 200 * 86_400_000);
    await trail.product.monthsSince(at);
    await trail.product.services.database.asSystem((tx) =>
      sql`insert into audit (id, merchant_id, at, actor, action)
        select -n, ${trail.merchant.id}, ${at}, 'user:7', 'terms.set' from generate_series(1, 4) n`.execute(
        tx.query,
      ),
    );
    await trail.product.services.archiver.archiveClosed(3);
    const { faults, earlierRows } = await trail.verify();
    expect(earlierRows).toBe(0);
    expect(faults).toEqual([
      { merchantId: trail.merchant.id, fault: 'rows were added that no root covers: IDs -4, -3, -2, -1' },
    ]);
  });
});
