import { sql } from 'kysely';
import type { Tx } from '#db/database.ts';

/** Calls of one key, path and address, all done, in one row of the log. */
export interface CallBlock {
  merchantId: bigint;
  keyId: string;
  method: string;
  path: string;
  status: number;
  address: string;
  firstAt: Date;
  lastAt: Date;
  /** The seconds in the numbers of their orders. */
  firstOrderAt: Date;
  lastOrderAt: Date;
  calls: number;
  /** The rest of each call, compressed. */
  content: Buffer;
}

/** Adds blocks to the log. Their contents travel as one value. */
export async function addBlocks(tx: Tx, blocks: readonly CallBlock[]): Promise<void> {
  let begin = 1;
  const rows = blocks.map((block) => {
    const row = blockRow(block, begin);
    begin += block.content.length;
    return row;
  });
  await sql`
    insert into api_request_block (merchant_id, key_id, method, path, status, address, first_at, last_at, first_order_at, last_order_at,
      calls, content)
    select merchant_id, key_id, method, path, status, address, first_at, last_at, first_order_at, last_order_at, calls,
      substring(contents from begin for bytes)
    from (select ${Buffer.concat(blocks.map(({ content }) => content))}::bytea as contents) given,
      json_to_recordset(${JSON.stringify(rows)}::json) as b (merchant_id bigint, key_id text, method text, path text, status smallint,
        address inet, first_at timestamptz, last_at timestamptz, first_order_at timestamptz, last_order_at timestamptz, calls integer,
        begin integer, bytes integer)`.execute(tx.prepared);
}

const blockRow = (block: CallBlock, begin: number) => ({
  merchant_id: String(block.merchantId),
  key_id: block.keyId,
  method: block.method,
  path: block.path,
  status: block.status,
  address: block.address,
  first_at: block.firstAt,
  last_at: block.lastAt,
  first_order_at: block.firstOrderAt,
  last_order_at: block.lastOrderAt,
  calls: block.calls,
  begin,
  bytes: block.content.length,
});
