import { reaches } from '@hengfu/contract/authentication';
import type { EndpointShape } from '@hengfu/contract/endpoint';
import { liveOnlyPerms } from '@hengfu/contract/permissions';
import type { FastifyRequest } from 'fastify';
import type { Database } from '#db/database.ts';
import { holds, type Person, type Program } from '#domain/caller.ts';
import { Refusal } from '#domain/refusal.ts';
import type { Secrets } from '#security/secrets.ts';
import { claimNow } from './call-nonce.ts';
import { DeviceCookies } from './device-cookie.ts';
import type { AdmitOptions, Door } from './door.ts';
import { LargeBodies } from './large-bodies.ts';
import { CallLimits, type CallQuotas } from './open-api/call-limits.ts';
import { RepeatedCalls } from './open-api/repeated-calls.ts';
import { versionOf } from './open-api/versions.ts';
import { explainMode } from './other-mode.ts';
import { OwnOrigin } from './own-origin.ts';
import { assertPageMerchant } from './page-merchant.ts';
import { findSession, touchSession } from './session.sql.ts';
import type { SessionCookies } from './session-cookies.ts';
import { defaultSignInLimits, SignInGate, type SignInLimits } from './sign-in-gate.ts';
import { SignatureGuard } from './signature.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The body's bytes as received, on routes that verify a signature over them. */
    rawBody?: Buffer;
  }
}

/** Requirements of a call besides a session. */
type Needs = Pick<EndpointShape, 'perm' | 'level' | 'mode' | 'isPasswordConfirmed'>;

/** Options of a session lookup. */
interface SessionLookup {
  /** The lookup is not caused by the user's activity, so the session does not count as used. */
  isPassive?: boolean;
}

/** The product's own limits by default. */
export interface GuardOptions {
  signInLimits?: SignInLimits | undefined;
  /** The address under which browsers know the console, if it is configured. */
  publicUrl?: string | undefined;
  callQuotas?: CallQuotas | undefined;
}

/**
 * Authorizes callers before anything else of a request is read: origin and token (419), session (401), the page's merchant (409),
 * permission and level (403), confirmed password (423).
 */
export class Guards implements Door {
  readonly cookies: SessionCookies;
  /** Recognizes browsers that have signed in before. */
  readonly devices: DeviceCookies;
  /** Limits sign-in calls, before anything else of them is checked. */
  readonly signIns: SignInGate;
  readonly largeBodies = new LargeBodies();
  /** Limits and repetitions of signed calls. */
  readonly callLimits: CallLimits;
  readonly repeatedCalls: RepeatedCalls;
  readonly #database: Database;
  readonly #signatures: SignatureGuard;
  readonly #origin: OwnOrigin;

  constructor(
    database: Database,
    secrets: Secrets,
    cookies: SessionCookies,
    { signInLimits = defaultSignInLimits, publicUrl, callQuotas }: GuardOptions = {},
  ) {
    this.callLimits = new CallLimits(callQuotas);
    this.repeatedCalls = new RepeatedCalls(database);
    this.#origin = new OwnOrigin(publicUrl);
    this.#database = database;
    this.cookies = cookies;
    this.devices = new DeviceCookies(secrets, cookies.isSecure);
    this.signIns = new SignInGate(this.devices, signInLimits);
    this.#signatures = new SignatureGuard(database, secrets);
  }

  /** Writes the counts of calls and the uses of keys that are still in memory. */
  stop(): Promise<void> {
    return this.#signatures.stop();
  }

  /** Returns the caller that an endpoint requires; throws a Refusal. */
  async admit(
    endpoint: EndpointShape,
    request: FastifyRequest,
    options: AdmitOptions = {},
  ): Promise<Person | Program | undefined> {
    if (endpoint.access === 'signed') return this.#program(endpoint, request, options);
    if (!endpoint.crossSite) {
      this.#origin.check(request);
      this.cookies.check(request);
    }
    return endpoint.access === 'session' ? this.person(request, endpoint) : undefined;
  }

  /** Returns the calling program. Its version is checked last, so that nobody learns of versions without a key. */
  async #program(
    endpoint: EndpointShape,
    request: FastifyRequest,
    { claimsNonce = false }: AdmitOptions,
  ): Promise<Program> {
    request.callLimit = { name: endpoint.callLimit ?? 'calls' };
    const { headers, rawBody: body = Buffer.alloc(0) } = request;
    const program = await this.#signatures.check(
      { endpoint, request, body },
      {
        onVerified: (merchantId) => this.callLimits.take(request, merchantId),
        // A call with an idempotency key claims that before its work begins.
        claimsNonce: claimsNonce && headers['idempotency-key'] === undefined,
      },
    );
    try {
      request.apiVersion = versionOf(headers['hengfu-version'], new Date());
    } catch (error) {
      if (program.openNonce) await claimNow(program.openNonce, program);
      throw error;
    }
    return program;
  }

  explain(caller: Program, request: FastifyRequest, error: unknown): Promise<unknown> {
    return explainMode(this.#database, caller, request, error);
  }

  /**
   * Returns the signed-in person. Throws `unauthenticated`; `two_factor_challenge_required` if the person has
   * a second factor that this session has not passed; `merchant_choice_required` if the person has to choose a merchant first;
   * `merchant_switched` if the call comes from another merchant’s page; `live_mode_only` or `test_mode_only`; `forbidden` without the permission;
   * `two_factor_required` if a second factor must be bound first; `password_confirmation_required`.
   */
  async person(request: FastifyRequest, needs: Needs = {}, lookup: SessionLookup = {}): Promise<Person> {
    const person = await this.sessionPerson(request, lookup);
    if (!person) throw new Refusal('unauthenticated');
    const { perm, level = 'complete', isPasswordConfirmed } = needs;
    // Checked before permissions: a stolen password alone must not even reveal what its owner may do.
    if (person.level === 'password' && level !== 'password')
      throw new Refusal('two_factor_challenge_required');
    if (person.level === 'person' && !reaches('person', level)) throw new Refusal('merchant_choice_required');
    // Signing out concerns the person, whatever merchant the page shows.
    if (person.isChosen && level !== 'password') assertPageMerchant(request, person);
    assertLive(person, needs);
    if (person.roles.length === 0 || (perm && !holds(person, perm))) throw new Refusal('forbidden');
    if (!reaches(person.level, level)) throw new Refusal('two_factor_required');
    if (isPasswordConfirmed && !person.isPasswordConfirmed)
      throw new Refusal('password_confirmation_required');
    if (needs.mode === 'test' && person.mode === 'live') throw new Refusal('test_mode_only');
    return person;
  }

  /** Returns the person of a session, whatever its level; undefined without a session. */
  async sessionPerson(
    request: FastifyRequest,
    { isPassive = false }: SessionLookup = {},
  ): Promise<Person | undefined> {
    const sessionId = this.cookies.read(request);
    if (!sessionId) return undefined;
    const options = { relaxed: true, oneStatement: true };
    const found = await this.#database.asSystem((tx) => findSession(tx, sessionId), options);
    if (found?.isStale && !isPassive)
      await this.#database.asSystem((tx) => touchSession(tx, sessionId), options);
    return found?.person;
  }
}

/** Throws `live_mode_only` if a call cannot be made in test mode. */
function assertLive({ mode }: Person, { mode: needed, perm }: Needs): void {
  const isLiveOnly = needed === 'live' || (perm !== undefined && liveOnlyPerms.includes(perm));
  if (mode === 'test' && isLiveOnly) throw new Refusal('live_mode_only');
}
