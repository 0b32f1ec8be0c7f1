import { randomBytes } from 'node:crypto';
import { codeOf } from '@hengfu/server/testing/totp.ts';
import type { Json } from './json.ts';

const mostKept = 40;
const mark = /⟦([\w./{}-]+)(?::(\d+))?⟧/gu;

/** Stands in a request for what is only known when it is sent: a number that the product gave, a code of now. */
export function filledIn(what: string, choice = 0): string {
  return `⟦${what}:${choice}⟧`;
}

/** What the product has told so far, for requests to come: numbers of orders, cursors, tokens. */
export class Pool {
  readonly #known = new Map<string, string[]>();
  #count = 0;

  /** Keeps a value under a name; of many the latest. */
  keep(name: string, value: string): void {
    const known = this.#known.get(name) ?? [];
    if (!known.includes(value)) known.push(value);
    if (known.length > mostKept) known.shift();
    this.#known.set(name, known);
  }

  /** Takes from a reply what its names say that it is. `path`: of the call, whose own numbers these are. */
  learn(path: string, json: Json): void {
    if (Array.isArray(json)) for (const each of json.slice(0, 5)) this.learn(path, each);
    if (typeof json !== 'object' || json === null || Array.isArray(json)) return;
    for (const [name, value] of Object.entries(json)) {
      if (typeof value === 'object') this.learn(path, value);
      if (typeof value !== 'string' || value.length > 300) continue;
      if (name === 'next' || name === 'previous') this.keep('cursor', value);
      if (name.endsWith('_no')) this.keep(name, value);
      if (name.endsWith('_no') || name === 'id') this.keep(`${path.split('/{')[0]}/${name}`, value);
    }
    const { cashierUrl, amount } = json;
    // The bank that ships plays tricks with other amounts, in its own time.
    if (typeof cashierUrl === 'string' && typeof amount === 'string' && amount.endsWith('.00'))
      this.keep('/api/cashier/token', cashierUrl.split('/').at(-1) ?? '');
  }

  /** A text with everything filled in. `secret`: of the sender's authenticator app. */
  fill(text: string, secret: string | undefined): string {
    return text.replaceAll(mark, (_, what: string, choice: string | undefined) => {
      if (what === 'unique') return `f-${++this.#count}-${randomBytes(4).toString('hex')}`;
      if (what === 'hash') return randomBytes(32).toString('hex');
      if (what === 'code') return secret === undefined ? '123456' : codeOf(secret);
      const known = this.#known.get(what) ?? [];
      return known[Number(choice ?? 0) % Math.max(1, known.length)] ?? 'none';
    });
  }
}
