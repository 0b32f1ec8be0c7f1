import { randomUUID } from 'node:crypto';
import { refusedPerHour } from '@hengfu/contract/request-log';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { unpackCalls } from '#domain/call-blocks.ts';
import { type TestMerchant, TestProduct } from '../../testing/test-product.ts';
import type { CreatedCall } from './blocks/created-calls.ts';
import { OpenBlocks } from './blocks/open-blocks.ts';
import { defaultBufferLimits, RequestBuffer } from './request-buffer.ts';
import type { CallEntry } from './request-log.sql.ts';
import type { WritableDatabase } from './request-writer.ts';

let product: TestProduct;
let merchants = 0;

beforeAll(async () => {
  product = await TestProduct.start(inject('ownerUrl'));
});
afterAll(() => product.close());

const newMerchant = () => product.merchant(`buffered-${++merchants}`);
const fail = (error: unknown): never => {
  throw error;
};
const small = { ...defaultBufferLimits, maxRows: 10, maxBlockedCalls: 10, unknown: 3, flushMs: 60_000 };

/** Adds a call; returns its request ID. */
function add(
  buffer: RequestBuffer,
  keyId: string,
  call: {
    merchantId?: bigint;
    at?: Date;
    status?: number;
    outTradeNo?: string;
    isVerified?: boolean;
    isChange?: boolean;
  } = {},
): string {
  const {
    merchantId,
    at = new Date(),
    status = 201,
    outTradeNo,
    isVerified = status < 400,
    isChange = true,
  } = call;
  const isRefused = status >= 400 && status < 500;
  const requestId = randomUUID();
  const body = { bytes: 2, text: '{}', isCut: false };
  const entry: CallEntry = {
    requestId,
    method: 'POST',
    path: '/openapi/v1/collections',
    query: undefined,
    status,
    code: status < 400 ? undefined : 'signature_invalid',
    durationMs: 1,
    address: '127.0.0.1',
    tradeNo: undefined,
    outTradeNo,
    reason: undefined,
    request: body,
    response: body,
  };
  buffer.add({ merchantId, keyId, at, isRefused, isVerified, isChange }, 4, () => entry);
  return requestId;
}

async function stored({ id }: TestMerchant): Promise<{ ids: string[]; refused: number; lost: number }> {
  const { rows } = await product.services.database.asMerchant(id, (tx) =>
    sql<{ ids: string[]; refused: number; lost: number }>`
      select array(select request_id::text from api_request where merchant_id = ${id} order by id) as ids,
        coalesce(sum(refused + unverified), 0)::integer as refused, coalesce(sum(lost), 0)::integer as lost
      from api_request_count where merchant_id = ${id}`.execute(tx.query),
  );
  return rows[0] ?? { ids: [], refused: 0, lost: 0 };
}

/** A database that can go away. */
function unsteady(): WritableDatabase & { isAway: boolean } {
  const { database } = product.services;
  const away = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
  const state: WritableDatabase & { isAway: boolean } = {
    isAway: false,
    placement: database.placement,
    asSystem: ((work, options) =>
      state.isAway ? Promise.reject(away) : database.asSystem(work, options)) as WritableDatabase['asSystem'],
  };
  return state;
}

/** A database that does what is said for each attempt, and after that works; each merchant has a placement. */
function scripted(...script: ('ok' | 'away' | 'refuse')[]): WritableDatabase & { attempts: number } {
  const { database } = product.services;
  const away = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
  const state: WritableDatabase & { attempts: number } = {
    attempts: 0,
    placement: String,
    asSystem: ((work, options) => {
      const step = script[state.attempts++] ?? 'ok';
      if (step === 'ok') return database.asSystem(work, options);
      return Promise.reject(step === 'away' ? away : new Error('refused'));
    }) as WritableDatabase['asSystem'],
  };
  return state;
}

const createdCall = (
  { id, program }: TestMerchant,
  number: number,
  more: Partial<CreatedCall> = {},
): CreatedCall => ({
  merchantId: id,
  keyId: program.key.id,
  secret: program.key.secret,
  path: '/openapi/v1/collections',
  address: '127.0.0.1',
  requestId: randomUUID(),
  at: new Date(),
  elapsedMs: 1,
  rawBody: Buffer.from(JSON.stringify({ out_trade_no: String(number) })),
  orderAt: new Date(),
  sentBody: JSON.stringify({ trade_no: `C26112813220000000${number}` }),
  ...more,
});

