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
  maxBlocks,
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

/** A search reads blocks for some of their calls up to these limits: many more than a second of a busy merchant has. */
const mostPartial = { blocks: 2000, calls: 40_000 };

/** Finds the calls of a search in blocks. Between blocks, other requests have their turn. */
export class BlockReader {
  readonly #tx: MerchantTx;
  readonly search: BlockSearch;
  /** The calls that {@link countPartial} counted, if they were searched for by more than their time. */
  readonly matches: FoundCall[] = [];
  readonly #noteDamage: NoteDamage;
  #isLimited = false;

  constructor(tx: MerchantTx, search: BlockSearch, noteDamage: NoteDamage) {
    this.#tx = tx;
    this.search = search;
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

  /** Adds calls in blocks to the rows of a page. */
  async addTo(found: Positioned<CallRow>[], request: PageRequest): Promise<AllRows<CallRow>> {
    const { wanted, cursor } = request;
    // These calls have been read for the total.
    if (this.search.isMatch) return { rows: merged(found, this.matches, request) };
    let rows = found;
    let behind: StoredBlock | undefined;
    do {
      const blocks = await readBlocks(this.#tx, this.search, { cursor, behind, wanted });
      rows = merged(rows, await this.#findIn(blocks), request);
      behind = blocks.at(-1);
    } while (behind && !isComplete(rows, behind, request));
    return { rows };
  }

  /** Returns the number of calls in the blocks of which the search may find some only. To be called first. */
  async countPartial(): Promise<number> {
    const { isMatch, isSingle } = this.search;
    let [found, blocks, calls] = [0, 0, 0];
    let behind: StoredBlock | undefined;
    for (;;) {
      const slice = await readPartial(this.#tx, this.search, behind);
      const matches = await this.#findIn(slice);
      found += matches.length;
      blocks += slice.length;
      calls += slice.reduce((sum, block) => sum + block.calls, 0);
      if (isMatch) this.matches.push(...matches);
      behind = slice.at(-1);
      if (slice.length < maxBlocks || (isSingle && found > 0)) return found;
      this.#isLimited = blocks >= mostPartial.blocks || calls >= mostPartial.calls;
      if (this.#isLimited) return found;
    }
  }

  /** Whether there may be more calls in such blocks. */
  get isLimited(): boolean {
    return this.#isLimited;
  }

  async #findIn(blocks: readonly StoredBlock[]): Promise<FoundCall[]> {
    const { fromMs, toMs, isMatch } = this.search;
    const found: FoundCall[] = [];
    for (const block of blocks)
      for (const [index, call] of (await this.#callsOf(block)).entries())
        if (call.at >= fromMs && call.at < toMs && (isMatch?.(call) ?? true))
          found.push({ ...rowOf(block, call, index), call });
    return found;
  }

  /** Unpacks a block. The calls of a damaged one are missing, so that the others can be read. */
  async #callsOf({ id, content }: StoredBlock): Promise<BlockedCall[]> {
    await nextTurn();
    try {
      return unpackCalls(content);
    } catch (error) {
      this.#noteDamage(error, id);
      return [];
    }
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
  await reader?.countPartial();
  const [found] = reader?.matches ?? [];
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
