import type { MerchantTx } from '#db/database.ts';
import { type BlockedBody, type BlockedCall, maxBlockSpanMs, unpackCalls } from '#domain/call-blocks.ts';
import type { AllRows, PageRequest, Positioned } from '#domain/list.sql.ts';
import type { Cursor } from '#domain/list-source.sql.ts';
import {
  type BlockSearch,
  blockSearch,
  ordersOf,
  readBlocks,
  readPartial,
  type StoredBlock,
} from './request-blocks.sql.ts';
import type { CallDetail, CallRow } from './request-log.sql.ts';

/** Calls in blocks have IDs of their own in a list, behind those of rows: of the block, and their place in it. */
const firstId = 10n ** 17n;
const idsOfBlock = 1000n;

type FoundCall = Positioned<CallRow> & { call: BlockedCall };

/** Returns the calls of a block that a search finds. */
function foundIn(block: StoredBlock, { fromMs, toMs, isMatch }: BlockSearch): FoundCall[] {
  return unpackCalls(block.content).flatMap((call, index) =>
    call.at >= fromMs && call.at < toMs && (isMatch?.(call) ?? true)
      ? [{ ...rowOf(block, call, index), call }]
      : [],
  );
}

function rowOf(block: StoredBlock, call: BlockedCall, index: number): Positioned<CallRow> {
  const at = new Date(call.at);
  return {
    request_id: call.request_id,
    at,
    method: block.method,
    path: block.path,
    status: block.status,
    code: null,
    duration_ms: call.duration_ms,
    key_id: block.key_id,
    address: block.address,
    ...ordersOf(call),
    page_at: at,
    page_id: firstId + block.id * idsOfBlock + BigInt(index),
    page_summed: null,
  };
}

/** Adds calls in blocks to the rows of a page. */
export async function addBlockedCalls(
  tx: MerchantTx,
  search: BlockSearch,
  found: Positioned<CallRow>[],
  { wanted, cursor }: PageRequest,
): Promise<AllRows<CallRow>> {
  let rows = found;
  let behind: StoredBlock | undefined;
  do {
    const blocks = await readBlocks(tx, search, { cursor, behind, wanted });
    const calls = blocks
      .flatMap((block) => foundIn(block, search))
      .filter((row) => !cursor || isBeyond(row, cursor));
    rows = inOrder([...rows, ...calls], cursor).slice(0, wanted);
    behind = blocks.at(-1);
  } while (behind && !isComplete(rows, behind, { wanted, cursor }));
  return { rows };
}

/** Whether no block behind another one has calls that belong on the page. */
function isComplete(
  rows: readonly Positioned<CallRow>[],
  { last_at: lastAt }: StoredBlock,
  { wanted, cursor }: PageRequest,
): boolean {
  const last = rows[wanted - 1]?.page_at.getTime();
  if (last === undefined) return false;
  return cursor?.direction === 'previous'
    ? last < lastAt.getTime() - maxBlockSpanMs
    : last > lastAt.getTime();
}

function isBeyond(row: Positioned<unknown>, { direction, at, id }: Cursor): boolean {
  const compared = compare(row, { page_at: at, page_id: BigInt(id) });
  return direction === 'previous' ? compared > 0 : compared < 0;
}

function inOrder<R extends Positioned<CallRow>>(rows: readonly R[], cursor: Cursor | undefined): R[] {
  const sign = cursor?.direction === 'previous' ? 1 : -1;
  return rows.toSorted((one, other) => sign * compare(one, other));
}

type Position = Pick<Positioned<unknown>, 'page_at' | 'page_id'>;

function compare(one: Position, other: Position): number {
  const apart = one.page_at.getTime() - other.page_at.getTime();
  if (apart !== 0) return apart;
  return one.page_id < other.page_id ? -1 : Number(one.page_id > other.page_id);
}

/** Counts the calls that a search finds in blocks of which it may find some only. */
export async function countPartial(tx: MerchantTx, search: BlockSearch): Promise<number> {
  const blocks = await readPartial(tx, search);
  return blocks.reduce((sum, block) => sum + foundIn(block, search).length, 0);
}

/** Finds a call in a block, with its bodies. */
export async function findBlockedCall(tx: MerchantTx, requestId: string): Promise<CallDetail | undefined> {
  const search = await blockSearch(tx, { request_id: requestId });
  if (!search) return undefined;
  for (const block of await readPartial(tx, search))
    for (const { call, page_at, page_id, page_summed, ...row } of foundIn(block, search))
      return { ...row, query: null, reason: null, ...bodiesOf(call) };
  return undefined;
}

function bodiesOf({ request, response }: BlockedCall) {
  return {
    request_bytes: request.bytes,
    request_body: textOf(request),
    is_request_cut: request.isCut,
    response_bytes: response.bytes,
    response_body: textOf(response),
    is_response_cut: response.isCut,
  };
}

const textOf = ({ value }: BlockedBody) => (typeof value === 'string' ? value : JSON.stringify(value));
