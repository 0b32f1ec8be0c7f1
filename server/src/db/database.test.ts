import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, inject, it, vi } from 'vitest';
import { type TestMerchant, TestProduct } from '../testing/test-product.ts';
import { until } from '../testing/until.ts';
import type { Database, MerchantTx, TransactionOptions, Tx } from './database.ts';
import { asOwner } from './owner.ts';

let product: TestProduct;
let database: Database;
let merchant: TestMerchant;

beforeAll(async () => {
  product = await TestProduct.start(inject('ownerUrl'));
  database = product.services.database;
  merchant = await product.merchant('transactions');
});
afterAll(() => product.close());

const audit = (tx: Tx, action: string) =>
  sql`insert into audit (merchant_id, actor, action) values (${merchant.id}, 'test', ${action})`.execute(
    tx.prepared,
  );
const countOf = async (action: string) => {
  const { rows } = await database.asSystem((tx) =>
    sql<{ count: bigint }>`select count(*) from audit where action = ${action}`.execute(tx.query),
  );
  return rows[0]?.count;
};

describe('a transaction', () => {
  it('commits all of its work or none', async () => {
    const failing = database.asMerchant(merchant.id, async (tx) => {
      await audit(tx, 'undone');
      throw new Error('changed my mind');
    });
    await expect(failing).rejects.toThrow('changed my mind');
    expect(await countOf('undone')).toBe(0n);
    await database.asMerchant(merchant.id, (tx) => audit(tx, 'done'));
    expect(await countOf('done')).toBe(1n);
  });

  it('of one statement reports its execution before its commit, and a failed one does not', async () => {
    await asOwner(product.ownerUrl, async (client) => {
      // The commit waits for this lock.
      await client.query(`
        create table slow_commit (number integer);
        grant insert, select on slow_commit to hengfu_system;
        create function wait_at_commit() returns trigger language plpgsql as
          'begin perform pg_advisory_xact_lock(4711); return null; end';
        create constraint trigger wait after insert on slow_commit deferrable initially deferred
          for each row execute function wait_at_commit();
        select pg_advisory_lock(4711)`);
      const count = async () => (await client.query('select from slow_commit')).rowCount;
      let committed: Promise<unknown> | undefined;
      await new Promise<void>((onExecuted) => {
        committed = database.asSystem((tx) => sql`insert into slow_commit values (1)`.execute(tx.prepared), {
          oneStatement: true,
          onExecuted,
        });
      });
      expect(await count()).toBe(0);
      await client.query('select pg_advisory_unlock(4711)');
      await committed;
      expect(await count()).toBe(1);
    });
    const onExecuted = vi.fn();
    const failing = database.asSystem((tx) => sql`select 1 / 0`.execute(tx.query), {
      oneStatement: true,
      onExecuted,
    });
    await expect(failing).rejects.toThrow('division by zero');
    expect(onExecuted).not.toHaveBeenCalled();
  });

  it('is rolled back if a statement fails, and leaves its connection usable', async () => {
    const failing = database.asMerchant(merchant.id, async (tx) => {
      await audit(tx, 'before the fault');
      await sql`select 1 / 0`.execute(tx.query);
    });
    await expect(failing).rejects.toThrow('division by zero');
    expect(await countOf('before the fault')).toBe(0n);
  });

  it('has an idle timeout unless it reads a snapshot', async () => {
    const idleTimeout = async (tx: Tx) => {
      const shown = sql<{
        setting: string;
      }>`select current_setting('idle_in_transaction_session_timeout') as setting`;
      return (await shown.execute(tx.query)).rows[0]?.setting;
    };
    expect(await database.asSystem(idleTimeout)).toBe('8s');
    expect(await database.asMerchant(merchant.id, idleTimeout, { snapshot: true })).toBe('0');
  });

  it('can disable its own statement timeout, and not that of the next one', async () => {
    const limits = () =>
      database.asSystem(async (tx) => {
        const shown = sql<{ limit: string }>`select current_setting('statement_timeout') as limit`;
        const before = (await shown.execute(tx.query)).rows[0]?.limit;
        await tx.disableTimeouts();
        return [before, (await shown.execute(tx.query)).rows[0]?.limit];
      });
    for (let time = 0; time < 2; time++) expect(await limits()).toEqual(['30s', '0']);
  });

  it('accepts no statement after its end', async () => {
    let late: Tx | undefined;
    await database.asSystem(async (tx) => {
      late = tx;
    });
    expect(() => (late as Tx).query).toThrow('after the end');
    expect(() => (late as Tx).prepared).toThrow('after the end');
  });

  it('stays closed while its connection is in another transaction', async () => {
    let late: MerchantTx | undefined;
    await database.asMerchant(merchant.id, async (tx) => {
      late = tx;
    });
    await database.asSystem(async (tx) => {
      expect(() => (late as MerchantTx).query).toThrow('after the end');
      await sql`select 1`.execute(tx.query);
    });
  });

  it('may wait before its first statement, and needs none', async () => {
    await database.asMerchant(merchant.id, async (tx) => {
      await pause(50);
      await audit(tx, 'after a while');
    });
    expect(await countOf('after a while')).toBe(1n);
    expect(await database.asMerchant(merchant.id, async () => 'nothing')).toBe('nothing');
  });

  it('cannot switch to a role that it does not have', async () => {
    const switchingRole = database.asMerchant(merchant.id, async (tx) => {
      await sql`set local role hengfu_ledger`.execute(tx.query);
    });
    await expect(switchingRole).rejects.toThrow('permission denied');
    expect(await countOf('done')).toBe(1n);
  });
});

