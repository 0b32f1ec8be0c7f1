import type { EndpointShape } from '@hengfu/contract/endpoint';
import type { FastifyRequest } from 'fastify';
import type { Person, Program, StaffMember } from '#domain/caller.ts';
import type { LargeBodies } from './large-bodies.ts';
import type { RepeatedCalls } from './open-api/repeated-calls.ts';
import type { SignInGate } from './sign-in-gate.ts';

/** How a caller is admitted. */
export interface AdmitOptions {
  /** The handler claims the nonce of a signed call with its work. */
  claimsNonce?: boolean;
}

/** A way into the product with its own sessions: the merchants' door, and that of our staff. */
export interface Door {
  /** Limits sign-in calls, before anything else of them is checked. */
  readonly signIns: SignInGate;
  readonly largeBodies: LargeBodies;
  /** Answers repeated signed calls, if programs use this door. */
  readonly repeatedCalls?: RepeatedCalls;
  /** Returns the caller that an endpoint requires, before anything else of a request is read; throws a Refusal. */
  admit(
    endpoint: EndpointShape,
    request: FastifyRequest,
    options?: AdmitOptions,
  ): Promise<Person | Program | StaffMember | undefined>;
  /** Returns the error that a call of a program is refused with, given the one that its handler threw. */
  explain?(caller: Program, request: FastifyRequest, error: unknown): Promise<unknown>;
}

/** Returns the owner whose large bodies count together. */
export function ownerOf(caller: Person | Program | StaffMember | undefined): string {
  if (!caller) return 'anonymous';
  return caller.kind === 'staff' ? `staff ${caller.staffId}` : String(caller.home.merchantId);
}
