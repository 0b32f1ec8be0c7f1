import * as z from 'zod';
import {
  type Adapters,
  adapterNamed,
  type ChannelAdapter,
  ChannelUnavailable,
  type RefundReport,
} from '#channels/channel.ts';
import { findServing } from '#channels/channels.sql.ts';
import type { Database, MerchantTx } from '#db/database.ts';
import { holdSettling } from '#domain/settling.sql.ts';
import { enqueue, type Task } from '#jobs/jobs.ts';
import { lockCollection } from '../collections.sql.ts';
import { jobOf, planSend, type RefundBooking, sendTask } from './refunds.booking.ts';
import { queriesBeforeVoid, queryDelaySeconds } from './refunds.rules.ts';
import { findRefund, markSent, type Refund, setReference } from './refunds.sql.ts';

const queryTask = 'refunds.ask';
/** The task of the version before, whose jobs may still wait. */
const earlierTask = 'collections.refund';
/** Delay before a refund is tried again that no adapter may serve. */
const unservedSeconds = 300;
const payload = z.object({
  merchantId: z.string().transform(BigInt),
  refundNo: z.string(),
  attempt: z.number().int().default(0),
});
type Payload = z.output<typeof payload>;

/**
 * Sends refunds and finds out how they ended. A refund is recorded as sent before the channel can receive it, and from then on is only
 * asked about under its number: whatever crashes in between, it is never sent twice.
 */
export class RefundDispatch {
  readonly #database: Database;
  readonly #booking: RefundBooking;
  readonly #adapters: Adapters;

  constructor(database: Database, booking: RefundBooking, adapters: Adapters) {
    this.#database = database;
    this.#booking = booking;
    this.#adapters = adapters;
  }

  readonly tasks: Record<string, Task> = {
    [sendTask]: async (given) => this.#send(payload.parse(given)),
    [queryTask]: async (given) => this.#query(payload.parse(given)),
    [earlierTask]: async (given) => this.#send(payload.parse(given)),
  };

  async #send({ merchantId, refundNo }: Payload): Promise<void> {
    const found = await this.#database.asMerchant(merchantId, async (tx) => {
      const refund = await findRefund(tx, { refundNo });
      if (refund?.status !== 'processing') return undefined;
      const adapter = await this.#adapterOf(tx, refund);
      if (!adapter) {
        await planSend(tx, refund, unservedSeconds);
        return undefined;
      }
      // Scheduled first: even if this process dies right after the commit, a query finds the outcome.
      await planQuery(tx, refund, 0);
      return (await markSent(tx, refund)) ? { refund, adapter } : undefined;
    });
    if (!found) return;
    const { refund, adapter } = found;
    try {
      const report = await adapter.refund({
        reference: refundNo,
        collectionReference: refund.trade_no,
        amountMinor: refund.amount_minor,
        currency: refund.currency,
      });
      await this.report(merchantId, refundNo, report);
    } catch (error) {
      // It may have arrived: it stays under way, and the query finds out.
      if (!(error instanceof ChannelUnavailable)) throw error;
    }
  }

  async #query({ merchantId, refundNo, attempt }: Payload): Promise<void> {
    const found = await this.#database.asMerchant(merchantId, async (tx) => {
      const refund = await findRefund(tx, { refundNo });
      return refund?.status === 'processing'
        ? { refund, adapter: await this.#adapterOf(tx, refund) }
        : undefined;
    });
    if (!found) return;
    let isOver = false;
    try {
      if (!found.adapter) return;
      const report = await queryOrVoid(found.adapter, refundNo, attempt);
      isOver = report !== undefined && report.status !== 'pending';
      if (report) await this.report(merchantId, refundNo, report);
    } finally {
      if (!isOver)
        await this.#database.asMerchant(merchantId, (tx) => planQuery(tx, found.refund, attempt + 1));
    }
  }

  /**
   * Records the channel's answer about a refund, with the channel's number for it. Does nothing if the refund has ended; one that is
   * pending stays in progress, and is asked for again.
   */
  async report(merchantId: bigint, refundNo: string, report: RefundReport): Promise<void> {
    await this.#database.asMerchant(merchantId, async (tx) => {
      const known = await findRefund(tx, { refundNo });
      if (!known || hasNoNews(known, report)) return;
      // Before the collection is locked, as for every other move of unsettled funds.
      await holdSettling(tx);
      const order = await lockCollection(tx, known.trade_no);
      const refund = await findRefund(tx, { refundNo });
      if (!order || refund?.status !== 'processing') return;
      if (report.bankReference !== null) await setReference(tx, refund, report.bankReference);
      if (report.status === 'pending') return;
      if (report.status === 'refunded') await this.#booking.succeed(tx, order, refund);
      else {
        const code = report.status === 'voided' ? 'neverArrived' : 'channelRefused';
        await this.#booking.fail(tx, order, refund, { code, words: report.reason });
      }
    });
  }

  /** Finds the adapter of a refund's channel; undefined while none may serve the merchant. */
  async #adapterOf(tx: MerchantTx, refund: Refund): Promise<ChannelAdapter | undefined> {
    const serving = await findServing(tx, refund.channel);
    return serving && adapterNamed(this.#adapters, serving.adapter);
  }
}

/** Whether a report adds nothing to what is known of a refund: it is pending still, under a number that is known. */
function hasNoNews(refund: Refund, { status, bankReference }: RefundReport): boolean {
  return status === 'pending' && (bankReference === null || refund.bank_reference !== null);
}

/** Asks the channel about a refund. One that it does not know after several queries is voided, so that it is never made. */
async function queryOrVoid(
  adapter: ChannelAdapter,
  refundNo: string,
  attempt: number,
): Promise<RefundReport | undefined> {
  const report = await adapter.queryRefund(refundNo);
  if (report || attempt < queriesBeforeVoid) return report;
  return adapter.voidRefund(refundNo);
}

/** Schedules the nth query to the channel about a refund, with backoff. */
async function planQuery(tx: MerchantTx, refund: Refund, attempt: number): Promise<void> {
  await enqueue(
    tx,
    queryTask,
    { ...jobOf(tx, refund), attempt },
    { key: `ask-refund:${refund.refund_no}`, delaySeconds: queryDelaySeconds(attempt) },
  );
}
