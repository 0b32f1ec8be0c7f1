import { type Adapters, adapterNamed, type ChannelAdapter } from '#channels/channel.ts';
import type { Database } from '#db/database.ts';
import { fieldsOfActor, writeAudit } from '#domain/audit.sql.ts';
import type { ServiceActor } from '#domain/caller.ts';
import { findMerchantOf } from '#domain/orders.sql.ts';
import { scheduleStatusQuery } from '../by-hand/status-queries.ts';
import type { CollectionService } from '../collections.service.ts';
import { lockCollection } from '../collections.sql.ts';
import { findChosenChannel, setChosenChannel } from '../collections-channels.sql.ts';

/** Gives orders back the channel that their payers have chosen, which a restore of the database has lost. */
export class LostChoices {
  readonly #database: Database;
  readonly #collections: CollectionService;
  readonly #adapters: Adapters;

  constructor(database: Database, collections: CollectionService, adapters: Adapters) {
    this.#database = database;
    this.#collections = collections;
    this.#adapters = adapters;
  }

  /**
   * Sets the channel of an order that has none to the one that its adapter lists it for, and books what the channel says about it. Returns
   * false, and changes nothing, if the order has a channel, or its merchant cannot have offered that one. Throws `ChannelUnavailable` after the
   * channel is set: the query is scheduled by then.
   */
  async restore(
    tradeNo: string,
    chosen: { adapter: ChannelAdapter; method: string },
    by: ServiceActor,
  ): Promise<boolean> {
    const { adapter, method } = chosen;
    const merchantId = await this.#database.asSystem((tx) => findMerchantOf(tx, 'collection', tradeNo));
    if (merchantId === undefined) return false;
    const isSet = await this.#database.asMerchant(merchantId, async (tx) => {
      const order = await lockCollection(tx, tradeNo);
      if (order?.channel !== null) return false;
      const channel = await findChosenChannel(tx, order, method);
      if (!channel || adapterNamed(this.#adapters, channel.adapter) !== adapter) return false;
      await setChosenChannel(tx, order, channel);
      await scheduleStatusQuery(tx, tradeNo);
      await writeAudit(tx, {
        merchantId,
        ...fieldsOfActor(by),
        action: 'collection.ask',
        subject: tradeNo,
        before: { status: order.status, channel: null },
        after: { channel: channel.code },
      });
      tx.changed(merchantId, 'collections');
      return true;
    });
    if (!isSet) return false;
    // Asked now: long after its expiry, no job asks about an order any more.
    const report = await adapter.queryCollection(tradeNo);
    if (report) await this.#collections.report(report);
    return true;
  }
}
