import * as z from 'zod';
import { type Adapters, adapterNamed } from '#channels/channel.ts';
import { findServing } from '#channels/channels.sql.ts';
import type { Database, MerchantTx } from '#db/database.ts';
import { fieldsOfActor, writeAudit } from '#domain/audit.sql.ts';
import type { MerchantActor, ServiceActor } from '#domain/caller.ts';
import { Refusal } from '#domain/refusal.ts';
import type { Recurring, Task } from '#jobs/jobs.ts';
import { awaitsPayment, canBeAsked, queryTask, scheduleStatusQuery } from './by-hand/status-queries.ts';
import { type CollectionMoves, invalidTransition } from './collections.moves.ts';
import type { CollectionService } from './collections.service.ts';
import { findCollection, findExpired, lockCollection } from './collections.sql.ts';

const expireTask = 'collections.expire';
const payload = z.object({
  merchantId: z.string().transform(BigInt),
  tradeNo: z.string(),
  attempt: z.number().int(),
});
const expiryBatch = 200;

export const collectionRecurring: readonly Recurring[] = [{ task: expireTask, everySeconds: 5 }];

/**
 * Has the channel asked at once if an order was paid. At most one such job waits, so it does no harm if two do it at once. Throws
 * `not_found`, and `invalid_transition` for an order whose payment no channel can report.
 */
export async function askNow(
  tx: MerchantTx,
  tradeNo: string,
  by: ServiceActor | MerchantActor,
): Promise<void> {
  const order = await findCollection(tx, { tradeNo });
  if (!order) throw new Refusal('not_found');
  if (!(await canBeAsked(tx, order))) throw invalidTransition(order);
  await scheduleStatusQuery(tx, tradeNo, 0, 0);
  await writeAudit(tx, {
    merchantId: tx.merchantId,
    ...fieldsOfActor(by),
    action: 'collection.ask',
    subject: tradeNo,
    before: { status: order.status },
  });
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
      // A query that was delayed beyond the day is still made: after an outage or a restore it may be the first one since the payment.
      if (!order || !awaitsPayment(order)) return undefined;
      const serving = await findServing(tx, order.channel ?? '');
      return { serving, isLast: !(await canBeAsked(tx, order)), isCancelled: order.status === 'cancelled' };
    });
    if (!found) return;
    try {
      if (!found.serving) return;
      const adapter = adapterNamed(this.#adapters, found.serving.adapter);
      // The channel may have accepted the payment while the order was being cancelled, and would still take the money.
      const report = found.isCancelled
        ? await adapter.cancelCollection(tradeNo)
        : await adapter.queryCollection(tradeNo);
      if (report) await this.#service.report(report);
    } finally {
      if (!found.isLast)
        await this.#database.asMerchant(merchantId, (tx) => scheduleStatusQuery(tx, tradeNo, attempt + 1));
    }
  }
}
