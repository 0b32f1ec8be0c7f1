import type { Operation } from './document.ts';

/** The credentials of a person who calls. */
export interface Credentials {
  cookies: Readonly<Record<string, string>>;
  /** Code of the merchant that the person works for; none for visitors. */
  merchant?: string;
  /** TOTP secret, if an authenticator app is bound. */
  secret?: string;
}

/** The callers of the back office, one for each role, and one with the XSRF cookie alone. */
export type StaffCaller = 'staffVisitor' | 'staffAdmin' | 'staffReviewer' | 'staffFinance' | 'staffSupport';

/** The sender of a call; `bound` has a second factor, `tester` works in test mode, `visitor` only the XSRF cookie, `nobody` not even that. */
export type Caller = 'nobody' | 'visitor' | 'admin' | 'bound' | 'tester' | 'viewer' | 'program' | StaffCaller;

/** A call before it is sent, with placeholders for values that are only known then. */
export interface Call {
  who: Caller;
  method: string;
  path: string;
  query: readonly (readonly [name: string, value: string])[];
  headers: Readonly<Record<string, string>>;
  /** Bytes if the body is not valid text. */
  body: string | Buffer | undefined;
  /** Whether the method or path is no longer the operation's, so that another operation, or none, answers. */
  isElsewhere: boolean;
  /** Whether the call must be refused, whoever sends it. */
  isWrong: boolean;
}

/** A mutator: changes a call into an almost valid or a hostile one. */
export type Twist = (call: Call, operation: Operation) => Call;
