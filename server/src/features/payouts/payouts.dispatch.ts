import { plainAccount } from '@hengfu/contract/payout-fields';
import * as z from 'zod';
import {
  type Adapters,
  adapterNamed,
  type ChannelAdapter,
  ChannelUnavailable,
  type PayOutRequest,
  type PayoutReport,
} from '#channels/channel.ts';
import { findServing } from '#channels/channels.sql.ts';
import type { Database, MerchantTx } from '#db/database.ts';
import { isHeldPayout } from '#domain/standing.sql.ts';
import { findTwin } from '#domain/twins.sql.ts';
import { defaultMaxAttempts, enqueue, type Task } from '#jobs/jobs.ts';
import { markAccepted, markSent } from './payouts.moves.ts';
import { hasEnded, queriesBeforeVoid, queryDelaySeconds, queryJobKey } from './payouts.rules.ts';
import { lockPayout, type Payout } from './payouts.sql.ts';
import { planUnsent } from './payouts-lookup.sql.ts';

/** Task that sends a payout to its channel; enqueued by the transaction that accepts the payout. */
export const sendTask = 'payouts.send';
/** Task that asks the channel about a payout. */
export const queryTask = 'payouts.ask';
const releaseTask = 'payouts.release';
/** Held payouts that are enqueued in one transaction. */
const releaseBatchSize = 1000;
/** Delay before a payout is tried again that no adapter may serve. Only a restart with other settings changes that. */
const unservedSeconds = 300;
const merchantPayload = z.object({ merchantId: z.string().transform(BigInt) });
const payload = z.object({
  merchantId: z.string().transform(BigInt),
  tradeNo: z.string(),
  attempt: z.number().int().default(0),
});
type Payload = z.output<typeof payload>;

/** Schedules the nth query to the channel about a payout, with backoff. */
async function planQuery(tx: MerchantTx, tradeNo: string, attempt: number): Promise<void> {
  await enqueue(
    tx,
    queryTask,
    { merchantId: String(tx.merchantId), tradeNo, attempt },
    { key: queryJobKey(tradeNo), delaySeconds: queryDelaySeconds(attempt) },
  );
}

/** Schedules another try to send a payout whose channel has no adapter that may serve the merchant. */
async function planSend(tx: MerchantTx, tradeNo: string): Promise<void> {
  await enqueue(
    tx,
    sendTask,
    { merchantId: String(tx.merchantId), tradeNo },
    { key: `send:${tradeNo}`, delaySeconds: unservedSeconds },
  );
}

export interface DispatchOptions {
  database: Database;
  adapters: Adapters;
  appUrl: () => string;
  onReport: (report: PayoutReport) => Promise<void>;
}

/**
 * Schedules sending of what was held while the merchant was suspended, in the transaction that reactivates
 * it.
 */
export async function planRelease(tx: MerchantTx): Promise<void> {
  const { merchantId } = tx;
  await enqueue(tx, releaseTask, { merchantId: String(merchantId) }, { key: `${releaseTask}:${merchantId}` });
}

/**
 * Sends payouts and finds out their outcome. A payout is recorded as sent before the channel can receive it,
 * and from then on is only queried: whatever crashes in between, it is never sent twice.
 */
export class PayoutDispatch {
  readonly #options: DispatchOptions;

  constructor(options: DispatchOptions) {
    this.#options = options;
  }

  readonly tasks: Record<string, Task> = {
    [sendTask]: async (given) => this.#send(payload.parse(given)),
    [queryTask]: async (given) => this.#query(payload.parse(given)),
    [releaseTask]: async (given) => {
      const { merchantId } = merchantPayload.parse(given);
      await this.#release(merchantId);
      // Its test merchant was suspended with it.
      const twin = await this.#options.database.asSystem((tx) => findTwin(tx, merchantId));
      if (twin) await this.#release(twin.id);
    },
  };

