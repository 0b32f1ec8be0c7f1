import * as z from 'zod';
import { type Adapters, adapterNamed } from '#channels/channel.ts';
import { findAdapterName } from '#channels/channels.sql.ts';
import { type Database, isPast, type MerchantTx } from '#db/database.ts';
import { enqueue, type Recurring, type Task } from '#jobs/jobs.ts';
import type { CollectionMoves } from './collections.moves.ts';
import { askAfterExpiryMs, askDelaySeconds, isGivenUp } from './collections.rules.ts';
import type { CollectionService } from './collections.service.ts';
import { findCollection, findExpired, lockCollection } from './collections.sql.ts';

const expireTask = 'collections.expire';
const askTask = 'collections.ask';
const payload = z.object({
  merchantId: z.string().transform(BigInt),
  tradeNo: z.string(),
  attempt: z.number().int(),
});
const expiryBatch = 200;

export const collectionRecurring: readonly Recurring[] = [{ task: expireTask, everySeconds: 5 }];

/** Plans to ask the channel what became of a payment; the nth time after a longer wait. */
export async function planToAsk(tx: MerchantTx, tradeNo: string, attempt = 0): Promise<void> {
  const payload = { merchantId: String(tx.merchantId), tradeNo, attempt };
  await enqueue(tx, askTask, payload, { key: `ask:${tradeNo}`, delaySeconds: askDelaySeconds(attempt) });
}

/** Work on collections that nobody waits for: closing those not paid in time, asking channels that say nothing. */
export class CollectionJobs {
  readonly #database: Database;
  readonly #service: CollectionService;
  readonly #moves: CollectionMoves;
  readonly #adapters: Adapters;

  constructor(database: Database, service: CollectionService, moves: CollectionMoves, adapters: Adapters) {
    this.#database = database;
    this.#service = service;
    this.#moves = moves;
    this.#adapters = adapters;
  }

  readonly tasks: Record<string, Task> = {
    [expireTask]: async () => {
      while ((await this.expire()) === expiryBatch) {}
    },
  };

  /** Those that wait for a channel. */
  readonly channelTasks: Record<string, Task> = {
    [askTask]: async (given) => this.#ask(payload.parse(given)),
  };

  /** Closes orders whose time is up, each in a transaction of its own; returns how many it looked at. */
  async expire(): Promise<number> {
    const due = await this.#database.asSystem((tx) => findExpired(tx, expiryBatch));
    for (const { merchantId, tradeNo } of due) {
      await this.#database.asMerchant(merchantId, async (tx) => {
        const order = await lockCollection(tx, tradeNo);
        if (order?.status === 'toBePaid')
          await this.#moves.giveUp(tx, order, 'closed', { reason: 'expired' });
      });
    }
    return due.length;
  }

  async #ask({ merchantId, tradeNo, attempt }: z.output<typeof payload>): Promise<void> {
    const found = await this.#database.asMerchant(merchantId, async (tx) => {
      const order = await findCollection(tx, { tradeNo });
      if (!order) return undefined;
      const lastAskedAt = new Date(order.expiresAt.getTime() + askAfterExpiryMs);
      const adapter = await findAdapterName(tx, order.channel ?? '');
      return { order, adapter, isOver: await isPast(tx, lastAskedAt) };
    });
    if (!found?.adapter) return;
    const { order } = found;
    const isOpen = order.status === 'toBePaid' || isGivenUp(order.status);
    if (!isOpen || found.isOver) return;
    try {
      const report = await adapterNamed(this.#adapters, found.adapter).queryCollection(tradeNo);
      if (report) await this.#service.report(report);
    } finally {
      await this.#database.asMerchant(merchantId, (tx) => planToAsk(tx, tradeNo, attempt + 1));
    }
  }
}
