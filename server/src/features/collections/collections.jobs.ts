import * as z from 'zod';
import { type Adapters, adapterNamed } from '#channels/channel.ts';
import { findAdapterName } from '#channels/channels.sql.ts';
import { type Database, isPast, type MerchantTx } from '#db/database.ts';
import { enqueue, type Recurring, type Task } from '#jobs/jobs.ts';
import type { CollectionMoves } from './collections.moves.ts';
import { isGivenUp, queryAfterExpiryMs, queryDelaySeconds } from './collections.rules.ts';
import type { CollectionService } from './collections.service.ts';
import { type Collection, findCollection, findExpired, lockCollection } from './collections.sql.ts';

const expireTask = 'collections.expire';
const queryTask = 'collections.ask';
const payload = z.object({
  merchantId: z.string().transform(BigInt),
  tradeNo: z.string(),
  attempt: z.number().int(),
});
const expiryBatch = 200;

export const collectionRecurring: readonly Recurring[] = [{ task: expireTask, everySeconds: 5 }];

/** Schedules a query of a payment's outcome at its channel; the delay grows with `attempt`. */
export async function scheduleStatusQuery(
  tx: MerchantTx,
  tradeNo: string,
  attempt = 0,
  delaySeconds = queryDelaySeconds(attempt),
): Promise<void> {
  const payload = { merchantId: String(tx.merchantId), tradeNo, attempt };
  await enqueue(tx, queryTask, payload, { key: `ask:${tradeNo}`, delaySeconds });
}

/** Whether the channel of an order can still report a payment. */
export async function canBeAsked(tx: MerchantTx, order: Collection): Promise<boolean> {
  const canBePaid = order.status === 'toBePaid' || isGivenUp(order.status);
  const lastQueryAt = new Date(order.expiresAt.getTime() + queryAfterExpiryMs);
  return canBePaid && !(await isPast(tx, lastQueryAt));
}

/** Background jobs of collections: close expired orders, query channels that have not reported an outcome. */
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

  /** Tasks that wait for a channel's reply. */
  readonly channelTasks: Record<string, Task> = {
    [queryTask]: async (given) => this.#query(payload.parse(given)),
  };

  /** Closes a batch of expired orders, each in its own transaction. Returns the size of the batch. */
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

  async #query({ merchantId, tradeNo, attempt }: z.output<typeof payload>): Promise<void> {
    const found = await this.#database.asMerchant(merchantId, async (tx) => {
      const order = await findCollection(tx, { tradeNo });
      if (!order) return undefined;
      const adapter = await findAdapterName(tx, order.channel ?? '');
      return { adapter, canAsk: await canBeAsked(tx, order) };
    });
    if (!found?.adapter || !found.canAsk) return;
    try {
      const report = await adapterNamed(this.#adapters, found.adapter).queryCollection(tradeNo);
      if (report) await this.#service.report(report);
    } finally {
      await this.#database.asMerchant(merchantId, (tx) => scheduleStatusQuery(tx, tradeNo, attempt + 1));
    }
  }
}
