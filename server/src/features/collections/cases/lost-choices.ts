import { type Adapters, adapterNamed, type ChannelAdapter } from '#channels/channel.ts';
import { findServing } from '#channels/channels.sql.ts';
import type { Database } from '#db/database.ts';
import { fieldsOfActor, writeAudit } from '#domain/audit.sql.ts';
import type { ServiceActor } from '#domain/caller.ts';
import { findMerchantOf } from '#domain/orders.sql.ts';
import { scheduleStatusQuery } from '../by-hand/status-queries.ts';
import type { CollectionService } from '../collections.service.ts';
import { lockCollection } from '../collections.sql.ts';
import { findChosenChannel, setChosenChannel } from '../collections-channels.sql.ts';

/** Gives orders back what a restore of the database has lost: the channel that their payers have chosen, and the payment. */
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
   * Asks a channel about an unpaid order that it lists, and books what it says. An order without a channel gets the one that its adapter lists it
   * for. Returns false, and changes nothing, if the order was paid, another adapter serves its channel, or its merchant cannot have offered the
   * listed one. Throws `ChannelUnavailable`, and changes nothing either. After an interruption it can be repeated.
   */
  async restore(
    tradeNo: string,
    listed: { adapter: ChannelAdapter; method: string | undefined },
    by: ServiceActor,
  ): Promise<boolean> {
    const { adapter, method } = listed;
    const merchantId = await this.#database.asSystem((tx) => findMerchantOf(tx, 'collection', tradeNo));
    if (merchantId === undefined) return false;
    const report = await adapter.queryCollection(tradeNo);
    const isServed = await this.#database.asMerchant(merchantId, async (tx) => {
      const order = await lockCollection(tx, tradeNo);
      if (!order || order.paidAt !== null) return false;
      const { status, channel } = order;
      const isChosen = channel === null && method !== undefined;
      const chosen = isChosen ? await findChosenChannel(tx, order, method) : undefined;
      const serving = chosen ?? (await findServing(tx, channel ?? ''));
      if (!serving || adapterNamed(this.#adapters, serving.adapter) !== adapter) return false;
      if (chosen) {
        await setChosenChannel(tx, order, chosen);
        await scheduleStatusQuery(tx, tradeNo);
        tx.changed(merchantId, 'collections');
      }
      await writeAudit(tx, {
        merchantId,
        ...fieldsOfActor(by),
        action: 'collection.ask',
        subject: tradeNo,
        before: chosen ? { status, channel } : { status },
        ...(chosen && { after: { channel: chosen.code } }),
      });
      return true;
    });
    if (!isServed) return false;
    if (report) await this.#collections.report(report);
    return true;
  }
}
