import type * as z from 'zod';
import type { SessionLevel } from './authentication.ts';
import type { ErrorCode } from './errors.ts';
import type { CallScope } from './key-scopes.ts';
import type { MerchantMode } from './merchant-mode.ts';
import type { CallLimit } from './open-api.ts';
import type { Perm } from './permissions.ts';
import type { StaffLevel } from './staff/level.ts';
import type { StaffPerm } from './staff/permissions.ts';

/**
 * The permitted callers: `public` anyone; `session` a signed-in person of a merchant; `signed` a merchant's system (Open
 * API signature); `staff` a signed-in member of our own staff.
 */
export type Access = 'public' | 'session' | 'signed' | 'staff';

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/**
 * Limits of any request, checked before its schema. A call that needs more declares it (`bodyLimitBytes` and
 * the like), so that the server reads little input from anonymous callers everywhere else.
 */
export const requestLimits = {
  bodyBytes: 16 * 1024,
  /** Fields and items of a body in total, at every depth. */
  values: 1000,
  /** Fields of one object, of a form, of a query. */
  fields: 100,
  depth: 16,
  /** Characters of one text. */
  textLength: 16 * 1024,
} as const;

/**
 * How fast a body that is a file has to arrive, beyond the time that every request has: large ones then arrive over slow lines, and nobody
 * holds a connection by sending next to nothing.
 */
export const fileBodyLimits = {
  /** Longest pause of the sender. */
  idleMs: 30_000,
  /** Least bytes per second, on average. */
  bytesPerSecond: 64 * 1024,
} as const;

/** Maximum faults that one reply lists; its message says how many more there are. */
export const maxReportedFaults = 20;

/** Input of a call, as a client sends it. The numbers of orders are only examples. */
export interface EndpointExample {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: Readonly<Record<string, string | boolean>>;
}

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
  /** The mode in which alone the call can be made (session calls only); either one by default. */
  readonly mode?: MerchantMode;
  /** The login password must have been confirmed recently in this session (session calls only). */
  readonly isPasswordConfirmed?: boolean;
  /** The level that the session must have reached (session calls only); `complete` by default. */
  readonly level?: SessionLevel;
  /** The scope that the access key must have (signed calls, all of them); see `allowsCall`. */
  readonly scope?: CallScope;
  /** Permission that the roles of our staff must grant (staff calls only). */
  readonly staffPerm?: StaffPerm;
  /** The level that the session must have reached (staff calls only); `complete` by default. */
  readonly staffLevel?: StaffLevel;
  /**
   * Opens a session, or checks a login password. Counts toward the limit on sign-in calls of an address;
   * beyond it, the call is refused with `too_many_requests` before anything else is checked.
   */
  readonly isSignIn?: boolean;
  /**
   * Accepts `Idempotency-Key`: a repeated call with the same key returns the first reply and does nothing.
   */
  readonly isIdempotent?: boolean;
  /** The limit that the call counts toward (signed calls only); `calls` by default. */
  readonly callLimit?: CallLimit;
  /** Maximum bytes of the body, if higher than the general limit ({@link requestLimits}). */
  readonly bodyLimitBytes?: number;
  /** Maximum fields and items of the body in total, likewise. */
  readonly bodyLimitValues?: number;
  /** Maximum characters of a text in the body, likewise. */
  readonly textLimitLength?: number;
  /** Body fields may also be sent in the query; the body takes precedence. */
  readonly isQueryTakenAsBody?: boolean;
  /** Exempt from the XSRF token although it writes: callers carry no ambient authority. */
  readonly crossSite?: boolean;
  readonly params?: z.ZodObject;
  /**
   * Path parameters that carry authority of their own (a link's token): masked in logs, never cached or sent
   * as a referrer.
   */
  readonly secretParams?: readonly string[];
  readonly query?: z.ZodObject;
  readonly body?: z.ZodType;
  /** The body is a file of any type, which the handler reads as it arrives; it is neither parsed nor kept in memory. */
  readonly isFileBody?: boolean;
  /** Returns a file, not JSON. */
  readonly isFile?: boolean;
  /** The file at an address never changes: browsers and caches keep it (files only). */
  readonly isImmutable?: boolean;
  /**
   * Replies with lines of JSON (NDJSON) as they become ready, each of which matches `reply`; the last one is the result. An
   * error after the first line ends the connection.
   */
  readonly isStreamed?: boolean;
  /** HTTP status of success. */
  readonly status: 200 | 201 | 204;
  /** Body of success; absent for 204. */
  readonly reply?: z.ZodType;
  /**
   * Input for the API documents, the collections of API clients and the console's page of the Open API: of every signed call that has a
   * body, or a parameter that it needs.
   */
  readonly example?: EndpointExample;
  /** Error codes besides those that every call of this access may return. */
  readonly errors: readonly ErrorCode[];
}

/** Declares an endpoint, keeping its exact types. */
export function endpoint<const E extends EndpointShape>(shape: E): E {
  return shape;
}

type Output<S> = S extends z.ZodType ? z.output<S> : undefined;
type Input<S> = S extends z.ZodType ? z.input<S> : undefined;

/** The input of a handler, after validation. */
export type ParamsOf<E extends EndpointShape> = Output<E['params']>;
export type QueryOf<E extends EndpointShape> = Output<E['query']>;
export type BodyOf<E extends EndpointShape> = Output<E['body']>;
/** The input as a client sends it. */
export type QueryInput<E extends EndpointShape> = Input<E['query']>;
export type BodyInput<E extends EndpointShape> = Input<E['body']>;
export type ParamsInput<E extends EndpointShape> = Input<E['params']>;
/** The reply as a client reads it. */
export type ReplyOf<E extends EndpointShape> = Output<E['reply']>;
