import type { ChannelCode } from '@hengfu/contract/channels';
import type { ErrorCode } from '@hengfu/contract/errors';
import { formatAmount } from '@hengfu/contract/money';
import type { ApplyBatch } from '@hengfu/contract/payout-batches';
import type { PayoutStatus } from '@hengfu/contract/payouts';
import type { PhraseKey } from '@hengfu/phrases/phrases';
import type { Database, MerchantTx } from '#db/database.ts';
import { askApproval, holdRules } from '#domain/approvals.sql.ts';
import { auditPerson, writeAudit } from '#domain/audit.sql.ts';
import type { Authorize, Home, Person, RequestInfo } from '#domain/caller.ts';
import { findReply, type IdempotencyKey, idempotencyKeyOf, keepReply } from '#domain/idempotency.sql.ts';
import { findMerchantOf } from '#domain/orders.sql.ts';
import { assertWithinQuota } from '#domain/quota.sql.ts';
import { fieldRefusal, Refusal } from '#domain/refusal.ts';
import { requestHash } from '#domain/request-hash.ts';
import { assertMayBegin, isStopped } from '#domain/standing.sql.ts';
import { jsonInSlices } from '#threads/slices.ts';
import { runBatchCheck } from './batch-check-queue.ts';
import { failWaiting, finishBatch, listUnsent } from './payout-batch-rows.sql.ts';
import type { Payouts } from './payout-batches.check.ts';
import { planBatchRun } from './payout-batches.job.ts';
import { planBatchNotice } from './payout-batches.notice.ts';
import { type ReadRow, sumsOf } from './payout-batches.rules.ts';
import {
  type Batch,
  countPayouts,
  countUnfinished,
  findRepeated,
  insertBatch,
  listBatches,
  listFailed,
  lockBatchContent,
  markWaiting,
} from './payout-batches.sql.ts';
import { readRows } from './read-rows.ts';

/** A batch with its payouts counted by status. */
export type BatchProgress = Batch & { payouts: Partial<Record<PayoutStatus, number>> };

/** A failed row, as it was submitted. */
export interface FailedRow {
  line: number;
  fields: unknown;
  reason: ErrorCode;
}

