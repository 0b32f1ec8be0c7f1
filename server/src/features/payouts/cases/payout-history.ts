import { findParts } from '#archive/archive.sql.ts';
import type { ArchiveReader } from '#archive/archive-reader.ts';
import { toEvent } from '#archive/history.ts';
import type { Database, MerchantTx } from '#db/database.ts';
import { historyStart } from '#db/months.ts';
import { Refusal } from '#domain/refusal.ts';
import { findPayout, type Payout } from '../payouts.sql.ts';
import { listEvents } from '../payouts-lookup.sql.ts';

/** A payout with its timeline. */
export interface PayoutEvents {
  order: Payout;
  events: Awaited<ReturnType<typeof listEvents>>;
}

/**
 * Reads a payout with its timeline, of archived months, too, and something else in the same transaction (`also`). Throws
 * `not_found`.
 */
export async function readPayoutHistory<T>(
  { database, archive }: { database: Database; archive: ArchiveReader },
  { merchantId, tradeNo }: { merchantId: bigint; tradeNo: string },
  readAlso: (tx: MerchantTx, order: Payout) => Promise<T>,
): Promise<PayoutEvents & { also: T }> {
  const { old, ...recent } = await database.asMerchant(merchantId, async (tx) => {
    const order = await findPayout(tx, { tradeNo });
    if (!order) throw new Refusal('not_found');
    const [events, also] = await Promise.all([listEvents(tx, order), readAlso(tx, order)]);
    const since = historyStart(order.createdAt);
    const subject = { merchantId, table: 'payout_event', subject: order.id, since } as const;
    return { order, events, also, old: await findParts(tx, subject) };
  });
  const earlier = (await archive.read(old)).map(toEvent<PayoutEvents['events'][number]>);
  return { ...recent, events: [...earlier, ...recent.events] };
}
