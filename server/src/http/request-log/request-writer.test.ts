import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, it } from 'vitest';
import { type TestMerchant, TestProduct } from '../../testing/test-product.ts';
import type { CallBlock } from './blocks/blocks.sql.ts';
import { type BufferedCounts, noCounts } from './call-counts.ts';
import { hourOf } from './request-log.sql.ts';
import {
  type Batch,
  type BufferedCall,
  type Outages,
  RequestWriter,
  type WritableDatabase,
} from './request-writer.ts';

let product: TestProduct;
let merchants = 0;
let merchant: TestMerchant;

beforeAll(async () => {
  product = await TestProduct.start(inject('ownerUrl'));
});
beforeEach(async () => {
  merchant = await newMerchant();
});
afterAll(() => product.close());

const newMerchant = () => product.merchant(`written-${++merchants}`);
const away = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
const refusal = new Error('refused');
const none: Batch = { calls: [], counts: [], blocks: [] };

/** A writer whose database does what is said for each attempt, and after that works; each merchant has a placement. */
function scripted(...script: ('ok' | 'away' | 'refuse')[]) {
  const { database } = product.services;
  const state = {
    attempts: 0,
    outages: new Map() as Outages,
    /** Writes within one flush. */
    write: (batch: Partial<Batch>) => writer.write({ ...none, ...batch }, state.outages),
    /** Writes in the next flush. */
    writeLater: (batch: Batch) => writer.write(batch, new Map()),
  };
  const asSystem = ((work, options) => {
    const step = script[state.attempts++] ?? 'ok';
    if (step === 'ok') return database.asSystem(work, options);
    return Promise.reject(step === 'away' ? away : refusal);
  }) as WritableDatabase['asSystem'];
  const writer = new RequestWriter({ placement: String, asSystem });
  return state;
}

const callOf = ({ id, program }: TestMerchant, more: Partial<BufferedCall> = {}): BufferedCall => {
  const body = { bytes: 2, text: '{}', isCut: false };
  return {
    merchantId: id,
    keyId: program.key.id,
    at: new Date(),
    isRefused: false,
    isVerified: true,
    isChange: true,
    entry: {
      requestId: randomUUID(),
      method: 'POST',
      path: '/openapi/v1/collections',
      query: undefined,
      status: 201,
      code: undefined,
      durationMs: 1,
      address: '127.0.0.1',
      tradeNo: undefined,
      outTradeNo: undefined,
      reason: undefined,
      request: body,
      response: body,
    },
    ...more,
  };
};
const callsOf = (of: TestMerchant, length: number) => Array.from({ length }, () => callOf(of));
const blocksOf = ({ id, program }: TestMerchant, length: number) =>
  Array.from({ length }, (_, number): CallBlock => {
    const now = new Date();
    return {
      merchantId: id,
      keyId: program.key.id,
      method: 'POST',
      path: '/openapi/v1/collections',
      status: 201,
      address: '127.0.0.1',
      firstAt: now,
      lastAt: now,
      firstOrderAt: now,
      lastOrderAt: now,
      calls: 1,
      content: Buffer.from(`block ${number}`),
    };
  });
const countsOf = ({ id, program }: TestMerchant, lost: number): BufferedCounts => ({
  ...noCounts,
  merchantId: id,
  keyId: program.key.id,
  hour: hourOf(new Date()),
  lost,
});

const idsOf = (calls: readonly BufferedCall[]) => calls.map(({ entry }) => entry.requestId);
const contentsOf = (blocks: readonly CallBlock[]) => blocks.map(({ content }) => content.toString());

/** Reads the log of a merchant: request IDs of rows in order, contents of blocks, and lost calls. */
async function stored({ id }: TestMerchant): Promise<{ ids: string[]; blocks: string[]; lost: number }> {
  const { rows } = await product.services.database.asMerchant(id, (tx) =>
    sql<{ ids: string[]; blocks: string[]; lost: number }>`
      select array(select request_id::text from api_request where merchant_id = ${id} order by id) as ids,
        array(select convert_from(content, 'UTF8') from api_request_block where merchant_id = ${id} order by id) as blocks,
        (select coalesce(sum(lost), 0)::integer from api_request_count where merchant_id = ${id}) as lost`.execute(
      tx.query,
    ),
  );
  return rows[0] ?? { ids: [], blocks: [], lost: 0 };
}