/** Use cases of batches: apply, follow the progress, and fetch the failed rows. */
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
   * Applies for a batch on behalf of a person, authorized once for all rows. If the merchant's rules cover the whole, its
   * rows become payouts that wait for one approval. A repeated call with the same
   * idempotency key returns the first call's batch. Throws `channel_closed`, `batch_repeated`,
   * `terms_changed`, `validation_failed`, `too_many_attempts`, `idempotency_…`, `quota_reached`,
   * `merchant_suspended`, `unauthenticated`.
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
    const { name, confirmed: confirmedLines } = body;
    // Not whether it is confirmed to be a repetition: a repeated call may be asked that because the first one was carried out.
    const content = { content: hash.toString('hex'), name, confirmed: confirmedLines };
    const key = idempotencyKeyOf(person, request, requestHash(content));
    const precheck = (tx: MerchantTx) => this.#precheck(tx, { home, body, read, hash, key });
    const { earlier } = await runBatchCheck(home.merchantId, () =>
      this.#database.asMerchant(home.merchantId, precheck),
    );
    if (earlier) return earlier;
    await this.#authorize(person, { password, code });
    return this.#database.asMerchant(home.merchantId, async (tx) => {
      const { earlier: found, sums } = await precheck(tx);
      if (found) return found;
      await assertMayBegin(tx, 'newPayoutBatch', userId);
      await assertWithinQuota(tx, 'batchesOfMerchant', tx.merchantId, () => countUnfinished(tx));
      const isRuled = await holdRules(tx, 'batch');
      const confirmed = new Set(confirmedLines);
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
      const waits =
        isRuled &&
        (await askApproval(tx, {
          kind: 'batch',
          tradeNo: batchNo,
          amountMinor: sums.amountMinor,
          currency,
          account: null,
          parts: read.map((row) => ({
            account: this.#payouts.accountKey(row.order),
            amountMinor: row.amountMinor,
          })),
          target: `${name} (${read.length})`,
          requester: createdBy,
        }));
      if (waits) await markWaiting(tx, batchNo);
      await planBatchRun(tx, batchNo);
      await auditPerson(tx, person, request, 'payout-batch.apply', {
        subject: batchNo,
        after: { rows: read.length, total: formatAmount(sums.totalMinor, currency) },
      });
      await keepReply(tx, key, { batchNo });
      tx.changed(merchantId, 'payouts');
      return getBatch(tx, batchNo);
    });
  }

  list({ merchantId }: Home): Promise<Batch[]> {
    return this.#database.asMerchant(merchantId, (tx) => listBatches(tx, null), { oneStatement: true });
  }

  /** Throws `not_found`. */
  get({ merchantId }: Home, batchNo: string): Promise<BatchProgress> {
    return this.#database.asMerchant(merchantId, async (tx) => {
      const batch = await getBatch(tx, batchNo);
      return { ...batch, payouts: await countPayouts(tx, batchNo) };
    });
  }

  /** Returns the failed rows. Throws `not_found`. */
  failed({ merchantId }: Home, batchNo: string): Promise<{ channel: ChannelCode; failed: FailedRow[] }> {
    return this.#database.asMerchant(merchantId, async (tx) => {
      const { id, channel } = await getBatch(tx, batchNo);
      const rows = await listFailed(tx, id);
      return {
        channel,
        failed: rows.map(({ reason, ...row }) => ({ ...row, reason: reason ?? 'internal' })),
      };
    });
  }

  /**
   * On behalf of an operator, fails the waiting rows of a suspended merchant's batch. Returns how many, and the batch's
   * unsent payouts. Throws `not_found`, `invalid_transition` while the merchant is active, as its batch is
   * being processed.
   */
  async dropWaiting(batchNo: string, actor: string, reason: string) {
    const merchantId = await this.#database.asSystem((tx) => findMerchantOf(tx, 'payout_batch', batchNo));
    if (merchantId === undefined) throw new Refusal('not_found');
    return this.#database.asMerchant(merchantId, async (tx) => {
      if (!(await isStopped(tx, 'waitingBatchRow'))) throw new Refusal('invalid_transition');
      const { id } = await getBatch(tx, batchNo);
      const rows = await failWaiting(tx, id, 'merchant_suspended');
      if (rows > 0) {
        await finishBatch(tx, { id });
        await planBatchNotice(tx, batchNo);
      }
      const action = 'payout-batch.reject';
      await writeAudit(tx, { merchantId, actor, action, subject: batchNo, after: { rows, reason } });
      tx.changed(merchantId, 'payouts');
      return { rows, unsent: await listUnsent(tx, batchNo) };
    });
  }

  /** Checks that the channel is open, the total is still right, and the batch is not a repeat. */
  async #precheck(tx: MerchantTx, { home, body, read, hash, key }: Submitted) {
    const reply = await findReply<{ batchNo: string }>(tx, key);
    const terms = await this.#payouts.terms(tx, home, body.channel);
    if (!terms && !reply) throw new Refusal('channel_closed');
    const sums = sumsOf(read, terms ?? { ratePpm: 0, fixedMinor: 0n }, 0n);
    if (reply) return { earlier: await getBatch(tx, reply.batchNo), sums };
    if (formatAmount(sums.totalMinor, home.currency) !== body.total) throw new Refusal('terms_changed');
    await lockBatchContent(tx, hash);
    const repeated = body.confirmRepeated ? undefined : await findRepeated(tx, hash);
    if (repeated) throw new Refusal('batch_repeated', { values: { batch_no: repeated.batchNo } });
    return { earlier: undefined, sums };
  }
}

interface Submitted {
  home: Home;
  body: ApplyBatch;
  read: readonly ReadRow[];
  hash: Buffer;
  key: IdempotencyKey | undefined;
}

async function getBatch(tx: MerchantTx, batchNo: string): Promise<Batch> {
  const [batch] = await listBatches(tx, batchNo);
  if (!batch) throw new Refusal('not_found');
  return batch;
}