describe('a transaction of one statement', () => {
  const alone = { oneStatement: true };

  it('commits as the merchant', async () => {
    await database.asMerchant(merchant.id, (tx) => audit(tx, 'alone'), alone);
    expect(await countOf('alone')).toBe(1n);
    const { rows } = await database.asMerchant(
      merchant.id,
      (tx) =>
        sql<{ role: string; at: string }>`
        select current_user as role, current_setting('app.merchant_id') as at`.execute(tx.prepared),
      alone,
    );
    expect(rows[0]).toEqual({ role: 'hengfu_app', at: String(merchant.id) });
  });

  it('is rolled back if it fails, throws the statement’s error and leaves its connection usable', async () => {
    const failing = database.asMerchant(merchant.id, (tx) => sql`select 1 / 0`.execute(tx.query), alone);
    await expect(failing).rejects.toThrow('division by zero');
    await database.asMerchant(merchant.id, (tx) => audit(tx, 'after a fault'), alone);
    expect(await countOf('after a fault')).toBe(1n);
  });

  it('accepts no second statement', async () => {
    const two = database.asMerchant(
      merchant.id,
      async (tx) => {
        await audit(tx, 'first of two');
        await audit(tx, 'second of two');
      },
      alone,
    );
    await expect(two).rejects.toThrow('after the end');
    expect(await countOf('second of two')).toBe(0n);
  });

  it('ends with its settings', async () => {
    const settings = (tx: Tx) =>
      sql<{ role: string; at: string; wait: string }>`select current_user as role,
        current_setting('app.merchant_ids', true) as at, current_setting('lock_timeout') as wait`.execute(
        tx.query,
      );
    const { rows } = await database.asMerchants([merchant.id], settings);
    expect(rows).toEqual([{ role: 'hengfu_app', at: `{${merchant.id}}`, wait: '100ms' }]);
    const after = await database.asSystem(settings, alone);
    expect(after.rows).toEqual([{ role: 'hengfu_system', at: '', wait: '0' }]);
  });

  it('writes nothing if it is a snapshot', async () => {
    const snapshot = { ...alone, snapshot: true };
    const writing = database.asMerchant(merchant.id, (tx) => audit(tx, 'in a snapshot'), snapshot);
    await expect(writing).rejects.toThrow('read-only transaction');
    expect(
      await database.asMerchant(
        merchant.id,
        (tx) => tx.prepared.selectFrom('merchant').select('id').execute(),
        snapshot,
      ),
    ).toEqual([{ id: merchant.id }]);
    expect(await countOf('in a snapshot')).toBe(0n);
  });

  it('needs no statement, and cannot copy', async () => {
    expect(await database.asSystem(async () => 'nothing', alone)).toBe('nothing');
    const copying = database.asSystem(async (tx) => {
      for await (const _ of tx.copy(sql`select 1`, { add: () => {}, take: () => [] }));
    }, alone);
    await expect(copying).rejects.toThrow('cannot copy');
  });

  it('fails with the fault of its commit', async () => {
    await asOwner(product.ownerUrl, async (client) => {
      await client.query(
        'create table late_fault (id int primary key, of int references late_fault deferrable initially deferred)',
      );
      await client.query('grant insert on late_fault to hengfu_system');
    });
    // A foreign key without its target fails at the end of the transaction only.
    const failing = database.asSystem(
      (tx) => sql`insert into late_fault values (1, ${2}::int)`.execute(tx.prepared),
      alone,
    );
    await expect(failing).rejects.toThrow('late_fault');
  });

  it('is prepared anew if it could not be prepared before', async () => {
    const read = () =>
      database.asSystem(
        (tx) => sql<{ n: bigint }>`select count(*) as n from comes_later where ${1} = 1`.execute(tx.prepared),
        alone,
      );
    for (let time = 0; time < 3; time++) await expect(read()).rejects.toThrow('does not exist');
    await asOwner(product.ownerUrl, async (client) => {
      await client.query('create table comes_later ()');
      await client.query('grant select on comes_later to hengfu_system');
    });
    for (let time = 0; time < 3; time++) expect((await read()).rows).toEqual([{ n: 0n }]);
  });

  it('stays prepared, however often it fails later', async () => {
    const failing = () =>
      database.asSystem((tx) => sql`select 1 / ${0}::int as prepared_once`.execute(tx.prepared), alone);
    for (let time = 0; time < 10; time++) await expect(failing()).rejects.toThrow('division by zero');
    const { rows } = await database.asSystem((tx) =>
      sql<{ n: bigint }>`select count(*) as n from pg_prepared_statements
        where statement like ${'%prepared_once'}`.execute(tx.query),
    );
    expect(rows).toEqual([{ n: 1n }]);
  });

  it('may fail without its work', async () => {
    const handled = database.asSystem(async (tx) => {
      await sql`select 1 / 0`.execute(tx.query).catch(() => {});
      return 'handled';
    }, alone);
    expect(await handled).toBe('handled');
    const unsendable = database.asSystem(
      (tx) => sql`select ${{ toPostgres: () => Object.create(null).missing() }}::text`.execute(tx.query),
      alone,
    );
    await expect(unsendable).rejects.toThrow();
    await database.asMerchant(merchant.id, (tx) => audit(tx, 'after both'), alone);
    expect(await countOf('after both')).toBe(1n);
  });

  it('fails if its connection is cut, and the next one succeeds', async () => {
    const asleep = database.asSystem((tx) => sql`select pg_sleep(600)`.execute(tx.query), alone);
    const cut = expect(asleep).rejects.toThrow();
    const cutOne = () =>
      database.asSystem(async (tx) => {
        await sql`reset role`.execute(tx.query);
        const { rows } = await sql`select pg_terminate_backend(pid) from pg_stat_activity
          where state = 'active' and query like '%pg_sleep(600)%' and pid <> pg_backend_pid()`.execute(
          tx.query,
        );
        return rows.length;
      });
    await until(cutOne, (count) => count === 1);
    await cut;
    expect(await countOf('done')).toBe(1n);
  });
});

