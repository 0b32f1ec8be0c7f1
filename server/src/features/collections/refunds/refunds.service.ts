import * as z from 'zod';
import { type Adapters, adapterNamed } from '#channels/channel.ts';
import { findAdapterName } from '#channels/channels.sql.ts';
import { confirmEarlierCommits, type Database, type MerchantTx } from '#db/database.ts';
import { type ApprovalEffects, askApproval, holdRules } from '#domain/approvals.sql.ts';
import { writeAudit } from '#domain/audit.sql.ts';
import type { Program, RequestInfo } from '#domain/caller.ts';
import { Refusal } from '#domain/refusal.ts';
import { holdSettling } from '#domain/settling.sql.ts';
import { enqueue, type Task } from '#jobs/jobs.ts';
import { post, type TransferType } from '#ledger/ledger.ts';
import type { CollectionMoves } from '../collections.moves.ts';
import {
  type Collection,
  insertEvent,
  lockCollection,
  setRefundApproval,
  setRefundRequested,
} from '../collections.sql.ts';
import { assertRefundable, refundApproval } from './refunds.approval.ts';

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

  /** The effects of an approval. */
  readonly approval: ApprovalEffects = refundApproval((tx, order) => this.#begin(tx, order));

  /**
   * Starts a refund, or asks for its approval if one of the merchant's rules covers it. A repeated request returns the order as it is.
   * Throws `not_found`, `invalid_transition`, `insufficient_funds`.
   */
  async request(program: Program, request: RequestInfo, tradeNo: string): Promise<Collection> {
    return this.#database.asMerchant(program.home.merchantId, async (tx) => {
      const isRuled = await holdRules(tx, 'refund');
      await holdSettling(tx);
      const order = await lockCollection(tx, tradeNo);
      if (!order) throw new Refusal('not_found');
      if (
        order.status === 'refunded' ||
        order.refundRequestedAt !== null ||
        order.refundApprovalState === 'waiting'
      ) {
        await confirmEarlierCommits(tx);
        return order;
      }
      await assertRefundable(tx, order);
      const waits =
        isRuled &&
        (await askApproval(tx, {
          kind: 'refund',
          tradeNo,
          amountMinor: order.amountMinor,
          currency: order.currency,
          account: null,
          target: order.outTradeNo,
          requester: `key:${program.keyId}`,
        }));
      if (waits) {
        const asked = await setRefundApproval(tx, order, 'waiting');
        await insertEvent(tx, asked, { reason: 'refund_approval_asked' });
        await auditRefund(tx, program, request, asked, { approvalState: 'waiting' });
        tx.changed(tx.merchantId, 'collections');
        return asked;
      }
      // An earlier request was not approved, and no rule covers the refund any more.
      if (order.refundApprovalState !== null) await setRefundApproval(tx, order, null);
      const refundNo = await this.#begin(tx, order);
      await auditRefund(tx, program, request, order, { refundNo });
      return { ...order, refundApprovalState: null, refundRequestedAt: new Date() };
    });
  }

  /** Posts a refund and plans its call to the channel. Returns its number: a refused refund may be requested again. */
  async #begin(tx: MerchantTx, order: Collection): Promise<string> {
    const { merchantId } = tx;
    const { tradeNo } = order;
    const refundNo = `${tradeNo}-R${Date.now()}`;
    await this.#post(tx, order, 'collection_refund', refundNo, 1n);
    await setRefundRequested(tx, order, true);
    const job = { merchantId: String(merchantId), tradeNo, refundNo };
    await enqueue(tx, task, job, { key: `refund:${refundNo}` });
    tx.changed(merchantId, 'collections', 'account');
    return refundNo;
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

function auditRefund(
  tx: MerchantTx,
  { home: { merchantId }, keyId }: Program,
  { address, id }: RequestInfo,
  { tradeNo, status }: Collection,
  after: { refundNo: string } | { approvalState: 'waiting' },
): Promise<void> {
  return writeAudit(tx, {
    merchantId,
    actor: `key:${keyId}`,
    action: 'collection.refund',
    subject: tradeNo,
    address,
    requestId: id,
    before: { status },
    after,
  });
}
