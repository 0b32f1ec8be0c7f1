import { createHash } from 'node:crypto';
import type { EndpointShape } from '@hengfu/contract/endpoint';
import { idempotencyHeader, replayedHeader } from '@hengfu/contract/idempotency';
import { idempotencyKey } from '@hengfu/contract/open-api';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Database, MerchantTx } from '#db/database.ts';
import type { Program } from '#domain/caller.ts';
import { fieldRefusal, Refusal } from '#domain/refusal.ts';
import { requestHash } from '#domain/request-hash.ts';
import { type Claim, claimCall, keepReply, type RepeatableCall, releaseCall } from './repeated-calls.sql.ts';

const retryAfterSeconds = 1;

/**
 * Answers repeated signed calls: those with the same `Idempotency-Key` and the same input get the reply of the first one that
 * succeeded. A refused call changed nothing, so its key is free again. A call without the header costs nothing. Keys belong to a merchant
 * and a scope, so that an access key cannot read the replies of calls that it may not make.
 *
 * The claim and the work are separate transactions, because creates of several merchants share theirs. If a process dies in
 * between, the call can be repeated after two minutes, and the work is still done once: each signed call that writes
 * recognizes what was done before, by the merchant's number or by the order's status. The same holds if the reply cannot be stored, or
 * the claim cannot be released: the caller still learns what the work came to.
 */
export class RepeatedCalls {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /**
   * Does the work of a call, or returns the earlier reply. Throws `validation_failed` for a malformed key,
   * `idempotency_key_reused` if the key belongs to another call, `idempotency_in_flight` while that call is in progress.
   */
  async answer<T>(
    { endpoint, request, reply, body }: SignedCall,
    { home: { merchantId } }: Program,
    work: () => Promise<T>,
  ): Promise<T> {
    const key = request.headers['idempotency-key'];
    if (key === undefined || request.method === 'GET') return work();
    const call = callOf(key, { endpoint, request, body });
    const found = await this.#database.asMerchant(merchantId, (tx) => claimCall(tx, call));
    if (found.state === 'other') throw new Refusal('idempotency_key_reused');
    if (found.state === 'running') throw new Refusal('idempotency_in_flight', { retryAfterSeconds });
    if (found.state === 'answered') {
      reply.header(replayedHeader, 'true');
      return found.reply as T;
    }
    const end = (change: (tx: MerchantTx, call: RepeatableCall, claim: Claim) => Promise<void>) =>
      this.#database
        .asMerchant(merchantId, (tx) => change(tx, call, found.claim), { oneStatement: true })
        .catch((error: unknown) => request.log.warn({ err: error }, 'the claim of a repeatable call stays'));
    const done = await work().catch(async (error: unknown) => {
      await end(releaseCall);
      throw error;
    });
    await end((tx, ...claimed) => keepReply(tx, ...claimed, done as object));
    return done;
  }
}

interface SignedCall {
  endpoint: EndpointShape;
  request: FastifyRequest;
  reply: FastifyReply;
  body: unknown;
}

function callOf(
  key: string | string[],
  { endpoint, request: { method, url }, body }: Omit<SignedCall, 'reply'>,
): RepeatableCall {
  if (typeof key !== 'string' || !idempotencyKey.test(key))
    throw fieldRefusal(idempotencyHeader, 'validation.signedIdempotencyKey');
  return {
    keyHash: createHash('sha256').update(`${endpoint.scope}\n${key}`).digest(),
    requestHash: requestHash({ ...(body as object | undefined), [`${method} ${url}`]: true }),
  };
}
