import { randomBytes } from 'node:crypto';
import type {} from '@fastify/cookie';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Refusal } from '#domain/refusal.ts';
import type { Secrets } from '#security/secrets.ts';

/** The names of a door's cookies, and the purpose of its XSRF tokens: those of one door are worth nothing at the other. */
export interface CookieNames {
  session: string;
  xsrf: string;
  purpose: string;
}

const consoleCookies: CookieNames = { session: 'hengfu_session', xsrf: 'XSRF-TOKEN', purpose: 'xsrf' };
/** Cookies ignore ports, so both doors' cookies can meet in one browser. */
export const staffCookies: CookieNames = {
  session: 'hengfu_staff_session',
  xsrf: 'STAFF-XSRF-TOKEN',
  purpose: 'staff xsrf',
};
const languageCookie = 'language';
const sessionIdPattern = /^[\w-]{43}$/;
const safeMethods = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Manages a browser's two cookies: the session id, which scripts can't read, and the XSRF token, which they
 * must send back. The token is an HMAC of the session id, so visitors need no stored state and a token is
 * useless in another session.
 */
export class SessionCookies {
  readonly #secrets: Secrets;
  /** Whether browsers send the cookies over https only. */
  readonly isSecure: boolean;
  readonly #names: CookieNames;
  readonly #sessionCookie: string;

  constructor(secrets: Secrets, isSecure: boolean, names: CookieNames = consoleCookies) {
    this.#secrets = secrets;
    this.#names = names;
    this.isSecure = isSecure;
    // With this prefix, browsers reject the cookie from http connections and from sibling hosts.
    this.#sessionCookie = isSecure ? `__Host-${names.session}` : names.session;
  }

  /** Returns the session id that the browser sent, if it is well-formed. */
  read(request: FastifyRequest): string | undefined {
    const id = request.cookies[this.#sessionCookie];
    return id !== undefined && sessionIdPattern.test(id) ? id : undefined;
  }

  /** Sets a fresh session id and its XSRF token. */
  renew(reply: FastifyReply): void {
    this.write(reply, this.create());
  }

  /** Creates an unguessable session id. */
  create(): string {
    return randomBytes(32).toString('base64url');
  }

  /** Sets both cookies, without an expiry: the server ends sessions itself. */
  write(reply: FastifyReply, sessionId: string): void {
    const common = { path: '/', sameSite: 'lax', secure: this.isSecure } as const;
    reply.setCookie(this.#sessionCookie, sessionId, { ...common, httpOnly: true });
    reply.setCookie(this.#names.xsrf, this.#secrets.hmac(this.#names.purpose, sessionId), common);
  }

  /** Removes both cookies, and the console's language. */
  clear(reply: FastifyReply): void {
    const common = { path: '/', sameSite: 'lax', secure: this.isSecure } as const;
    reply.clearCookie(this.#sessionCookie, { ...common, httpOnly: true });
    for (const name of [this.#names.xsrf, languageCookie]) reply.clearCookie(name, common);
  }

  /** Throws Refusal `csrf_mismatch` unless a write carries the token of its own session. */
  check(request: FastifyRequest): void {
    if (!isWrite(request)) return;
    const sessionId = this.read(request);
    const token = tokenOf(request);
    if (!sessionId || !token || !this.#secrets.isHmacOf(token, this.#names.purpose, sessionId))
      throw new Refusal('csrf_mismatch');
  }
}

/** Whether a request may change something, going by its method. */
export function isWrite({ method }: FastifyRequest): boolean {
  return !safeMethods.has(method);
}

/** Reads the token from `X-XSRF-TOKEN`, `X-CSRF-TOKEN`, or `_token` in the body. */
function tokenOf(request: FastifyRequest): string | undefined {
  const header = request.headers['x-xsrf-token'] ?? request.headers['x-csrf-token'];
  if (typeof header === 'string') return safeDecode(header);
  const body = request.body;
  if (typeof body !== 'object' || body === null || !('_token' in body)) return undefined;
  return typeof body._token === 'string' ? body._token : undefined;
}

function safeDecode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
