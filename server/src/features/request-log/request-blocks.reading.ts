import { setImmediate as nextTurn } from 'node:timers/promises';
import type { MerchantTx } from '#db/database.ts';
import {
  type BlockedBody,
  type BlockedCall,
  maxBlockSpanMs,
  ordersOf,
  unpackCalls,
} from '#domain/call-blocks.ts';
import type { AllRows, PageRequest, Positioned } from '#domain/list.sql.ts';
import type { Cursor } from '#domain/list-source.sql.ts';
import {
  type BlockSearch,
  blockSearch,
  maxPartial,
  readBlocks,
  readPartial,
  type StoredBlock,
} from './request-blocks.sql.ts';
import type { CallDetail, CallRow, RequestFilters } from './request-log.sql.ts';

/** Calls in blocks have IDs of their own in a list, behind those of rows: of the block, and their place in it. */
const firstId = 10n ** 17n;
const idsOfBlock = 1000n;

type FoundCall = Positioned<CallRow> & { call: BlockedCall };

/** Is given the reason why a block cannot be read. */
export type NoteDamage = (error: unknown, blockId: bigint) => void;

/** Finds the calls of a search in blocks. Each block is unpacked once, and other requests have their turn in between. */
export class BlockReader {
  readonly #tx: MerchantTx;
  readonly #search: BlockSearch;
  readonly #noteDamage: NoteDamage;
  readonly #unpacked = new Map<bigint, BlockedCall[]>();
  #partial: Promise<FoundCall[]> | undefined;
  #isLimited = false;

  constructor(tx: MerchantTx, search: BlockSearch, noteDamage: NoteDamage) {
    this.#tx = tx;
    this.#search = search;
    this.#noteDamage = noteDamage;
  }

  /** Returns a reader for the calls of a query; undefined if no block can have any. */
  static async of(
    tx: MerchantTx,
    query: RequestFilters,
    noteDamage: NoteDamage,
  ): Promise<BlockReader | undefined> {
    const search = await blockSearch(tx, query);
    return search && new BlockReader(tx, search, noteDamage);
  }

  get search(): BlockSearch {
    return this.#search;
  }

  /** Adds calls in blocks to the rows of a page. */
  async addTo(found: Positioned<CallRow>[], request: PageRequest): Promise<AllRows<CallRow>> {
    const { wanted, cursor } = request;
    // A single call or order is in few blocks, which have been read for the total.
    if (this.#search.isMatch) return { rows: merged(found, await this.findPartial(), request) };
    let rows = found;
    let behind: StoredBlock | undefined;
    do {
      const blocks = await readBlocks(this.#tx, this.#search, { cursor, behind, wanted });
      rows = merged(rows, await this.#findIn(blocks), request);
      behind = blocks.at(-1);
    } while (behind && !isComplete(rows, behind, request));
    return { rows };
  }

  /** Finds the calls in the blocks of which the search may find some only. */
  findPartial(): Promise<FoundCall[]> {
    this.#partial ??= readPartial(this.#tx, this.#search).then((blocks) => {
      this.#isLimited = blocks.length === maxPartial;
      return this.#findIn(blocks);
    });
    return this.#partial;
  }

  /** Whether there may be more such blocks than were read. */
  get isLimited(): boolean {
    return this.#isLimited;
  }

  async #findIn(blocks: readonly StoredBlock[]): Promise<FoundCall[]> {
    const { fromMs, toMs, isMatch } = this.#search;
    const found: FoundCall[] = [];
    for (const block of blocks)
      for (const [index, call] of (await this.#callsOf(block)).entries())
        if (call.at >= fromMs && call.at < toMs && (isMatch?.(call) ?? true))
          found.push({ ...rowOf(block, call, index), call });
    return found;
  }

  /** Unpacks a block. The calls of a damaged one are missing, so that the others can be read. */
  async #callsOf({ id, content }: StoredBlock): Promise<BlockedCall[]> {
    const known = this.#unpacked.get(id);
    if (known) return known;
    await nextTurn();
    let calls: BlockedCall[] = [];
    try {
      calls = unpackCalls(content);
    } catch (error) {
      this.#noteDamage(error, id);
    }
    this.#unpacked.set(id, calls);
    return calls;
  }
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

/** Whether a page is complete: no block that was not read yet can have a call of it. */
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

/** Adds calls beyond the cursor to the rows of a page, in its order, and leaves out what no longer belongs on it. */
function merged(
  rows: readonly Positioned<CallRow>[],
  calls: readonly Positioned<CallRow>[],
  { wanted, cursor }: PageRequest,
): Positioned<CallRow>[] {
  const sign = cursor?.direction === 'previous' ? 1 : -1;
  return [...rows, ...calls.filter((call) => !cursor || isBeyond(call, cursor))]
    .toSorted((one, other) => sign * compare(one, other))
    .slice(0, wanted);
}

type Position = Pick<Positioned<unknown>, 'page_at' | 'page_id'>;

function compare(one: Position, other: Position): number {
  const apart = one.page_at.getTime() - other.page_at.getTime();
  if (apart !== 0) return apart;
  return one.page_id < other.page_id ? -1 : Number(one.page_id > other.page_id);
}

/** Finds a call in a block, with its bodies. */
export async function findBlockedCall(
  tx: MerchantTx,
  requestId: string,
  noteDamage: NoteDamage,
): Promise<CallDetail | undefined> {
  const reader = await BlockReader.of(tx, { request_id: requestId }, noteDamage);
  const [found] = (await reader?.findPartial()) ?? [];
  if (!found) return undefined;
  const { call, page_at: _at, page_id: _id, page_summed: _summed, ...row } = found;
  return { ...row, query: null, reason: null, ...bodiesOf(call) };
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
