import type { Tx } from '#db/database.ts';

/**
 * Finds the name of a channel's adapter, whether the channel is open or not: orders in progress are completed
 * either way.
 */
export async function findAdapterName(tx: Tx, channel: string): Promise<string | undefined> {
  const row = await tx.prepared
    .selectFrom('channel')
    .select('adapter')
    .where('code', '=', channel)
    .executeTakeFirst();
  return row?.adapter;
}
