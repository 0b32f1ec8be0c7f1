import type { FastifyReply, FastifyRequest } from 'fastify';
import { Refusal } from '#domain/refusal.ts';

/** Concurrent large bodies per web process. Reserved slots go to merchants that have none in progress. */
export const largeBodyLimits = { ofMerchant: 16, ofAll: 64, reserved: 16 };
const retryAfterSeconds = 2;

/** A body that counts toward its owner's limit while anything holds it. */
interface CountedBody {
  owner: string;
  /** Its connection, and the work in progress on it. */
  holders: number;
}

/**
 * Limits large bodies, each counted from before it is read until it is answered. Parsed, one takes about 20
 * MB: a single user with many connections could otherwise fill the process's memory.
 */
export class LargeBodies {
  readonly #counted = new WeakMap<FastifyRequest, CountedBody>();
  readonly #ofOwners = new Map<string, number>();
  #all = 0;

  /**
   * Counts a request's body until its connection has closed or its reply was sent, and all work on it has
   * finished. Throws `too_many_requests`.
   */
  admit(owner: string, { raw: reply, request }: FastifyReply): void {
    // The client has already disconnected: no close event would ever release this body.
    if (request.raw.socket.destroyed) return;
    const own = this.#ofOwners.get(owner) ?? 0;
    const { ofMerchant, ofAll, reserved } = largeBodyLimits;
    if (own >= ofMerchant || this.#all >= (own > 0 ? ofAll - reserved : ofAll))
      throw new Refusal('too_many_requests', { retryAfterSeconds, limit: ofMerchant });
    const body = { owner, holders: 0 };
    this.#counted.set(request, body);
    this.#hold(body);
    reply.once('close', () => this.#release(body));
  }

  /**
   * Runs work on a request and counts its body meanwhile, if it is a large one: a client that disconnects
   * does not end the work, so it must not free a slot for more.
   */
  async track<T>(request: FastifyRequest, work: () => Promise<T>): Promise<T> {
    const body = this.#counted.get(request);
    if (!body) return work();
    this.#hold(body);
    try {
      return await work();
    } finally {
      this.#release(body);
    }
  }

  #hold(body: CountedBody): void {
    if (++body.holders > 1) return;
    this.#all++;
    this.#ofOwners.set(body.owner, (this.#ofOwners.get(body.owner) ?? 0) + 1);
  }

  #release(body: CountedBody): void {
    if (--body.holders > 0) return;
    this.#all--;
    const left = (this.#ofOwners.get(body.owner) ?? 0) - 1;
    if (left > 0) this.#ofOwners.set(body.owner, left);
    else this.#ofOwners.delete(body.owner);
  }
}
