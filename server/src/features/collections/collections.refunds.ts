import { collectionMoves } from '@hengfu/contract/collections';
import { canMove } from '@hengfu/contract/moves';
import * as z from 'zod';
import { type Adapters, adapterNamed } from '#channels/channel.ts';
import { findAdapterName } from '#channels/channels.sql.ts';
import { confirmEarlierCommits, type Database, type MerchantTx } from '#db/database.ts';
import { writeAudit } from '#domain/audit.sql.ts';
import type { Program, RequestInfo } from '#domain/caller.ts';
import { Refusal } from '#domain/refusal.ts';
import { freeUnsettled, holdSettling } from '#domain/settling.sql.ts';
import { enqueue, type Task } from '#jobs/jobs.ts';
import { post, type TransferType } from '#ledger/ledger.ts';
import { type CollectionMoves, invalidTransition } from './collections.moves.ts';
import { type Collection, insertEvent, lockCollection, setRefundRequested } from './collections.sql.ts';

const task = 'collections.refund';
const payload = z.object({
  merchantId: z.string().transform(BigInt),
  tradeNo: z.string(),
  refundNo: z.string(),
});

/**
 * Refunds. The net amount leaves the merchant's unsettled funds at once and the fee is returned; then a job
 * calls the channel, retrying under the same refund number. If the channel refuses, the posting is reversed.
 */
export class CollectionRefunds {
  readonly #database: Database;
  readonly #moves: CollectionMoves;
  readonly #adapters: Adapters;

  constructor(database: Database, moves: CollectionMoves, adapters: Adapters) {
    this.#database = database;
    this.#moves = moves;
    this.#adapters = adapters;
  }

  readonly tasks: Record<string, Task> = {
    [task]: async (given) => this.#execute(payload.parse(given)),
  };

  /**
   * Starts a refund; a repeated request returns the order as it is. Throws `not_found`, `invalid_transition`,
   * `insufficient_funds`.
   */
  async request(
    { home: { merchantId }, keyId }: Program,
    request: RequestInfo,
    tradeNo: string,
  ): Promise<Collection> {
    return this.#database.asMerchant(merchantId, async (tx) => {
      await holdSettling(tx);
      const order = await lockCollection(tx, tradeNo);
      if (!order) throw new Refusal('not_found');
      if (order.status === 'refunded' || order.refundRequestedAt !== null) {
        await confirmEarlierCommits(tx);
        return order;
      }
      if (!canMove(collectionMoves, order.status, 'refunded')) throw invalidTransition(order);
      // Funds that a settlement batch is about to move can't be refunded.
      if ((await freeUnsettled(tx)) < order.amountMinor - order.feeMinor)
        throw new Refusal('insufficient_funds');
      // A refused refund may be requested again: each attempt has its own number.
      const refundNo = `${tradeNo}-R${Date.now()}`;
      await this.#post(tx, order, 'collection_refund', refundNo, 1n);
      await setRefundRequested(tx, order, true);
      await enqueue(
        tx,
        task,
        { merchantId: String(merchantId), tradeNo, refundNo },
        { key: `refund:${refundNo}` },
      );
      await writeAudit(tx, {
        merchantId,
        actor: `key:${keyId}`,
        action: 'collection.refund',
        subject: tradeNo,
        address: request.address,
        requestId: request.id,
        before: { status: order.status },
        after: { refundNo },
      });
      tx.changed(merchantId, 'collections', 'account');
      return { ...order, refundRequestedAt: new Date() };
    });
  }

  /** Records past refunds for demo data, in one transaction that a power cut may lose. Throws `not_found`. */
  async recordPast(merchantId: bigint, refunds: readonly { tradeNo: string; at: Date }[]): Promise<void> {
    await this.#database.asMerchant(
      merchantId,
      async (tx) => {
        for (const { tradeNo, at } of refunds) {
          const order = await lockCollection(tx, tradeNo);
          if (!order) throw new Refusal('not_found');
          await setRefundRequested(tx, order, true, at);
          await this.#moves.refunded(tx, order, at);
          await this.#post(tx, order, 'collection_refund', `${tradeNo}-R${at.getTime()}`, 1n, at);
        }
      },
      { relaxed: true },
    );
  }

  async #execute({ merchantId, tradeNo, refundNo }: z.output<typeof payload>): Promise<void> {
    const found = await this.#database.asMerchant(merchantId, async (tx) => {
      const order = await lockCollection(tx, tradeNo);
      return order && { order, adapter: await findAdapterName(tx, order.channel ?? '') };
    });
    if (!found?.adapter || found.order.refundRequestedAt === null || found.order.status === 'refunded')
      return;
    const { amountMinor, currency } = found.order;
    // Throws while the channel does not answer; the job queue retries under the same number.
    const report = await adapterNamed(this.#adapters, found.adapter).refund({
      reference: refundNo,
      collectionReference: tradeNo,
      amountMinor,
      currency,
    });
    await this.#database.asMerchant(merchantId, async (tx) => {
      const order = await lockCollection(tx, tradeNo);
      if (!order || order.refundRequestedAt === null || order.status === 'refunded') return;
      if (report.status === 'refunded') return void (await this.#moves.refunded(tx, order));
      await this.#post(tx, order, 'collection_refund_reversal', refundNo, -1n);
      await setRefundRequested(tx, order, false);
      await insertEvent(tx, order, { reason: 'refund_refused', detail: report.reason });
      tx.changed(merchantId, 'collections', 'account');
    });
  }

  /** Posts the refund out of unsettled funds and fees (sign 1), or reverses it (sign −1). */
  async #post(
    tx: MerchantTx,
    order: Collection,
    type: TransferType,
    refundNo: string,
    sign: 1n | -1n,
    at?: Date,
  ): Promise<void> {
    await post(tx, {
      type,
      key: `${type}:${refundNo}`,
      subjectNo: order.tradeNo,
      currency: order.currency,
      entries: [
        { account: 'unsettled', amountMinor: -sign * (order.amountMinor - order.feeMinor) },
        { account: 'fees', amountMinor: -sign * order.feeMinor },
        { account: 'clearing', reference: order.channel ?? '', amountMinor: sign * order.amountMinor },
      ],
      ...(at && { at }),
    });
  }
}