/** Adds calls that created orders; returns their request IDs, sorted. */
function addAll(buffer: RequestBuffer, calls: readonly CreatedCall[]): string[] {
  for (const call of calls) buffer.addCreated(call);
  return calls.map(({ requestId }) => requestId).toSorted();
}

/** Returns the request IDs of the calls in blocks, sorted. */
async function blocked({ id }: TestMerchant): Promise<string[]> {
  const { rows } = await product.services.database.asMerchant(id, (tx) =>
    sql<{ content: Buffer }>`select content from api_request_block where merchant_id = ${id}`.execute(
      tx.query,
    ),
  );
  return rows
    .flatMap(({ content }) => unpackCalls(content))
    .map(({ request_id: requestId }) => requestId)
    .toSorted();
}

describe('the buffer of the request log', () => {
  it('writes the calls of merchants in all placements, in order', async () => {
    const [one, other] = [await newMerchant(), await newMerchant()];
    const buffer = new RequestBuffer(product.services.database, fail);
    const ids = Array.from({ length: 450 }, (_, number) => {
      const { id, program } = number % 3 === 0 ? other : one;
      return add(buffer, program.key.id, { merchantId: id });
    });
    await buffer.stop();
    expect((await stored(one)).ids).toEqual(ids.filter((_, number) => number % 3 !== 0));
    expect((await stored(other)).ids).toEqual(ids.filter((_, number) => number % 3 === 0));
  });

  it('counts what it has no room for, and keeps the rest until the database is back', async () => {
    const merchant = await newMerchant();
    const { id: merchantId, program } = merchant;
    const database = unsteady();
    database.isAway = true;
    const buffer = new RequestBuffer(database, () => {}, small);
    const ids = Array.from({ length: 25 }, () => add(buffer, program.key.id, { merchantId }));
    await buffer.flush();
    expect(await stored(merchant)).toEqual({ ids: [], refused: 0, lost: 0 });
    database.isAway = false;
    await buffer.stop();
    expect(await stored(merchant)).toEqual({ ids: ids.slice(0, 10), refused: 0, lost: 15 });
  });

  it('lets calls of unknown keys push out no others, and drops them', async () => {
    const merchant = await newMerchant();
    const buffer = new RequestBuffer(product.services.database, fail, small);
    for (let number = 0; number < 50; number++) add(buffer, `ak_guessed_${number}`, { status: 401 });
    const ids = Array.from({ length: 7 }, () =>
      add(buffer, merchant.program.key.id, { merchantId: merchant.id }),
    );
    await buffer.stop();
    expect(await stored(merchant)).toEqual({ ids, refused: 0, lost: 0 });
  });

  it('keeps no more than a thousand refused calls of a key and hour, over all processes', async () => {
    const merchant = await newMerchant();
    const { id: merchantId, program } = merchant;
    const at = new Date();
    const [one, other] = [1, 2].map(() => new RequestBuffer(product.services.database, fail));
    if (!one || !other) throw new Error('two buffers');
    for (let number = 0; number < 700; number++)
      for (const buffer of [one, other]) add(buffer, program.key.id, { merchantId, at, status: 401 });
    await Promise.all([one.stop(), other.stop()]);
    const first = await stored(merchant);
    expect([first.ids.length, first.refused, first.lost]).toEqual([refusedPerHour, 1400, 0]);
    // From now on, both know: nothing but the count is written, while calls that are done are kept.
    for (let number = 0; number < 300; number++) add(one, program.key.id, { merchantId, at, status: 401 });
    const done = add(one, program.key.id, { merchantId, at });
    // Another hour starts over.
    const later = new Date(at.getTime() + 3_600_000);
    const next = add(one, program.key.id, { merchantId, at: later, status: 401 });
    await one.stop();
    const second = await stored(merchant);
    expect([second.ids.length, second.refused]).toEqual([refusedPerHour + 2, 1701]);
    expect(second.ids.slice(-2)).toEqual([done, next]);
  });

  it('lets calls without a right signature use up nothing of what the others have', async () => {
    const merchant = await newMerchant();
    const { id: merchantId, program } = merchant;
    const at = new Date();
    const buffer = new RequestBuffer(product.services.database, fail);
    const attack = () => {
      for (let number = 0; number < refusedPerHour + 100; number++)
        add(buffer, program.key.id, { at, status: 401 });
    };
    attack();
    await buffer.flush();
    attack();
    const own = Array.from({ length: 10 }, () =>
      add(buffer, program.key.id, { merchantId, at, status: 422, isVerified: true }),
    );
    await buffer.stop();
    const { ids, refused, lost } = await stored(merchant);
    expect(ids.filter((id) => own.includes(id))).toEqual(own);
    expect(ids.length).toBeLessThanOrEqual(refusedPerHour + own.length);
    expect(refused + lost).toBe(2 * (refusedPerHour + 100) + own.length);
  });

  it('counts calls of a known key for which there was no room before it was looked up', async () => {
    const merchant = await newMerchant();
    const buffer = new RequestBuffer(product.services.database, fail, small);
    for (let number = 0; number < 3; number++) add(buffer, `ak_invented_${number}`, { status: 401 });
    for (let number = 0; number < 5; number++) add(buffer, merchant.program.key.id, { status: 401 });
    await buffer.stop();
    expect(await stored(merchant)).toEqual({ ids: [], refused: 0, lost: 5 });
  });

  it('keeps no more admitted calls of a key and hour than its limit, and counts the others', async () => {
    const merchant = await newMerchant();
    const { id: merchantId, program } = merchant;
    const at = new Date();
    const buffer = new RequestBuffer(product.services.database, fail, {
      ...defaultBufferLimits,
      admitted: 20,
    });
    const ids = Array.from({ length: 30 }, () => add(buffer, program.key.id, { merchantId, at }));
    const later = new Date(at.getTime() + 3_600_000);
    const next = add(buffer, program.key.id, { merchantId, at: later });
    await buffer.stop();
    expect(await stored(merchant)).toEqual({ ids: [...ids.slice(0, 20), next], refused: 0, lost: 10 });
  });

  it('keeps calls that change something, however much was read before', async () => {
    const merchant = await newMerchant();
    const { id: merchantId, program } = merchant;
    const at = new Date();
    const limits = { ...defaultBufferLimits, admitted: 5 };
    const buffer = new RequestBuffer(product.services.database, fail, limits);
    const reads = Array.from({ length: 9 }, () =>
      add(buffer, program.key.id, { merchantId, at, isChange: false }),
    );
    const change = add(buffer, program.key.id, { merchantId, at });
    await buffer.stop();
    expect(await stored(merchant)).toEqual({ ids: [...reads.slice(0, 5), change], refused: 0, lost: 4 });
  });

  it('builds entries when their batch is written, and those of long bodies at once', async () => {
    const { id: merchantId, program } = await newMerchant();
    const buffer = new RequestBuffer(product.services.database, () => {}, { ...small, waitingBytes: 100 });
    const facts = {
      keyId: program.key.id,
      at: new Date(),
      isRefused: false,
      isVerified: true,
      isChange: true,
    };
    const built: number[] = [];
    for (const bytes of [100, 101, 99])
      buffer.add({ merchantId, ...facts }, bytes, () => {
        built.push(bytes);
        return fail(new Error('not needed'));
      });
    expect(built).toEqual([101]);
    await buffer.stop();
    expect(built).toEqual([101, 100, 99]);
  });

  it('counts a call whose entry cannot be built, and says so', async () => {
    const merchant = await newMerchant();
    const { id: merchantId, program } = merchant;
    const failures: unknown[] = [];
    const buffer = new RequestBuffer(product.services.database, (error) => failures.push(error));
    const at = new Date();
    buffer.add(
      { merchantId, keyId: program.key.id, at, isRefused: false, isVerified: true, isChange: true },
      4,
      () => fail(new Error('no entry')),
    );
    const after = add(buffer, program.key.id, { merchantId, at });
    await buffer.stop();
    expect(failures.map(String)).toEqual(['Error: no entry']);
    expect(await stored(merchant)).toEqual({ ids: [after], refused: 0, lost: 1 });
  });

  it('loses only calls whose merchant is unknown if the lookup is refused, and counts them', async () => {
    const merchant = await newMerchant();
    const { id: merchantId, program } = merchant;
    const database = scripted('refuse');
    const failures: unknown[] = [];
    const buffer = new RequestBuffer(database, (error) => failures.push(error));
    const known = add(buffer, program.key.id, { merchantId });
    add(buffer, program.key.id, { status: 401 });
    const created = createdCall(merchant, 1);
    buffer.addCreated(created);
    await buffer.stop();
    expect(failures.map(String)).toEqual(['Error: refused']);
    expect(await stored(merchant)).toEqual({ ids: [known], refused: 0, lost: 1 });
    expect(await blocked(merchant)).toEqual([created.requestId]);
  });

  it('writes all calls of a placement in one flush while another one is away', async () => {
    const [away, healthy] = [await newMerchant(), await newMerchant()];
    const database = scripted('away');
    const buffer = new RequestBuffer(database, () => {}, { ...defaultBufferLimits, flushMs: 60_000 });
    const addTo = ({ id: merchantId, program }: TestMerchant) =>
      Array.from({ length: 1000 }, () => add(buffer, program.key.id, { merchantId }));
    const [first, second] = [addTo(away), addTo(healthy)];
    await buffer.flush();
    expect(database.attempts).toBe(1 + 5);
    expect((await stored(healthy)).ids).toEqual(second);
    expect((await stored(away)).ids).toEqual([]);
    first.push(add(buffer, away.program.key.id, { merchantId: away.id }));
    await buffer.stop();
    expect(await stored(away)).toEqual({ ids: first, refused: 0, lost: 0 });
    expect((await stored(healthy)).ids).toEqual(second);
  });

  it('writes all rows although blocks cannot be written', async () => {
    const merchant = await newMerchant();
    const database = scripted('ok', 'ok', 'ok', 'away');
    const buffer = new RequestBuffer(database, () => {}, { ...small, batch: 2 });
    const created = addAll(buffer, [createdCall(merchant, 1)]);
    const ids = Array.from({ length: 5 }, () =>
      add(buffer, merchant.program.key.id, { merchantId: merchant.id }),
    );
    await buffer.flush();
    expect(database.attempts).toBe(4);
    expect(await stored(merchant)).toEqual({ ids, refused: 0, lost: 0 });
    expect(await blocked(merchant)).toEqual([]);
    await buffer.stop();
    expect(await blocked(merchant)).toEqual(created);
  });

  it('does not try a database that is away with each further call', async () => {
    const { id: merchantId, program } = await newMerchant();
    const database = scripted('away');
    const limits = { ...defaultBufferLimits, batch: 5, flushMs: 60_000 };
    const buffer = new RequestBuffer(database, () => {}, limits);
    for (let number = 0; number < 5; number++) add(buffer, program.key.id, { merchantId });
    await buffer.flush();
    for (let number = 0; number < 5; number++) {
      add(buffer, program.key.id, { merchantId });
      await Promise.resolve();
    }
    expect(database.attempts).toBe(1);
    await buffer.stop();
    expect(database.attempts).toBe(1 + 2);
  });

  it('reports how many calls were not written when it stops', async () => {
    const merchant = await newMerchant();
    const { id: merchantId, program } = merchant;
    const database = unsteady();
    database.isAway = true;
    const failures: unknown[] = [];
    const limits = { ...small, maxRows: 100, maxBlockedCalls: 30 };
    const buffer = new RequestBuffer(database, (error) => failures.push(error), limits);
    for (let number = 0; number < 110; number++) add(buffer, program.key.id, { merchantId });
    for (let number = 0; number < 40; number++) buffer.addCreated(createdCall(merchant, number % 10));
    await buffer.stop();
    expect(failures.map(String)).toEqual([
      'Error: connect ECONNREFUSED',
      'Error: 150 calls of the request log were not written',
    ]);
  });

  it('reports an outage once, and the next one again', async () => {
    const merchant = await newMerchant();
    const { id: merchantId, program } = merchant;
    const database = unsteady();
    const failures: unknown[] = [];
    const buffer = new RequestBuffer(database, (error) => failures.push(error), small);
    const ids: string[] = [];
    const flush = async (isAway: boolean) => {
      database.isAway = isAway;
      ids.push(add(buffer, program.key.id, { merchantId }));
      await buffer.flush();
      return failures.length;
    };
    expect([await flush(true), await flush(true), await flush(false)]).toEqual([1, 1, 1]);
    expect([await flush(true), await flush(true), await flush(false)]).toEqual([2, 2, 2]);
    await buffer.stop();
    expect(failures.map(String)).toEqual(Array(2).fill('Error: connect ECONNREFUSED'));
    expect(await stored(merchant)).toEqual({ ids, refused: 0, lost: 0 });
  });

  it('limits rows and calls in blocks separately', async () => {
    const merchant = await newMerchant();
    const { id: merchantId, program } = merchant;
    const buffer = new RequestBuffer(product.services.database, fail, {
      ...small,
      maxRows: 3,
      maxBlockedCalls: 5,
    });
    const ids = Array.from({ length: 4 }, () => add(buffer, program.key.id, { merchantId }));
    addAll(
      buffer,
      Array.from({ length: 6 }, (_, number) => createdCall(merchant, number)),
    );
    await buffer.stop();
    expect(await stored(merchant)).toEqual({ ids: ids.slice(0, 3), refused: 0, lost: 2 });
    expect(await blocked(merchant)).toHaveLength(5);
  });

  it('has room for calls of unknown keys again once the earlier ones are looked up', async () => {
    const merchant = await newMerchant();
    const database = unsteady();
    const buffer = new RequestBuffer(database, () => {}, small);
    const addFour = () =>
      Array.from({ length: 4 }, () => add(buffer, merchant.program.key.id, { status: 401 }));
    database.isAway = true;
    const first = addFour();
    await buffer.flush();
    addFour();
    database.isAway = false;
    await buffer.flush();
    const second = addFour();
    await buffer.stop();
    const ids = [...first.slice(0, 3), ...second.slice(0, 3)];
    expect(await stored(merchant)).toEqual({ ids, refused: 6, lost: 6 });
  });

  it('writes all others of a batch if one call cannot be stored', async () => {
    const merchant = await newMerchant();
    const { id: merchantId, program } = merchant;
    const failures: unknown[] = [];
    const buffer = new RequestBuffer(product.services.database, (error) => failures.push(error));
    const before = add(buffer, program.key.id, { merchantId });
    add(buffer, program.key.id, { merchantId, outTradeNo: 'nul \u0000' });
    const after = add(buffer, program.key.id, { merchantId, status: 401 });
    await buffer.stop();
    expect(await stored(merchant)).toEqual({ ids: [before, after], refused: 1, lost: 1 });
    expect(failures).toHaveLength(1);
  });

  describe('with calls that created orders', () => {
    it('keeps blocks until the database is back, as far as there is room, and writes each once', async () => {
      const merchant = await newMerchant();
      const database = unsteady();
      database.isAway = true;
      const buffer = new RequestBuffer(database, () => {}, { ...small, blockMs: 0 });
      const ids: string[] = [];
      for (let round = 0; round < 4; round++) {
        ids.push(
          ...addAll(
            buffer,
            Array.from({ length: 4 }, (_, number) => createdCall(merchant, number)),
          ),
        );
        await buffer.flush();
      }
      expect(await blocked(merchant)).toEqual([]);
      database.isAway = false;
      await buffer.stop();
      const kept = await blocked(merchant);
      expect(kept).toHaveLength(10);
      expect(kept.every((id) => ids.includes(id))).toBe(true);
      expect(await stored(merchant)).toEqual({ ids: [], refused: 0, lost: 6 });
    });

    it('writes all other blocks if one cannot be stored, and counts its calls', async () => {
      const [merchant, other] = [await newMerchant(), await newMerchant()];
      const failures: unknown[] = [];
      const buffer = new RequestBuffer(product.services.database, (error) => failures.push(error));
      const ids = addAll(
        buffer,
        [1, 2, 3].map((number) => createdCall(merchant, number)),
      );
      const others = addAll(buffer, [createdCall(other, 1)]);
      addAll(
        buffer,
        [4, 5].map((number) => createdCall(merchant, number, { address: 'no address' })),
      );
      await buffer.stop();
      expect(failures).toHaveLength(1);
      expect(await blocked(merchant)).toEqual(ids);
      expect(await blocked(other)).toEqual(others);
      expect((await stored(merchant)).lost).toBe(2);
    });

    it.each([1, 300])('counts calls of which no block can be made, also in the thread: %d', async (calls) => {
      const merchant = await newMerchant();
      const failures: unknown[] = [];
      const buffer = new RequestBuffer(product.services.database, (error) => failures.push(error));
      const ids = addAll(
        buffer,
        Array.from({ length: calls }, (_, number) => createdCall(merchant, number % 10)),
      );
      const broken = { rawBody: Buffer.from('{"a":{'), address: '192.0.2.1' };
      addAll(buffer, [createdCall(merchant, 1, broken), createdCall(merchant, 2, broken)]);
      await buffer.stop();
      expect(failures.length).toBeGreaterThan(0);
      expect(await blocked(merchant)).toEqual(ids);
      expect((await stored(merchant)).lost).toBe(2);
    });

    it('makes blocks on the main thread if their thread ends', async () => {
      const merchant = await newMerchant();
      const failures: unknown[] = [];
      const blocks = new OpenBlocks(defaultBufferLimits, (error) => failures.push(error));
      for (let number = 0; number < 500; number++) blocks.add(createdCall(merchant, number % 10));
      const taking = blocks.take(true);
      await blocks.close();
      const { blocks: made, lost } = await taking;
      expect(failures).toHaveLength(1);
      expect(lost).toEqual([]);
      expect(made.reduce((sum, { calls }) => sum + calls, 0)).toBe(500);
      expect(blocks.calls).toBe(0);
    });

    it('keeps no blocks for more addresses of a key than thirty-two at a time', async () => {
      const merchant = await newMerchant();
      const buffer = new RequestBuffer(product.services.database, fail);
      const from = (number: number) =>
        buffer.addCreated(createdCall(merchant, 1, { address: `192.0.2.${number}` }));
      expect(Array.from({ length: 40 }, (_, number) => from(number)).filter(Boolean)).toHaveLength(32);
      expect([from(3), from(33)]).toEqual([true, false]);
      await buffer.stop();
      expect(await blocked(merchant)).toHaveLength(33);
    });

    it('keeps no more of a key in an hour than of its other calls that change something', async () => {
      const merchant = await newMerchant();
      const buffer = new RequestBuffer(product.services.database, fail, {
        ...small,
        maxBlockedCalls: 1000,
        admitted: 5,
      });
      const keyId = merchant.program.key.id;
      add(buffer, keyId, { merchantId: merchant.id });
      const at = new Date();
      const ids = addAll(
        buffer,
        Array.from({ length: 9 }, (_, number) => createdCall(merchant, number, { at })),
      );
      add(buffer, keyId, { merchantId: merchant.id, at });
      await buffer.stop();
      const kept = await blocked(merchant);
      expect(kept).toHaveLength(4);
      expect(kept.every((id) => ids.includes(id))).toBe(true);
      expect((await stored(merchant)).lost).toBe(6);
    });
  });

  it('is written when the server stops', async () => {
    const stopping = await TestProduct.start(inject('ownerUrl'));
    const { program, id } = await stopping.merchant('stopping');
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, number) => program.create(`last-${number}`)),
    );
    await stopping.app.close();
    const { rows } = await stopping.services.database.asMerchant(id, (tx) =>
      sql<{ content: Buffer }>`select content from api_request_block where merchant_id = ${id}`.execute(
        tx.query,
      ),
    );
    await stopping.close();
    const ids = rows
      .flatMap(({ content }) => unpackCalls(content))
      .map(({ request_id: requestId }) => requestId);
    expect(ids.sort()).toEqual(answers.map(({ headers }) => headers.get('x-request-id')).sort());
  });
});
