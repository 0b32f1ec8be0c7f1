import type * as z from 'zod';
import type { SessionLevel } from './authentication.ts';
import type { ErrorCode } from './errors.ts';
import type { Perm } from './permissions.ts';

/** Who may call: `public` anyone; `session` a signed-in person; `signed` a merchant's program (Open API signature). */
export type Access = 'public' | 'session' | 'signed';

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/**
 * What any call may send, judged before its schema is. A call that needs more says so (`bodyLimitBytes` and the like), so
 * that what strangers can make the server read stays small everywhere else.
 */
export const requestLimits = {
  bodyBytes: 16 * 1024,
  /** Fields and items of a body, at every depth, all together. */
  values: 1000,
  /** Fields of one object, of a form, of a query. */
  fields: 100,
  depth: 16,
  /** Characters of one text. */
  textLength: 16 * 1024,
} as const;

/** Faults that one reply names; its message says how many more there are. */
export const mostNamedFaults = 20;

/** One call between a client and the server, as data: the server binds it, the console calls it, the docs list it. */
export interface EndpointShape {
  readonly method: Method;
  /** Path with `:name` parameters, as in `/api/merchant/collections/:trade_no`. */
  readonly path: string;
  /** One sentence for the API documents. */
  readonly summary: string;
  readonly access: Access;
  /** Permission that the caller's roles must grant (session calls only). */
  readonly perm?: Perm;
  /** The login password must have been confirmed in this session, not long ago (session calls only). */
  readonly isPasswordConfirmed?: boolean;
  /** What the session must have passed (session calls only); `complete` where absent. */
  readonly level?: SessionLevel;
  /**
   * Leads to a session, or judges the login password of one: takes part in the limit on sign-in calls of an address, and is
   * refused with `too_many_requests` beyond it, before anything else is looked at.
   */
  readonly isSignIn?: boolean;
  /** Takes `Idempotency-Key`: the same call again under the same key gets the same reply, and does nothing. */
  readonly isIdempotent?: boolean;
  /** Bytes that the body may have, where it is more than other calls' ({@link requestLimits}). */
  readonly bodyLimitBytes?: number;
  /** Fields and items that the body may have all together, likewise. */
  readonly bodyLimitValues?: number;
  /** Characters that a text of the body may have, likewise. */
  readonly textLimitLength?: number;
  /** Fields of the body may stand in the query, too; the body wins. */
  readonly isQueryTakenAsBody?: boolean;
  /** Exempt from the XSRF token although it writes: callers carry no ambient authority. */
  readonly crossSite?: boolean;
  readonly params?: z.ZodObject;
  /** Parameters of the path that carry authority of their own (a link's token): masked in logs, never cached or referred to. */
  readonly secretParams?: readonly string[];
  readonly query?: z.ZodObject;
  readonly body?: z.ZodType;
  /** Answers a file, not JSON. */
  readonly isFile?: boolean;
  /** HTTP status of success. */
  readonly status: 200 | 201 | 204;
  /** Body of success; absent for 204. */
  readonly reply?: z.ZodType;
  /** Error codes beyond those that every call of this access may answer. */
  readonly errors: readonly ErrorCode[];
}

/** Declares an endpoint, keeping its exact types. */
export function endpoint<const E extends EndpointShape>(shape: E): E {
  return shape;
}

type Output<S> = S extends z.ZodType ? z.output<S> : undefined;
type Input<S> = S extends z.ZodType ? z.input<S> : undefined;

/** What a handler receives after validation. */
export type ParamsOf<E extends EndpointShape> = Output<E['params']>;
export type QueryOf<E extends EndpointShape> = Output<E['query']>;
export type BodyOf<E extends EndpointShape> = Output<E['body']>;
/** What a client sends. */
export type QueryInput<E extends EndpointShape> = Input<E['query']>;
export type BodyInput<E extends EndpointShape> = Input<E['body']>;
export type ParamsInput<E extends EndpointShape> = Input<E['params']>;
/** What the call answers, as read by a client. */
export type ReplyOf<E extends EndpointShape> = Output<E['reply']>;