describe('the writer of the request log', () => {
  it('keeps the blocks of further statements once the database is away', async () => {
    const writer = scripted('ok', 'away');
    const blocks = blocksOf(merchant, 250);
    const { left, faults } = await writer.write({ blocks });
    expect(writer.attempts).toBe(2);
    expect(left).toEqual({ ...none, blocks: blocks.slice(100) });
    expect(faults).toEqual([]);
    expect((await writer.writeLater(left)).left).toEqual(none);
    expect(await stored(merchant)).toEqual({ ids: [], blocks: contentsOf(blocks), lost: 0 });
  });

  it('loses no block if the database goes away after a refusal', async () => {
    const writer = scripted('refuse', 'away');
    const blocks = blocksOf(merchant, 100);
    const { left, faults } = await writer.write({ blocks });
    expect(writer.attempts).toBe(2);
    expect(left).toEqual({ ...none, blocks });
    expect(faults).toEqual([]);
    await writer.writeLater(left);
    expect(await stored(merchant)).toEqual({ ids: [], blocks: contentsOf(blocks), lost: 0 });
  });

  it('loses no row if the database goes away after a refusal', async () => {
    const writer = scripted('refuse', 'away');
    const calls = callsOf(merchant, 150);
    const { left, faults } = await writer.write({ calls });
    expect(writer.attempts).toBe(2);
    expect(left).toEqual({ ...none, calls });
    expect(faults).toEqual([]);
    await writer.writeLater(left);
    expect(await stored(merchant)).toEqual({ ids: idsOf(calls), blocks: [], lost: 0 });
  });

  it('counts only the rows that are refused by themselves, and keeps the count if the database goes away', async () => {
    const writer = scripted('refuse', 'refuse', 'ok', 'away');
    const [bad, good] = [callOf(merchant), callOf(merchant)];
    const { left, faults } = await writer.write({ calls: [bad, good] });
    expect(writer.attempts).toBe(4);
    expect(faults).toEqual([refusal]);
    expect(left).toEqual({ ...none, counts: [countsOf(merchant, 1)] });
    await writer.writeLater(left);
    expect(await stored(merchant)).toEqual({ ids: idsOf([good]), blocks: [], lost: 1 });
  });

  it('drops only counts that are refused by themselves, so that they spoil no later batch', async () => {
    const writer = scripted('ok', 'refuse', 'refuse', 'ok');
    const calls = callsOf(merchant, 2);
    const counts = [0, 1].map((hours) => ({
      ...countsOf(merchant, 3 + hours),
      hour: hourOf(new Date(Date.now() - hours * 3_600_000)),
    }));
    const { left, faults } = await writer.write({ calls, counts });
    expect(faults).toEqual([refusal]);
    expect(left).toEqual(none);
    expect(await stored(merchant)).toEqual({ ids: idsOf(calls), blocks: [], lost: 4 });
  });

  it('stops trying rows if many are refused, and counts them', async () => {
    // The halves down to the first eight rows.
    const refusals = 19;
    const writer = scripted(...Array.from({ length: refusals }, () => 'refuse' as const));
    const { left, faults } = await writer.write({ calls: callsOf(merchant, 128) });
    expect(faults).toEqual(Array.from({ length: 8 }, () => refusal));
    expect(left).toEqual(none);
    // One more for the count.
    expect(writer.attempts).toBe(refusals + 1);
    expect(await stored(merchant)).toEqual({ ids: [], blocks: [], lost: 128 });
  });

  it('writes rows and counts before blocks, whose table may be locked', async () => {
    const writer = scripted('ok', 'ok', 'away');
    const batch = {
      calls: callsOf(merchant, 2),
      counts: [countsOf(merchant, 3)],
      blocks: blocksOf(merchant, 2),
    };
    const { left } = await writer.write(batch);
    expect(left).toEqual({ ...none, blocks: batch.blocks });
    expect(await stored(merchant)).toEqual({ ids: idsOf(batch.calls), blocks: [], lost: 3 });
  });

  it('tries a placement that is away once in a flush, and keeps the order of all that is left', async () => {
    const other = await newMerchant();
    const writer = scripted('away', 'away');
    const batch = {
      calls: [merchant, other, merchant, other].map((of) => callOf(of)),
      counts: [countsOf(other, 1), countsOf(merchant, 1)],
      blocks: [...blocksOf(merchant, 1), ...blocksOf(other, 1), ...blocksOf(merchant, 1)],
    };
    const { left } = await writer.write(batch);
    expect((await writer.write(left)).left).toEqual(batch);
    expect(writer.attempts).toBe(2);
    expect([...writer.outages.keys()].sort()).toEqual([merchant, other].map(({ id }) => String(id)).sort());
  });

  it('writes the known calls while merchants cannot be looked up, and tries that once in a flush', async () => {
    const writer = scripted('away');
    const known = callOf(merchant);
    const unknown = callOf(merchant, { merchantId: undefined });
    const { left } = await writer.write({ calls: [unknown, known] });
    expect(left).toEqual({ ...none, calls: [unknown] });
    expect((await writer.write(left)).left).toEqual(left);
    expect(writer.attempts).toBe(2);
    await writer.writeLater(left);
    expect((await stored(merchant)).ids).toEqual(idsOf([known, unknown]));
  });
});
