import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { exportablesOf } from '#composition/exports.ts';
import type { Database } from '#db/database.ts';
import { asOwner } from '#db/owner.ts';
import { DirectoryStore, type FileStore } from '#files/file-store.ts';
import { nothingArchived } from '../../testing/nothing-archived.ts';
import { type TestMerchant, TestProduct } from '../../testing/test-product.ts';
import type { Visitor } from '../../testing/visitor.ts';
import { ExportJobs } from './exports.jobs.ts';
import { runTask } from './exports.making.ts';
import { ExportWriting, type WriteExport } from './exports.writing.ts';

let product: TestProduct;
let merchant: TestMerchant;
let person: Visitor;
const path = '/api/merchant/exports';

beforeAll(async () => {
  product = await TestProduct.start(inject('ownerUrl'));
  merchant = await product.merchant('lost-database');
  person = await product.person(merchant);
});
afterAll(() => product.close());

const lost = () => Object.assign(new Error('write ECONNRESET'), { code: 'ECONNRESET' });

/** Requests an export. `run` attempts it with a function that writes the file, perhaps on a faulty database. */
async function startExport() {
  const request = { list: 'payouts', format: 'csv', language: 'en', zone: 'UTC' };
  const exportNo: string = (await person.post(path, request)).json.data.export_no;
  const folder = join(product.dataDirectory, `exports-of-${exportNo}`);
  const store = new DirectoryStore(folder);
  const write: WriteExport = async (_, key) => {
    await store.put(key, Readable.from(['a,b\n']));
    return { bytes: 4n, sha256: Buffer.alloc(32), sums: '[]' };
  };
  const run = (attempt: WriteExport, database: Database = product.services.database) =>
    new ExportJobs({ database, store, write: attempt }).tasks[runTask]?.({
      merchantId: String(merchant.id),
      exportNo,
    });
  const state = async () => {
    const rows: { export_no: string; status: string }[] = (await person.get(path)).json.data;
    const status = rows.find((row) => row.export_no === exportNo)?.status;
    return `${status}, ${(await readdir(folder).catch(() => [])).length} files`;
  };
  /** Seconds until the export is attempted again. */
  const pauseSeconds = () =>
    asOwner(product.ownerUrl, async (client) => {
      const { rows } = await client.query<{ left: number }>(
        'select extract(epoch from run_at - now())::float8 as left from graphile_worker.jobs where key like $1',
        [`%export:${exportNo}`],
      );
      return rows[0]?.left;
    });
  return { run, write, state, pauseSeconds };
}

it('attempts an export again if the database was lost, and fails it for any other reason', async () => {
  const { run, write, state } = await startExport();
  await run(async (...given) => {
    await write(...given);
    throw lost();
  });
  expect(await state()).toBe('waiting, 0 files');
  await run(write);
  expect(await state()).toBe('successful, 1 files');

  const other = await startExport();
  await expect(other.run(async () => Promise.reject(new Error('no space')))).rejects.toThrow('no space');
  expect(await other.state()).toBe('failed, 0 files');
});

it('fails an export whose file store refuses connections: the database is not lost', async () => {
  const { run, state } = await startExport();
  const refuse = async () => {
    throw Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:1'), { code: 'ECONNREFUSED' });
  };
  const { database, snapshots } = product.services;
  const writing = new ExportWriting({
    database,
    snapshots,
    store: { put: refuse, delete: refuse } as unknown as FileStore,
    lists: exportablesOf(nothingArchived),
  });
  await expect(run(writing.write)).rejects.toThrow('the file store failed: connect ECONNREFUSED');
  expect(await state()).toBe('failed, 0 files');
});

it('waits longer after each attempt that lost the database, and gives up after the fourth', async () => {
  const { run, state, pauseSeconds } = await startExport();
  for (const pause of [5, 15, 40]) {
    await run(async () => Promise.reject(lost()));
    expect(await state()).toBe('waiting, 0 files');
    const left = await pauseSeconds();
    expect(left).toBeGreaterThan(pause - 3);
    expect(left).toBeLessThanOrEqual(pause);
  }
  await run(async () => Promise.reject(lost()));
  expect(await state()).toBe('failed, 0 files');
});

it('keeps the file of an attempt whose commit succeeded although its reply was lost', async () => {
  const { run, write, state } = await startExport();
  const { database } = product.services;
  let transactions = 0;
  const losing = Object.create(database, {
    asMerchant: {
      value: async (...given: Parameters<Database['asMerchant']>) => {
        const result = await database.asMerchant(...given);
        // The first claims the export, the second ends it.
        if (++transactions === 2) throw lost();
        return result;
      },
    },
  });
  await run(write, losing);
  expect([transactions, await state()]).toEqual([3, 'successful, 1 files']);
});
