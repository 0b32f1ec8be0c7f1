import { channelCatalogue, channelCodes } from '@hengfu/contract/channels';
import type { Database } from '#db/database.ts';
import { fieldsOfActor, ofService, writeAudit } from '#domain/audit.sql.ts';
import type { ServiceActor } from '#domain/caller.ts';
import { Refusal } from '#domain/refusal.ts';
import {
  type ChannelDecisions,
  type ChannelRow,
  countDecisions,
  holdChannel,
  insertChannels,
  listChannels,
  updateChannel,
} from './channels.sql.ts';

export type { ChannelDecisions, ChannelRow };

/** The payment channels of the service. */
export class ChannelService {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  list(): Promise<ChannelRow[]> {
    return this.#database.asSystem((tx) => listChannels(tx));
  }

  /** Lists the channels, and counts what they decided within the last hour, as of one moment. */
  overview(): Promise<{ channels: ChannelRow[]; decisions: ChannelDecisions[] }> {
    return this.#database.asSystem(
      async (tx) => ({ channels: await listChannels(tx), decisions: await countDecisions(tx) }),
      { snapshot: true },
    );
  }

  /** Adds the product's missing channels, all served by one adapter, to live merchants or to test merchants alone. */
  async install(adapter: string, isLive: boolean): Promise<void> {
    const channels = channelCodes.map((code) => ({
      code,
      adapter,
      isLive,
      currency: channelCatalogue[code].currency,
    }));
    await this.#database.asSystem((tx) => insertChannels(tx, channels));
  }

  /** Opens or closes a channel for collecting, paying out, or both. Audits the change. Throws `not_found`. */
  async set(code: string, open: { collection?: boolean; payout?: boolean }, by: ServiceActor): Promise<void> {
    await this.#database.asSystem(async (tx) => {
      const before = await holdChannel(tx, code);
      if (!before) throw new Refusal('not_found');
      const after = { ...before, ...open };
      await updateChannel(tx, code, after);
      await writeAudit(tx, {
        merchantId: null,
        ...fieldsOfActor(by),
        action: 'channel.set',
        subject: code,
        before,
        after,
      });
      tx.changed(ofService, 'service');
    });
  }
}
