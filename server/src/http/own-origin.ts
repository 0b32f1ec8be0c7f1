import type { FastifyRequest } from 'fastify';
import { Refusal } from '#domain/refusal.ts';
import { isWrite } from './session-cookies.ts';

/**
 * Refuses writes that a page of another origin makes. Browsers name the origin of every write. The XSRF token alone would not do:
 * cookies ignore ports, so a page on another port of this host could read it.
 */
export class OwnOrigin {
  readonly #origin: string | undefined;

  /** `publicUrl` is the address under which browsers know this door; without one, a request's own host counts. */
  constructor(publicUrl: string | undefined) {
    this.#origin = publicUrl && new URL(publicUrl).origin;
  }

  /** Throws `csrf_mismatch` for a write from another origin. A program that is no browser names none. */
  check(request: FastifyRequest): void {
    const { origin, host } = request.headers;
    if (origin === undefined || !isWrite(request)) return;
    const isOwn = this.#origin === undefined ? hostOf(origin) === host : origin === this.#origin;
    if (!isOwn) throw new Refusal('csrf_mismatch');
  }
}

function hostOf(origin: string): string | undefined {
  return URL.canParse(origin) ? new URL(origin).host : undefined;
}
