import { type CallLimit, callLimits } from '@hengfu/contract/open-api';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Refusal } from '#domain/refusal.ts';
import { type BucketState, TokenBuckets } from '../token-buckets.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The limit that a signed call counts toward, and what is left of it once the caller is known. */
    callLimit?: { name: CallLimit; left?: BucketState };
  }
}

const maxMerchants = 100_000;

/** Quotas by limit; those of the contract unless the installation has its own. */
export type CallQuotas = Readonly<Record<CallLimit, number>>;

/**
 * Limits the signed calls of each merchant on this process. A token comes back when its share of the window has passed, so
 * that a merchant that has used up its quota is slowed down and not locked out.
 */
export class CallLimits {
  readonly #quotas: CallQuotas;
  readonly #buckets: Readonly<Record<CallLimit, TokenBuckets>>;

  constructor(quotas: CallQuotas = { calls: callLimits.calls.quota, lists: callLimits.lists.quota }) {
    const bucketsOf = (name: CallLimit) =>
      new TokenBuckets(
        { burst: quotas[name], perSecond: quotas[name] / callLimits[name].windowSeconds },
        maxMerchants,
      );
    this.#quotas = quotas;
    this.#buckets = { calls: bucketsOf('calls'), lists: bucketsOf('lists') };
  }

  /** Counts a call whose signature is valid. Throws `too_many_requests`. */
  take(request: FastifyRequest, merchantId: bigint): void {
    const { callLimit: limit } = request;
    if (!limit) return;
    const buckets = this.#buckets[limit.name];
    const key = String(merchantId);
    const waitMs = buckets.waitMs(key);
    if (waitMs === 0) buckets.take(key);
    limit.left = buckets.stateOf(key);
    if (waitMs === 0) return;
    throw new Refusal('too_many_requests', {
      retryAfterSeconds: Math.ceil(waitMs / 1000),
      limit: this.#quotas[limit.name],
    });
  }

  /** Adds the fields of draft-ietf-httpapi-ratelimit-headers (structured fields) to a reply. */
  describe({ callLimit: limit }: FastifyRequest, reply: FastifyReply): void {
    if (!limit) return;
    const { name, left } = limit;
    reply.header('ratelimit-policy', `"${name}";q=${this.#quotas[name]};w=${callLimits[name].windowSeconds}`);
    if (left) reply.header('ratelimit', `"${name}";r=${left.tokens};t=${Math.ceil(left.fullAfterMs / 1000)}`);
  }
}
