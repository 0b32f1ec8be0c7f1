import { randomBytes } from 'node:crypto';
import { codeOf } from '@hengfu/server/testing/totp.ts';
import type { Credentials } from './call.ts';
import type { Json } from './json.ts';

const maxValues = 40;
const placeholderPattern = /⟦([\w./{}-]+)(?::(\d+))?⟧/gu;

/** Returns a placeholder for a value known only on sending, such as an order number a TOTP code, or one of an app that is being bound (`newCode`). */
export function placeholder(name: string, choice = 0): string {
  return `⟦${name}:${choice}⟧`;
}

/** Fields that identify a row of a list, besides numbers of orders. */
const identifiers = new Set(['id', 'keyId', 'code', 'request_id']);
/** Calls by a token that a link to a page ends with. */
const tokenPages = {
  '/pay/link/': '/api/pay-links',
  '/receipt/': '/api/receipts',
  '/invitation/': '/api/invitations',
};

const logoPage = '/api/checkout-logos/';

/** Values from earlier replies, for later requests: order numbers, cursors, tokens. */
export class Pool {
  readonly #known = new Map<string, string[]>();
  #count = 0;

  /** Keeps a value under a name, up to a maximum; drops the oldest. */
  keep(name: string, value: string): void {
    const known = this.#known.get(name) ?? [];
    if (!known.includes(value)) known.push(value);
    if (known.length > maxValues) known.shift();
    this.#known.set(name, known);
  }

  /** Keeps the identifiers in a reply, recognized by field name. `path` is the path of the call. */
  learn(path: string, json: Json): void {
    if (Array.isArray(json)) for (const each of json.slice(0, 5)) this.learn(path, each);
    if (typeof json !== 'object' || json === null || Array.isArray(json)) return;
    for (const [name, value] of Object.entries(json)) {
      if (typeof value === 'object') this.learn(path, value);
      if (Array.isArray(value)) this.learn(`${path}/${name}`, value);
      if (typeof value !== 'string' || value.length > 300) continue;
      if (name === 'secretKey') this.keep(name, value);
      if (name === 'next' || name === 'previous') this.keep('cursor', value);
      if (name.endsWith('_no')) this.keep(name, value);
      if (name.endsWith('_no') || identifiers.has(name)) this.keep(`${path.split('/{')[0]}/${name}`, value);
    }
    const { cashierUrl, amount, url, logo } = json;
    if (typeof logo === 'string' && logo.startsWith(logoPage))
      this.keep(`${logoPage}logo`, logo.slice(logoPage.length));
    for (const [page, call] of Object.entries(tokenPages))
      if (typeof url === 'string' && url.includes(page))
        this.keep(`${call}/token`, url.split('/').at(-1) ?? '');
    // The sandbox bank simulates delays and failures for other amounts.
    if (typeof cashierUrl === 'string' && typeof amount === 'string' && amount.endsWith('.00'))
      this.keep('/api/cashier/token', cashierUrl.split('/').at(-1) ?? '');
  }

  /**
   * Fills in all placeholders of a text. `secret` is the TOTP secret of the sender, `merchant` the code of its merchant. Where
   * a path has returned no such number, one of another path is taken.
   */
  fill(text: string, { secret, merchant = 'none' }: Partial<Credentials>): string {
    return text.replaceAll(placeholderPattern, (_, name: string, choice: string | undefined) => {
      if (name === 'unique') return `f-${++this.#count}-${randomBytes(4).toString('hex')}`;
      if (name === 'hash') return randomBytes(32).toString('hex');
      if (name === 'code') return secret === undefined ? '123456' : codeOf(secret);
      if (name === 'merchant') return merchant;
      if (name === 'newCode') {
        const begun = this.#known.get('secretKey')?.at(-1);
        return begun === undefined ? '123456' : codeOf(begun);
      }
      // A number of the bystander must not become one of the caller.
      const other = name.startsWith('bystander/') ? undefined : this.#known.get(name.split('/').at(-1) ?? '');
      const known = this.#known.get(name) ?? other ?? [];
      return known[Number(choice ?? 0) % Math.max(1, known.length)] ?? 'none';
    });
  }
}
