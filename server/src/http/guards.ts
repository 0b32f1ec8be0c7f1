import { reaches } from '@hengfu/contract/authentication';
import type { EndpointShape } from '@hengfu/contract/endpoint';
import type { FastifyRequest } from 'fastify';
import type { Database } from '#db/database.ts';
import { holds, type Person, type Program } from '#domain/caller.ts';
import { Refusal } from '#domain/refusal.ts';
import type { Secrets } from '#security/secrets.ts';
import { DeviceCookies } from './device-cookie.ts';
import { LargeBodies } from './large-bodies.ts';
import { findSession, touchSession } from './session.sql.ts';
import type { SessionCookies } from './session-cookies.ts';
import { SignInGate, type SignInLimits, usualSignInLimits } from './sign-in-gate.ts';
import { SignatureGuard } from './signature.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The body's bytes as they came, where a signature is made over them. */
    rawBody?: Buffer;
  }
}

/** What a call asks of a person besides a session. */
type Needs = Pick<EndpointShape, 'perm' | 'level' | 'isPasswordConfirmed'>;

/** How a session is looked up. `isWatching`: nobody did anything, so the session does not count as used. */
interface Look {
  isWatching?: boolean;
}

/**
 * Decides who may go on, before anything of a request is read: token (419), session (401), permission and level
 * (403), confirmed password (423).
 */
export class Guards {
  readonly cookies: SessionCookies;
  /** Browsers that are known again. */
  readonly devices: DeviceCookies;
  /** Stands before everything else where sign-in calls are concerned. */
  readonly signIns: SignInGate;
  readonly largeBodies = new LargeBodies();
  readonly #database: Database;
  readonly #signatures: SignatureGuard;

  constructor(
    database: Database,
    secrets: Secrets,
    cookies: SessionCookies,
    signInLimits: SignInLimits = usualSignInLimits,
  ) {
    this.#database = database;
    this.cookies = cookies;
    this.devices = new DeviceCookies(secrets, cookies.isSecure);
    this.signIns = new SignInGate(this.devices, signInLimits);
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
   * Returns the signed-in person. Throws `unauthenticated`; `two_factor_challenge_required` where this session has not
   * passed a second factor that its person has; `forbidden` where a permission is not held; `two_factor_required` where
   * a second factor must be bound first; `password_confirmation_required`.
   */
  async person(request: FastifyRequest, needs: Needs = {}, look: Look = {}): Promise<Person> {
    const person = await this.visitor(request, look);
    if (!person) throw new Refusal('unauthenticated');
    const { perm, level = 'complete', isPasswordConfirmed } = needs;
    // Before permissions: a stolen password alone learns nothing, not even what its owner may do.
    if (person.level === 'password' && level !== 'password')
      throw new Refusal('two_factor_challenge_required');
    if (person.roles.length === 0 || (perm && !holds(person, perm))) throw new Refusal('forbidden');
    if (!reaches(person.level, level)) throw new Refusal('two_factor_required');
    if (isPasswordConfirmed && !person.isPasswordConfirmed)
      throw new Refusal('password_confirmation_required');
    return person;
  }

  /** The person whose session this is, whatever the session has passed; undefined where there is none. */
  async visitor(request: FastifyRequest, { isWatching = false }: Look = {}): Promise<Person | undefined> {
    const sessionId = this.cookies.read(request);
    if (!sessionId) return undefined;
    const alone = { relaxed: true, oneStatement: true };
    const found = await this.#database.asSystem((tx) => findSession(tx, sessionId), alone);
    if (found?.isStale && !isWatching)
      await this.#database.asSystem((tx) => touchSession(tx, sessionId), alone);
    return found?.person;
  }
}
