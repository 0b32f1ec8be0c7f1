import { findParts } from '#archive/archive.sql.ts';
import type { ArchiveReader } from '#archive/archive-reader.ts';
import { toEvent } from '#archive/history.ts';
import type { Database, MerchantTx } from '#db/database.ts';
import { historyStart } from '#db/months.ts';
import { Refusal } from '#domain/refusal.ts';
import { type Collection, findCollection, listEvents } from '../collections.sql.ts';

/** An order with its timeline. */
export interface CollectionEvents {
  order: Collection;
  events: Awaited<ReturnType<typeof listEvents>>;
}

/**
 * Reads an order with its timeline, of archived months, too, and something else in the same transaction (`also`). Throws
 * `not_found`.
 */
export async function readCollectionHistory<T>(
  { database, archive }: { database: Database; archive: ArchiveReader },
  { merchantId, tradeNo }: { merchantId: bigint; tradeNo: string },
  readAlso: (tx: MerchantTx, order: Collection) => Promise<T>,
): Promise<CollectionEvents & { also: T }> {
  const { old, ...recent } = await database.asMerchant(merchantId, async (tx) => {
    const order = await findCollection(tx, { tradeNo });
    if (!order) throw new Refusal('not_found');
    const [events, also] = await Promise.all([listEvents(tx, order), readAlso(tx, order)]);
    const since = historyStart(order.createdAt);
    const subject = { merchantId, table: 'collection_event', subject: order.id, since } as const;
    return { order, events, also, old: await findParts(tx, subject) };
  });
  const earlier = (await archive.read(old)).map(toEvent<CollectionEvents['events'][number]>);
  return { ...recent, events: [...earlier, ...recent.events] };
}
