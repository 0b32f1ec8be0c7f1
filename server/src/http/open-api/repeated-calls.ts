import { createHash } from 'node:crypto';
import { idempotencyHeader, idempotencyKey, replayedHeader } from '@hengfu/contract/open-api';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Database } from '#db/database.ts';
import type { Program } from '#domain/caller.ts';
import { fieldRefusal, Refusal } from '#domain/refusal.ts';
import { requestHash } from '#domain/request-hash.ts';
import { claimCall, keepReply, releaseCall } from './repeated-calls.sql.ts';

const retryAfterSeconds = 1;

/**
 * Answers repeated signed calls: those with the same `Idempotency-Key` and the same input get the reply of the first one that
 * succeeded. A refused call changed nothing, so its key is free again. A call without the header costs nothing.
 *
 * The claim and the work are separate transactions, because creates of several merchants share theirs. If a process dies in
 * between, the call can be repeated after two minutes, and the work is still done once: each signed call that writes
 * recognizes what was done before, by the merchant's number or by the order's status.
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
    { request, reply, body }: { request: FastifyRequest; reply: FastifyReply; body: unknown },
    { home: { merchantId } }: Program,
    work: () => Promise<T>,
  ): Promise<T> {
    const key = request.headers['idempotency-key'];
    if (key === undefined || request.method === 'GET') return work();
    const call = callOf(key, request, body);
    const found = await this.#database.asMerchant(merchantId, (tx) => claimCall(tx, call));
    if (found.state === 'other') throw new Refusal('idempotency_key_reused');
    if (found.state === 'running') throw new Refusal('idempotency_in_flight', { retryAfterSeconds });
    if (found.state === 'answered') {
      reply.header(replayedHeader, 'true');
      return found.reply as T;
    }
    const inOne = { oneStatement: true };
    try {
      const done = await work();
      await this.#database.asMerchant(
        merchantId,
        (tx) => keepReply(tx, call, found.claim, done as object),
        inOne,
      );
      return done;
    } catch (error) {
      await this.#database.asMerchant(merchantId, (tx) => releaseCall(tx, call, found.claim), inOne);
      throw error;
    }
  }
}

function callOf(key: string | string[], { method, url }: FastifyRequest, body: unknown) {
  if (typeof key !== 'string' || !idempotencyKey.test(key))
    throw fieldRefusal(idempotencyHeader, 'validation.signedIdempotencyKey');
  return {
    keyHash: createHash('sha256').update(key).digest(),
    requestHash: requestHash({ ...(body as object | undefined), [`${method} ${url}`]: true }),
  };
}
