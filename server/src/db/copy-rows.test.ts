import { setTimeout } from 'node:timers/promises';
import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { testKey } from '../testing/test-database.ts';
import { TestProduct } from '../testing/test-product.ts';
import { until } from '../testing/until.ts';
import type { RowAccumulator } from './copy-rows.ts';
import type { Tx } from './database.ts';
import { loginOf, urlAs } from './login.ts';
import { asOwner } from './owner.ts';

let product: TestProduct;

beforeAll(async () => {
  product = await TestProduct.start(inject('ownerUrl'));
});
afterAll(() => product.close());

const inSnapshot = <T>(work: (tx: Tx) => Promise<T>) =>
  product.services.database.asSystem(work, { snapshot: true });

/** Queries as the application's login: it may see its own connections, which the owner may not. */
const queryAsApplication = async (query: string) => {
  const url = urlAs(product.ownerUrl, loginOf(Buffer.from(testKey, 'hex')));
  return asOwner(url, async (client) => (await client.query(query)).rows);
};

/** Collects rows as strings. */
function rowCollector(): RowAccumulator<string[]> {
  let rows: string[] = [];
  return {
    add: (row) => void rows.push(row.toString()),
    take: () => {
      const taken = rows;
      rows = [];
      return taken;
    },
  };
}

it('returns every row once, in order, and leaves the transaction usable', async () => {
  const count = 12_345;
  await inSnapshot(async (tx) => {
    const numbers = sql`select n, null, 'a' || n from generate_series(1, ${count}::integer) n`;
    const batches = await Array.fromAsync(tx.copy(numbers, rowCollector()));
    expect(batches.length).toBeGreaterThan(10);
    expect(batches.flat()).toEqual(Array.from({ length: count }, (_, at) => `${at + 1}\t\ta${at + 1}\n`));
    expect(await Array.fromAsync(tx.copy(sql`select 1 where false`, rowCollector()))).toEqual([]);
    const { rows } = await sql`select 7 as seven`.execute(tx.query);
    expect(rows).toEqual([{ seven: 7 }]);
  });
});

it('quotes any value correctly', async () => {
  const text = fc.string({ unit: 'grapheme' }).filter((given) => !given.includes('\0'));
  const tricky = fc
    .array(fc.constantFrom("'", '\\', '$1', '--', '"', '\n', ';', 'é', '/*', 'x'))
    .map((parts) => parts.join(''));
  await inSnapshot(async (tx) => {
    const echoed = fc.asyncProperty(
      fc.oneof(text, tricky),
      fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
      async (given, number) => {
        // As old servers are configured, where a backslash escapes the closing quote.
        await sql`set local standard_conforming_strings = off`.execute(tx.query);
        const wellFormed = given.toWellFormed();
        const statement = sql`select encode(convert_to(${wellFormed}::text, 'UTF8'), 'hex'), ${number}::text`;
        const [row] = (await Array.fromAsync(tx.copy(statement, rowCollector()))).flat();
        expect(row).toBe(`${Buffer.from(wellFormed).toString('hex')}\t${number}\n`);
      },
    );
    await fc.assert(echoed, { numRuns: 300 });
  });
});

it('makes the database wait while nobody reads the rows', async () => {
  await inSnapshot(async (tx) => {
    const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(tx.query);
    const rowsOfAll = tx.copy(sql`select generate_series(1, 300000), repeat('x', 100)`, rowCollector());
    const first = await rowsOfAll.next();
    const event = async () => {
      const [found] = await queryAsApplication(
        `select wait_event from pg_stat_activity where pid = ${rows[0]?.pid}`,
      );
      return found?.wait_event;
    };
    await until(event, (found) => found === 'ClientWrite', 10_000);
    await setTimeout(300);
    expect(await event()).toBe('ClientWrite');
    let seen = first.value?.length ?? 0;
    for await (const batch of rowsOfAll) seen += batch.length;
    expect(seen).toBe(300_000);
  });
}, 60_000);

it('throws an error of the statement, and leaves the connection usable', async () => {
  const failing = inSnapshot(async (tx) => {
    for await (const _ of tx.copy(
      sql`select 1 / (3000 - n) from generate_series(1, 5000) n`,
      rowCollector(),
    ));
  });
  await expect(failing).rejects.toMatchObject({ code: '22012' });
  await inSnapshot((tx) => sql`select 1`.execute(tx.query));
});

it('throws an error of the accumulator, and loses only the connection', async () => {
  const collector = rowCollector();
  const failing = inSnapshot(async (tx) => {
    let seen = 0;
    const failingCollector = {
      ...collector,
      add: (row: Buffer) => {
        if (++seen > 1500) throw new Error('can’t read this');
        collector.add(row);
      },
    };
    for await (const _ of tx.copy(sql`select generate_series(1, 100000)`, failingCollector));
  });
  await expect(failing).rejects.toThrow('can’t read this');
  await inSnapshot((tx) => sql`select 1`.execute(tx.query));
});

it('stops the statement if the reader stops early', async () => {
  const endless = sql`select generate_series(1, 1000000000), 'left behind'`;
  const stillRunning = `select pid from pg_stat_activity where query like 'copy%left behind%' and state = 'active'`;
  const running = async () => (await queryAsApplication(stillRunning)).length;
  const stopping = inSnapshot(async (tx) => {
    for await (const _ of tx.copy(endless, rowCollector())) {
      expect(await running()).toBe(1);
      throw new Error('no room left');
    }
  });
  await expect(stopping).rejects.toThrow('no room left');
  await until(running, (count) => count === 0, 10_000);
  await inSnapshot((tx) => sql`select 1`.execute(tx.query));
});

it('is refused after its transaction has ended', async () => {
  const kept = await inSnapshot(async (tx) => tx);
  expect(() => kept.copy(sql`select 1`, rowCollector())).toThrow('after the end of its transaction');
});
