import type {} from '@fastify/cookie';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Secrets } from '#security/secrets.ts';

const plainName = 'hengfu_device';
const lifeSeconds = 180 * 24 * 3600;
/** Accounts remembered per browser, the most recent first: computers may be shared. */
const maxAccounts = 5;
const accountLength = 16;
const pattern = /^(\d{1,12})\.([\w-]{16}(?:~[\w-]{16}){0,4})\.([\w-]{43})$/;

/**
 * Manages the cookie that recognizes a browser after a sign-in (OWASP: device cookie). It holds its expiry,
 * tags of the accounts that have signed in with this browser, and an HMAC over both. It authenticates no one
 * and reveals no names: computing a tag takes the application's key. All browsers of one account carry the
 * same tag, so repeated sign-ins gain nothing over the first.
 */
export class DeviceCookies {
  readonly #secrets: Secrets;
  readonly #isSecure: boolean;
  readonly #name: string;

  constructor(secrets: Secrets, isSecure: boolean) {
    this.#secrets = secrets;
    this.#isSecure = isSecure;
    this.#name = isSecure ? `__Host-${plainName}` : plainName;
  }

  /** Returns the tags of the accounts that have signed in with a browser, the most recent first. */
  accountsOf(request: FastifyRequest): readonly string[] {
    const [, expires = '', accounts = '', hmac = ''] = pattern.exec(request.cookies[this.#name] ?? '') ?? [];
    if (Number(expires) * 1000 < Date.now()) return [];
    return this.#secrets.isHmacOf(hmac, 'device', `${expires}.${accounts}`) ? accounts.split('~') : [];
  }

  /** Returns a predicate for the users who have signed in with a browser; undefined if none has. */
  knows(request: FastifyRequest): ((userId: bigint) => boolean) | undefined {
    const accounts = this.accountsOf(request);
    return accounts.length === 0 ? undefined : (userId) => accounts.includes(this.#tagOf(userId));
  }

  /** Remembers a user who has signed in and passed every factor of the account. */
  remember(request: FastifyRequest, reply: FastifyReply, userId: bigint): void {
    const account = this.#tagOf(userId);
    const others = this.accountsOf(request).filter((other) => other !== account);
    const accounts = [account, ...others].slice(0, maxAccounts).join('~');
    const expires = Math.floor(Date.now() / 1000) + lifeSeconds;
    const text = `${expires}.${accounts}`;
    reply.setCookie(this.#name, `${text}.${this.#secrets.hmac('device', text)}`, {
      path: '/',
      maxAge: lifeSeconds,
      httpOnly: true,
      sameSite: 'lax',
      secure: this.#isSecure,
    });
  }

  /** Removes the cookie, at a sign-out. */
  forget(reply: FastifyReply): void {
    reply.clearCookie(this.#name, {
      path: '/',
      httpOnly: true,
      sameSite: 'lax',
      secure: this.#isSecure,
    });
  }

  /** Derived from the user id: emails can be changed at will, and each would count as another account. */
  #tagOf(userId: bigint): string {
    return this.#secrets.hmac('device account', String(userId)).slice(0, accountLength);
  }
}
