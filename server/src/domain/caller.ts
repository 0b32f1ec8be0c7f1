import type { SecondFactor, SessionLevel } from '@hengfu/contract/authentication';
import type { Currency } from '@hengfu/contract/money';
import type { Perm, Role } from '@hengfu/contract/permissions';
import type { Language } from '@hengfu/contract/session';

/** What every handler may know of a request. */
export interface RequestInfo {
  id: string;
  /** The client's address: of the socket, or what a trusted proxy says. */
  address: string;
  userAgent: string | undefined;
  language: Language;
  /** The caller's own key of a call that must take effect once. */
  idempotencyKey?: string | undefined;
}

/** Home of a caller: whose data it is and in which money and zone it is told. */
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
  roles: Role[];
  perms: Perm[];
  home: Home;
  sessionId: string;
  /** The IANA zone and the language that the person chose to be told things in. */
  ownZone: string | null;
  language: Language | null;
  /** The second factors that are bound. */
  factors: ('app' | 'passkey')[];
  /** `required`: nothing but its binding is open. */
  twoFactor: 'on' | 'off' | 'required';
  /** When the login password opened this session. */
  authenticatedAt: Date;
  /** The second factor that this session passed last, and when; null where it has passed none. */
  passed: { factor: SecondFactor; at: Date } | null;
  /** What this session has passed, judged by what its person and merchant ask for. */
  level: SessionLevel;
  /** The login password was confirmed in this session, not long ago. */
  isPasswordConfirmed: boolean;
}

/** Whether a person may do what a permission names: whoever has the role ROOT holds them all. */
export function holds({ perms }: Person, perm: Perm): boolean {
  return perms.includes(perm);
}

/** A merchant's program, known by its access key. */
export interface Program {
  kind: 'program';
  keyId: string;
  home: Home;
  /** Where callbacks of orders go that name no address of their own. */
  callbackUrl: string | null;
}

/** Checks the payment password, and the second factor where it is on; throws as a form wants to hear it. */
export type Authorize = (
  person: Person,
  shown: { password: string; code: string | undefined },
) => Promise<void>;
