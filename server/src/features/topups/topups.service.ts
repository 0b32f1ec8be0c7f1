import { parseAmount } from '@hengfu/contract/money';
import type { ApplyTopup, TopupQuery } from '@hengfu/contract/topups';
import { transactionOf } from '@hengfu/contract/wallets';
import type { Database, MerchantTx } from '#db/database.ts';
import { auditPerson } from '#domain/audit.sql.ts';
import type { Home, Person, RequestInfo } from '#domain/caller.ts';
import { findReply, type IdempotencyKey, idempotencyKeyOf, keepReply } from '#domain/idempotency.sql.ts';
import { type Image, imageRefusal } from '#domain/images.ts';
import type { Page } from '#domain/list.sql.ts';
import { assertWithinQuota } from '#domain/quota.sql.ts';
import { fieldRefusal, Refusal } from '#domain/refusal.ts';
import { requestHash } from '#domain/request-hash.ts';
import { assertMayBegin } from '#domain/standing.sql.ts';
import { readImage } from '#files/uploaded-images.ts';
import { type Options, worth } from './topups.rules.ts';
import { countWaiting, findImage, findTopup, insertTopup, type NewTopup, type Topup } from './topups.sql.ts';
import { listTopups } from './topups-list.sql.ts';
import { isServiceWallet, readOptions } from './wallets/deposit-wallets.sql.ts';

/** A merchant's use cases of top-ups: where to send money, submitting transfers, and reading. */
export class TopupService {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Returns undefined while top-ups are closed. */
  options({ merchantId, currency }: Home): Promise<Options | undefined> {
    return this.#database.asMerchant(merchantId, (tx) => readOptions(tx, currency));
  }

  list(home: Home, query: TopupQuery): Promise<Page<Topup>> {
    return this.#database.asMerchant(home.merchantId, (tx) => listTopups(tx, home, query), {
      snapshot: true,
    });
  }

  /** Throws `not_found`, also for another merchant's top-up. */
  find(merchantId: bigint, tradeNo: string): Promise<Topup> {
    return this.#database.asMerchant(merchantId, async (tx) => orNotFound(await findTopup(tx, tradeNo)));
  }

  /** Throws `not_found`. */
  image(merchantId: bigint, tradeNo: string): Promise<Image> {
    return this.#database.asMerchant(merchantId, async (tx) => orNotFound(await findImage(tx, tradeNo)));
  }

  /**
   * Submits a transfer for review. A repeated call with the same idempotency key returns the first call's
   * top-up. Throws `topups_closed`, `validation_failed`, `uploads_busy`, `idempotency_…`, `quota_reached`,
   * `merchant_suspended`, `unauthenticated`.
   */
  async apply(person: Person, request: RequestInfo, body: ApplyTopup): Promise<Topup> {
    const { home, userId } = person;
    const { merchantId } = home;
    const image = await readImage(body.screenshot, String(merchantId));
    if (typeof image === 'string')
      throw imageRefusal(image, { field: 'screenshot', unreadable: 'validation.screenshotRequired' });
    const idempotencyKey = idempotencyKeyOf(person, request, requestHash(body));
    return this.#database.asMerchant(merchantId, async (tx) => {
      const earlier = await earlierOf(tx, idempotencyKey);
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
      await keepReply(tx, idempotencyKey, { tradeNo: topup.tradeNo });
      tx.changed(merchantId, 'topups');
      return topup;
    });
  }
}

function orNotFound<T>(found: T | undefined): T {
  if (found === undefined) throw new Refusal('not_found');
  return found;
}

async function earlierOf(
  tx: MerchantTx,
  idempotencyKey: IdempotencyKey | undefined,
): Promise<Topup | undefined> {
  const reply = await findReply<{ tradeNo: string }>(tx, idempotencyKey);
  return reply && findTopup(tx, reply.tradeNo);
}

/** Prices a submission at the current rates. Throws `topups_closed`, `validation_failed`. */
async function orderOf(tx: MerchantTx, home: Home, body: ApplyTopup): Promise<Omit<NewTopup, 'createdBy'>> {
  const { currency } = home;
  const { coin, network, address } = body;
  const options = await readOptions(tx, currency);
  if (!options) throw new Refusal('topups_closed');
  // Money sent to a wallet that was replaced in the meantime has still reached the service.
  if (!(await isServiceWallet(tx, network, address))) throw fieldRefusal('network', 'validation.topupWallet');
  const usdtMinor = parseAmount(body.amount, 'USDT') ?? 0n;
  const minimumUsdtMinor =
    options.wallets.find((wallet) => wallet.network === network)?.minimumUsdtMinor ?? 0n;
  const { amountMinor, usdMinor } = worth(usdtMinor, currency, options);
  if (usdtMinor < minimumUsdtMinor || amountMinor <= 0n)
    throw fieldRefusal('amount', 'validation.topupMinimum');
  const { rate, usdRate } = options;
  const transactionId = transactionOf(network, body.transactionId);
  return { coin, usdtMinor, currency, amountMinor, usdMinor, rate, usdRate, network, address, transactionId };
}
