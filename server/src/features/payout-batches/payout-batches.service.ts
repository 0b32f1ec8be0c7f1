import type { ChannelCode } from '@hengfu/contract/channels';
import type { ErrorCode } from '@hengfu/contract/errors';
import { formatAmount } from '@hengfu/contract/money';
import type { ApplyBatch } from '@hengfu/contract/payout-batches';
import type { PayoutStatus } from '@hengfu/contract/payouts';
import type { PhraseKey } from '@hengfu/phrases/phrases';
import type { Database, MerchantTx } from '#db/database.ts';
import { auditPerson, writeAudit } from '#domain/audit.sql.ts';
import type { Authorize, Home, Person, RequestInfo } from '#domain/caller.ts';
import { findReply, type IdempotencyKey, idempotencyKeyOf, keepReply } from '#domain/idempotency.sql.ts';
import { assertWithinQuota } from '#domain/quota.sql.ts';
import { fieldRefusal, Refusal } from '#domain/refusal.ts';
import { requestHash } from '#domain/request-hash.ts';
import { assertMayBegin, isStopped } from '#domain/standing.sql.ts';
import { jsonInSlices } from '#threads/slices.ts';
import { lookingAtBatches } from './batch-looks.ts';
import { failWaiting, findMerchantOfBatch, finishBatch, listUnsent } from './payout-batch-rows.sql.ts';
import type { Payouts } from './payout-batches.check.ts';
import { planToTake } from './payout-batches.job.ts';
import { planToTell } from './payout-batches.notice.ts';
import { type ReadRow, sumsOf } from './payout-batches.rules.ts';
import {
  type Batch,
  countPayouts,
  countUnfinished,
  findRepeated,
  insertBatch,
  listBatches,
  listFailed,
  passOneByOne,
} from './payout-batches.sql.ts';
import { readRows } from './read-rows.ts';

/** A batch and what became of its payouts. */
export type BatchProgress = Batch & { payouts: Partial<Record<PayoutStatus, number>> };

/** A row that failed, as it was applied for. */
export interface FailedRow {
  line: number;
  fields: unknown;
  reason: ErrorCode;
}

/** Use cases of batches: apply, follow, take up what failed. */
export class BatchService {
  readonly #database: Database;
  readonly #payouts: Payouts;
  readonly #authorize: Authorize;

  constructor(database: Database, payouts: Payouts, authorize: Authorize) {
    this.#database = database;
    this.#payouts = payouts;
    this.#authorize = authorize;
  }

