import type { EndpointShape } from '@hengfu/contract/endpoint';
import type { FastifyRequest } from 'fastify';
import { holds, type Person, type Program } from '#caller.ts';
import type { Database } from '#db/database.ts';
import { Refusal } from '#refusal.ts';
import type { Secrets } from '#secrets.ts';
import { findSession, touchSession } from './session.sql.ts';
import type { SessionCookies } from './session-cookies.ts';
import { SignatureGuard } from './signature.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The body's bytes as they came, where a signature is made over them. */
    rawBody?: Buffer;
  }
}

/** What a call asks of a person besides a session. */
type Needs = Pick<EndpointShape, 'perm' | 'isBeforeTwoFactor' | 'isTwoFactorNeeded' | 'isPasswordConfirmed'>;

/**
 * Decides who may go on, before anything of a request is read: token (419), session (401), permission and second
 * factor (403), confirmed password (423).
 */
export class Guards {
  readonly cookies: SessionCookies;
  readonly #database: Database;
  readonly #signatures: SignatureGuard;

  constructor(database: Database, secrets: Secrets, cookies: SessionCookies) {
    this.#database = database;
    this.cookies = cookies;
    this.#signatures = new SignatureGuard(database, secrets);
  }

  /** Writes what is still in memory only. */
  stop(): Promise<void> {
    return this.#signatures.counts.stop();
  }

  /** The caller that an endpoint asks for; throws a Refusal. */
  async admit(endpoint: EndpointShape, request: FastifyRequest): Promise<Person | Program | undefined> {
    if (endpoint.access === 'signed')
      return this.#signatures.check(request, request.rawBody ?? Buffer.alloc(0));
    if (!endpoint.crossSite) this.cookies.check(request);
    return endpoint.access === 'session' ? this.person(request, endpoint) : undefined;
  }

  /**
   * The signed-in person; throws `unauthenticated`, `forbidden` where a permission is not held, `two_factor_required`
   * where a second factor must be bound first, `password_confirmation_required`.
   */
  async person(request: FastifyRequest, needs: Needs = {}): Promise<Person> {
    const person = await this.visitor(request);
    if (!person) throw new Refusal('unauthenticated');
    const { perm, isBeforeTwoFactor, isTwoFactorNeeded, isPasswordConfirmed } = needs;
    if (person.roles.length === 0 || (perm && !holds(person, perm))) throw new Refusal('forbidden');
    const isUnbound = isTwoFactorNeeded && person.twoFactor !== 'on';
    if (isUnbound || (person.twoFactor === 'required' && !isBeforeTwoFactor))
      throw new Refusal('two_factor_required');
    if (isPasswordConfirmed && !person.isPasswordConfirmed)
      throw new Refusal('password_confirmation_required');
    return person;
  }

  /** The signed-in person, if there is one. `isWatching`: nobody did anything, the session is not used by this. */
  async visitor(request: FastifyRequest, { isWatching = false } = {}): Promise<Person | undefined> {
    const sessionId = this.cookies.read(request);
    if (!sessionId) return undefined;
    const alone = { relaxed: true, oneStatement: true };
    const found = await this.#database.asSystem((tx) => findSession(tx, sessionId), alone);
    if (found?.isStale && !isWatching)
      await this.#database.asSystem((tx) => touchSession(tx, sessionId), alone);
    return found?.person;
  }
}
