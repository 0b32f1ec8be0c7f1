import type { SecondFactor, SessionLevel } from '@hengfu/contract/authentication';
import type { Language } from '@hengfu/contract/languages';
import type { MerchantMode } from '@hengfu/contract/merchant-mode';
import type { Currency } from '@hengfu/contract/money';
import type { Perm, RoleCode } from '@hengfu/contract/permissions';
import type { StaffLevel } from '@hengfu/contract/staff/level';
import type { StaffPerm, StaffRole } from '@hengfu/contract/staff/permissions';

/** Facts about a request that every handler gets. */
export interface RequestInfo {
  id: string;
  /** The client's address: the socket's, or what a trusted proxy reports. */
  address: string;
  userAgent: string | undefined;
  language: Language;
  /** Idempotency key that the caller chose. */
  idempotencyKey?: string | undefined;
  /** To be called if the reply is that of an earlier call with the same key. */
  onReplay?: () => void;
}

/** The merchant that a caller belongs to, with its currency and time zone. */
export interface Home {
  merchantId: bigint;
  code: string;
  name: string;
  currency: Currency;
  zone: string;
}

/** A signed-in person. */
export interface Person {
  kind: 'person';
  userId: bigint;
  email: string;
  name: string;
  roles: RoleCode[];
  /** The permissions that these roles grant. */
  perms: Perm[];
  home: Home;
  sessionId: string;
  /** The time zone (IANA) and the language that the person has chosen. */
  ownZone: string | null;
  language: Language | null;
  /** The second factors that are bound. */
  factors: ('app' | 'passkey')[];
  /** `required`: the person can do nothing but bind one. */
  twoFactor: 'on' | 'off' | 'required';
  /** When the login password opened this session. */
  authenticatedAt: Date;
  /** The second factor that this session passed last, and when; null if none. */
  passed: { factor: SecondFactor; at: Date } | null;
  /** The level that this session has passed, given the requirements of its person and merchant. */
  level: SessionLevel;
  /** The login password was recently confirmed in this session. */
  isPasswordConfirmed: boolean;
  /** An invitation opened this session or was accepted in it, and proves enough to bind a first second factor. */
  isInvited: boolean;
  /** The merchant is chosen. Otherwise it is the one that is offered first. */
  isChosen: boolean;
  /** The person works for other merchants, too. */
  hasOtherMerchants: boolean;
  mode: MerchantMode;
  /** The person can be in live and in test mode of the same merchant, in different tabs: it has a test merchant, or is one. */
  hasTwin: boolean;
}

/** Whether a person has a permission. The role ROOT has them all. */
export function holds({ perms }: Pick<Person, 'perms'>, perm: Perm): boolean {
  return perms.includes(perm);
}

/** A merchant's system, identified by its access key. */
export interface Program {
  kind: 'program';
  keyId: string;
  home: Home;
  /** The callback URL for orders that name none. */
  callbackUrl: string | null;
  /** The nonce of the call, if the transaction that does its work is to claim it; claimed already if absent. */
  openNonce?: OpenNonce;
}

/** The answer to a claim on a nonce. `changed`: the key has changed since it was verified, and must be read and verified again. */
export type NonceAnswer = 'claimed' | 'replayed' | 'changed';

/** A claim on the nonce of a signed call, with the revision of the key that was verified. */
export interface NonceClaim {
  merchantId: bigint;
  keyId: string;
  revision: string;
  nonce: string;
}

/** A nonce that is not claimed yet. */
export interface OpenNonce {
  readonly claim: NonceClaim;
  /** Whether it still has to be claimed. */
  readonly isOpen: boolean;
  /** Takes the answer of the transaction that has claimed it, once that is committed. Throws a {@link NonceRefused} if it was refused. */
  settle(answer: NonceAnswer): void;
  /**
   * Claims it in a transaction of its own. Throws a Refusal, such as `nonce_replayed`, or {@link KeyChanged} if it is claimed, but with the
   * key as it is now: then the work has to be done for that.
   */
  claimAlone(): Promise<void>;
}

/** The transaction that was to do a call's work has refused its nonce, and done nothing. */
export class NonceRefused extends Error {}

/** A nonce is claimed, and its key is no longer the one that was verified. Nothing has been done yet. */
export class KeyChanged extends Error {
  readonly program: Program;

  constructor(program: Program) {
    super();
    this.program = program;
  }
}

/** A signed-in member of our own staff. Belongs to no merchant. */
export interface StaffMember {
  kind: 'staff';
  staffId: bigint;
  email: string;
  name: string;
  roles: StaffRole[];
  perms: StaffPerm[];
  sessionId: string;
  language: Language | null;
  level: StaffLevel;
  /** An authenticator app or a passkey is bound. */
  hasFactor: boolean;
  hasPasskey: boolean;
}

/** A member of our staff in a request. */
export interface StaffActor {
  member: StaffMember;
  request: RequestInfo;
}

/** A person of a merchant, or its system, in a request. */
export interface MerchantActor {
  caller: Person | Program;
  request: RequestInfo;
}

/** Somebody who acts for the service: an operator or a task by name, or a member of our staff in a request. */
export type ServiceActor = string | StaffActor;

/** Somebody who acts for the service, in a request or not. */
export type NamedActor = string | Pick<StaffActor, 'member'>;

/** Returns the name under which the audit trail and requests know somebody: `staff:<id>`, `operator:<name>` or `job:<task>`. */
export function nameOfActor(by: NamedActor): string {
  return typeof by === 'string' ? by : `staff:${by.member.staffId}`;
}

/** Checks the payment password, and the second factor if it is on. Throws refusals that a form can show. */
export type Authorize = (
  person: Person,
  shown: { password: string; code: string | undefined },
) => Promise<void>;
