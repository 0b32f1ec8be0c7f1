import { createHash } from 'node:crypto';
import { maxImagePixels } from '@hengfu/contract/images';
import { parseAmount } from '@hengfu/contract/money';
import type { ApplyTopup, TopupQuery } from '@hengfu/contract/topups';
import { transactionOf } from '@hengfu/contract/wallets';
import type { Database, MerchantTx } from '#db/database.ts';
import { auditPerson } from '#domain/audit.sql.ts';
import type { Home, Person, RequestInfo } from '#domain/caller.ts';
import { findReply, type IdempotencyKey, idempotencyKeyOf, keepReply } from '#domain/idempotency.sql.ts';
import type { Page } from '#domain/list.sql.ts';
import { assertWithinQuota } from '#domain/quota.sql.ts';
import { fieldRefusal, Refusal } from '#domain/refusal.ts';
import { requestHash } from '#domain/request-hash.ts';
import { assertMayBegin } from '#domain/standing.sql.ts';
import { rewriteImage } from '#files/images.ts';
import { isOurs, readOptions } from './deposit-wallets.sql.ts';
import { fileOf, type Image, type Options, worth } from './topups.rules.ts';
import { countWaiting, findImage, findTopup, insertTopup, type NewTopup, type Topup } from './topups.sql.ts';
import { listTopups } from './topups-list.sql.ts';

const busyRetrySeconds = 5;

/** A merchant's use cases of top-ups: where to send, hand in, read. */
export class TopupService {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Undefined where top-ups are closed. */
  options({ merchantId, currency }: Home): Promise<Options | undefined> {
    return this.#database.asMerchant(merchantId, (tx) => readOptions(tx, currency));
  }

  list(home: Home, query: TopupQuery): Promise<Page<Topup>> {
    return this.#database.asMerchant(home.merchantId, (tx) => listTopups(tx, home, query));
  }

  /** Throws `not_found`, for another merchant's top-up just as for none. */
  find(merchantId: bigint, tradeNo: string): Promise<Topup> {
    return this.#database.asMerchant(merchantId, async (tx) => must(await findTopup(tx, tradeNo)));
  }

  /** Throws `not_found`. */
  image(merchantId: bigint, tradeNo: string): Promise<Image> {
    return this.#database.asMerchant(merchantId, async (tx) => must(await findImage(tx, tradeNo)));
  }

  /**
   * A person hands in a transfer for review. The same call again, under the same key, answers the first one's top-up.
   * Throws `topups_closed`, `validation_failed`, `uploads_busy`, `idempotency_…`, `quota_reached`,
   * `merchant_suspended`, `unauthenticated`.
   */
  async apply(person: Person, request: RequestInfo, body: ApplyTopup): Promise<Topup> {
    const { home, userId } = person;
    const { merchantId } = home;
    const image = await imageOf(body.screenshot, merchantId);
    const once = idempotencyKeyOf(person, request, requestHash(body));
    return this.#database.asMerchant(merchantId, async (tx) => {
      const earlier = await earlierOf(tx, once);
      if (earlier) return earlier;
      await assertMayBegin(tx, 'newTopup', userId);
      await assertWithinQuota(tx, 'topupsOfMerchant', merchantId, () => countWaiting(tx));
      const order = await orderOf(tx, home, body);
      const createdBy = `user:${userId}`;
      const topup = await insertTopup(tx, { ...order, createdBy }, image);
      await auditPerson(tx, person, request, 'topup.apply', {
        subject: topup.tradeNo,
        after: { usdt: body.amount, network: order.network, transactionId: order.transactionId },
      });
      await keepReply(tx, once, { tradeNo: topup.tradeNo });
      tx.changed(merchantId, 'topups');
      return topup;
    });
  }
}

/**
 * What is kept of a picture: written anew, so that the same one is known again whatever its file says of itself. Throws
 * `validation_failed`, and `uploads_busy` where this merchant or all of them have too many pictures waiting.
 */
async function imageOf(base64: string, merchantId: bigint): Promise<Image> {
  const file = fileOf(base64);
  const kept = file ? await rewriteImage(file, String(merchantId)) : 'unreadable';
  if (typeof kept !== 'string') return { ...kept, sha256: createHash('sha256').update(kept.bytes).digest() };
  if (kept === 'busy')
    throw new Refusal('uploads_busy', {
      values: { seconds: busyRetrySeconds },
      retryAfterSeconds: busyRetrySeconds,
    });
  if (kept === 'tooManyPixels')
    throw fieldRefusal('screenshot', 'validation.screenshotPixels', { side: Math.sqrt(maxImagePixels) });
  throw fieldRefusal('screenshot', 'validation.screenshotRequired');
}

function must<T>(found: T | undefined): T {
  if (found === undefined) throw new Refusal('not_found');
  return found;
}

async function earlierOf(tx: MerchantTx, once: IdempotencyKey | undefined): Promise<Topup | undefined> {
  const reply = await findReply<{ tradeNo: string }>(tx, once);
  return reply && findTopup(tx, reply.tradeNo);
}

/** What is handed in, by the rates of now. Throws `topups_closed`, `validation_failed`. */
async function orderOf(tx: MerchantTx, home: Home, body: ApplyTopup): Promise<Omit<NewTopup, 'createdBy'>> {
  const { currency } = home;
  const { network, address } = body;
  const options = await readOptions(tx, currency);
  if (!options) throw new Refusal('topups_closed');
  // Somebody who sent to a wallet that was replaced meanwhile has still sent to the service.
  if (!(await isOurs(tx, network, address))) throw fieldRefusal('network', 'validation.topupWallet');
  const usdtMinor = parseAmount(body.amount, 'USDT') ?? 0n;
  const least = options.wallets.find((wallet) => wallet.network === network)?.minimumUsdtMinor ?? 0n;
  const { amountMinor, usdMinor } = worth(usdtMinor, currency, options);
  if (usdtMinor < least || amountMinor <= 0n) throw fieldRefusal('amount', 'validation.topupMinimum');
  const { rate, usdRate } = options;
  const transactionId = transactionOf(network, body.transactionId);
  return { usdtMinor, currency, amountMinor, usdMinor, rate, usdRate, network, address, transactionId };
}