  async #send(given: Payload): Promise<void> {
    const { database } = this.#options;
    const { merchantId, tradeNo } = given;
    const found = await this.#markSent(given);
    if (!found) return;
    try {
      await found.adapter.payOut(this.#requestFor(found.order, found.method));
    } catch (error) {
      // It may have arrived: its status stays as it is, and the query finds out.
      if (error instanceof ChannelUnavailable) return;
      throw error;
    }
    await database.asMerchant(merchantId, async (tx) => {
      const held = await lockPayout(tx, tradeNo);
      if (held) await markAccepted(tx, held);
    });
  }

  /**
   * Records a payout as sent; undefined if it was sent before, or is held because its merchant is suspended.
   */
  async #markSent({ merchantId, tradeNo }: Payload) {
    try {
      return await this.#options.database.asMerchant(merchantId, async (tx) => {
        const order = await lockPayout(tx, tradeNo);
        if (!order) return undefined;
        const serving = await this.#servingOf(tx, order);
        if (!serving) {
          await planSend(tx, tradeNo);
          return undefined;
        }
        // Scheduled first: even if this process dies right after the commit, a query finds the outcome.
        await planQuery(tx, tradeNo, 0);
        return (await markSent(tx, order)) ? { order, ...serving } : undefined;
      });
    } catch (error) {
      // The database checks this within the transaction: no suspension can slip in between check and move.
      if (isHeldPayout(error)) return undefined;
      throw error;
    }
  }

  async #release(merchantId: bigint): Promise<void> {
    let after: Awaited<ReturnType<typeof planUnsent>>;
    do {
      after = await this.#options.database.asMerchant(merchantId, (tx) =>
        planUnsent(
          tx,
          { task: sendTask, maxAttempts: defaultMaxAttempts },
          { after, limit: releaseBatchSize },
        ),
      );
    } while (after);
  }

  async #query({ merchantId, tradeNo, attempt }: Payload): Promise<void> {
    const { database } = this.#options;
    const found = await database.asMerchant(merchantId, async (tx) => {
      const order = await lockPayout(tx, tradeNo);
      if (!order || (order.status !== 'processing' && order.status !== 'pendingSettlement')) return undefined;
      return { serving: await this.#servingOf(tx, order) };
    });
    if (!found) return;
    try {
      if (!found.serving) return;
      const report = await this.#queryOrVoid(found.serving.adapter, tradeNo, attempt);
      if (report) await this.#options.onReport(report);
    } finally {
      await database.asMerchant(merchantId, async (tx) => {
        const order = await lockPayout(tx, tradeNo);
        if (order && !hasEnded(order.status)) await planQuery(tx, tradeNo, attempt + 1);
      });
    }
  }

  /**
   * Queries the channel. If it has repeatedly replied that it does not know the payout, asks it to void it for good.
   */
  async #queryOrVoid(
    adapter: ChannelAdapter,
    tradeNo: string,
    attempt: number,
  ): Promise<PayoutReport | undefined> {
    const report = await adapter.queryPayout(tradeNo);
    if (report || attempt < queriesBeforeVoid) return report;
    return adapter.voidPayout(tradeNo);
  }

  /** Finds the adapter of a payout's channel, and what it calls the channel; undefined while none may serve the merchant. */
  async #servingOf(
    tx: MerchantTx,
    order: Payout,
  ): Promise<{ adapter: ChannelAdapter; method: string } | undefined> {
    const serving = await findServing(tx, order.channel);
    return serving && { ...serving, adapter: adapterNamed(this.#options.adapters, serving.adapter) };
  }

  #requestFor(order: Payout, method: string): PayOutRequest {
    const { bank, bankName, branchName, ifsc, accountType, taxId } = order;
    const details = Object.entries({ bank, bankName, branchName, ifsc, accountType, taxId });
    return {
      reference: order.tradeNo,
      amountMinor: order.amountMinor,
      currency: order.currency,
      method,
      payee: order.payee,
      account: plainAccount({ ...order, accountType: order.accountType ?? undefined }),
      details: Object.fromEntries(details.filter((entry): entry is [string, string] => entry[1] !== null)),
      notifyUrl: `${this.#options.appUrl()}/api/channels/${order.channel}/callback`,
    };
  }
}