  /**
   * A person applies for a batch, once and for all its rows. The same call again, under the same key, answers the first
   * one's batch. Throws `channel_closed`, `batch_repeated`, `terms_changed`, `validation_failed`, `too_many_attempts`,
   * `idempotency_…`, `quota_reached`, `merchant_suspended`, `unauthenticated`.
   */
  async apply(person: Person, request: RequestInfo, body: ApplyBatch): Promise<Batch> {
    const { home, userId } = person;
    const { channel, payment_password: password, code } = body;
    const { read, faults, contentHash: hash } = await readRows(channel, home.currency, body.rows);
    const [fault] = faults;
    if (fault)
      throw fieldRefusal('rows', 'validation.batchRow', {
        line: fault.line,
        fault: fault.message as PhraseKey,
      });
    const { name, confirmed: means, confirmRepeated } = body;
    const asked = { content: hash.toString('hex'), name, confirmed: means, confirmRepeated };
    const once = idempotencyKeyOf(person, request, requestHash(asked));
    const before = (tx: MerchantTx) => this.#lookBefore(tx, { home, body, read, hash, once });
    const { earlier } = await lookingAtBatches(home.merchantId, () =>
      this.#database.asMerchant(home.merchantId, before),
    );
    if (earlier) return earlier;
    await this.#authorize(person, { password, code });
    return this.#database.asMerchant(home.merchantId, async (tx) => {
      const { earlier: found, sums } = await before(tx);
      if (found) return found;
      await assertMayBegin(tx, 'newPayoutBatch', userId);
      await assertWithinQuota(tx, 'batchesOfMerchant', tx.merchantId, () => countUnfinished(tx));
      const confirmed = new Set(means);
      const createdBy = `user:${userId}`;
      const { merchantId, currency } = home;
      const batchNo = await insertBatch(tx, {
        name,
        channel,
        currency,
        createdBy,
        contentHash: hash,
        amountMinor: sums.amountMinor,
        feeMinor: sums.feeMinor,
        rowCount: read.length,
        rows: await jsonInSlices(read, ({ line, order }) => ({
          fields: order,
          meansSimilar: confirmed.has(line),
        })),
      });
      await planToTake(tx, batchNo);
      await auditPerson(tx, person, request, 'payout-batch.apply', {
        subject: batchNo,
        after: { rows: read.length, total: formatAmount(sums.totalMinor, currency) },
      });
      await keepReply(tx, once, { batchNo });
      tx.changed(merchantId, 'payouts');
      return one(tx, batchNo);
    });
  }

  list({ merchantId }: Home): Promise<Batch[]> {
    return this.#database.asMerchant(merchantId, (tx) => listBatches(tx, null), { oneStatement: true });
  }

  /** Throws `not_found`. */
  get({ merchantId }: Home, batchNo: string): Promise<BatchProgress> {
    return this.#database.asMerchant(merchantId, async (tx) => {
      const batch = await one(tx, batchNo);
      return { ...batch, payouts: await countPayouts(tx, batchNo) };
    });
  }

  /** The rows that failed. Throws `not_found`. */
  failed({ merchantId }: Home, batchNo: string): Promise<{ channel: ChannelCode; failed: FailedRow[] }> {
    return this.#database.asMerchant(merchantId, async (tx) => {
      const { id, channel } = await one(tx, batchNo);
      const rows = await listFailed(tx, id);
      return {
        channel,
        failed: rows.map(({ reason, ...row }) => ({ ...row, reason: reason ?? 'internal' })),
      };
    });
  }

  /**
   * The staff drops a suspended merchant's rows that are no payouts yet. Answers how many, and the payouts of the batch
   * that were not sent. Throws `not_found`, `invalid_transition` while the merchant is active: its batch is being taken.
   */
  async dropWaiting(batchNo: string, actor: string, reason: string) {
    const merchantId = await this.#database.asSystem((tx) => findMerchantOfBatch(tx, batchNo));
    if (merchantId === undefined) throw new Refusal('not_found');
    return this.#database.asMerchant(merchantId, async (tx) => {
      if (!(await isStopped(tx, 'waitingBatchRow'))) throw new Refusal('invalid_transition');
      const { id } = await one(tx, batchNo);
      const rows = await failWaiting(tx, id, 'merchant_suspended');
      if (rows > 0) {
        await finishBatch(tx, { id });
        await planToTell(tx, batchNo);
      }
      const action = 'payout-batch.reject';
      await writeAudit(tx, { merchantId, actor, action, subject: batchNo, after: { rows, reason } });
      tx.changed(merchantId, 'payouts');
      return { rows, unsent: await listUnsent(tx, batchNo) };
    });
  }

  /** What must hold before a batch is made: the channel is open, it costs what was told, it was not made before. */
  async #lookBefore(tx: MerchantTx, given: Given) {
    const { home, body, read, hash, once } = given;
    const reply = await findReply<{ batchNo: string }>(tx, once);
    const terms = await this.#payouts.terms(tx, home, body.channel);
    if (!terms && !reply) throw new Refusal('channel_closed');
    const sums = sumsOf(read, terms ?? { ratePpm: 0, fixedMinor: 0n }, 0n);
    if (reply) return { earlier: await one(tx, reply.batchNo), sums };
    if (formatAmount(sums.totalMinor, home.currency) !== body.total) throw new Refusal('terms_changed');
    await passOneByOne(tx, hash);
    const repeated = body.confirmRepeated ? undefined : await findRepeated(tx, hash);
    if (repeated) throw new Refusal('batch_repeated', { values: { batch_no: repeated.batchNo } });
    return { earlier: undefined, sums };
  }
}

interface Given {
  home: Home;
  body: ApplyBatch;
  read: readonly ReadRow[];
  hash: Buffer;
  once: IdempotencyKey | undefined;
}

async function one(tx: MerchantTx, batchNo: string): Promise<Batch> {
  const [batch] = await listBatches(tx, batchNo);
  if (!batch) throw new Refusal('not_found');
  return batch;
}
