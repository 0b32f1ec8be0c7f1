import type {} from '@fastify/cookie';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Secrets } from '#security/secrets.ts';

const plainName = 'hengfu_device';
const lifeSeconds = 180 * 24 * 3600;
/** Accounts that one browser is known for: a shared computer's, the most recent first. */
const mostAccounts = 5;
const accountLength = 16;
const pattern = /^(\d{1,12})\.([\w-]{16}(?:~[\w-]{16}){0,4})\.([\w-]{43})$/;

/**
 * The cookie by which a browser is known again after a sign-in (OWASP calls it a device cookie). It holds its expiry,
 * marks of the accounts that have signed in with this browser, and a mark over both. It authenticates nobody and names
 * nobody: the marks need the application's key, and all browsers of one account carry the same one, so that signing in
 * many times yields nothing that the first sign-in did not.
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

  /** The marks of the accounts that have signed in with a browser, the most recent first. */
  accountsOf(request: FastifyRequest): readonly string[] {
    const [, expires = '', accounts = '', mark = ''] = pattern.exec(request.cookies[this.#name] ?? '') ?? [];
    if (Number(expires) * 1000 < Date.now()) return [];
    return this.#secrets.isMarkOf(mark, 'device', `${expires}.${accounts}`) ? accounts.split('~') : [];
  }

  /** Answers which accounts have signed in with a browser; undefined where none has. */
  knows(request: FastifyRequest): ((userId: bigint) => boolean) | undefined {
    const accounts = this.accountsOf(request);
    return accounts.length === 0 ? undefined : (userId) => accounts.includes(this.#markOf(userId));
  }

  /** Notes that a user has signed in, with every factor that the account has. */
  remember(request: FastifyRequest, reply: FastifyReply, userId: bigint): void {
    const account = this.#markOf(userId);
    const others = this.accountsOf(request).filter((other) => other !== account);
    const accounts = [account, ...others].slice(0, mostAccounts).join('~');
    const expires = Math.floor(Date.now() / 1000) + lifeSeconds;
    const text = `${expires}.${accounts}`;
    reply.setCookie(this.#name, `${text}.${this.#secrets.mark('device', text)}`, {
      path: '/',
      maxAge: lifeSeconds,
      httpOnly: true,
      sameSite: 'lax',
      secure: this.#isSecure,
    });
  }

  /** By the user's number: emails can be changed at will, and each would be another account. */
  #markOf(userId: bigint): string {
    return this.#secrets.mark('device account', String(userId)).slice(0, accountLength);
  }
}
