import type { Currency } from '@hengfu/contract/money';
import type { ChannelKind } from '@hengfu/contract/status';
import { sql } from 'kysely';
import type { Tx } from '#db/database.ts';

export interface ChannelRow {
  code: string;
  adapter: string;
  /** Whether it serves live merchants; the sandbox bank does not in production. */
  isLive: boolean;
  currency: Currency;
  collectionOpen: boolean;
  payoutOpen: boolean;
}

/** Lists all channels by code. */
export async function listChannels(tx: Tx): Promise<ChannelRow[]> {
  const rows = await tx.query.selectFrom('channel').selectAll().orderBy('code').execute();
  return rows.map((row) => ({
    code: row.code,
    adapter: row.adapter,
    isLive: row.is_live,
    currency: row.currency,
    collectionOpen: row.collection_open,
    payoutOpen: row.payout_open,
  }));
}

/** Adds the channels that do not exist yet. */
export async function insertChannels(
  tx: Tx,
  channels: readonly { code: string; adapter: string; isLive: boolean; currency: Currency }[],
): Promise<void> {
  await tx.query
    .insertInto('channel')
    .values(channels.map(({ isLive, ...channel }) => ({ ...channel, is_live: isLive })))
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Reads whether a channel is open, and keeps its row locked; undefined if no channel has this code. */
export async function holdChannel(
  tx: Tx,
  code: string,
): Promise<{ collection: boolean; payout: boolean } | undefined> {
  return tx.query
    .selectFrom('channel')
    .select(['collection_open as collection', 'payout_open as payout'])
    .where('code', '=', code)
    .forUpdate()
    .executeTakeFirst();
}

/** Opens or closes a channel for some of its uses. */
export async function updateChannel(
  tx: Tx,
  code: string,
  open: { collection: boolean; payout: boolean },
): Promise<void> {
  await tx.query
    .updateTable('channel')
    .set({ collection_open: open.collection, payout_open: open.payout })
    .where('code', '=', code)
    .execute();
}

/** Orders of the last hour that a channel paid or refused. */
export interface ChannelDecisions {
  channel: string;
  kind: ChannelKind;
  isPaid: boolean;
  orders: number;
}

export async function countDecisions(tx: Tx): Promise<ChannelDecisions[]> {
  const { rows } = await sql<ChannelDecisions>`
    select channel, kind, is_paid as "isPaid", sum(orders)::integer as orders
    from channel_minute where minute > now() - interval '1 hour' group by 1, 2, 3`.execute(tx.query);
  return rows;
}
