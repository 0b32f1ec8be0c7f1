import type { RequestLogQuery } from '@hengfu/contract/request-log';
import type { MerchantTx } from '#db/database.ts';
import { type Page, readPage } from '#domain/list.sql.ts';
import { BlockReader, findBlockedCall, type NoteDamage } from './request-blocks.reading.ts';
import { callsInBlocks } from './request-blocks.sql.ts';
import { type CallDetail, type CallRow, findRequest, requestSource } from './request-log.sql.ts';

/** Reads a page of the merchant's signed calls, from rows and blocks. */
export async function listRequests(
  tx: MerchantTx,
  query: RequestLogQuery,
  noteDamage: NoteDamage,
): Promise<Page<CallRow>> {
  const source = requestSource(tx, query);
  const reader = await BlockReader.of(tx, query, noteDamage);
  if (!reader) return readPage<CallRow>(tx, source, query);
  const also = callsInBlocks(reader.search, await reader.countPartial());
  // The total is then inexact, as if the other calls were in the archive.
  const archived = reader.isLimited ? [] : undefined;
  return readPage<CallRow>(tx, { ...source, also, archived }, query, (found, request) =>
    reader.addTo(found, request),
  );
}

/** Finds a signed call with its bodies, in a row or in a block. */
export async function findAnyRequest(
  tx: MerchantTx,
  requestId: string,
  noteDamage: NoteDamage,
): Promise<CallDetail | undefined> {
  return (await findRequest(tx, requestId)) ?? (await findBlockedCall(tx, requestId, noteDamage));
}
