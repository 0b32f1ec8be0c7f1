import type { EndpointShape } from '@hengfu/contract/endpoint';
import { reachesStaff } from '@hengfu/contract/staff/level';
import type { FastifyRequest } from 'fastify';
import type { Database } from '#db/database.ts';
import type { StaffMember } from '#domain/caller.ts';
import { Refusal } from '#domain/refusal.ts';
import type { Door } from './door.ts';
import { LargeBodies } from './large-bodies.ts';
import { OwnOrigin } from './own-origin.ts';
import type { SessionCookies } from './session-cookies.ts';
import { defaultSignInLimits, SignInGate, type SignInLimits } from './sign-in-gate.ts';
import { findStaffSession, touchStaffSession } from './staff-session.sql.ts';

/** Requirements of a staff call besides a session. */
type StaffNeeds = Pick<EndpointShape, 'staffPerm' | 'staffLevel'>;

export interface StaffGuardOptions {
  database: Database;
  cookies: SessionCookies;
  /** The address under which browsers know this door, if it is configured. */
  publicUrl: string | undefined;
  /** Without a second factor, no session gets further than binding one. */
  isFactorRequired: boolean;
  signInLimits?: SignInLimits | undefined;
}

/** Nobody's browser is known at this door: our staff are few, and their sign-ins all count the same. */
const noDevices = { accountsOf: () => [] };

/**
 * Authorizes our staff before anything else of a request is read: origin and token (419), session (401), level and
 * permission (403).
 */
export class StaffGuards implements Door {
  readonly cookies: SessionCookies;
  readonly signIns: SignInGate;
  readonly largeBodies = new LargeBodies();
  readonly #database: Database;
  readonly #origin: OwnOrigin;
  readonly #isFactorRequired: boolean;

  constructor(options: StaffGuardOptions) {
    this.#database = options.database;
    this.cookies = options.cookies;
    this.signIns = new SignInGate(noDevices, options.signInLimits ?? defaultSignInLimits);
    this.#origin = new OwnOrigin(options.publicUrl);
    this.#isFactorRequired = options.isFactorRequired;
  }

  /** Returns the caller that an endpoint requires; throws a Refusal. */
  async admit(endpoint: EndpointShape, request: FastifyRequest): Promise<StaffMember | undefined> {
    this.#origin.check(request);
    this.cookies.check(request);
    if (endpoint.access === 'public') return undefined;
    // A merchant's call that was bound here by mistake must not become a public one.
    if (endpoint.access !== 'staff') throw new Refusal('not_found');
    return this.member(request, endpoint);
  }

  /**
   * Returns the signed-in member of our staff. Throws `unauthenticated`; `two_factor_challenge_required` if the second factor is
   * still to be shown; `two_factor_required` if one must be bound first; `forbidden` without the permission.
   */
  async member(
    request: FastifyRequest,
    needs: StaffNeeds = {},
    lookup: { isPassive?: boolean } = {},
  ): Promise<StaffMember> {
    const member = await this.sessionMember(request, lookup);
    if (!member) throw new Refusal('unauthenticated');
    if (!reachesStaff(member.level, needs.staffLevel ?? 'complete'))
      throw new Refusal(
        member.level === 'password' ? 'two_factor_challenge_required' : 'two_factor_required',
      );
    if (needs.staffPerm && !member.perms.includes(needs.staffPerm)) throw new Refusal('forbidden');
    return member;
  }

  /** Returns the owner of a session, whatever its level; undefined without a session. */
  async sessionMember(
    request: FastifyRequest,
    { isPassive = false }: { isPassive?: boolean } = {},
  ): Promise<StaffMember | undefined> {
    const sessionId = this.cookies.read(request);
    if (!sessionId) return undefined;
    const options = { relaxed: true, oneStatement: true };
    const found = await this.#database.asSystem(
      (tx) => findStaffSession(tx, sessionId, this.#isFactorRequired),
      options,
    );
    if (found?.isStale && !isPassive)
      await this.#database.asSystem((tx) => touchStaffSession(tx, sessionId), options);
    return found?.member;
  }
}
