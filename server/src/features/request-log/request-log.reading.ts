import type { RequestLogQuery } from '@hengfu/contract/request-log';
import type { MerchantTx } from '#db/database.ts';
import { type Page, readPage } from '#domain/list.sql.ts';
import { addBlockedCalls, countPartial, findBlockedCall } from './request-blocks.reading.ts';
import { blockSearch, callsInBlocks } from './request-blocks.sql.ts';
import { type CallDetail, type CallRow, findRequest, requestSource } from './request-log.sql.ts';

/** Reads a page of the merchant's signed calls, from rows and blocks. */
export async function listRequests(tx: MerchantTx, query: RequestLogQuery): Promise<Page<CallRow>> {
  const source = requestSource(tx, query);
  const search = await blockSearch(tx, query);
  if (!search) return readPage<CallRow>(tx, source, query);
  const also = callsInBlocks(search, await countPartial(tx, search));
  return readPage<CallRow>(tx, { ...source, also }, query, (found, request) =>
    addBlockedCalls(tx, search, found, request),
  );
}

/** Finds a signed call with its bodies, in a row or in a block. */
export async function findAnyRequest(tx: MerchantTx, requestId: string): Promise<CallDetail | undefined> {
  return (await findRequest(tx, requestId)) ?? (await findBlockedCall(tx, requestId));
}
