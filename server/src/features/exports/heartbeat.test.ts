import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import type { ExportList } from '@hengfu/contract/export-columns';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { exportablesOf } from '#composition/exports.ts';
import type { Exportable } from '#domain/exportable.sql.ts';
import type { FileStore } from '#files/file-store.ts';
import { nothingArchived } from '../../testing/nothing-archived.ts';
import { type TestMerchant, TestProduct } from '../../testing/test-product.ts';
import { until } from '../../testing/until.ts';
import type { Visitor } from '../../testing/visitor.ts';
import { ExportJobs } from './exports.jobs.ts';
import { runTask } from './exports.making.ts';
import { ExportWriting } from './exports.writing.ts';

let product: TestProduct;
let merchant: TestMerchant;
let person: Visitor;
const path = '/api/merchant/exports';
const list: ExportList = 'approvals';
const lists = exportablesOf(nothingArchived);

beforeAll(async () => {
  product = await TestProduct.start(inject('ownerUrl'));
  merchant = await product.merchant('heartbeat');
  person = await product.person(merchant);
});
afterAll(() => product.close());

const reads = (read: Exportable['read']) => ({ ...lists, [list]: { ...lists[list], read } });
const row = { request_no: 'A1', currency: 'CNY' };

/** A store that waits for something before it takes the first byte. */
class TestStore {
  readonly files = new Map<string, string>();
  readonly #ready: Promise<unknown>;

  constructor(ready: Promise<unknown> = Promise.resolve()) {
    this.#ready = ready;
  }

  async put(key: string, content: Readable): Promise<void> {
    await this.#ready;
    this.files.set(key, (await buffer(content)).toString());
  }

  async delete(key: string): Promise<void> {
    this.files.delete(key);
  }
}

/** Starts an export of the list in a process whose list and store may be slow. */
async function start({
  read,
  store = new TestStore(),
  stalledAfterMs,
}: {
  read: Exportable['read'];
  store?: TestStore;
  stalledAfterMs?: number;
}) {
  const { database, snapshots } = product.services;
  const files = store as unknown as FileStore;
  const writing = new ExportWriting({
    database,
    snapshots,
    store: files,
    lists: reads(read),
    ...(stalledAfterMs !== undefined && { stalledAfterMs }),
  });
  const jobs = new ExportJobs({ database, store: files, write: writing.write });
  const request = { list, format: 'csv', language: 'en', zone: 'UTC', columns: ['request_no'] };
  const exportNo: string = (await person.post(path, request)).json.data.export_no;
  const done = Promise.resolve(jobs.tasks[runTask]?.({ merchantId: String(merchant.id), exportNo }));
  const task = () =>
    database.asMerchant(merchant.id, (tx) =>
      tx.query
        .selectFrom('export_task')
        .select(['status', 'attempt', sql<boolean>`alive_at > now() - interval '20 seconds'`.as('isAlive')])
        .where('export_no', '=', exportNo)
        .executeTakeFirstOrThrow(),
    );
  /** Makes the last heartbeat one of a minute ago. */
  const age = () =>
    database.asMerchant(merchant.id, (tx) =>
      sql`update export_task set alive_at = now() - interval '1 minute' where export_no = ${exportNo}`.execute(
        tx.query,
      ),
    );
  const sweep = () => jobs.sweeps['exports.sweep']?.({});
  await until(task, ({ status }) => status !== 'waiting');
  return { exportNo, done, task, age, sweep, store };
}

it.each(['list', 'store'])('an export whose %s is slow keeps its attempt', async (slow) => {
  const ready = Promise.withResolvers<void>();
  const { done, task, age, sweep, store } = await start({
    async *read() {
      if (slow === 'list') await ready.promise;
      yield [row];
    },
    store: new TestStore(slow === 'store' ? ready.promise : undefined),
  });
  for (let minute = 0; minute < 2; minute++) {
    await age();
    await until(task, ({ isAlive }) => isAlive === true);
    await sweep();
  }
  ready.resolve();
  await done;
  expect(await task()).toMatchObject({ status: 'successful', attempt: 1 });
  expect([...store.files.values()].join()).toContain('A1');
});

it('an export that is canceled ends although its database has not replied yet', async () => {
  const asked = Promise.withResolvers<void>();
  let hasReplied = false;
  const { exportNo, done, store } = await start({
    async *read(tx) {
      await tx.disableTimeouts();
      const reply = sql`select pg_sleep(15)`.execute(tx.query);
      asked.resolve();
      await reply;
      hasReplied = true;
      yield [row];
    },
  });
  await asked.promise;
  expect((await person.post(`${path}/${exportNo}/cancel`)).status).toBe(200);
  await done;
  expect([hasReplied, store.files.size]).toEqual([false, 0]);
});

it('an export whose reading hangs is given up like one whose worker died', async () => {
  const hangs = new Promise<never>(() => {});
  const { done, task, age, sweep } = await start({
    async *read() {
      await hangs;
      yield [row];
    },
    stalledAfterMs: 2500,
  });
  await done;
  expect(await task()).toMatchObject({ status: 'exporting', attempt: 1 });
  await age();
  await sweep();
  expect(await task()).toMatchObject({ status: 'waiting', attempt: 1 });
});

it('an export that lost its attempt to another worker ends', async () => {
  const { exportNo, done, task, age, sweep } = await start({
    async *read() {
      await new Promise<never>(() => {});
      yield [row];
    },
  });
  // Its process was paused, or cut off from the database, until the sweep took its attempt.
  await until(
    async () => {
      await age();
      await sweep();
      return task();
    },
    ({ status }) => status === 'waiting',
  );
  await done;
  expect(await task()).toMatchObject({ status: 'waiting', attempt: 1 });
  await person.post(`${path}/${exportNo}/cancel`);
});
