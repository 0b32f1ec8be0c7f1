import { openCollectionEndpoints } from '@hengfu/contract/collections.open';
import { sql } from 'kysely';
import type { Database } from '#db/database.ts';
import { BlockMaking } from '#http/request-log/blocks/block-making.ts';
import { addBlocks } from '#http/request-log/blocks/blocks.sql.ts';
import { BufferPool } from '#http/request-log/blocks/buffer-pool.ts';
import { createFields } from '#http/request-log/blocks/create-fields.ts';
import { type CreatedCall, CreatedCalls } from '#http/request-log/blocks/created-calls.ts';
import { requestIdAt } from './request-id-at.ts';

const dayMs = 86_400_000;
const days = 28;
const callsOfBlock = 40;
const blocksOfStatement = 500;

/** Fills a merchant's request log of four weeks: calls that read, of which every fiftieth was refused, and blocks of calls that created orders. */
export async function fillRequestLog(
  database: Database,
  merchantId: bigint,
  { reads, blocks }: { reads: number; blocks: number },
): Promise<void> {
  await database.asSystem(async (tx) => {
    await sql`select make_request_days(now() - ${days}::integer * interval '1 day', now())`.execute(tx.query);
    await sql`
      insert into api_request (merchant_id, at, request_id, key_id, method, path, status, code, duration_ms, address, trade_no,
        request_bytes, response_bytes, response_body)
      select ${merchantId}, now() - n * ${days / reads}::float8 * interval '1 day', gen_random_uuid(), 'ak_filled', 'GET',
        '/openapi/v1/collections/C' || n, case when n % 50 = 0 then 404 else 200 end, case when n % 50 = 0 then 'not_found' end,
        n % 40, '192.0.2.1', 'C' || n, 0, 400, repeat('x', 400)
      from generate_series(1, ${reads}::integer) n`.execute(tx.query);
  });
  const making = new BlockMaking(createFields);
  const pool = new BufferPool();
  const startMs = Date.now() - days * dayMs;
  for (let first = 0; first < blocks; first += blocksOfStatement) {
    const made = Array.from({ length: Math.min(blocksOfStatement, blocks - first) }, (_, index) => {
      const calls = callsFrom(merchantId, startMs + ((first + index) * days * dayMs) / blocks, pool);
      const block = making.blockOf(calls.raw());
      calls.release();
      return block;
    });
    await database.asSystem((tx) => addBlocks(tx, made));
  }
}

/** Returns the calls of a second. */
function callsFrom(merchantId: bigint, startMs: number, pool: BufferPool): CreatedCalls {
  const group = {
    merchantId,
    keyId: 'ak_filled',
    secret: 'sk_filled',
    path: openCollectionEndpoints.create.path,
    address: '192.0.2.1',
  };
  const calls = new CreatedCalls(group, 0, pool);
  for (let number = 0; number < callsOfBlock; number++) {
    const at = new Date(startMs + (number * 1000) / callsOfBlock);
    const second = at.toISOString().replaceAll(/\D/g, '').slice(2, 14);
    const order = {
      out_trade_no: `filled-${at.getTime()}`,
      amount: '12.00',
      currency: 'CNY',
      subject: 'Rice',
    };
    const reply = {
      trade_no: `C${second}0001${String(number).padStart(5, '0')}`,
      ...order,
      status: 'toBePaid',
      createdAt: at,
      channel: null,
    };
    const call: CreatedCall = {
      ...group,
      requestId: requestIdAt(at),
      at,
      orderAt: new Date(Math.floor(at.getTime() / 1000) * 1000),
      elapsedMs: 5,
      rawBody: Buffer.from(JSON.stringify(order)),
      sentBody: JSON.stringify(reply),
    };
    calls.add(call);
  }
  return calls;
}