it('a hundred concurrent transactions each see their own merchant only', async () => {
  const other = await product.merchant('other-transactions');
  const seen = await Promise.all(
    Array.from({ length: 100 }, (_, index) => {
      const { id } = index % 2 ? merchant : other;
      return database.asMerchant(
        id,
        async (tx) => {
          const { rows } = await sql<{ id: bigint }>`select id from merchant`.execute(tx.prepared);
          return rows.map((row) => row.id === id);
        },
        { oneStatement: index % 3 === 0 },
      );
    }),
  );
  expect(seen).toEqual(Array(100).fill([true]));
});

it('survives a migration that adds a column to a table', async () => {
  const read = () =>
    database.asMerchant(merchant.id, (tx) => tx.prepared.selectFrom('merchant').selectAll().execute());
  await Promise.all(Array.from({ length: 30 }, read));
  await asOwner(product.ownerUrl, (client) => client.query('alter table merchant add column later text'));
  const found = await Promise.all(Array.from({ length: 30 }, read));
  expect(found.every(([row]) => row !== undefined && 'later' in row)).toBe(true);
});

it('uses one generic plan with onePlan, and custom plans otherwise', async () => {
  /** Counts the plans of a statement run six times. The column makes its text unique, so it is prepared. */
  const plansOf = (column: string, options: TransactionOptions) =>
    database.asSystem(async (tx) => {
      for (let time = 0; time < 6; time++)
        await sql`select ${sql.ref(column)} from audit where id > ${time}`.execute(tx.prepared);
      const { rows } = await sql<{ generic: bigint; custom: bigint }>`
        select generic_plans as generic, custom_plans as custom from pg_prepared_statements
        where statement like ${`select "${column}" from audit%`}`.execute(tx.query);
      return rows;
    }, options);
  expect(await plansOf('actor', { onePlan: true })).toEqual([{ generic: 6n, custom: 0n }]);
  expect((await plansOf('action', {}))[0]?.custom).toBeGreaterThanOrEqual(5n);
});
