import type { Tx } from '#db/database.ts';

/** Finds the adapter that speaks to a channel, open or not: orders that began there are finished there. */
export async function findAdapterName(tx: Tx, channel: string): Promise<string | undefined> {
  const row = await tx.prepared
    .selectFrom('channel')
    .select('adapter')
    .where('code', '=', channel)
    .executeTakeFirst();
  return row?.adapter;
}
