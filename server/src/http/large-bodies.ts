import type { FastifyReply, FastifyRequest } from 'fastify';
import { Refusal } from '#domain/refusal.ts';

/** Large bodies that a web process takes at once. The last ones go to merchants that have none there. */
export const mostLargeBodies = { ofMerchant: 16, ofAll: 64, reserved: 16 };
const retryAfterSeconds = 2;

/** A body that counts for its owner as long as anybody holds it. */
interface Counted {
  owner: string;
  /** Its connection, and the work on it. */
  holders: number;
}

/**
 * Counts large bodies from before they are read until they are answered. Each takes some 20 MB once it is parsed: a single
 * user with many connections could fill the process's memory otherwise.
 */
export class LargeBodies {
  readonly #counted = new WeakMap<FastifyRequest, Counted>();
  readonly #ofOwners = new Map<string, number>();
  #all = 0;

  /**
   * Counts a request's body until its reply is sent or its client hangs up, and nothing works on it any more. Throws
   * `too_many_requests`.
   */
  enter(owner: string, { raw: reply, request }: FastifyReply): void {
    // Hung up meanwhile: nothing would ever say that it is over.
    if (request.raw.socket.destroyed) return;
    const own = this.#ofOwners.get(owner) ?? 0;
    const { ofMerchant, ofAll, reserved } = mostLargeBodies;
    if (own >= ofMerchant || this.#all >= (own > 0 ? ofAll - reserved : ofAll))
      throw new Refusal('too_many_requests', { retryAfterSeconds, limit: ofMerchant });
    const body = { owner, holders: 0 };
    this.#counted.set(request, body);
    this.#hold(body);
    reply.once('close', () => this.#release(body));
  }

  /**
   * Works on a request, whose body counts meanwhile, if it is a large one: hanging up ends no work, and must make no
   * place for more of it.
   */
  async working<T>(request: FastifyRequest, work: () => Promise<T>): Promise<T> {
    const body = this.#counted.get(request);
    if (!body) return work();
    this.#hold(body);
    try {
      return await work();
    } finally {
      this.#release(body);
    }
  }

  #hold(body: Counted): void {
    if (++body.holders > 1) return;
    this.#all++;
    this.#ofOwners.set(body.owner, (this.#ofOwners.get(body.owner) ?? 0) + 1);
  }

  #release(body: Counted): void {
    if (--body.holders > 0) return;
    this.#all--;
    const left = (this.#ofOwners.get(body.owner) ?? 0) - 1;
    if (left > 0) this.#ofOwners.set(body.owner, left);
    else this.#ofOwners.delete(body.owner);
  }
}
